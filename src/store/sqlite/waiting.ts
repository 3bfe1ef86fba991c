import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Random } from "../../base/random.ts";
import { HeadgateError } from "../../errors.ts";
import { isBusy } from "./sqlite-error.ts";

/**
 * How one process waits for the others at a database file. SQLite's own busy handler backs off to
 * sleeps of 100 ms and so starves whole processes. Three rules replace it; the numbers behind them are
 * in docs/decisions/sqlite-waiting.md.
 * 1. Who is refused tries again after a random pause: at first short, then longer, and shorter again the
 *    longer it has waited, so that who came first is likely to be next.
 * 2. Pauses block the thread: timers are too coarse, and waking by them slows down who has the lock by a
 *    tenth. Between tries the event loop gets its turn, so that a server stays answerable.
 * 3. Who got the lock again and again while others want it steps back for a moment (`stepBack`).
 */
export class Waiting {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #waitMs: number;
  readonly #path: string;
  /** Others were seen at the file not long ago. */
  #contendedUntilMonoMs = 0;
  #burstStartMonoMs = 0;
  #lastMonoMs = 0;

  constructor(options: { clock: Clock; random: Random; waitMs: number; path: string }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#waitMs = options.waitMs;
    this.#path = options.path;
  }

  /** Repeats a step that another process's lock may refuse, until it works or `waitMs` are over. */
  async retry<T>(attempt: () => T): Promise<T> {
    const startMonoMs = this.#clock.monoMs();
    for (;;) {
      try {
        return attempt();
      } catch (error) {
        if (!isBusy(error)) throw error;
        const nowMonoMs = this.#clock.monoMs();
        const waitedMs = nowMonoMs - startMonoMs;
        if (waitedMs >= this.#waitMs) throw this.#busy(waitedMs, error);
        this.#contendedUntilMonoMs = nowMonoMs + contendedMs;
        this.#burstStartMonoMs = 0;
        this.#clock.sleepSync(this.#pauseMs(waitedMs));
        if (waitedMs >= limits.storeBlockingWaitMs) await this.#clock.yield();
      }
    }
  }

  /** To be called before each write transaction. */
  async stepBack(): Promise<void> {
    const nowMonoMs = this.#clock.monoMs();
    const isBurst = nowMonoMs - this.#lastMonoMs < burstGapMs && this.#burstStartMonoMs > 0;
    if (!isBurst) this.#burstStartMonoMs = nowMonoMs;
    this.#lastMonoMs = nowMonoMs;
    const isLong = nowMonoMs - this.#burstStartMonoMs > burstMs;
    if (!isLong || nowMonoMs > this.#contendedUntilMonoMs) return;
    await this.#clock.sleep(stepBackMs);
    this.#burstStartMonoMs = 0;
  }

  #pauseMs(waitedMs: number): number {
    const late = Math.max(pauseMsLeast, pauseMsMost * (1 - waitedMs / hurryMs));
    const longest = waitedMs < limits.storeBlockingWaitMs ? pauseMsFirst : late;
    return longest * (0.2 + 0.8 * this.#random.fraction());
  }

  #busy(waitedMs: number, cause: unknown): HeadgateError {
    return new HeadgateError(
      "STORE_BUSY",
      `other processes held the store ${this.#path} for ${Math.round(waitedMs)} ms`,
      { data: { location: this.#path, waitMs: this.#waitMs }, cause },
    );
  }
}

/** The first pauses: an ordinary commit of another process is over in a fraction of a millisecond. */
const pauseMsFirst = 1;
/** Then the file is really wanted by many, and every vain try takes time from who has it. */
const pauseMsMost = 12;
const pauseMsLeast = 6;
/** After this time a waiter tries at the highest rate. */
const hurryMs = 150;
/** How long one process may go on before it steps back, and for how long. */
const burstMs = 12;
const stepBackMs = 4;
/** Transactions closer than this belong to one burst. */
const burstGapMs = 2;
/** How long a refusal counts as a sign that others want the file. */
const contendedMs = 1000;
