import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Random } from "../../base/random.ts";
import { HeadgateError } from "../../errors.ts";
import { describeLockHolder } from "./lock-holder.ts";
import { isBusy } from "./sqlite-error.ts";

/** See turn.ts. */
export interface Queue {
  readonly isHeld: boolean;
  take(): Promise<void>;
  give(): void;
  close(): void;
}

/**
 * How one process waits for the others at a database file. SQLite's own busy handler backs off to
 * sleeps of 100 ms and so starves whole processes. Three rules replace it; the numbers behind them are
 * in docs/decisions/sqlite-waiting.md.
 * 1. Who is refused tries again after a short random pause: an ordinary commit is over soon.
 * 2. Who is refused for longer, or was refused lately, queues for its turn; all but the first in the
 *    queue sleep. The turn lasts for a burst of transactions, because handing it on costs more than one.
 * 3. Pauses block the thread: timers are too coarse, and waking by them slows down who has the lock by a
 *    tenth. Between tries the event loop gets its turn, so that a server stays answerable.
 */
export class Waiting {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #waitMs: number;
  readonly #path: string;
  readonly #openTurn: (() => Promise<Queue>) | undefined;
  #turn: Queue | undefined;
  /** Others were seen at the file not long ago. */
  #contendedUntilMonoMs = 0;
  #burstStartMonoMs = 0;
  #begun = 0;
  #gaveMonoMs = Number.NEGATIVE_INFINITY;

  /** `turn` is opened when others are met for the first time; without it nobody queues. */
  constructor(options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly waitMs: number;
    readonly path: string;
    readonly turn?: () => Promise<Queue>;
  }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#waitMs = options.waitMs;
    this.#path = options.path;
    this.#openTurn = options.turn;
  }

  /** Repeats a step that another process's lock may refuse, until it works or `waitMs` are over. */
  async retry<T>(attempt: () => T): Promise<T> {
    return this.#retry(attempt, async () => undefined);
  }

  /** The same for the beginning of a write transaction, by turns. */
  async begin<T>(attempt: () => T): Promise<T> {
    this.#begun += 1;
    const queue = async () => {
      this.#turn ??= await this.#openTurn?.();
      if (!this.#turn || this.#turn.isHeld) return;
      // A free lock goes to who asks first, and those who sleep in the queue need a moment to wake up.
      if (this.#clock.monoMs() - this.#gaveMonoMs < stepBackMs) await this.#clock.sleep(stepBackMs);
      await this.#turn.take();
      this.#burstStartMonoMs = this.#clock.monoMs();
    };
    if (this.#clock.monoMs() < this.#contendedUntilMonoMs) await queue();
    return this.#retry(attempt, queue);
  }

  /** To be called when a write transaction is over, however it ended. */
  ended(): void {
    const turn = this.#turn;
    if (!turn?.isHeld) return;
    const nowMonoMs = this.#clock.monoMs();
    if (nowMonoMs - this.#burstStartMonoMs > burstMs) {
      this.#gaveMonoMs = nowMonoMs;
      return turn.give();
    }
    void this.#giveWhenIdle(turn);
  }

  async #giveWhenIdle(turn: Queue): Promise<void> {
    const begun = this.#begun;
    await this.#clock.yield();
    // Nothing more to write for now.
    if (begun === this.#begun) turn.give();
  }

  close(): void {
    this.#turn?.close();
  }

  async #retry<T>(attempt: () => T, queue: () => Promise<void>): Promise<T> {
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
        this.#clock.sleepSync(this.#pauseMs(waitedMs));
        if (waitedMs < limits.storeBlockingWaitMs) continue;
        await this.#clock.yield();
        await queue();
      }
    }
  }

  #pauseMs(waitedMs: number): number {
    const isFirst = waitedMs < limits.storeBlockingWaitMs || this.#turn?.isHeld;
    return (isFirst ? pauseMsFirst : pauseMsLater) * (0.2 + 0.8 * this.#random.fraction());
  }

  #busy(waitedMs: number, cause: unknown): HeadgateError {
    const holder = describeLockHolder(this.#path);
    return new HeadgateError(
      "STORE_BUSY",
      `other processes held the store ${this.#path} for ${Math.round(waitedMs)} ms` +
        (holder === undefined ? "" : `; ${holder}`),
      { data: { location: this.#path, waitMs: this.#waitMs }, cause },
    );
  }
}

/** The first pauses: an ordinary commit of another process is over in a fraction of a millisecond. */
const pauseMsFirst = 1;
/** Without a turn: every vain try takes time from who has the lock. */
const pauseMsLater = 6;
/** How long one process may go on before it hands its turn on, and for how long it then stays away. */
const burstMs = 5;
const stepBackMs = 2;
/** How long a refusal counts as a sign that others want the file. */
const contendedMs = 1000;
