/**
 * One commit of named files and nothing else, in the order of algorithms C.5: the commit is made with an index
 * of its own, so that its name is known and stored before anything is visible; then the branch moves by
 * compare-and-swap while the claims are held; then the worktree's index follows. The user's hooks run as
 * `git commit` would run them, and what the user has staged stays as it is.
 */
import { join } from "node:path";
import { keepTrailers } from "../../git/index.ts";
import { errnoOf, type Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { readContent, writeFileAtomic } from "../../state/index.ts";
import { changesBetween, type Head, type TreeChange } from "./worktree-status.ts";
import { firstWords, type WritingGit } from "./writing-git.ts";

export interface PreparedCommit {
  readonly commit: string;
  readonly head: Head;
  readonly changes: readonly TreeChange[];
}

export interface CommitRequest {
  readonly git: WritingGit;
  readonly files: Files;
  /** For the index and the message, while they are needed. */
  readonly scratch: string;
  readonly operation: string;
  readonly head: Head;
  /** Taken from the worktree as they are now. */
  readonly paths?: readonly string[];
  /** Or entries as given: `mode blob path`. */
  readonly entries?: readonly Pick<TreeChange, "path" | "mode" | "blob">[];
  /** Hooks may add to what is committed, but only here. */
  isAllowed(path: string): boolean;
  readonly message: string;
}

export type Prepared =
  | { readonly ok: true; readonly prepared: PreparedCommit }
  | {
      readonly ok: false;
      readonly why: "nothing" | "hook" | "outside" | "identity";
      readonly reason: string;
    };

/** Makes the commit without showing it to anybody. Throws GIT_…. */
export const prepareCommit = async (request: CommitRequest): Promise<Prepared> => {
  const { git, files, scratch, operation, head, isAllowed } = request;
  const index = join(scratch, `index-${operation}`);
  const message = join(scratch, `message-${operation}`);
  try {
    if (head.commit !== undefined) await git.run(["read-tree", head.commit], { index });
    await fillIndex(request, index);
    const hooks = await openHooks(git, files);
    const stopped = await hooks.run("pre-commit", [], index);
    if (stopped !== undefined) return { ok: false, why: "hook", reason: stopped };
    const tree = (await git.run(["write-tree"], { index })).toString("latin1").trim();
    const changes = await changesBetween(git, head.commit, tree);
    if (changes.length === 0) return { ok: false, why: "nothing", reason: "nothing was changed" };
    const outside = changes.find(({ path }) => !isAllowed(path));
    if (outside) {
      const reason = `a hook added ${showText(outside.path)}, which the task does not list`;
      return { ok: false, why: "outside", reason };
    }
    await writeFileAtomic(message, request.message, { durability: "cache" });
    for (const [hook, args] of [
      ["prepare-commit-msg", [message, "message"]],
      ["commit-msg", [message]],
    ] as const) {
      const refused = await hooks.run(hook, args, index);
      if (refused !== undefined) return { ok: false, why: "hook", reason: refused };
    }
    const edited = readContent(message, files)?.toString("utf8") ?? "";
    if (edited.trim() === "") {
      return { ok: false, why: "hook", reason: "a hook left the commit message empty" };
    }
    const text = keepTrailers(edited, request.message);
    const made = await git.ask(
      [
        "commit-tree",
        tree,
        ...(head.commit === undefined ? [] : ["-p", head.commit]),
        ...(hooks.signs ? ["-S"] : []),
        "-F",
        "-",
      ],
      { input: text },
    );
    if (made.code !== 0) {
      return { ok: false, why: "identity", reason: firstWords(made.stderr, made.code) };
    }
    const commit = made.stdout.toString("latin1").trim();
    return { ok: true, prepared: { commit, head, changes } };
  } finally {
    for (const path of [index, `${index}.lock`, message]) removeQuietly(path, files);
  }
};

const fillIndex = async ({ git, paths, entries }: CommitRequest, index: string): Promise<void> => {
  if (paths && paths.length > 0) {
    const input = paths.map((path) => `${path}\0`).join("");
    await git.run(["update-index", "--add", "--remove", "-z", "--stdin"], { index, input });
  }
  if (entries && entries.length > 0) {
    await git.run(["update-index", "-z", "--index-info"], { index, input: indexInfo(entries) });
  }
};

const indexInfo = (entries: readonly Pick<TreeChange, "path" | "mode" | "blob">[]): string =>
  entries.map(({ path, mode, blob }) => `${mode} ${blob}\t${path}\0`).join("");

/** What the branch said to its move. */
export type Moved =
  | { readonly ok: true }
  /** Somebody else moved it first; nothing happened. */
  | { readonly ok: false; readonly why: "moved"; readonly reason: string }
  | { readonly ok: false; readonly why: "fence" | "hook"; readonly reason: string };

/**
 * Moves the branch. Git locks it and asks the user's hooks first; only then, while the claims are held, it is
 * told to go ahead.
 */
export const moveBranch = async (
  git: WritingGit,
  { commit, head }: PreparedCommit,
  whileHeld: (
    act: () => void,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>,
): Promise<Moved> => {
  const talk = git.converse(["update-ref", "-m", "headgate run", "--stdin"]);
  const old = head.commit ?? "0".repeat(commit.length);
  talk.say(`start\nupdate ${head.branch} ${commit} ${old}\nprepare\n`);
  for (const wanted of ["start: ok", "prepare: ok"]) {
    const line = await talk.hear();
    if (line === wanted) continue;
    const { stderr, code } = await talk.end();
    const reason = firstWords(stderr, code);
    const isMoved = /but expected|reference already exists|unable to resolve/.test(stderr);
    return { ok: false, why: isMoved ? "moved" : "hook", reason };
  }
  const held = await whileHeld(() => talk.say("commit\n"));
  if (!held.ok) {
    talk.say("abort\n");
    await talk.end();
    return { ok: false, why: "fence", reason: held.reason };
  }
  const said = await talk.hear();
  const { stderr, code } = await talk.end();
  if (said === "commit: ok") return { ok: true };
  throw new HeadgateError("GIT_FAILED", `git update-ref: ${firstWords(stderr, code)}`);
};

/**
 * The worktree's own index learns of the commit, for the files that the user has not staged otherwise. When
 * somebody holds the index it is tried again; in the end it is only a matter of what `git status` shows.
 */
export const followIndex = async (
  git: WritingGit,
  { head, changes }: Pick<PreparedCommit, "head" | "changes">,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> => {
  const staged = await stagedElse(git, head, changes);
  const own = changes.filter(({ path }) => !staged.has(path));
  if (own.length === 0) return true;
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const { code } = await git.ask(["update-index", "-z", "--index-info"], {
      input: indexInfo(own),
    });
    if (code === 0) return true;
    await pause(20 * attempt);
  }
  return false;
};

/** Paths whose entry in the index is neither what the commit stands on nor what it brings. */
const stagedElse = async (
  git: WritingGit,
  head: Head,
  changes: readonly TreeChange[],
): Promise<ReadonlySet<string>> => {
  const paths = changes.map(({ path }) => path);
  const stdout = await git.run(["ls-files", "-s", "-z", "--", ...paths]);
  const entries = new Map<string, string>();
  for (const line of stdout.toString("utf8").split("\0")) {
    const [, blob, path] = /^\d+ ([0-9a-f]+) \d\t([^]*)$/.exec(line) ?? [];
    if (blob !== undefined && path !== undefined) entries.set(path, blob);
  }
  const none = "0".repeat(changes[0]?.blob.length ?? 40);
  return new Set(
    changes
      .filter(({ path, blob, oldBlob }) => {
        const present = entries.get(path) ?? none;
        return present !== blob && present !== (head.commit === undefined ? none : oldBlob);
      })
      .map(({ path }) => path),
  );
};

interface Hooks {
  /** The user signs commits. */
  readonly signs: boolean;
  /** Why it refused; undefined when it passed or is not there. */
  run(name: string, args: readonly string[], index?: string): Promise<string | undefined>;
}

const known = new WeakMap<WritingGit, Promise<{ folder: string; signs: boolean }>>();

export const openHooks = async (git: WritingGit, files: Files): Promise<Hooks> => {
  let facts = known.get(git);
  if (!facts) {
    facts = readFacts(git);
    known.set(git, facts);
  }
  const { folder, signs } = await facts;
  return {
    signs,
    run: async (name, args, index) => {
      const stat = files.statFollowing(join(folder, name));
      if (!stat?.isFile() || (stat.mode & 0o111) === 0) return undefined;
      const { code, stderr, stdout } = await git.ask(
        ["hook", "run", "--ignore-missing", name, ...(args.length > 0 ? ["--", ...args] : [])],
        { ...(index !== undefined && { index }), timeoutMs: limits.runTimeoutMs },
      );
      if (code === 0) return undefined;
      const words = `${stderr}\n${stdout.toString("utf8")}`.trim().slice(0, 2_000);
      return `the ${name} hook refused (exit code ${code}): ${words}`;
    },
  };
};

const readFacts = async (git: WritingGit) => {
  const path = await git.run(["rev-parse", "--path-format=absolute", "--git-path", "hooks"]);
  const signs = await git.ask(["config", "--type=bool", "--get", "commit.gpgSign"]);
  return {
    folder: path.toString("utf8").replace(/\n$/, ""),
    signs: signs.code === 0 && signs.stdout.toString("latin1").trim() === "true",
  };
};

const removeQuietly = (path: string, files: Files): void => {
  try {
    files.unlink(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
};
