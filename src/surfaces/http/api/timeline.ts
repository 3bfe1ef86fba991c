/** GET /api/timeline…: who held what at a moment of the past, from the event log. */
import type { Context } from "hono";
import { isoTime } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Event } from "../../../store/index.ts";
import { wholeNumber } from "../query.ts";
import { ClaimHistory, type Held, type Moment } from "./claim-history.ts";
import type { ApiContext, App } from "./context.ts";
import { EventTimes } from "./event-times.ts";
import { eventText } from "./event-text.ts";
import type { EventView, HeldView, RangeAnswer, TimelineAnswer } from "./shapes.ts";

export const addTimeline = (app: App, { headgate, clock }: ApiContext): void => {
  const times = new EventTimes(headgate.events);
  const history = new ClaimHistory(headgate.events, clock);

  app.get("/api/timeline/range", async (context) => {
    const nowMs = clock.wallMs();
    const bounds = await times.bounds();
    const wanted = wholeNumber(context.req.query("hours"), "hours", { min: 1, max: 24 * 366 });
    const oldestMs = bounds?.fromMs ?? nowMs;
    const fromMs = wanted === undefined ? oldestMs : Math.max(oldestMs, nowMs - wanted * hourMs);
    const span = { fromMs, toMs: Math.max(nowMs, fromMs + 1000) };
    const buckets = bounds
      ? await times.histogram({ ...span, ...bounds, ...span }, bucketCount)
      : [];
    const answer: RangeAnswer = {
      from: isoTime(span.fromMs),
      to: isoTime(span.toMs),
      head: bounds?.head ?? 0,
      buckets,
    };
    return context.json(answer);
  });

  app.get("/api/timeline", async (context) => {
    const query = readQuery(context);
    const bounds = await times.bounds();
    if (!bounds) return context.json(nothingAt(query.atMs));
    const seq = await times.seqAt(query.atMs, bounds);
    const moment =
      seq < bounds.oldest ? emptyMoment : await history.at(seq, limits.dashboardBudgetMs);
    if (typeof moment === "number") {
      return context.json({ ready: false, done: moment, of: seq } satisfies TimelineAnswer);
    }
    const since = Math.max(bounds.oldest - 1, seq - eventsShown);
    const { events } = await headgate.events.page({ since, limit: eventsShown });
    const isPruned = bounds.oldest > 1 && query.atMs < bounds.fromMs + dayMs;
    const answer: TimelineAnswer = {
      ...momentView(moment, query),
      seq,
      events: events
        .filter((event) => event.seq <= seq)
        .map(eventView)
        .toReversed(),
      ...(isPruned && { prunedBefore: isoTime(bounds.fromMs) }),
    };
    return context.json(answer);
  });
};

const bucketCount = 120;
const eventsShown = 40;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

interface Query {
  readonly atMs: number;
  readonly offset: number;
  readonly limit: number;
  readonly filter: string;
}

const readQuery = (context: Context): Query => {
  const { at = "", offset, limit, filter = "" } = context.req.query();
  const atMs = Date.parse(at);
  if (!/^\d{4}-\d\d-\d\dT/.test(at) || Number.isNaN(atMs)) {
    throw new HeadgateError(
      "USAGE",
      `at is a time like 2026-01-31T14:03:00Z; got "${showText(at)}"`,
    );
  }
  return {
    atMs,
    offset: wholeNumber(offset, "offset") ?? 0,
    limit: wholeNumber(limit, "limit", { min: 1, max: limits.dashboardRowsMax }) ?? 100,
    filter: filter.slice(0, 200).toLowerCase(),
  };
};

const emptyMoment: Moment = { seq: 0, held: new Map(), waiting: new Map() };

const nothingAt = (atMs: number): TimelineAnswer => ({
  ...{ ready: true, at: isoTime(atMs), seq: 0, held: [], offset: 0, total: 0 },
  ...{ waiting: [], events: [] },
});

const momentView = (moment: Moment, { atMs, offset, limit, filter }: Query) => {
  const all = [...moment.held.values()]
    // A claim ends by itself; the event that says so may come later.
    .filter((one) => one.untilMs > atMs && matches(one, filter))
    .toSorted((a, b) => (a.target < b.target ? -1 : a.target > b.target ? 1 : 0));
  return {
    ready: true as const,
    at: isoTime(atMs),
    held: all.slice(offset, offset + limit).map(heldView),
    offset,
    total: all.length,
    waiting: [...moment.waiting.values()].slice(0, limits.dashboardRowsMax),
  };
};

const matches = ({ target, actor }: Held, filter: string): boolean =>
  filter === "" || target.toLowerCase().includes(filter) || actor.toLowerCase().includes(filter);

const heldView = ({ id, target, actor, mode, fence, sinceMs, reason }: Held): HeldView => ({
  ...{ id, target, actor, mode, fence, reason },
  since: isoTime(sinceMs),
});

const eventView = (event: Event): EventView => {
  const { seq, at, kind, actor } = event;
  return { seq, at, kind, actor: actor ?? "", text: eventText(event) };
};
