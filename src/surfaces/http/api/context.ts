/** What every route of the dashboard works with. */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Clock } from "../../../base/clock.ts";
import type { Environment } from "../../../base/environment.ts";
import type { Headgate } from "../../../compose.ts";
import type { ServerState } from "../../status-report.ts";
import type { Overviews } from "./overviews.ts";

export type App = Hono<{ Bindings: HttpBindings }>;

export interface ApiContext {
  readonly headgate: Headgate;
  readonly overviews: Overviews;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly version: string;
  readonly state: () => ServerState;
  readonly streams: () => number;
  /** By the page that a person signed in to. */
  readonly isSignedIn: (request: IncomingMessage) => boolean;
}
