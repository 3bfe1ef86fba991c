import { type Clock, systemClock } from "../../base/clock.ts";
import type { Output } from "./output.ts";

/** Work that is usually quick says nothing; when it takes over a second, people are told what runs. */
export const withProgress = async <T>(
  {
    output,
    what,
    clock = systemClock,
  }: { output: Output; what: string | (() => Promise<string>); clock?: Clock },
  work: () => Promise<T>,
): Promise<T> => {
  const done = new AbortController();
  const telling = (async () => {
    for (let pause = 1, seconds = 1; ; seconds += pause) {
      await clock.sleep(pause * 1000, done.signal);
      if (done.signal.aborted) return;
      const text = typeof what === "string" ? what : await what();
      if (!done.signal.aborted) output.note(`headgate: ${text} … ${seconds} s`);
      // Who waits for minutes does not want a line every few seconds.
      pause = seconds < 60 ? 5 : 30;
    }
  })();
  try {
    return await work();
  } finally {
    done.abort();
    await telling;
  }
};
