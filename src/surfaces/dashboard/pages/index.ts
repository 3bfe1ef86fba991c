/** The pages, in the order of the way through them. A page is one file here and one in ../../http/api. */
import type { FunctionComponent } from "preact";
import type { NowAnswer } from "../../http/api/shapes.ts";
import type { IconName } from "../icons.tsx";
import { HealthPage } from "./health.tsx";
import { NowPage } from "./now.tsx";
import { ProfilePage } from "./profile.tsx";
import { RefusalsPage } from "./refusals.tsx";
import { ReviewsPage } from "./reviews.tsx";
import { RoutingPage } from "./routing.tsx";
import { RunsPage } from "./runs.tsx";
import { TimelinePage } from "./timeline.tsx";

export interface PageEntry {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  readonly Page: FunctionComponent<{ now: NowAnswer | undefined }>;
  /** A number beside its name; none for 0. */
  readonly badge?: (now: NowAnswer) => number;
}

export const pages: readonly PageEntry[] = [
  {
    name: "now",
    title: "Now",
    icon: "now",
    Page: NowPage,
    badge: ({ counts }) => counts.claims,
  },
  { name: "timeline", title: "Timeline", icon: "timeline", Page: TimelinePage },
  { name: "refusals", title: "Refusals", icon: "refusals", Page: RefusalsPage },
  { name: "reviews", title: "Reviews", icon: "reviews", Page: ReviewsPage },
  { name: "routing", title: "Routing", icon: "routing", Page: RoutingPage },
  { name: "runs", title: "Runs", icon: "runs", Page: RunsPage },
  { name: "profile", title: "Profile", icon: "profile", Page: ProfilePage },
  { name: "health", title: "Health", icon: "health", Page: HealthPage },
];
