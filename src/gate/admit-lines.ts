/** Lines that others have written and not committed, as reasons not to write now. */
import { isoTime } from "../base/clock.ts";
import { showText } from "../base/text.ts";
import type { Actor } from "../claims/index.ts";
import type { AskedWrite, LineBlocker, LineGrant, Lines } from "../lines/index.ts";
import type { Reason } from "./types.ts";

export interface LineAdmission {
  readonly reasons: readonly Reason[];
  /** Lines of others that this write goes over, and why it may. */
  readonly granted: readonly LineGrant[];
}

/** Allowed writes are noted, so that the lines are known once the files show them. */
export const admitLines = async (
  lines: Pick<Lines, "ask"> | undefined,
  writes: readonly AskedWrite[],
  by: { readonly actor: Actor; readonly use?: string | undefined },
): Promise<LineAdmission> => {
  if (!lines) return { reasons: [], granted: [] };
  const { actor, use } = by;
  const answer = await lines.ask(writes, {
    ...{ actor, kind: "edit" },
    ...(use !== undefined && { use }),
  });
  if (answer.ok) return { reasons: [], granted: answer.granted };
  if (answer.isStale) return { reasons: [movedReason(writes[0]?.path ?? "")], granted: [] };
  return { reasons: answer.blockers.map(heldReason), granted: [] };
};

const heldReason = ({ path, actor, task, since, ahead }: LineBlocker): Reason => {
  const what = task === "" ? "" : ` for "${showText(task, 80)}"`;
  const line = ahead === 0 ? "You are next" : `${ahead} before you wait for them`;
  return {
    code: "LINES_HELD",
    path,
    message: `${showText(actor)} wrote the lines you change in ${showText(path)}${what} at ${isoTime(since)} and has not committed them yet. ${line}.`,
    remedy:
      "Do something else first and repeat this edit later: it passes as soon as they are committed, or when their author is idle.",
  };
};

/** The file was written between the look at it and this answer. */
const movedReason = (path: string): Reason => ({
  code: "LINES_MOVED",
  path,
  message: `${showText(path)} was written by another program at this very moment.`,
  remedy: "Repeat the edit; it starts from the file as it is now.",
});
