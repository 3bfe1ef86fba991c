/**
 * An agent's `git commit` holds the agent's own lines, whatever `git add` put into the index. Git hands its
 * pre-commit hook the index that it is about to commit; entries with lines of others are replaced by HEAD with
 * the session's own part. Working files are not touched. Nothing waits here: git holds its lock.
 */
import { resolve } from "node:path";
import { type Change, readBlobs, createWritingGit } from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import type { Actor } from "../../claims/index.ts";
import type { Reason } from "../../gate/index.ts";
import { hasUnstaged, type PartFile, planPart } from "../../landing/index.ts";
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
}

export const narrowIndex = async (
  context: HookContext,
  options: NarrowOptions,
): Promise<Narrowed & { readonly files: readonly PartFile[] }> => {
  const { headgate, git } = context;
  const { head, extra } = options;
  const staged = options.staged.filter(({ kind }) => kind === "file");
  const { session } = headgate.claims.actor;
  const paths = [...new Set(staged.flatMap(({ path, from }) => [path, ...(from ? [from] : [])]))];
  const { files, tookUnknown } = await planPart({
    ...{ lines: headgate.lines, git, head, session, paths },
    ...(extra && { extra }),
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
    const { reason, entry } = stagedEntry(file, { change, blob });
    if (reason) return { files, notes, carried: [], paths: [], reason };
    if (entry && (isAsked || !entry.isThere)) entries.push(entry);
  }
  const left = leftNote(files);
  if (left !== undefined) notes.push(left);
  // What is staged of a file without lines of others is the committer's, wherever it came from.
  const own = files.filter(({ isOwn, left }) => isOwn || left.length === 0);
  const others = staged.length < options.staged.length;
  if (files.length > 0 && own.length === 0 && !others) {
    return { files, notes, carried: [], paths: [], reason: nothingOwn(files) };
  }
  if (entries.length > 0) await replaceEntries(context, entries);
  if (tookUnknown && entries.length > 0) {
    notes.push("headgate: lines that nobody is known to have written went along.");
  }
  const carried = own.flatMap((file) => file.carried.map(({ actor }) => actor));
  return {
    ...{ files, notes, carried: [...new Set(carried)] },
    paths: entries.map(({ path }) => path),
  };
};

interface StagedEntry {
  readonly path: string;
  /** Undefined: the entry goes. */
  readonly content?: Buffer;
  readonly mode: string;
  /** The index has it so already. */
  readonly isThere?: boolean;
}

/** What stands in the index instead. */
const stagedEntry = (
  file: PartFile,
  { change, blob }: { readonly change: Change | undefined; readonly blob: Buffer | undefined },
): { readonly entry?: StagedEntry; readonly reason?: Reason } => {
  const { path, content, current, isOwn } = file;
  const mode = change?.modes.after ?? change?.modes.before ?? "100644";
  if (content === undefined) return { entry: { path, mode } };
  if (isOwn && blob && hasUnstaged(file, blob)) return { reason: stagedByHand(path) };
  // Git may keep other bytes than lie in the working tree: line ends are the only ones we can follow.
  const kept = inGit(content, { current, blob });
  if (kept === undefined) {
    return isOwn ? { reason: notSeparable(path) } : { entry: { path, mode, content } };
  }
  return { entry: { path, mode, content: kept, isThere: blob?.equals(kept) ?? false } };
};

/** The part as git keeps it; undefined where a filter makes something else of the file. */
const inGit = (
  part: Buffer,
  { current, blob }: { readonly current: Buffer | undefined; readonly blob: Buffer | undefined },
): Buffer | undefined => {
  if (blob === undefined || current === undefined || !current.includes("\r\n")) return part;
  if (blob.includes("\r\n")) return part;
  return Buffer.from(part.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
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
    const whose = actor === "" ? "nobody known (--with unknown)" : showText(actor);
    return `${named.join(", ")}${more} of ${whose}`;
  });
  if (parts.length === 0) return undefined;
  return `headgate: committed your lines only; left uncommitted: ${parts.join("; ")}`;
};

const shownMax = 3;

const nothingOwn = (files: readonly PartFile[]): Reason => {
  const [first] = files;
  const hasUnknown = files.some(({ left }) => left.some(({ actor }) => actor === ""));
  const who = first?.left.map(({ actor }) => (actor === "" ? "nobody known" : showText(actor)));
  return {
    code: "COMMIT_NOTHING",
    path: first?.path ?? "",
    message: `nothing of yours is in what you commit; the lines in ${showText(first?.path ?? "")} are of ${who?.join(", ") ?? "others"}`,
    remedy: hasUnknown
      ? "If they are yours: headgate commit -m TEXT --with unknown."
      : "Nothing is left to do: your lines are committed already (git log).",
  };
};

const stagedByHand = (path: string): Reason => ({
  code: "COMMIT_PARTIAL",
  path,
  message: `only a part of your lines in ${showText(path)} is staged, and others have lines in it as well`,
  remedy: `Stage all of it (git add ${showText(path)}), or commit your lines: headgate commit -m TEXT --path ${showText(path)}`,
});

const notSeparable = (path: string): Reason => ({
  code: "COMMIT_MIXED",
  path,
  message: `${showText(path)} holds lines of others, and git keeps it in a form that cannot be taken apart`,
  remedy:
    "Wait until they have committed, or take theirs along: headgate commit -m TEXT --with ACTOR.",
});

/** Puts contents into the index that git is about to commit. */
const replaceEntries = async (
  { headgate, environment }: HookContext,
  entries: readonly StagedEntry[],
): Promise<void> => {
  const { worktree } = headgate.repository;
  const { GIT_INDEX_FILE } = environment.variables;
  const index = GIT_INDEX_FILE ? { index: resolve(environment.cwd, GIT_INDEX_FILE) } : {};
  const git = createWritingGit({ cwd: worktree, environment, actor: headgate.claims.actor.id });
  const lines: string[] = [];
  for (const { path, content, mode } of entries) {
    if (content === undefined) {
      lines.push(`0 ${"0".repeat(40)}\t${path}\0`);
      continue;
    }
    const name = await git.run({
      args: ["hash-object", "-w", "--stdin", "--no-filters"],
      input: content,
    });
    lines.push(`${mode} ${name}\t${path}\0`);
  }
  await git.run({ args: ["update-index", "-z", "--index-info"], input: lines.join(""), ...index });
};
