/** From what is asked for to the new contents of files, or to the reason why it cannot be planned. */
import type { Claims } from "../claims/index.ts";
import { type ErrorCode, HeadgateError } from "../errors.ts";
import {
  checkPath,
  type JudgeContext,
  type Reason,
  type SeenFiles,
  type Tree,
} from "../gate/index.ts";
import type { Analyser } from "../structure/index.ts";
import { Journal, type Undone } from "./journal.ts";
import { oldView, type ViewOptions } from "./old-view.ts";
import { type PlanContext, planWithNotes } from "./operations/index.ts";
import { resolvePorts } from "./ports.ts";
import type { EditResult, FileChange, Operation } from "./types.ts";

export type Planned =
  | {
      readonly ok: true;
      readonly changes: readonly FileChange[];
      readonly notes?: readonly Reason[];
      readonly undoes?: Undone;
      /** Only these are changed, so nothing is asked about lines. */
      readonly edits?: ReadonlyMap<string, ReadonlySet<string>>;
    }
  | { readonly ok: false; readonly result: EditResult };

export interface PlanOptions {
  readonly context: JudgeContext;
  readonly analyser: Analyser;
  readonly seen: SeenFiles;
  readonly claims: Claims;
  /** Of the journal. */
  readonly dir: string;
  readonly uses?: PlanContext["uses"];
}

export const planRequest = async (
  operations: readonly Operation[],
  options: PlanOptions,
): Promise<Planned> => {
  const { context, analyser, uses, claims } = options;
  const isForced = operations.some((one) => one.do === "rename" && one.force);
  if (isForced && claims.actor.harness !== undefined) {
    throw new HeadgateError("USAGE", "only a person can force a rename; fileOnly is for everybody");
  }
  try {
    const plan = await planWithNotes(operations, {
      tree: guarded(context),
      analyser,
      ...(uses && { uses }),
    });
    const stale = await oldView(operations, viewOf(options));
    return stale ? { ok: false, result: stale } : { ok: true, ...plan };
  } catch (error) {
    // The places are the answer: each is shown like a reason of the gate's.
    if (!HeadgateError.isInstance(error) || error.code !== "RENAME_UNCERTAIN") throw error;
    const { code, message, data } = error;
    const reasons = (data?.["reasons"] ?? []) as readonly Reason[];
    return { ok: false, result: { ok: false, code, reasons, diff: "", message } };
  }
};

/** Nothing is read that could not be written: a diff must not show what lies outside the repository. */
const guarded = ({ tree, policy }: JudgeContext): Tree => ({
  ...tree,
  read: (path) => {
    const outside = checkPath(path, tree, policy);
    if (outside) {
      throw new HeadgateError(outside.code as ErrorCode, outside.message, { data: { path } });
    }
    return tree.read(path);
  },
});

const viewOf = ({ context, analyser, seen, claims, dir }: PlanOptions): ViewOptions => {
  const journal = new Journal(dir, resolvePorts({}));
  return {
    tree: guarded(context),
    analyser,
    seen,
    actor: claims.actor.id,
    kept: (hash) => {
      try {
        return journal.content(hash);
      } catch (error) {
        // Not every version that was seen went through an edit.
        if (HeadgateError.isInstance(error)) return undefined;
        throw error;
      }
    },
  };
};
