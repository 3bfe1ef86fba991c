/**
 * Time as a port. Wall time is for people and for expiry ceilings; monotonic time is for measuring
 * and for deadlines inside one boot. Nothing else in the product may call `Date.now` or a timer.
 */
export interface Clock {
  /** Milliseconds since 1970, may jump in either direction. */
  wallMs(): number;
  /** Milliseconds since an arbitrary point of this boot; never goes back, shared by all processes. */
  monoMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets everything else that is ready in this process run first; no waiting. */
  yield(): Promise<void>;
  /** Blocks the thread. Only for waits of a few milliseconds inside synchronous sections. */
  sleepSync(ms: number): void;
}

const sleepCell = new Int32Array(new SharedArrayBuffer(4));

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monoMs: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal?.addEventListener("abort", finish);
    }),
  yield: () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    }),
  sleepSync: (ms) => {
    Atomics.wait(sleepCell, 0, 0, ms);
  },
};

/** ISO 8601 in UTC with milliseconds, the only way a time is shown or stored as text. */
export const isoTime = (wallMs: number): string => new Date(wallMs).toISOString();
