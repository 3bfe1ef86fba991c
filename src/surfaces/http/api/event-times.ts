/**
 * From moments to places in the event log. Events are numbered without gaps in the order of their
 * commits, so a moment is found by halving, and events per stretch of time are differences of numbers:
 * a log of a million events is never read for it.
 */
import type { EventLog } from "../../../compose-events.ts";

export class EventTimes {
  readonly #events: EventLog;
  /** Events never change, so what was looked up stays true. */
  readonly #known = new Map<number, number>();

  constructor(events: EventLog) {
    this.#events = events;
  }

  /** The kept part of the log; undefined while it is empty. */
  async bounds(): Promise<{ oldest: number; head: number; fromMs: number } | undefined> {
    const { events, head } = await this.#events.page({ since: 0, limit: 1 });
    const [first] = events;
    return first && { oldest: first.seq, head, fromMs: Date.parse(first.at) };
  }

  /** The number of the last event at or before the moment; one less than the oldest where there is none. */
  async seqAt(
    wallMs: number,
    range: { readonly oldest: number; readonly head: number },
  ): Promise<number> {
    let low = range.oldest - 1;
    let high = range.head;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((await this.timeOf(middle)) <= wallMs) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Events in each of `count` equal stretches. */
  async histogram(
    span: {
      readonly fromMs: number;
      readonly toMs: number;
      readonly oldest: number;
      readonly head: number;
    },
    count: number,
  ): Promise<number[]> {
    const buckets: number[] = [];
    let before = await this.seqAt(span.fromMs - 1, span);
    for (let index = 1; index <= count; index += 1) {
      const edgeMs = span.fromMs + ((span.toMs - span.fromMs) * index) / count;
      const oldest = Math.max(span.oldest, before + 1);
      const upTo = index === count ? span.head : await this.seqAt(edgeMs, { ...span, oldest });
      buckets.push(Math.max(0, upTo - before));
      before = Math.max(before, upTo);
    }
    return buckets;
  }

  async timeOf(seq: number): Promise<number> {
    const known = this.#known.get(seq);
    if (known !== undefined) return known;
    const { events } = await this.#events.page({ since: seq - 1, limit: 1 });
    const ms = Date.parse(events[0]?.at ?? "");
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(seq, ms);
    return ms;
  }
}

const knownMax = 20_000;
