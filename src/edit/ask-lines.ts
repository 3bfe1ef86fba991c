/** An edit through Headgate waits for lines of others as an edit of an agent's own tool does. */
import { systemClock } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Claims } from "../claims/index.ts";
import { admitLines, type Reason } from "../gate/index.ts";
import type { Lines } from "../lines/index.ts";
import type { FileChange } from "./types.ts";

interface LinesRefused {
  readonly code: string;
  readonly reasons: readonly Reason[];
  readonly message: string;
  readonly isStale: boolean;
}

/** Whose uncommitted lines it meets; a moment is waited for their commit. */
export const askLines = async (
  { lines, claims }: { readonly lines?: Pick<Lines, "ask">; readonly claims: Claims },
  changes: readonly FileChange[],
  use: string,
): Promise<LinesRefused | undefined> => {
  const writes = changes.map(({ path, before, after }) => ({
    ...{ path, before: before ?? undefined, after: after ?? undefined },
  }));
  const untilMs = systemClock.monoMs() + limits.hookLinesMs;
  for (;;) {
    const { reasons } = await admitLines(lines, writes, { actor: claims.actor, use });
    const [first] = reasons;
    if (!first) return undefined;
    const isStale = first.code === "LINES_MOVED";
    if (isStale || systemClock.monoMs() > untilMs) {
      const code = isStale ? "STALE_VIEW" : first.code;
      return { code, reasons: [{ ...first, code }], message: first.message, isStale };
    }
    await systemClock.sleep(100);
  }
};
