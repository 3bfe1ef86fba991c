/**
 * Takes the run's own commits back, by one new commit (L-04). Decided file by file: each file that the chosen
 * commits touched must be as the last of them left it, and nobody else may have committed it since the first.
 * Nothing is reset, and a file with changes that are not committed stops it.
 */
import { dirname, join } from "node:path";
import { errnoOf } from "../../base/files.ts";
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
  const fences: number[] = [];
  try {
    for (let from = 0; from < targets.length; from += limits.claimTargetsMax) {
      const taken = await claims.claim({
        targets: targets.slice(from, from + limits.claimTargetsMax),
        reason: `rolls run ${run.id} back`,
        ttlMs: limits.runClaimTtlMs,
      });
      if (!taken.ok) {
        const who = taken.blockers.map(
          ({ target, actor: holder }) => `${showText(target)} is claimed by ${showText(holder)}`,
        );
        throw refused(run, who);
      }
      fences.push(...new Set(taken.claims.map(({ fence }) => fence)));
    }
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
    const moved = await moveBranch(git, made.prepared, {
      note: `headgate run ${run.id}`,
      whileHeld: async (act) => {
        const kept = await claims.whileHeld(fences, targets, act);
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
  const old = await stillOld(git, ports, changes);
  const [gone, back] = [old.filter(isRemoved), old.filter((change) => !isRemoved(change))];
  for (const { path } of gone) {
    if (ports.files.stat(join(git.cwd, path))) ports.files.unlink(join(git.cwd, path));
    removeEmptyFolders(ports, git.cwd, dirname(path));
  }
  if (back.length === 0) return;
  await git.run({
    args: ["checkout-index", "--force", "-z", "--stdin"],
    input: back.map(({ path }) => `${path}\0`).join(""),
  });
};

const isRemoved = ({ mode }: TreeChange): boolean => /^0+$/.test(mode);

/** As git does it: a folder without files is not kept. */
const removeEmptyFolders = ({ files }: RunPorts, root: string, folder: string): void => {
  for (let path = folder; path !== "."; path = dirname(path)) {
    const full = join(root, path);
    if (!files.stat(full)?.isDirectory() || files.list(full).length > 0) return;
    try {
      files.removeDirectory(full);
    } catch (error) {
      // Something was put there in between.
      if (errnoOf(error) === "ENOTEMPTY" || errnoOf(error) === "EEXIST") return;
      throw error;
    }
  }
};

const stillOld = async (
  git: WritingGit,
  { files }: RunPorts,
  changes: readonly TreeChange[],
): Promise<readonly TreeChange[]> => {
  const there = changes.filter(({ path }) => files.stat(join(git.cwd, path)) !== undefined);
  const hashed = there.filter(
    ({ oldMode }) => !/^0+$/.test(oldMode) && oldMode !== symbolicLink && oldMode !== submodule,
  );
  const input = hashed.map(({ path }) => `${path}\n`).join("");
  const stdout =
    input === "" ? "" : await git.run({ args: ["hash-object", "--stdin-paths"], input });
  const names = stdout.split("\n");
  const now = new Map(hashed.map(({ path }, at) => [path, names[at]]));
  const isThere = new Set(there);
  return changes.filter((change) => {
    const { path, oldMode, oldBlob } = change;
    if (/^0+$/.test(oldMode)) return !isThere.has(change);
    return isThere.has(change) && (!now.has(path) || now.get(path) === oldBlob);
  });
};

const symbolicLink = "120000";
const submodule = "160000";

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
