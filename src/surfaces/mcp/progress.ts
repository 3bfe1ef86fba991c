/** A word now and then while a call takes its time, for clients that asked for it. */
import { systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";

export interface ProgressChannel {
  /** Undefined when the client does not want to know. */
  readonly token: string | number | undefined;
  send(notification: { method: "notifications/progress"; params: ProgressParams }): Promise<void>;
  readonly signal: AbortSignal;
}

interface ProgressParams {
  [key: string]: unknown;
  progressToken: string | number;
  progress: number;
  total?: number;
  message: string;
}

export const withProgress = async <T>(
  { token, send, signal }: ProgressChannel,
  { message, totalMs }: { readonly message: string; readonly totalMs?: number },
  work: () => Promise<T>,
): Promise<T> => {
  if (token === undefined) return work();
  const ending = new AbortController();
  const stop = () => ending.abort();
  signal.addEventListener("abort", stop);
  const startMs = systemClock.monoMs();
  const telling = async () => {
    for (;;) {
      await systemClock.sleep(limits.mcpProgressEveryMs, ending.signal);
      if (ending.signal.aborted) return;
      const progress = Math.round(systemClock.monoMs() - startMs);
      const total = totalMs === undefined ? {} : { total: Math.max(totalMs, progress) };
      const params = { progressToken: token, progress, ...total, message };
      await send({ method: "notifications/progress", params });
    }
  };
  // A client that cannot be told any more is no reason to fail what it asked for.
  const told = telling().catch(() => {});
  try {
    return await work();
  } finally {
    stop();
    signal.removeEventListener("abort", stop);
    await told;
  }
};
