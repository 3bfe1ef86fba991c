/**
 * Takes the run's own commits back, by one new commit (L-04). Decided file by file: each file that the chosen
 * commits touched must be as the last of them left it, and nobody else may have committed it since the first.
 * Nothing is reset, and a file with changes that are not committed stops it.
 */
import { join } from "node:path";
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { plural, showText } from "../../base/text.ts";
import { parseActor } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";
import {
  changesBetween,
  createWritingGit,
  dirtyFiles,
  firstParent,
  followIndex,
  isAncestor,
  moveBranch,
  prepareCommit,
  readHead,
  type TreeChange,
  type WritingGit,
} from "../../git/index.ts";
import type { RunRecord } from "../types.ts";
import { holdRun, type HeldRun } from "./hold-run.ts";
import type { RunPorts } from "./ports.ts";

export interface RolledBack {
  readonly run: RunRecord;
  /** The commit that takes them back; absent when there was nothing to take back. */
  readonly commit?: string;
  readonly reverted: readonly string[];
  readonly files: readonly string[];
}

export const rollbackRun = (
  ports: RunPorts,
  options: { readonly run: string; readonly plan?: string },
): Promise<RolledBack> =>
  holdRun(ports, options.run, async (held) => {
    const run = await held.store.load();
    const git = createWritingGit({
      cwd: run.worktree,
      environment: ports.environment,
      files: ports.files,
      actor: held.actor,
    });
    await finishInterrupted(ports, held, git);
    const chosen = run.plans.filter(
      ({ plan }) => options.plan === undefined || plan === options.plan,
    );
    if (chosen.length === 0)
      throw new HeadgateError(
        "RUN_UNKNOWN",
        `run ${run.id} has no plan ${showText(options.plan ?? "")}`,
      );
    const commits = chosen.flatMap(({ tasks }) => tasks.flatMap(({ commit }) => commit ?? []));
    const present: string[] = [];
    for (const commit of new Set(commits))
      if (await isAncestor(git, commit, "HEAD")) present.push(commit);
    const files = await planBack(git, run, present);
    const back =
      files.length === 0 ? undefined : await commitBack(ports, held, { run, git, files, present });
    await settle(held, run, options.plan);
    return {
      run: await held.store.load(),
      ...(back !== undefined && { commit: back }),
      reverted: present,
      files: files.map(({ path }) => path),
    };
  });

/** A rollback that died between the branch and the files: the files follow now. */
const finishInterrupted = async (
  ports: RunPorts,
  { store, actor }: HeldRun,
  git: WritingGit,
): Promise<void> => {
  const commit = await store.rollback();
  if (commit === undefined) return;
  if (await isAncestor(git, commit, "HEAD")) {
    const parent = await firstParent(git, commit);
    await followFiles(ports, git, await changesBetween(git, parent, commit));
  }
  await store.setRollback(actor, null);
};

/** What each file becomes. Throws ROLLBACK_REFUSED with what is in the way. */
const planBack = async (
  git: WritingGit,
  run: RunRecord,
  present: readonly string[],
): Promise<readonly TreeChange[]> => {
  const head = await readHead(git);
  if (head.commit === undefined || present.length === 0) return [];
  if (head.branch !== run.branch)
    throw refused(run, [`the worktree is on ${head.branch}, the run committed to ${run.branch}`]);
  const own = new Set(present);
  const oldest = await oldestFirst(git, run, head.commit);
  const touched = new Map<string, { first: TreeChange; last: TreeChange }>();
  const foreign: string[] = [];
  for (const commit of oldest) {
    const isOwn = own.has(commit);
    if (!isOwn && touched.size === 0) continue;
    const base = await firstParent(git, commit);
    for (const change of await changesBetween(git, base, commit)) {
      const known = touched.get(change.path);
      if (isOwn) touched.set(change.path, { first: known?.first ?? change, last: change });
      else if (known) foreign.push(`${commit.slice(0, 12)} also changed ${showText(change.path)}`);
    }
  }
  const dirty = new Set((await dirtyFiles(git)).map(({ path }) => path));
  const unsaved = [...touched.keys()].filter((path) => dirty.has(path));
  const problems = [
    ...foreign,
    ...unsaved.map((path) => `${showText(path)} has changes that are not committed`),
  ];
  if (problems.length > 0) throw refused(run, problems);
  return [...touched.values()].flatMap(({ first, last }) => {
    if (first.oldBlob === last.blob && first.oldMode === last.mode) return [];
    const { path, oldMode: mode, oldBlob: blob } = first;
    return [{ path, mode, blob, oldMode: last.mode, oldBlob: last.blob }];
  });
};

const oldestFirst = async (git: WritingGit, run: RunRecord, head: string): Promise<string[]> => {
  const range = run.base === undefined ? [head] : [head, `^${run.base}`];
  const stdout = await git.run({ args: ["rev-list", "--topo-order", "--reverse", ...range] });
  return stdout.split("\n").filter((line) => line !== "");
};

const refused = (run: RunRecord, problems: readonly string[]): HeadgateError => {
  const shown = problems.slice(0, 5).join("; ");
  const more = problems.length > 5 ? ` and ${problems.length - 5} more` : "";
  return new HeadgateError(
    "ROLLBACK_REFUSED",
    `run ${run.id} cannot be taken back: ${shown}${more}`,
    {
      data: { run: run.id, problems: problems.slice(0, 100) },
    },
  );
};

const commitBack = async (
  ports: RunPorts,
  held: HeldRun,
  work: {
    readonly run: RunRecord;
    readonly git: WritingGit;
    readonly files: readonly TreeChange[];
    readonly present: readonly string[];
  },
): Promise<string> => {
  const { run, git, files, present } = work;
  const actor = { ...parseActor(`run:${run.id}/rollback`), process: ownIdentity() };
  const { claims } = ports.as(actor);
  const targets = files.map(({ path }) => ({
    path: join(run.worktree, path),
    extent: "file" as const,
  }));
  const held64 = targets.slice(0, limits.claimTargetsMax);
  const taken = await claims.claim({
    targets: held64,
    reason: `rolls run ${run.id} back`,
    ttlMs: limits.runClaimTtlMs,
  });
  if (!taken.ok) {
    const who = taken.blockers.map(
      ({ target, actor: holder }) => `${showText(target)} is claimed by ${showText(holder)}`,
    );
    throw refused(run, who);
  }
  try {
    const head = await readHead(git);
    const operation = newId("operation");
    const paths = new Set(files.map(({ path }) => path));
    const made = await prepareCommit({
      ...{ git, files: ports.files, scratch: held.runFiles.dir, operation, head, entries: files },
      isAllowed: (path) => paths.has(path),
      message: messageOf(run, present, operation),
    });
    if (!made.ok) throw refused(run, [made.reason]);
    await held.store.setRollback(held.actor, made.prepared.commit);
    const fences = [...new Set(taken.claims.map(({ fence }) => fence))];
    const moved = await moveBranch(git, made.prepared, {
      note: `headgate run ${run.id}`,
      whileHeld: async (act) => {
        const kept = await claims.whileHeld(fences, held64, act);
        return kept.ok ? kept : { ok: false, reason: "the claim was lost" };
      },
    });
    if (!moved.ok) {
      await held.store.setRollback(held.actor, null);
      throw refused(run, [moved.reason]);
    }
    await followFiles(ports, git, made.prepared.changes);
    await held.store.setRollback(held.actor, null);
    return made.prepared.commit;
  } finally {
    await claims.release({ all: true });
  }
};

/** Files and index follow the branch, where they are still what the branch had. */
const followFiles = async (
  ports: RunPorts,
  git: WritingGit,
  changes: readonly TreeChange[],
): Promise<void> => {
  await followIndex(git, changes, (ms) => ports.clock.sleep(ms));
  // The index knows the new content now: what the worktree still has of the old one differs from it.
  for (const change of changes) {
    if (!(await isStillOld(git, ports, change))) continue;
    if (/^0+$/.test(change.mode)) {
      if (ports.files.stat(join(git.cwd, change.path)))
        ports.files.unlink(join(git.cwd, change.path));
    } else
      await git.run({
        args: ["checkout-index", "--force", "-z", "--stdin"],
        input: `${change.path}\0`,
      });
  }
};

const isStillOld = async (
  git: WritingGit,
  ports: RunPorts,
  change: TreeChange,
): Promise<boolean> => {
  const isThere = ports.files.stat(join(git.cwd, change.path)) !== undefined;
  if (/^0+$/.test(change.oldMode)) return !isThere;
  if (!isThere) return false;
  if (change.oldMode === "120000") return true;
  const hash = await git.run({ args: ["hash-object", "--stdin-paths"], input: `${change.path}\n` });
  return hash === change.oldBlob;
};

/** The run as it is afterwards: wholly taken back, or with one plan that can be carried out again. */
const settle = async (
  { store, runFiles, actor }: HeldRun,
  run: RunRecord,
  only: string | undefined,
): Promise<void> => {
  for (const { plan, tasks } of run.plans) {
    if (only !== undefined && plan !== only) continue;
    for (const { number, state } of tasks) {
      if (state === "pending") continue;
      await store.setTask(
        actor,
        { plan, number },
        { state: "pending", commit: null, reason: "taken back" },
      );
    }
    if (only !== undefined)
      await store.setPlan(actor, plan, { state: "pending", reason: "taken back" });
  }
  if (only === undefined) await store.setRun(actor, { state: "rolled-back" });
  else await store.setRun(actor, { state: "paused", reason: `plan ${only} was taken back` });
  await runFiles.state();
};

const messageOf = (run: RunRecord, present: readonly string[], operation: string): string =>
  [
    `Roll back run ${run.id}`,
    "",
    `${showText(run.name, 100)}: ${plural(present.length, "commit")} taken back.`,
    "",
    ...present.map((commit) => `This reverts commit ${commit}.`),
    "",
    `Headgate-Op: ${operation}`,
    ...present.map((commit) => `Headgate-Reverts: ${commit}`),
    "",
  ].join("\n");
