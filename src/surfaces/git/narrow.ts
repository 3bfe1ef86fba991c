/**
 * An agent's `git commit` holds the agent's own lines, whatever `git add` put into the index. Git hands its
 * pre-commit hook the index that it is about to commit; entries with lines of others are replaced by HEAD with
 * the session's own part. Working files are not touched. Nothing waits here: git holds its lock.
 */
import { resolve } from "node:path";
import { type Change, readBlobs, createWritingGit, type WritingGit } from "../../git/index.ts";
import { shellWord } from "../../base/shell-word.ts";
import { showText } from "../../base/text.ts";
import type { Actor } from "../../claims/index.ts";
import type { Reason } from "../../gate/index.ts";
import {
  hasUnstaged,
  holdsForeign,
  keptName,
  type PartFile,
  planPart,
  readInTree,
} from "../../landing/index.ts";
import type { HookContext } from "./hook-context.ts";

export interface Narrowed {
  /** For the one who commits: what was left, and to whom. */
  readonly notes: readonly string[];
  /** Authors of others' edits that go along. */
  readonly carried: readonly string[];
  /** Files of which something of others was left out. */
  readonly paths: readonly string[];
  /** Why this cannot be committed so. */
  readonly reason?: Reason;
}

/** People commit what they staged; runs have an index of their own. */
export const commitsOwnLines = ({ session }: Actor): boolean => !/^(?:user|run):/.test(session);

export interface NarrowOptions {
  readonly head: string | undefined;
  readonly staged: readonly Change[];
  /** Edits of others that have to go along, by path. */
  readonly extra?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Git itself brings lines in: a merge, a cherry-pick. */
  readonly brings?: boolean;
  /** Other hooks of this commit have staged something since it was narrowed. */
  readonly isAgain?: boolean;
}

export const narrowIndex = async (
  context: HookContext,
  options: NarrowOptions,
): Promise<Narrowed & { readonly files: readonly PartFile[] }> => {
  const { headgate, git } = context;
  const { head, extra, brings = false, isAgain = false } = options;
  const staged = options.staged.filter(({ kind }) => kind === "file");
  const { session } = headgate.claims.actor;
  const paths = [...new Set(staged.flatMap(({ path, from }) => [path, ...(from ? [from] : [])]))];
  const { files, tookUnknown } = await planPart({
    ...{ lines: headgate.lines, git, head, session, paths },
    ...workingSide(context),
    ...(extra && { extra }),
    ...(brings && { along: ["unknown"] }),
  });
  const changes = new Map(staged.map((change) => [change.path, change]));
  const blobs = await readBlobs(
    git,
    staged.flatMap(({ after }) => after ?? []),
  );
  const entries: StagedEntry[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const isAsked = extra?.has(file.path) ?? false;
    if (file.isWhole && !isAsked) continue;
    const change = changes.get(file.path);
    const blob = change?.after === undefined ? undefined : blobs.get(change.after);
    // A formatter may make of the own part what it likes.
    if (isAgain && !isAsked && file.isOwn && !holdsForeign(file, blob)) continue;
    const { reason, entry } = stagedEntry(file, { change, blob, isAgain });
    if (reason) return { files, notes, carried: [], paths: [], reason };
    if (entry) entries.push(entry);
  }
  const left = leftNote(files);
  if (left !== undefined) notes.push(left);
  // A staged file without lines of others is the committer's, wherever it came from.
  const own = files.filter(({ isOwn, left }) => isOwn || left.length === 0);
  const others = staged.length < options.staged.length;
  if (files.length > 0 && own.length === 0 && !others) {
    return { files, notes, carried: [], paths: [], reason: nothingOwn(files) };
  }
  const [first] = entries;
  if (first && headgate.config.commit.agents === "refuse") {
    return { files, notes, carried: [], paths: [], reason: holdsOthers(first.path) };
  }
  if (entries.length > 0) await replaceEntries(context, entries, noName(options.staged));
  // A commit of whole files needs no word: everything there was the session's own or without an author.
  if (tookUnknown && entries.length > 0) {
    notes.push("headgate: lines without a known author went along.");
  }
  const carried = own.flatMap((file) => file.carried.map(({ actor }) => actor));
  return {
    ...{ files, notes, carried: [...new Set(carried)] },
    paths: entries.map(({ path }) => path),
  };
};

/** The working files, and the git that takes them in as the user set it up. */
export const workingSide = ({
  headgate,
  environment,
}: Pick<HookContext, "headgate" | "environment">): {
  readonly writing: WritingGit;
  read(path: string): Buffer | undefined;
} => {
  const { worktree: cwd } = headgate.repository;
  return {
    writing: createWritingGit({ cwd, environment, actor: headgate.claims.actor.id }),
    read: (path) => readInTree(cwd, path),
  };
};

interface StagedEntry {
  readonly path: string;
  readonly mode: string;
  /** The new content; a name of what git has already; undefined: the entry goes. */
  readonly content?: Buffer | string;
}

/** The entry that the index gets. */
const stagedEntry = (
  file: PartFile,
  {
    change,
    blob,
    isAgain,
  }: {
    readonly change: Change | undefined;
    readonly blob: Buffer | undefined;
    readonly isAgain: boolean;
  },
): { readonly entry?: StagedEntry; readonly reason?: Reason } => {
  const { path, content, isOwn, committed, form, present } = file;
  const mode = change?.modes.after ?? committed?.mode ?? "100644";
  if (!isOwn) {
    return {
      entry: committed ? { path, mode: committed.mode, content: committed.name } : { path, mode },
    };
  }
  if (form === "opaque") return { reason: notSeparable(path) };
  if (content === undefined) return { entry: { path, mode } };
  const isPartial =
    !isAgain &&
    (form === "filtered"
      ? change?.after !== present
      : blob !== undefined && hasUnstaged(file, blob));
  return isPartial ? { reason: stagedByHand(path) } : { entry: { path, mode, content } };
};

/** One line, however much it is. */
const leftNote = (files: readonly PartFile[]): string | undefined => {
  const byActor = new Map<string, string[]>();
  for (const { path, left } of files) {
    for (const { actor } of left) byActor.set(actor, [...(byActor.get(actor) ?? []), path]);
  }
  const parts = [...byActor].map(([actor, paths]) => {
    const named = paths.slice(0, shownMax).map((path) => showText(path, 80));
    const more = paths.length > shownMax ? ` and ${paths.length - shownMax} more` : "";
    const whose = actor === "" ? "an unknown author (--with unknown)" : showText(actor);
    return `${named.join(", ")}${more} of ${whose}`;
  });
  if (parts.length === 0) return undefined;
  return `headgate: committed your lines only; left uncommitted: ${parts.join("; ")}`;
};

const shownMax = 3;

const nothingOwn = (files: readonly PartFile[]): Reason => {
  const [first] = files;
  const hasUnknown = files.some(({ left }) => left.some(({ actor }) => actor === ""));
  const who = first?.left.map(({ actor }) =>
    actor === "" ? "an unknown author" : showText(actor),
  );
  return {
    code: "COMMIT_NOTHING",
    path: first?.path ?? "",
    message: `nothing of yours is in what you commit; the lines in ${showText(first?.path ?? "")} are of ${who?.join(", ") ?? "others"}`,
    remedy: hasUnknown
      ? "If they are yours: headgate commit -m TEXT --with unknown."
      : "Nothing is left to do: your lines are committed already (git log).",
  };
};

const holdsOthers = (path: string): Reason => ({
  code: "COMMIT_FOREIGN",
  path,
  message: `${showText(path)} holds lines of others, and your settings refuse such a commit (commit.agents)`,
  remedy: "Commit your own lines: headgate commit -m TEXT",
});

const stagedByHand = (path: string): Reason => ({
  code: "COMMIT_PARTIAL",
  path,
  message: `only a part of your lines in ${showText(path)} is staged, and others have lines in it as well`,
  remedy: `Stage all of it (git add ${shellWord(`:/${path}`)}), or commit your lines: headgate commit -m TEXT --path ${shellWord(path)}`,
});

const notSeparable = (path: string): Reason => ({
  code: "COMMIT_MIXED",
  path,
  message: `${showText(path)} holds lines of others, and git keeps it in a form that cannot be taken apart`,
  remedy:
    "Wait until they have committed, or take theirs along: headgate commit -m TEXT --with ACTOR.",
});

/** As long as the repository's names are. */
const noName = (staged: readonly Change[]): string => {
  const name = staged.flatMap(({ before, after }) => before ?? after ?? [])[0] ?? "";
  return "0".repeat(name.length === 64 ? 64 : 40);
};

/** Puts contents into the index that git is about to commit. */
const replaceEntries = async (
  context: HookContext,
  entries: readonly StagedEntry[],
  none: string,
): Promise<void> => {
  const { cwd, variables } = context.environment;
  const { GIT_INDEX_FILE } = variables;
  const index = GIT_INDEX_FILE ? { index: resolve(cwd, GIT_INDEX_FILE) } : {};
  const { writing } = workingSide(context);
  const lines: string[] = [];
  for (const { path, content, mode } of entries) {
    const name =
      content === undefined || typeof content === "string"
        ? content
        : await keptName(writing, path, content, { isKept: true });
    // Git takes any name for an entry that goes.
    lines.push(name === undefined ? `0 ${none}\t${path}\0` : `${mode} ${name}\t${path}\0`);
  }
  await writing.run({
    args: ["update-index", "-z", "--index-info"],
    input: lines.join(""),
    ...index,
  });
};
