/**
 * A commit of named files and nothing else, that is not on a branch yet. It is made with an index of its own,
 * so that its name can be stored before anything is visible, and what the user has staged stays as it is. The
 * user's hooks run as `git commit` runs them.
 */
import { join, parse } from "node:path";
import { errnoOf, type Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { writeInPlace } from "../../base/open-file.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { changesBetween, type Head, type TreeChange } from "../worktree-status.ts";
import { firstWords, type WritingGit } from "../writing-git.ts";
import { type CommitHooks, type HookRefusal, openHooks } from "./hooks.ts";
import { readIndexEntries, type TreeEntry, writeIndexEntries } from "./index-entries.ts";
import { keepTrailers } from "./trailers.ts";

export interface CommitRequest {
  readonly git: WritingGit;
  readonly files: Files;
  /** A folder for the index and the message, while they are needed. */
  readonly scratch: string;
  /** Names the files in there: no two commits at a time may share it. */
  readonly operation: string;
  /** The commit is made on this one. */
  readonly head: Head;
  /** Taken from the worktree as they are now, gone ones too; through the user's filters. */
  readonly paths?: readonly string[];
  /** Taken as given; a mode of zeros removes the file. */
  readonly entries?: readonly TreeEntry[];
  /** Taken as given, without filters. */
  readonly contents?: readonly NewContent[];
  /** Its `Headgate-…` lines survive hooks that edit the message. */
  readonly message: string;
  /** Hooks may add to what is committed, but only here. Without: anywhere. */
  isAllowed?(path: string): boolean;
  /**
   * With this, whatever else a hook stages stays out of the commit. It is asked about each of `entries` and
   * `contents` that a pre-commit hook staged differently, or unstaged. Not for `paths`.
   */
  reviseEntry?(own: TreeEntry, staged: TreeEntry | undefined): Promise<RevisedEntry>;
  /** Both dates, in git's own form; now without it. */
  readonly date?: string;
  /** For one hook, and for signing: a person may have to type. */
  readonly hookMs?: number;
  /** Called after each step; a crash test ends the process there. */
  onStep?(step: CommitStep): void;
}

export interface NewContent {
  readonly path: string;
  readonly mode: string;
  readonly content: string | Uint8Array;
}

export type RevisedEntry =
  | { readonly ok: true; readonly entry: TreeEntry }
  | { readonly ok: false; readonly reason: string };

export type CommitStep =
  | "blob"
  | "index-read"
  | "index-changed"
  | "tree"
  | "hooks-passed"
  | "commit";

export interface PreparedCommit {
  readonly commit: string;
  readonly head: Head;
  /** What the commit changes, hooks' doing included. */
  readonly changes: readonly TreeChange[];
}

export type Prepared = { readonly ok: true; readonly prepared: PreparedCommit } | NotPrepared;

export interface NotPrepared {
  readonly ok: false;
  /**
   * nothing: the tree would be the parent's. hook: a hook said no. outside: a hook added what `isAllowed` does
   * not. identity: git does not know who commits. signing: it cannot sign. read-only: it may not write.
   */
  readonly why: "nothing" | "hook" | "outside" | "identity" | "signing" | "read-only";
  readonly reason: string;
  /** Of a hook that refused. */
  readonly hook?: string;
  /** The end of what git or the hook wrote. */
  readonly lines?: readonly string[];
}

/** Shows the commit to no one yet. Throws GIT_MISSING, GIT_FAILED, GIT_LIMIT. */
export const prepareCommit = async (request: CommitRequest): Promise<Prepared> => {
  request.files.makeDirectory(request.scratch, 0o700);
  removeScratch(request);
  try {
    return await prepare(request);
  } catch (error) {
    return whyNotPrepared(error);
  } finally {
    removeScratch(request);
  }
};

/** Also for a killed process's leftovers: no one else uses these names. */
export const removeScratch = (
  request: Pick<CommitRequest, "files" | "scratch" | "operation">,
): void => {
  const { index, message } = scratchFiles(request);
  const { dir, base } = parse(index);
  // Hooks leave notes beside the index that they were given.
  const beside = request.files.list(dir).filter(({ name }) => name.startsWith(base));
  for (const path of [...beside.map(({ name }) => join(dir, name)), message]) {
    try {
      request.files.unlink(path);
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
  }
};

const scratchFiles = ({ scratch, operation }: Pick<CommitRequest, "scratch" | "operation">) => ({
  index: join(scratch, `index-${operation}`),
  message: join(scratch, `message-${operation}`),
});

const prepare = async (request: CommitRequest): Promise<Prepared> => {
  const { git, files, head, hookMs, isAllowed } = request;
  const { index } = scratchFiles(request);
  const own = await stage(request, index);
  const hooks = await openHooks(git, files);
  const stopped = await hooks.run("pre-commit", [], { index, ...timeout(hookMs) });
  if (stopped) return refusedBy(stopped);
  const revised = hooks.has("pre-commit") ? await revise(request, own, index) : undefined;
  if (revised) return revised;
  const tree = await git.run({ args: ["write-tree"], index });
  request.onStep?.("tree");
  const changes = await changesBetween(git, head.commit, tree);
  if (changes.length === 0) return { ok: false, why: "nothing", reason: "nothing was changed" };
  const outside = isAllowed && changes.find(({ path }) => !isAllowed(path));
  if (outside) {
    const reason = `a hook added ${showText(outside.path)}, which does not belong to this commit`;
    return { ok: false, why: "outside", reason };
  }
  const message = await editMessage(request, hooks);
  if (typeof message !== "string") return message;
  request.onStep?.("hooks-passed");
  const commit = await commitTree(request, { tree, message, signs: hooks.signs });
  if (typeof commit !== "string") return commit;
  request.onStep?.("commit");
  return { ok: true, prepared: { commit, head, changes } };
};

/** Fills the index; gives what was not taken from the worktree. */
const stage = async (request: CommitRequest, index: string): Promise<readonly TreeEntry[]> => {
  const { git, paths = [], entries = [], contents = [], onStep } = request;
  const own = [...entries];
  for (const { path, mode, content } of contents) {
    const blob = await git.run({ args: ["hash-object", "-w", "--stdin"], input: content });
    own.push({ path, mode, blob });
    onStep?.("blob");
  }
  await readParent(request, index);
  onStep?.("index-read");
  if (paths.length > 0) {
    const input = paths.map((path) => `${path}\0`).join("");
    await git.run({
      args: ["update-index", "--add", "--remove", "-z", "--stdin"],
      ...{ index, input },
    });
  }
  if (own.length > 0) await git.run(writeIndexEntries(own, index));
  onStep?.("index-changed");
  return own;
};

const readParent = ({ git, head }: CommitRequest, index: string): Promise<string> =>
  git.run({ args: ["read-tree", head.commit ?? "--empty"], index });

/** Puts the index together again, from our own entries as the hook left them where that is accepted. */
const revise = async (
  request: CommitRequest,
  own: readonly TreeEntry[],
  index: string,
): Promise<NotPrepared | undefined> => {
  const { git, reviseEntry } = request;
  if (!reviseEntry) return undefined;
  const staged = await readIndexEntries(
    git,
    own.map(({ path }) => path),
    index,
  );
  const kept: TreeEntry[] = [];
  for (const entry of own) {
    const now = staged.get(entry.path);
    const found = now === "unmerged" ? undefined : now;
    const isSame = found?.blob === entry.blob && found.mode === entry.mode;
    const answer = isSame ? { ok: true as const, entry } : await reviseEntry(entry, found);
    if (!answer.ok) return { ...answer, why: "hook", hook: "pre-commit" };
    kept.push(answer.entry);
  }
  await readParent(request, index);
  await git.run(writeIndexEntries(kept, index));
  return undefined;
};

/** The message goes through a file, because hooks may edit it. */
const editMessage = async (
  request: CommitRequest,
  hooks: CommitHooks,
): Promise<string | NotPrepared> => {
  const { files, message } = request;
  const { index, message: file } = scratchFiles(request);
  if (!hooks.has("prepare-commit-msg") && !hooks.has("commit-msg")) return message;
  writeInPlace(files, file, { text: message, mode: 0o600 });
  for (const [hook, args] of [
    ["prepare-commit-msg", [file, "message"]],
    ["commit-msg", [file]],
  ] as const) {
    const stopped = await hooks.run(hook, args, { index, ...timeout(request.hookMs) });
    if (stopped) return refusedBy(stopped);
  }
  const edited = files.readFile(file).toString("utf8");
  if (edited.trim() !== "") return keepTrailers(edited, message);
  return { ok: false, why: "hook", reason: "a hook left the commit message empty" };
};

const commitTree = async (
  { git, head, date, hookMs = limits.commitHookMs }: CommitRequest,
  made: { readonly tree: string; readonly message: string; readonly signs: boolean },
): Promise<string | NotPrepared> => {
  const { code, stdout, lines } = await git.ask({
    args: [
      "commit-tree",
      ...(made.signs ? ["-S"] : []),
      ...(head.commit === undefined ? [] : ["-p", head.commit]),
      ...["-F", "-", made.tree],
    ],
    input: made.message,
    ...(date !== undefined && { date }),
    timeoutMs: hookMs,
  });
  const commit = stdout.trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  const all = lines.join(" ");
  const readOnly = whyReadOnly(lines);
  if (readOnly === undefined && noIdentity.test(all)) {
    const reason = "git does not know who you are: set user.name and user.email";
    return { ok: false, why: "identity", reason, lines };
  }
  if (readOnly === undefined && made.signs) {
    return { ok: false, why: "signing", reason: `the commit cannot be signed: ${all}`, lines };
  }
  throw new HeadgateError("GIT_FAILED", `git commit-tree failed: ${firstWords(lines, code)}`, {
    data: { code, stderr: lines },
  });
};

const noIdentity = /tell me who you are|empty ident|no email was given|auto-detect/i;

/** A repository that is read-only, and a setting for signing that git cannot read, are the user's to mend. */
const whyNotPrepared = (error: unknown): NotPrepared => {
  if (!HeadgateError.isInstance(error)) throw error;
  const lines = (error.data["stderr"] as readonly string[] | undefined) ?? [];
  const readOnly = whyReadOnly(lines);
  if (readOnly !== undefined) {
    const reason = `the repository cannot be written: ${readOnly}`;
    return { ok: false, why: "read-only", reason, lines };
  }
  if (!/commit\.gpgsign/i.test(error.message)) throw error;
  return { ok: false, why: "signing", reason: error.message, lines };
};

const refusedBy = ({ hook, reason, lines }: HookRefusal): NotPrepared => ({
  ok: false,
  why: "hook",
  ...{ reason, hook, lines },
});

const timeout = (timeoutMs: number | undefined) => (timeoutMs === undefined ? {} : { timeoutMs });

/** The line in which git says that it may not write; undefined when it says something else. */
export const whyReadOnly = (lines: readonly string[]): string | undefined =>
  lines
    .find((line) => /permission denied|insufficient permission|read-only file system/i.test(line))
    ?.replace(/^(error|fatal): /, "");
