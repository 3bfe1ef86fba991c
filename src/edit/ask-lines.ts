/** An edit through Headgate gets on with the edits of others as an edit of an agent's own tool does. */
import { systemClock } from "../base/clock.ts";
import { limits } from "../base/limits.ts";
import type { Claims, TargetInput } from "../claims/index.ts";
import {
  admitLines,
  type EditRules,
  endSettledHolds,
  type JudgedCase,
  keptOff,
  lookBeside,
  namedParts,
  type Reason,
} from "../gate/index.ts";
import type { Lines } from "../lines/index.ts";
import type { FileChange } from "./types.ts";

interface LinesRefused {
  readonly code: string;
  readonly reasons: readonly Reason[];
  readonly message: string;
  readonly isStale: boolean;
}

interface AskPorts {
  readonly lines?: Pick<Lines, "ask" | "authors">;
  readonly claims: Claims;
  readonly rules: EditRules;
}

/** Edits in other worktrees, where the settings say that they exclude each other. */
export const askElsewhere = async (
  { lines, claims, rules }: AskPorts,
  targets: readonly TargetInput[],
  cases: readonly JudgedCase[],
): Promise<LinesRefused | undefined> => {
  const paths = cases.map(({ file }) => file.path);
  if (!paths.some((path) => rules.across(path) === "exclude")) return undefined;
  const { reasons, excluding } = await lookBeside({ claims, lines, rules }, targets, paths);
  const [first] = reasons;
  if (!first || excluding.length === 0) return undefined;
  return { code: first.code, reasons, message: first.message, isStale: false };
};

/** Whose uncommitted lines it meets; a moment is waited for their commit. */
export const askLines = async (
  { lines, claims, rules }: AskPorts,
  {
    changes,
    cases,
    targets,
    root,
    use,
  }: {
    readonly changes: readonly FileChange[];
    readonly cases: readonly JudgedCase[];
    readonly targets: readonly TargetInput[];
    readonly root: string;
    readonly use: string;
  },
): Promise<LinesRefused | undefined> => {
  const writes = changes.map(({ path, before, after }) => ({
    ...{ path, before: before ?? undefined, after: after ?? undefined },
    parts: namedParts(path, targets, root),
    ...keptOff(rules.edits(path), cases.find(({ file }) => file.path === path)?.file),
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

/** The files show what was written or taken back; a session without lines in them holds nothing there. */
export const settleLines = async (
  { lines, claims }: { readonly lines?: SettledLines; readonly claims: Claims },
  planned: {
    readonly changes: readonly FileChange[];
    readonly edits?: Parameters<SettledLines["takenBack"]>[0];
  },
  by: Parameters<SettledLines["note"]>[1],
): Promise<void> => {
  if (!lines) return;
  const paths = planned.changes.map(({ path }) => path);
  if (planned.edits) await lines.takenBack(planned.edits);
  await lines.note(paths, by);
  if (planned.edits) await endSettledHolds({ claims, lines }, paths);
};

type SettledLines = Pick<Lines, "authors" | "note" | "takenBack">;
