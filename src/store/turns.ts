import type { Clock } from "../base/clock.ts";
import { HeadgateError } from "../errors.ts";

/**
 * First come, first served inside one process, `permits` at a time. A place in the queue is given up
 * after `waitMs`.
 */
export class Turns {
  #free: number;
  readonly #queue: (() => void)[] = [];
  readonly #clock: Clock;
  readonly #waitMs: number;

  constructor(options: { clock: Clock; waitMs: number; permits?: number }) {
    this.#clock = options.clock;
    this.#waitMs = options.waitMs;
    this.#free = options.permits ?? 1;
  }

  async run<T>(what: string, work: () => Promise<T>): Promise<T> {
    await this.enter(what);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  /** Whoever enters must leave; `run` does both. */
  async enter(what: string): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const entered = new AbortController();
    const enter = () => entered.abort();
    this.#queue.push(enter);
    await this.#clock.sleep(this.#waitMs, entered.signal);
    if (entered.signal.aborted) return;
    this.#queue.splice(this.#queue.indexOf(enter), 1);
    // Nesting a call inside the work of another one of the same kind ends here, too.
    throw new HeadgateError(
      "STORE_BUSY",
      `this process did not get its turn to ${what} within ${this.#waitMs} ms`,
      { data: { waitMs: this.#waitMs } },
    );
  }

  leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }
}
