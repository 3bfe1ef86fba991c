import { type Clock, systemClock } from "../../base/clock.ts";
import type { Output } from "./output.ts";

/** Work that is usually quick says nothing; when it takes over a second, people are told what runs. */
export const withProgress = async <T>(
  { output, what, clock = systemClock }: { output: Output; what: string; clock?: Clock },
  work: () => Promise<T>,
): Promise<T> => {
  const done = new AbortController();
  const telling = (async () => {
    for (let seconds = 1; !done.signal.aborted; seconds += 5) {
      await clock.sleep(seconds === 1 ? 1000 : 5000, done.signal);
      if (!done.signal.aborted) output.note(`headgate: ${what} … ${seconds} s`);
    }
  })();
  try {
    return await work();
  } finally {
    done.abort();
    await telling;
  }
};
