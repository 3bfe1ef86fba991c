/**
 * The user's own pre-commit hooks of an agent's commit. While others have uncommitted lines here, they run on a
 * checkout of exactly what will be committed (`git/commit/scratch-tree.ts`), so that a hook which stashes, formats
 * or stages never meets a shared file. The lines in the hook (hook-script.ts) go there when a note with its path
 * is beside the index. Afterwards their work comes back: into the commit, and into the working files as lines of
 * the committing session, where the lines it was made of are still there.
 */
import { hash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { errnoOf, systemFiles } from "../../base/files.ts";
import { removeFile, removeTree, writeInPlace } from "../../base/open-file.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import {
  commitOf,
  createGit,
  createWritingGit,
  fillScratch,
  readScratch,
  scratchFolder,
  type ScratchTree,
  scratchTree,
  takeStaged,
} from "../../git/index.ts";
import { type PartFile, readCommitted } from "../../landing/index.ts";
import {
  type FileRecord,
  partLines,
  toBytes,
  toLines,
  withGround,
  withLineEnds,
} from "../../lines/index.ts";
import { contentHash, readContent, writeFileAtomicSync } from "../../state/index.ts";
import { noteEnding } from "./commit-plan.ts";
import type { HookContext } from "./hook-context.ts";

const files = systemFiles;

interface RunNote {
  readonly folder: string;
  /** The tree that was checked out. */
  readonly tree: string;
  /** The edits that make each file that was taken apart. */
  readonly edits: Readonly<Record<string, readonly string[]>>;
}

/** Makes the checkout where it is needed. Answers why it could not be made. */
export const readyUserHooks = async (
  context: HookContext,
  { parts, isLeft }: { readonly parts: readonly PartFile[]; readonly isLeft: boolean },
): Promise<Reason | undefined> => {
  const index = commitIndex(context);
  if (index === undefined) return undefined;
  if (!isLeft && !(await hasOthersLines(context))) return undefined;
  const commonDir = context.headgate.repository.commonDir ?? context.gitDir;
  try {
    dropLeftovers(commonDir);
    const name = `${basename(index)}-${hash("sha256", context.gitDir).slice(0, 12)}`;
    const place = takePlace(commonDir, { name, index });
    const { git, scratchGit } = gits(context, place);
    const { gitDir } = context;
    const tree = await fillScratch(place, { git, scratchGit, files, commonDir, gitDir, index });
    const edits = Object.fromEntries(parts.map((part) => [part.path, [...part.edits]]));
    const note: RunNote = { folder: place.folder, tree, edits };
    const text = `${place.tree}\n${JSON.stringify(note)}\n`;
    writeInPlace(files, index + noteEnding, { text, mode: 0o600 });
    return undefined;
  } catch (error) {
    if (!HeadgateError.isInstance(error) && errnoOf(error) === undefined) throw error;
    return notMade(String((error as Error).message));
  }
};

/** Of a commit that was killed: it must not move the hooks of this one. */
export const dropNote = (context: HookContext): void => {
  const index = commitIndex(context);
  if (index !== undefined) removeFile(files, index + noteEnding);
};

const notMade = (why: string): Reason => ({
  code: "COMMIT_HOOKS",
  path: "",
  message: `others have uncommitted lines here, so your hooks need a checkout of their own, which could not be made: ${why}`,
  remedy: "Mend that and repeat the commit, or repeat it when the others have committed.",
});

/** The one that git is about to commit; by hand, without it, hooks run where they are. */
const commitIndex = ({ environment: { cwd, variables } }: HookContext): string | undefined =>
  variables["GIT_INDEX_FILE"] ? resolve(cwd, variables["GIT_INDEX_FILE"]) : undefined;

const hasOthersLines = async ({ headgate }: HookContext): Promise<boolean> => {
  const { session: own } = headgate.claims.actor;
  return [...(await headgate.lines.noted()).values()].some(({ edits, pendings }) =>
    [...edits, ...pendings.map(({ edit }) => edit)].some(
      ({ session, kind }) => session !== own && kind !== "unknown",
    ),
  );
};

const keptName = "kept";

/** The checkout of an earlier commit, where no other commit has it: a rename has one winner. */
const takePlace = (
  commonDir: string,
  { name, index }: { readonly name: string; readonly index: string },
): ScratchTree => {
  const place = scratchTree(commonDir, name);
  files.makeDirectory(join(commonDir, scratchFolder), 0o700);
  if (!files.stat(place.folder)) {
    try {
      files.rename(scratchTree(commonDir, keptName).folder, place.folder);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      files.makeDirectory(place.folder, 0o700);
    }
  }
  writeInPlace(files, join(place.folder, "index"), { text: index, mode: 0o600 });
  return place;
};

const givePlace = (commonDir: string, { folder }: Pick<ScratchTree, "folder">): void => {
  const kept = scratchTree(commonDir, keptName).folder;
  if (files.stat(kept)) removeTree(files, folder);
  else files.rename(folder, kept);
};

/** Of commits that were killed, and whose index is gone. */
const dropLeftovers = (commonDir: string): void => {
  const all = join(commonDir, scratchFolder);
  if (!files.stat(all)) return;
  for (const { name } of files.list(all)) {
    const index = readContent(join(all, name, "index"), files)?.toString("utf8");
    if (name === keptName || index === undefined || files.stat(index)) continue;
    removeFile(files, index + noteEnding);
    removeTree(files, join(all, name));
  }
};

const gits = ({ headgate, environment }: HookContext, { tree }: Pick<ScratchTree, "tree">) => {
  const actor = headgate.claims.actor.id;
  const cwd = headgate.repository.worktree;
  return {
    git: createWritingGit({ cwd, environment, actor }),
    scratchGit: createWritingGit({ cwd: tree, environment, actor }),
  };
};

export interface HookWork {
  /** Files whose entries in the commit are the hooks' now. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/** After the hooks. Their staged work counts only where they passed; changed files come back in any case. */
export const takeUserHooks = async (
  context: HookContext,
  { isPassed }: { readonly isPassed: boolean },
): Promise<HookWork> => {
  const index = commitIndex(context);
  const text = index && readContent(index + noteEnding, files)?.toString("utf8");
  if (index === undefined || !text) return { paths: [], notes: [] };
  const { repository } = context.headgate;
  const commonDir = repository.commonDir ?? context.gitDir;
  const note = JSON.parse(text.slice(text.indexOf("\n"))) as RunNote;
  const place = scratchTree(commonDir, basename(note.folder));
  const reading = createGit({ cwd: place.tree, environment: context.environment });
  const { worktree } = repository;
  const result = await readScratch(place, { reading, files, tree: note.tree, worktree });
  const { git } = gits(context, place);
  if (isPassed) await takeStaged(git, result.staged, index);
  const notes = await bringBack(context, { place, note, changed: result.changed });
  removeFile(files, index + noteEnding);
  givePlace(commonDir, place);
  return { paths: isPassed ? result.staged.map(({ path }) => path) : [], notes };
};

/** The hooks' changes in the working files, where the lines they were made of are still there. */
const bringBack = async (
  context: HookContext,
  {
    place,
    note,
    changed,
  }: {
    readonly place: ScratchTree;
    readonly note: RunNote;
    readonly changed: readonly string[];
  },
): Promise<string[]> => {
  if (changed.length === 0) return [];
  const { headgate, git } = context;
  const given = await readCommitted(git, note.tree, changed);
  const last = await readCommitted(git, await commitOf(git, "HEAD"), changed);
  const records = await headgate.lines.records(changed);
  const left: string[] = [];
  const brought: string[] = [];
  for (const path of changed) {
    const file = given.get(path);
    const blob = file?.content;
    const after = files.stat(join(place.tree, path))?.isFile()
      ? readContent(join(place.tree, path), files)
      : undefined;
    const before = blob && after ? toBytes(withLineEnds(toLines(blob), toLines(after))) : blob;
    // Only its mode changed, or a hook that was stopped half way left the file as it was before all of this.
    const old = last.get(path)?.content;
    if (before && after && (after.equals(before) || (old && after.equals(old)))) continue;
    const isReadable = after !== undefined && (file === undefined || blob !== undefined);
    const edits = editsFor(records.get(path), { before, note: note.edits[path], context });
    const isDone = isReadable && (await bringFile(context, { path, before, after, edits }));
    (isDone ? brought : left).push(path);
  }
  return [
    ...(brought.length === 0
      ? []
      : [
          `headgate: your hooks changed ${list(brought)}; the change is in the working tree as yours`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `headgate: your hooks changed lines of ${list(left)} that are not as they were in the working tree, which stays as it is`,
        ]),
  ];
};

const list = (paths: readonly string[]): string => {
  const named = paths.slice(0, shownMax).map((path) => showText(path, 80));
  return named.join(", ") + (paths.length > shownMax ? ` and ${paths.length - shownMax} more` : "");
};

const shownMax = 3;

/** The edits that make the part which the hooks were given. */
const editsFor = (
  record: FileRecord | undefined,
  {
    before,
    note,
    context,
  }: {
    readonly before: Buffer | undefined;
    readonly note: readonly string[] | undefined;
    readonly context: HookContext;
  },
): ReadonlySet<string> => {
  if (!record || !before) return new Set();
  const { weave } = record;
  const { session } = context.headgate.claims.actor;
  const own = weave.edits.filter((edit) => edit.session === session).map(({ id }) => id);
  const unknown = weave.edits.filter(({ kind }) => kind === "unknown").map(({ id }) => id);
  const text = (lines: readonly string[]): string => lines.join("").replaceAll("\r\n", "\n");
  const wanted = text(toLines(before));
  const sets = [
    new Set(note ?? []),
    withGround(weave, own),
    withGround(weave, [...own, ...unknown]),
    new Set(weave.edits.map(({ id }) => id)),
  ];
  return sets.find((edits) => text(partLines(weave, edits) ?? []) === wanted) ?? new Set();
};

const bringFile = async (
  { headgate }: HookContext,
  {
    path,
    before,
    after,
    edits,
  }: {
    readonly path: string;
    readonly before: Buffer | undefined;
    readonly after: Buffer;
    readonly edits: ReadonlySet<string>;
  },
): Promise<boolean> => {
  const { worktree } = headgate.repository;
  const by = { actor: headgate.claims.actor, kind: "edit" } as const;
  const replace = (content: Uint8Array, present: Uint8Array | undefined): boolean => {
    try {
      writeFileAtomicSync(join(worktree, path), content, {
        ...{ expect: present ? contentHash(present) : null, root: worktree },
        ...{ durability: "cache", allowEmpty: true, waitMs: 200 },
      });
      return true;
    } catch (error) {
      if (HeadgateError.isInstance(error)) return false;
      throw error;
    }
  };
  const untilMs = systemClock.monoMs() + busyMs;
  for (;;) {
    const answer = await headgate.lines.reformat({ path, edits, before, after, replace }, by);
    if (answer !== "busy") return answer === "done";
    if (systemClock.monoMs() >= untilMs) return false;
    await systemClock.sleep(busyPollMs);
  }
};

/** Another session's tool is about to write the file: that takes a moment. */
const busyMs = 1_500;
const busyPollMs = 50;
