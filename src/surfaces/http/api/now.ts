/** GET /api/now: who is here, who waits, what was asked. The claims themselves come by /api/claims. */
import { basename } from "node:path";
import { isoTime } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { ActorState, ClaimOverview, Waiter } from "../../../claims/index.ts";
import { personRequests } from "../../person-requests.ts";
import { isDoctor } from "../../setup/doctor/canary.ts";
import type { ApiContext, App } from "./context.ts";
import type { ActorView, NowAnswer, WaiterView } from "./shapes.ts";

export const addNow = (app: App, api: ApiContext): void => {
  app.get("/api/now", async (context) => context.json(await now(api)));
};

const now = async ({ headgate, overviews, version, clock }: ApiContext): Promise<NowAnswer> => {
  const overview = await overviews.get();
  const picture = { ...overview, actors: overview.actors.filter(({ id }) => !isDoctor(id)) };
  const { actors, live, waiters, requests } = picture;
  const root = headgate.repository.root;
  return {
    head: picture.head,
    at: isoTime(picture.atWallMs),
    me: headgate.claims.actor.id,
    repository: { name: basename(root), root },
    version,
    counts: {
      actors: actors.length,
      alive: actors.filter(({ liveness }) => liveness.state === "alive").length,
      claims: live,
      waiters: waiters.length,
      requests: requests.length,
    },
    isCut: live > limits.claimsOverviewMax,
    actors: actorViews(picture).slice(0, shownMax),
    waiters: await Promise.all(
      waiters.slice(0, shownMax).map((waiter, index) => waiterView(waiter, index, headgate)),
    ),
    personNeeded: await personRequests(headgate, clock.wallMs()),
    requests: requests
      .slice(0, shownMax)
      .map(({ id, claim, target, holder, asker, reason, askedAt, deadline, answer, note }) => ({
        ...{ id, claim, target, holder, asker, reason, askedAt, deadline, answer, note },
      })),
  };
};

/** More of them than this nobody reads; the counts tell of all. */
const shownMax = 200;
/** Who is in the way is looked up one by one. */
const explainedMax = 30;

const actorViews = ({ actors, holders, waiters }: ClaimOverview): ActorView[] => {
  const held = new Map(holders.map(({ actor, claims }) => [actor, claims]));
  const waiting = countBy(waiters.map(({ actor }) => actor));
  const view = ({ id, harness, lastSeen, liveness }: ActorState): ActorView => ({
    id,
    ...(harness !== undefined && { harness }),
    lastSeen,
    life: liveness,
    claims: held.get(id) ?? 0,
    waiting: waiting.get(id) ?? 0,
  });
  return actors
    .map(view)
    .toSorted((a, b) => rank(b) - rank(a) || (a.lastSeen < b.lastSeen ? 1 : -1));
};

/** Who does something stands above who only was here. */
const rank = ({ claims, waiting, life }: ActorView): number =>
  (claims + waiting > 0 ? 2 : 0) + (life.state === "alive" ? 1 : 0);

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

const waiterView = async (
  waiter: Waiter,
  index: number,
  headgate: ApiContext["headgate"],
): Promise<WaiterView> => {
  const { id, actor, targets, mode, reason, queuedAt, until, position, liveness } = waiter;
  const view = {
    id,
    actor,
    targets,
    mode,
    reason,
    queuedAt,
    until,
    position,
    life: liveness.state,
  };
  if (index >= explainedMax) return view;
  const { blockers } = await headgate.as(actor).claims.check(targets, { mode });
  const blockedBy = blockers.slice(0, 5).map((one) => ({ actor: one.actor, target: one.target }));
  return { ...view, blockedBy };
};
