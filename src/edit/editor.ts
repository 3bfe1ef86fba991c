/**
 * The one way an edit goes: planned, judged, shown, claimed, written, recorded. Whatever somebody else
 * writes in between makes it start again on the new content, so nothing is ever written over.
 */
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import { newId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { systemRandom } from "../base/random.ts";
import { hideSecrets } from "../base/secrets.ts";
import type { Claim, Claims, TargetInput } from "../claims/index.ts";
import { HeadgateError } from "../errors.ts";
import {
  conflictFinding,
  judgeFiles,
  type JudgeContext,
  type JudgedCase,
  type Reason,
  type SeenFiles,
  type EditRules,
  targetsOfAll,
  withoutClaims,
  type OpenEnds,
} from "../gate/index.ts";
import type { Lines } from "../lines/index.ts";
import type { Analyser } from "../structure/index.ts";
import { applyChanges } from "./apply.ts";
import { askElsewhere, askLines, settleLines } from "./ask-lines.ts";
import { unifiedDiff } from "./diff.ts";
import type { EditHistory, HistoryFilter, StoredEdit } from "./history.ts";
import { Journal } from "./journal.ts";
import type { PlanContext } from "./operations/index.ts";
import { outlineDelta } from "./outline-delta.ts";
import { type Planned, planRequest } from "./plan-request.ts";
import { resolvePorts } from "./ports.ts";
import { damagedRecords } from "./damaged-records.ts";
import { type EditRecovery, recoverEdits } from "./recover.ts";
import type { EditPlan, EditRequest, EditResult, LinesBack } from "./types.ts";
import { planUndo } from "./undo.ts";
import { type RunCommand, runVerify } from "./verify.ts";

export interface EditorOptions {
  readonly root: string;
  /** Every worktree that shares the journal, at this moment. */
  readonly worktrees: () => readonly string[];
  /** Where the journal lies. */
  readonly dir: string;
  readonly analyser: Analyser;
  readonly context: JudgeContext;
  readonly claims: Claims;
  readonly lines?: Pick<Lines, "ask" | "authors" | "note" | "takenBack">;
  readonly rules: EditRules;
  readonly history: EditHistory;
  readonly seen: SeenFiles;
  /** Where the project uses a name; without it a rename stays in its file. */
  readonly uses?: PlanContext["uses"];
  readonly ends?: Pick<OpenEnds, "note">;
  readonly environment: Environment;
  readonly run: RunCommand;
  readonly clock: { monoMs(): number };
}

export interface UndoRequest extends Omit<EditRequest, "operations"> {
  readonly id: string;
  readonly file?: string;
  readonly symbol?: string;
}

export interface TakeBackRequest extends Omit<EditRequest, "operations"> {
  /** Asked again where the files have changed since. */
  plan(): Promise<LinesBack>;
}

export interface Editor {
  edit(request: EditRequest): Promise<EditResult>;
  /** An edit of its own. It waits for no lines: those that it takes away are the ones meant. */
  takeBack(request: TakeBackRequest): Promise<EditResult>;
  /** An edit of its own: undoing it brings the change back. */
  undo(request: UndoRequest): Promise<EditResult>;
  history(filter?: HistoryFilter): Promise<readonly StoredEdit[]>;
  show(id: string): Promise<StoredEdit | undefined>;
  /** Finishes or takes back what a crash left half done. */
  recover(): Promise<EditRecovery>;
}

export const openEditor = (options: EditorOptions): Editor => {
  const { history, root, worktrees, dir } = options;
  return {
    edit: (request) => perform(options, request, () => planRequest(request.operations, options)),
    undo: ({ id, file, symbol, ...request }) =>
      perform(options, request, () => undoing(options, { id, file, symbol })),
    takeBack: ({ plan, ...request }) =>
      perform(options, request, async () => {
        const planned = await plan();
        if (planned.ok) return planned;
        const { reasons } = planned;
        const code = reasons[0]?.code ?? "INTERNAL";
        return { ok: false, result: { ok: false, code, reasons, diff: "" } };
      }),
    history: (filter) => history.list(filter),
    show: (id) => history.show(id),
    recover: () =>
      recoverEdits({
        ...{ root, worktrees, dir, history, removeFolder: systemFiles.removeDirectory },
      }),
  };
};

const perform = async (
  options: EditorOptions,
  request: Omit<EditRequest, "operations">,
  plan: () => Promise<Planned>,
): Promise<EditResult> => {
  let isApproved = false;
  for (let tries = 1; ; tries += 1) {
    const planned = await plan();
    if (!planned.ok) return planned.result;
    const outcome = await attempt(options, { request, planned, isApproved });
    isApproved = outcome.isApproved;
    // Somebody wrote in between: the same wish is planned again on what is there now.
    if (!outcome.isStale || tries >= limits.editAttemptsMax) return outcome.result;
    // Two that write in step would make each other start again for ever.
    await systemClock.sleep(systemRandom.fraction() * limits.editPauseMs * Math.min(tries, 5));
  }
};

interface Attempt {
  readonly result: EditResult;
  readonly isStale: boolean;
  readonly isApproved: boolean;
}

const attempt = async (
  options: EditorOptions,
  {
    request,
    planned,
    isApproved,
  }: {
    readonly request: Omit<EditRequest, "operations">;
    readonly planned: Extract<Planned, { ok: true }>;
    readonly isApproved: boolean;
  },
): Promise<Attempt> => {
  const { changes } = planned;
  const done = (result: EditResult, more: Partial<Attempt> = {}): Attempt => ({
    result,
    isStale: false,
    isApproved,
    ...more,
  });
  if (changes.length === 0) {
    throw new HeadgateError("ALREADY_APPLIED", "the files are already as they would be afterwards");
  }
  const { verdict, cases } = await judgeFiles(
    {
      writes: changes.map(({ path, before, after }) => ({ path, before, after })),
      ...(request.overrides && { overrides: request.overrides }),
    },
    request.dryRun ? options.context : withoutClaims(options.context),
  );
  const diff = unifiedDiff(changes);
  if (verdict.verdict === "deny") {
    if (!request.dryRun) await options.ends?.note(options.claims.actor, verdict);
    return done({
      ok: false,
      code: verdict.reasons[0]?.code ?? "INTERNAL",
      reasons: verdict.reasons,
      // E-26: a refused secret is not shown either.
      diff: hideSecrets(diff),
    });
  }
  const files = cases.map((one) => outlineDelta(one));
  const notes = [...verdict.notes, ...(planned.notes ?? [])];
  const answer = { ok: true, diff, files, notes } as const;
  if (request.dryRun) return done({ ...answer, id: "", dryRun: true });
  const plan: EditPlan = { changes, verdict, diff };
  if (!isApproved && request.approve && !(await request.approve(plan))) {
    const message = "not approved; nothing was written";
    return done({ ok: false, code: "EDIT_NOT_APPROVED", reasons: [], diff, message });
  }
  const written = await write(options, { request, planned, cases });
  if ("reasons" in written) {
    const { code, reasons, message, isStale } = written;
    return done({ ok: false, code, reasons, diff, message }, { isStale, isApproved: true });
  }
  const hashes = files.flatMap(({ path, hash }) => (hash === null ? [] : [{ path, hash }]));
  await onceWritten(written.id, async () => {
    await options.seen.remember(options.claims.actor.id, hashes);
    await options.ends?.note(options.claims.actor, verdict);
  });
  return done({ ...answer, notes: [...notes, ...damagedNotes(options.dir)], id: written.id });
};

/** Writing has recovered what others left; what it could not believe is said, not passed over. */
const damagedNotes = (dir: string): Reason[] =>
  damagedRecords(dir).map(({ code, message, data, remedy }) => ({
    ...{ code, path: String(data["path"] ?? dir), message, remedy },
  }));

interface Refused {
  readonly code: string;
  readonly reasons: readonly Reason[];
  readonly message: string;
  readonly isStale: boolean;
}

/** Claims what changes, writes it while the claims are held, and gives back what it took itself. */
const write = async (
  options: EditorOptions,
  {
    request,
    planned,
    cases,
  }: {
    readonly request: Omit<EditRequest, "operations">;
    readonly planned: Extract<Planned, { ok: true }>;
    readonly cases: readonly JudgedCase[];
  },
): Promise<{ readonly id: string } | Refused> => {
  const { claims, root, dir, history, environment, run, clock } = options;
  const { verify, verifyTimeoutMs } = request;
  const reason = reasonOf(request);
  const targets = targetsOfAll(
    cases.map(({ file }) => file),
    root,
  );
  const elsewhere = await askElsewhere(options, targets, cases);
  if (elsewhere) return elsewhere;
  const held = await claimAll(claims, targets, reason);
  if ("refused" in held) return held.refused;
  const { actor } = claims;
  // Named, so that an attempt that wrote nothing leaves nothing pending.
  const use = newId("edit");
  const by = { actor, use, kind: actor.harness === undefined ? "person" : "edit" } as const;
  let written: string | undefined;
  try {
    const { changes } = planned;
    const asked = { changes, cases, targets, root, use };
    const stopped = planned.edits ? undefined : await askLines(options, asked);
    if (stopped) return stopped;
    const applied = await applyChanges(planned.changes, {
      root,
      worktrees: options.worktrees,
      dir,
      id: newId("edit"),
      actor: claims.actor.id,
      reason,
      claims,
      fences: held.claims.map(({ fence }) => fence),
      targets,
      history,
      removeFolder: systemFiles.removeDirectory,
      ...(planned.undoes && { undoes: planned.undoes }),
      ...(verify && {
        verify: () =>
          runVerify(verify, {
            run,
            root,
            env: textsOf(environment.variables),
            clock,
            ...(verifyTimeoutMs !== undefined && { timeoutMs: verifyTimeoutMs }),
          }),
      }),
    });
    if (applied.ok) {
      written = applied.id;
      return { id: written };
    }
    const { code, message, path = cases[0]?.file.path ?? "" } = applied;
    const output = applied.verified?.output ?? "";
    const told = output === "" ? message : `${message}\n${output}`;
    return {
      code,
      message: told,
      reasons: [{ code, path, message: told, remedy: remedies[code] }],
      isStale: code === "STALE_VIEW",
    };
  } finally {
    await onceWritten(written, async () => {
      if (held.own.length > 0) await claims.release({ claims: held.own });
      await settleLines(options, planned, by);
    });
  }
};

/** A store that fails after the files are written must not make it look as if nothing happened (G7). */
const onceWritten = async (id: string | undefined, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    if (id === undefined || !HeadgateError.isInstance(error)) throw error;
    const message = `${id} is written; afterwards the store failed: ${error.message}`;
    throw new HeadgateError("OUTCOME_UNKNOWN", message, { data: { id }, cause: error });
  }
};

/** What was insisted on is kept with the edit, for whoever asks later. */
const reasonOf = ({ reason, overrides = [] }: Omit<EditRequest, "operations">): string =>
  [reason, ...overrides.map(({ code, reason: why }) => `allowed ${code}: ${why}`)]
    .filter(Boolean)
    .join("; ");

const remedies = {
  STALE_VIEW: "Read the file again and make the change on its present content.",
  FENCE_STALE: "Claim it again; somebody else may have changed it meanwhile.",
  EDIT_VERIFY_FAILED: "Everything was taken back; correct the change and repeat it.",
} as const;

const claimAll = async (
  claims: Claims,
  targets: readonly TargetInput[],
  reason: string,
): Promise<
  | { readonly claims: readonly Claim[]; readonly own: readonly string[] }
  | { readonly refused: Refused }
> => {
  const before = await claims.list({ actor: claims.actor.id });
  const known = new Set(before.claims.map(({ id }) => id));
  const result = await claims.claim({
    ...{ targets, reason, mode: "edit", waitMs: limits.editClaimWaitMs },
  });
  if (result.ok) {
    const own = result.claims.map(({ id }) => id).filter((id) => !known.has(id));
    return { claims: result.claims, own: [...new Set(own)] };
  }
  const reasons = result.blockers.map((blocker) => {
    const { level: _, ...rest } = conflictFinding(blocker, "");
    return rest;
  });
  const message = "somebody else holds what the edit changes; nothing was written";
  return { refused: { code: "CLAIM_CONFLICT", reasons, message, isStale: false } };
};

const undoing = async (
  options: EditorOptions,
  {
    id,
    file,
    symbol,
  }: {
    readonly id: string;
    readonly file?: string | undefined;
    readonly symbol?: string | undefined;
  },
): Promise<Planned> => {
  const { history, context, analyser, dir } = options;
  const edit = await history.show(id);
  if (!edit) throw new HeadgateError("EDIT_UNKNOWN", `no edit of this repository has the id ${id}`);
  const journal = new Journal(dir, resolvePorts({}));
  const plan = await planUndo({
    edit,
    content: (hash) => journal.content(hash),
    read: (path) => {
      const bytes = context.tree.read(path);
      return bytes && { bytes, mode: context.tree.mode?.(path) ?? 0o644 };
    },
    analyser,
    later: (path) => history.later(id, path),
    ...(file !== undefined && { file }),
    ...(symbol !== undefined && { symbol }),
  });
  if (plan.ok) return plan;
  const reasons = plan.conflicts.map(({ path, line, symbol: name, message, edits }) => ({
    code: plan.code,
    path,
    ...(line !== undefined && { line }),
    ...(name !== undefined && { symbol: name }),
    message: `${message}${edits.length === 0 ? "" : ` (later: ${edits.map((one) => one.id).join(", ")})`}`,
    remedy: "Undo the later edits first, or change the lines by hand.",
  }));
  return { ok: false, result: { ok: false, code: plan.code, reasons, diff: "" } };
};

const textsOf = (variables: Environment["variables"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );
