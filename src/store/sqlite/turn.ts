/**
 * The queue of processes that all want to write to one database file: the kernel's lock on an empty file
 * beside it. Only who has the turn tries to begin a transaction, all others sleep in the kernel, so that
 * a crowd costs no more than two. It orders and nothing else: SQLite's own lock is what excludes, and a
 * process that cannot queue, or is stuck in a queue that does not move, tries without a turn.
 */
import type { Clock } from "../../base/clock.ts";
import { errnoOf, type Files, openFlags } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { releaseKernelLock, tryKernelLock, waitForKernelLock } from "../../state/index.ts";

export class Turn {
  readonly #path: string;
  readonly #files: Files;
  readonly #clock: Clock;
  #fd: number | undefined;
  #waiting: Promise<void> | undefined;
  #isWanted = false;
  #isHeld = false;
  #isClosed = false;
  /** The queue did not move: somebody who has the turn sleeps. */
  #ignoredUntilMonoMs = 0;

  constructor(options: { readonly path: string; readonly files: Files; readonly clock: Clock }) {
    this.#path = `${options.path}-turn`;
    this.#files = options.files;
    this.#clock = options.clock;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Resolves when it is this process's turn, or when waiting for it makes no sense any more. */
  async take(): Promise<void> {
    if (this.#isHeld || this.#clock.monoMs() < this.#ignoredUntilMonoMs) return;
    try {
      await this.#take();
    } catch (error) {
      // A full disk, no descriptor left, no locks on this platform: everybody can still write by turns
      // of chance.
      if (errnoOf(error) === undefined && !HeadgateError.isInstance(error)) throw error;
      this.#ignoredUntilMonoMs = this.#clock.monoMs() + limits.storeTurnIgnoreMs;
    }
  }

  give(): void {
    if (!this.#isHeld || this.#fd === undefined) return;
    this.#isHeld = false;
    releaseKernelLock(this.#fd);
  }

  close(): void {
    this.#isClosed = true;
    this.give();
    // The kernel is still asked for the lock through this handle; `#queue` closes it.
    if (this.#waiting || this.#fd === undefined) return;
    this.#files.close(this.#fd);
    this.#fd = undefined;
  }

  async #take(): Promise<void> {
    this.#fd ??= this.#files.open(this.#path, openFlags.readWriteCreate, 0o600);
    if (!this.#waiting && tryKernelLock(this.#fd)) {
      this.#isHeld = true;
      return;
    }
    this.#isWanted = true;
    this.#waiting ??= this.#queue(this.#fd);
    const tooLong = new AbortController();
    const sleeping = this.#clock.sleep(limits.storeTurnWaitMs, tooLong.signal);
    await Promise.race([this.#waiting, sleeping]);
    tooLong.abort();
    this.#isWanted = false;
    if (!this.#isHeld) {
      this.#ignoredUntilMonoMs = this.#clock.monoMs() + limits.storeTurnIgnoreMs;
    }
  }

  async #queue(fd: number): Promise<void> {
    await waitForKernelLock(fd);
    this.#waiting = undefined;
    this.#isHeld = true;
    // Came too late: whoever asked has gone another way.
    if (!this.#isWanted) this.give();
    if (this.#isClosed) this.close();
  }
}
