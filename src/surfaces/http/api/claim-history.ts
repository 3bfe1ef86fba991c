/**
 * Who held what at any moment, from the event log alone. The log is folded forwards once, in pages and
 * within a time budget; every so often the state is kept, so that going back costs a short walk.
 */
import { type Clock, systemClock } from "../../../base/clock.ts";
import type { EventLog } from "../../../compose-events.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Event } from "../../../store/index.ts";

export interface Held {
  readonly id: string;
  readonly target: string;
  readonly actor: string;
  readonly mode: string;
  readonly fence: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly reason: string;
}

export interface Moment {
  readonly seq: number;
  readonly held: ReadonlyMap<string, Held>;
  readonly waiting: ReadonlyMap<
    string,
    { readonly actor: string; readonly targets: readonly string[] }
  >;
}

export class ClaimHistory {
  readonly #events: EventLog;
  readonly #clock: Clock;
  readonly #kept: Moment[] = [];
  #front = emptyState();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(events: EventLog, clock: Clock = systemClock) {
    this.#events = events;
    this.#clock = clock;
  }

  /** The state after the event `seq`; a number instead says how far it came within the budget. */
  at(seq: number, budgetMs: number): Promise<Moment | number> {
    // One walk at a time: two pages of the dashboard would do the same work twice.
    const work = this.#turn.then(() => this.#find(seq, budgetMs));
    this.#turn = work.catch(() => undefined);
    return work;
  }

  async #find(seq: number, budgetMs: number): Promise<Moment | number> {
    if (seq >= this.#front.seq) {
      const isThere = await this.#walk(this.#front, seq, budgetMs, true);
      return isThere ? copyOf(this.#front) : this.#front.seq;
    }
    const start = this.#kept.findLast((moment) => moment.seq <= seq);
    const state = start ? copyOf(start) : emptyState();
    await this.#walk(state, seq, Number.POSITIVE_INFINITY, false);
    return state;
  }

  async #walk(state: State, to: number, budgetMs: number, keeps: boolean): Promise<boolean> {
    const deadlineMonoMs = this.#clock.monoMs() + budgetMs;
    while (state.seq < to) {
      const { events, cursor } = await this.#page(state);
      for (const event of events) {
        if (event.seq > to) break;
        applyEvent(state, event);
      }
      state.seq = Math.min(cursor, to);
      if (keeps) this.#keep();
      if (state.seq < to && this.#clock.monoMs() > deadlineMonoMs) return false;
      await this.#clock.yield();
    }
    return true;
  }

  async #page(state: State): ReturnType<EventLog["page"]> {
    try {
      return await this.#events.page({ since: state.seq, kind: "claim.*", limit: 1000 });
    } catch (error) {
      // Pruned meanwhile: what is left is folded from its beginning.
      if (!HeadgateError.isInstance(error) || error.code !== "CURSOR_PRUNED") throw error;
      return this.#events.page({ since: 0, kind: "claim.*", limit: 1000 });
    }
  }

  #keep(): void {
    const last = this.#kept.at(-1)?.seq ?? 0;
    // A kept state costs as much memory as it holds claims.
    if (this.#front.seq - last < Math.max(5_000, 2 * this.#front.held.size)) return;
    this.#kept.push(copyOf(this.#front));
  }
}

interface State extends Moment {
  seq: number;
  held: Map<string, Held>;
  waiting: Map<string, { readonly actor: string; readonly targets: readonly string[] }>;
}

const emptyState = (): State => ({ seq: 0, held: new Map(), waiting: new Map() });
const copyOf = ({ seq, held, waiting }: Moment): State => ({
  seq,
  held: new Map(held),
  waiting: new Map(waiting),
});

/** One event of the claims; what it is about may have begun before the log's kept part. */
export const applyEvent = (state: State, event: Event): void => {
  const { kind, data, actor } = event;
  const id = event.subject ?? "";
  const atMs = Date.parse(event.at);
  switch (kind) {
    case "claim.granted":
      state.held.set(id, { ...started(event, atMs), reason: textOf(data["reason"]) });
      // A grant after waiting names the waiter; the line itself says nothing more.
      state.waiting.delete(textOf(data["waiter"]));
      break;
    case "claim.released":
    case "claim.expired":
    case "claim.reclaimed":
      state.held.delete(id);
      break;
    case "claim.transferred": {
      const known = state.held.get(id) ?? started(event, atMs);
      const fence = numberOf(data["fence"]) ?? known.fence;
      state.held.set(id, { ...known, actor: textOf(data["to"]), fence });
      break;
    }
    case "claim.narrowed":
      narrow(state, event, state.held.get(id) ?? started(event, atMs));
      break;
    case "claim.waiting": {
      const targets = Array.isArray(data["targets"]) ? data["targets"].map(textOf) : [];
      state.waiting.set(id, { actor: actor ?? "", targets });
      break;
    }
    case "claim.wait-ended":
    case "claim.deadlock":
      state.waiting.delete(id);
      break;
    case "claim.asked":
    case "claim.answered":
      break;
    default:
      // Renewed, shortened, made exclusive …: a live claim in a new state.
      if (data["ttlMs"] === undefined) break;
      state.held.set(id, changed(state.held.get(id), event, atMs));
  }
};

const started = (event: Event, atMs: number): Held => {
  const { data, actor, subject } = event;
  return {
    id: subject ?? "",
    target: textOf(data["target"] ?? data["from"]),
    actor: actor ?? "",
    mode: textOf(data["mode"] ?? "exclusive"),
    fence: numberOf(data["fence"]) ?? 0,
    sinceMs: atMs,
    untilMs: atMs + (numberOf(data["ttlMs"]) ?? dayMs),
    reason: "",
  };
};

const changed = (known: Held | undefined, event: Event, atMs: number): Held => {
  const fresh = started(event, atMs);
  if (!known) return fresh;
  const { target, mode, fence, untilMs } = fresh;
  const later = event.kind === "claim.shortened" ? untilMs : Math.max(untilMs, known.untilMs);
  return { ...known, target, mode, fence, untilMs: later };
};

const narrow = (state: State, { data, subject }: Event, known: Held): void => {
  const targets = Array.isArray(data["to"]) ? data["to"].map(textOf) : [];
  const ids = Array.isArray(data["claims"]) ? data["claims"].map(textOf) : [];
  state.held.delete(subject ?? "");
  for (const [index, target] of targets.entries()) {
    const id = ids[index] ?? `${subject}-${index}`;
    state.held.set(id, { ...known, id, target });
  }
};

/** The longest life of a claim. */
const dayMs = 24 * 60 * 60 * 1000;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;
