/** Lines that others have written and not committed, as reasons not to write now. */
import { isoTime } from "../base/clock.ts";
import { showText } from "../base/text.ts";
import { type Actor, escapePath, type TargetInput } from "../claims/index.ts";
import type { AskedWrite, LineBlocker, LineGrant, Lines, NearLines } from "../lines/index.ts";
import { forTask } from "./beside.ts";
import type { EditRules } from "./configured-policy.ts";
import type { FileCase } from "./file-case.ts";
import { heldParts } from "./held-parts.ts";
import type { Reason } from "./types.ts";

export interface LineAdmission {
  readonly reasons: readonly Reason[];
  /** Lines of others that this write goes over, and why it may. */
  readonly granted: readonly LineGrant[];
  /** Others at work next to it. */
  readonly near: readonly NearLines[];
  /** For whom looks at what is held: why it is. */
  readonly task?: string;
}

/** The rest of a file that an edit keeps off, where the settings are stricter than its lines. */
export const keptOff = (
  rule: ReturnType<EditRules["edits"]>,
  file: FileCase | undefined,
): Pick<AskedWrite, "keepsOff"> => {
  if (rule === "lines") return {};
  // Without a judgement the symbols are not known.
  if (rule === "files" || !file) return { keepsOff: "file" };
  return { keepsOff: heldParts(file).flatMap(({ lines }) => (lines ? [lines] : [])) };
};

/** Those of a file that have a name, relative to the repository's root. */
export const namedParts = (path: string, targets: readonly TargetInput[], root: string): string[] =>
  targets.flatMap((target) =>
    typeof target !== "string" && target.path === `${root}/${path}` && target.symbol !== undefined
      ? [`${escapePath(path)}#${target.symbol}`]
      : [],
  );

/** Allowed writes are noted, so that the lines are known once the files show them. */
export const admitLines = async (
  lines: Pick<Lines, "ask"> | undefined,
  writes: readonly AskedWrite[],
  by: { readonly actor: Actor; readonly use?: string | undefined },
): Promise<LineAdmission> => {
  const nothing = { granted: [], near: [] };
  if (!lines) return { reasons: [], ...nothing };
  const { actor, use } = by;
  const answer = await lines.ask(writes, {
    ...{ actor, kind: "edit" },
    ...(use !== undefined && { use }),
  });
  if (answer.ok)
    return { reasons: [], granted: answer.granted, near: answer.near, task: answer.task };
  if (answer.isStale) return { reasons: [movedReason(writes[0]?.path ?? "")], ...nothing };
  const reasons = answer.blockers.map((blocker) => {
    const write = writes.find(({ path }) => path === blocker.path);
    return heldReason(blocker, write?.keepsOff);
  });
  return { reasons, ...nothing };
};

const heldReason = (
  { path, actor, task, since, ahead, until }: LineBlocker,
  keepsOff: AskedWrite["keepsOff"],
): Reason => {
  if (until !== undefined) {
    return {
      ...{ code: "LINES_HELD", path },
      message: `The lines you change in ${showText(path)} are kept for ${showText(actor)}${forTask(task)} until ${isoTime(until)}: it waited for them first.`,
      remedy: "Do something else first and repeat this edit after that time.",
    };
  }
  const line = ahead === 0 ? "You are next" : `${ahead} before you wait for them`;
  const place = keepsOff === undefined ? "you change in" : placesKeptOff(keepsOff);
  return {
    code: "LINES_HELD",
    path,
    message: `${showText(actor)} wrote the lines ${place} ${showText(path)}${forTask(task)} at ${isoTime(since)} and has not committed them yet. ${line}.`,
    remedy:
      "Do something else first and repeat this edit later: it passes as soon as they are committed, or when their author is idle.",
  };
};

const placesKeptOff = (keepsOff: NonNullable<AskedWrite["keepsOff"]>): string =>
  keepsOff === "file"
    ? "that your edit keeps off (claims.edits: files) in"
    : "in the symbol you change (claims.edits: symbols) in";

/** The file was written between the look at it and this answer. */
const movedReason = (path: string): Reason => ({
  code: "LINES_MOVED",
  path,
  message: `${showText(path)} was written by another program at this very moment.`,
  remedy: "Repeat the edit; it starts from the file as it is now.",
});
