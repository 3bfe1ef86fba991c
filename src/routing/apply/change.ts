/**
 * One change of the overrides over file, git and store. The branch's move is the moment it happens; before
 * it nothing is visible, after it everything can be finished by anybody (recover.ts). algorithms.md, C.5.
 */
import { dirname } from "node:path";
import { isoTime } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import type { Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { moveBranch, type Moved, runPostCommit, type TreeChange } from "../../git/index.ts";
import type { Reader } from "../../store/index.ts";
import { type OverridesPath, resolveOverridesPath } from "../overrides/overrides-path.ts";
import { type ReadOverrides, readOverrides, writeOverrides } from "../overrides/overrides-file.ts";
import { readIfAny } from "../overrides/read-if-any.ts";
import type { RoutingContext, There } from "../ports.ts";
import type { Override } from "../types.ts";
import { type ChangeStart, hashOf, readChangeStart, refused } from "./git-facts.ts";
import { withRoutingLock } from "./lock.ts";
import { type ChangeKind, insertOperation, type Operation } from "./operations.ts";
import { commitOverrides, type OverridesCommit } from "./commit-overrides.ts";
import { abortChange, recordChange } from "./record-change.ts";
import { placeOf, recoverHeld } from "./recover.ts";
import { type Left, refreshFiles } from "./refresh-files.ts";

/** What is to be done, decided on what is true inside the lock. */
export type Decision =
  | { readonly do: "nothing"; readonly why: string; readonly by?: Override }
  | {
      readonly do: "change";
      readonly kind: ChangeKind;
      readonly reviewer: string;
      readonly override: Override | null;
      readonly proposal: string | null;
      readonly reason: string;
      readonly isBlacklisting: boolean;
    };

export interface Standing {
  readonly overrides: readonly Override[];
  /** Who can be asked at all now. */
  readonly roster: ReadonlySet<string>;
}

/** Asked twice: before the commit is made, and again in the transaction that announces it. */
export type Decide = (tx: Reader, scope: string, standing: Standing) => Promise<Decision>;

export interface ChangeResult {
  readonly kind: ChangeKind;
  readonly reviewer: string;
  readonly override: Override | null;
  readonly operation: string;
  readonly commit: string;
  readonly ref: string;
  /** Where the user's own changes were left alone; the commit has the override all the same. */
  readonly left: readonly Left[];
}

export type ChangeOutcome =
  | { readonly done: true; readonly change: ChangeResult }
  | { readonly done: false; readonly why: string; readonly by?: Override };

export const changeOverrides = async (
  context: RoutingContext,
  decide: Decide,
): Promise<ChangeOutcome> => {
  const { repository, settings, files } = context;
  if (repository.kind !== "git") {
    throw refused("this folder is no git repository; overrides are commits");
  }
  const place = resolveOverridesPath(repository.worktree, settings.path, files);
  const there = await context.store.open();
  const outcome = await withRoutingLock(context, Math.max(1, settings.lockWaitMs), async () => {
    context.onStep("locked");
    await recoverHeld(context, there);
    context.onStep("recovered");
    for (let tries = 1; ; tries += 1) {
      const done = await attempt(context, { there, place, decide });
      if (done !== "moved") return done;
      if (tries >= limits.routingAttemptsMax) {
        throw refused(`the branch moved ${tries} times while the commit was made; try again`);
      }
    }
  });
  if (outcome === undefined) throw new HeadgateError("INTERNAL", "the lock was not waited for");
  return outcome;
};

interface Attempt {
  readonly there: There;
  readonly place: OverridesPath;
  readonly decide: Decide;
}

const attempt = async (
  context: RoutingContext,
  { there, place, decide }: Attempt,
): Promise<ChangeOutcome | "moved"> => {
  const { repository, files, clock, onStep } = context;
  const { store, scope } = there;
  const { worktree } = repository;
  const git = context.gitIn(worktree);
  const [start, roster] = await Promise.all([
    readChangeStart(git, { path: place.path, files }),
    context.roster(),
  ]);
  const current = understood(readOverrides(start.blob?.bytes), place.path);
  // The user's own version may be newer than the branch's; broken, it must not be built around.
  understood(readOverrides(readIfAny(place.absolute, files)), place.path);
  const standing = { overrides: current.overrides, roster: new Set(roster) };
  const decision = await store.read((tx) => decide(tx, scope.id, standing));
  if (decision.do === "nothing") return notDone(decision);
  refuseReadOnly(place, { before: hashOf(start.blob?.bytes), files });
  onStep("decided");

  const id = newId("operation");
  const atMs = clock.wallMs();
  const made = await commitOverrides(context, {
    ...{ git, start, atMs, path: place.path },
    text: writeOverrides(current.source, decision.reviewer, decision.override ?? undefined),
    message: messageOf(decision, { id, actor: context.actor.id }),
  });
  const { commit } = made.prepared;
  const operation = operationOf(context, { id, atMs, start, made, decision, place });
  const refusal = await store.write({ scope }, async (tx) => {
    const again = await decide(tx, scope.id, standing);
    if (again.do === "nothing") return again.why;
    await insertOperation(tx, scope.id, operation);
    if (decision.proposal !== null) {
      const { proposal } = decision;
      await tx.run(markApplying, { scope: scope.id, proposal });
    }
    tx.emit({
      kind: "routing.prepared",
      actor: context.actor.id,
      subject: decision.reviewer,
      data: { operation: id, commit },
    });
    return null;
  });
  if (refusal !== null) return { done: false, why: refusal };
  onStep("prepared");

  const { kind, reviewer, override } = decision;
  const moved = await moveBranch(git, made.prepared, {
    note: `headgate: routing ${kind} ${reviewer}`,
  });
  if (!moved.ok) {
    await store.write({ scope }, (tx) => abortChange(tx, scope.id, operation));
    onStep("aborted");
    // Another git that has the branch's lock is about to move it.
    if (moved.why === "moved" || moved.why === "locked") return "moved";
    throw notMoved(start.head.branch, moved);
  }
  onStep("ref-moved");
  const left = await finish(context, there, { operation, changes: made.prepared.changes });
  await runPostCommit(git, files);
  return {
    done: true,
    change: { kind, reviewer, override, operation: id, commit, ref: start.head.branch, left },
  };
};

/** The file would follow the commit: where it cannot, there is no commit. */
const refuseReadOnly = (
  { absolute, path }: OverridesPath,
  { before, files }: { readonly before: string | null; readonly files: Files },
): void => {
  // The user's own version stays as it is anyway.
  if (hashOf(readIfAny(absolute, files)) !== before) return;
  let folder = dirname(absolute);
  while (!files.stat(folder) && dirname(folder) !== folder) folder = dirname(folder);
  if (files.mayWrite(folder)) return;
  throw refused(`${showText(path)} cannot be written: ${showText(folder)} is read-only for you`);
};

const markApplying = {
  sql: "UPDATE proposals SET state = 'applying' WHERE scope_id = :scope AND id = :proposal",
} as const;

const notDone = ({ why, by }: { readonly why: string; readonly by?: Override }): ChangeOutcome => ({
  done: false,
  why,
  ...(by && { by }),
});

/** The commit is on the branch: nothing may make the caller believe that nothing happened. */
const finish = async (
  context: RoutingContext,
  { store, scope }: There,
  {
    operation,
    changes,
  }: { readonly operation: Operation; readonly changes: readonly TreeChange[] },
): Promise<readonly Left[]> => {
  try {
    const git = context.gitIn(operation.payload.worktree);
    const left = await refreshFiles(context, git, { operation, changes });
    await store.write({ scope }, (tx) => recordChange(tx, scope.id, operation));
    context.onStep("stored");
    return left;
  } catch (cause) {
    const why = cause instanceof Error ? showText(cause.message) : "unknown";
    throw new HeadgateError(
      "ROUTING_UNFINISHED",
      `the commit ${operation.commit} is on ${operation.ref}, but the rest failed: ${why}`,
      { cause, data: { commit: operation.commit, operation: operation.id } },
    );
  }
};

const notMoved = (ref: string, { why, reason, lines }: Moved & { readonly ok: false }) => {
  const said = lines.join(" | ");
  if (why === "read-only") return refused(`the repository cannot be written: ${reason}`);
  return /hook/i.test(said)
    ? new HeadgateError("ROUTING_VETO", `a hook refused to move ${showText(ref)}: ${said}`, {
        data: { hook: "reference-transaction", lines },
      })
    : refused(`the branch ${showText(ref)} cannot be moved: ${said}`);
};

const operationOf = (
  context: RoutingContext,
  about: {
    readonly id: string;
    readonly atMs: number;
    readonly start: ChangeStart;
    readonly made: OverridesCommit;
    readonly decision: Decision & { readonly do: "change" };
    readonly place: OverridesPath;
  },
): Operation => {
  const { id, atMs, start, decision, place } = about;
  const { do: _, ...change } = decision;
  const { canary } = context.settings;
  return {
    id,
    state: "prepared",
    place: placeOf(context),
    atMs,
    actor: context.actor.id,
    ref: start.head.branch,
    parent: start.head.commit ?? null,
    commit: about.made.prepared.commit,
    payload: {
      ...change,
      worktree: context.repository.worktree,
      path: place.path,
      blobBefore: start.blob?.id ?? null,
      blob: about.made.blob,
      before: hashOf(start.blob?.bytes),
      after: about.made.text,
      canary: { id: newId("canary"), settings: JSON.stringify(canary), days: canary.days },
    },
  };
};

const messageOf = (
  { kind, reviewer, override, reason, proposal }: Decision & { readonly do: "change" },
  { id, actor }: { readonly id: string; readonly actor: string },
): string => {
  const verb = {
    apply: "override",
    update: "change the override of",
    revert: "take back the override of",
    expire: "end the override of",
  }[kind];
  const what = override ? ` (${override.action})` : "";
  return [
    `headgate: ${verb} ${reviewer}${what}`,
    "",
    ...(reason === "" ? [] : [reason, ""]),
    `Headgate-Op: ${id}`,
    `Headgate-Kind: ${kind}`,
    `Headgate-Reviewer: ${reviewer}`,
    `Headgate-Actor: ${showText(actor)}`,
    ...(proposal === null ? [] : [`Headgate-Proposal: ${proposal}`]),
    "",
  ].join("\n");
};

export const understood = (
  read: ReadOverrides,
  path: string,
): ReadOverrides & { readonly ok: true } => {
  if (read.ok) return read;
  throw new HeadgateError(
    read.code === "newer" ? "ROUTING_FILE_NEWER" : "ROUTING_FILE",
    `${showText(path)} ${read.code === "newer" ? "" : "is malformed: "}${read.message}`,
    { data: { path } },
  );
};

/** ISO time of a new override. */
export const createdAt = (context: Pick<RoutingContext, "clock">): string =>
  isoTime(context.clock.wallMs());
