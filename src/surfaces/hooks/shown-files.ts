/**
 * Which files a session was shown by other means than a tool that reads (E-24): a command that names them, a prompt
 * that does. Generous on purpose: a file that is taken for read too early is written over as it was before.
 */
import { hash } from "node:crypto";
import { systemFiles } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { sessionMarks, workingTree } from "../../gate/index.ts";
import type { HookActing, HookDependencies, HookHeadgate } from "./dependencies.ts";
import { absolute } from "./harness/fields.ts";
import { type Placed, placeOf } from "./place.ts";
import type { HookCall, HookHarness } from "./types.ts";

/** Of these it is known that every tool by which an agent reads a file is reported, and its prompts. */
const reporting = new Set<HookHarness>(["claude", "opencode"]);

/** The session has begun now, not before Headgate could look on. */
export const markStart = async (
  { source = "startup" }: HookCall,
  own: HookActing,
): Promise<void> => {
  if (source === "startup" || source === "clear") await own.seen.meet([sessionMarks.start]);
};

export const markReads = async (call: HookCall, own: HookActing): Promise<void> => {
  if (reporting.has(call.harness)) await own.seen.meet([sessionMarks.reads]);
};

/** Asked before anything is opened: most commands name no file. */
export const namesFiles = (text: string, cwd: string): boolean =>
  namedIn(text, cwd).some((one) => systemFiles.statFollowing(one)?.isFile()) ||
  shownFolders(text, cwd).length > 0;

/** Files that a command or a prompt names are noted as shown. */
export const rememberShown = async (
  text: string,
  call: HookCall,
  headgate: Pick<HookHeadgate, "repository" | "as">,
  {
    actorOf,
    openWorktree,
    worktrees,
  }: Pick<HookDependencies, "actorOf" | "openWorktree" | "worktrees">,
): Promise<void> => {
  const { repository } = headgate;
  const roots = (await worktrees?.()) ?? repository.worktrees;
  const files = namedIn(text, call.cwd).filter((one) => systemFiles.statFollowing(one)?.isFile());
  const folders = call.event === "prompt" ? [] : shownFolders(text, call.cwd);
  const placed = [
    ...files.flatMap((file) => lies(file, roots)),
    ...folders.flatMap((folder) => lies(`${folder}/${anyFile}`, roots)),
  ];
  const isWhole =
    call.event !== "prompt" && /^\s*cat(\s+[^\s;&|<>$*?`-][^\s;&|<>$*?`]*)+\s*$/.test(text);
  for (const [root, places] of Map.groupBy(placed, (one) => one.root)) {
    const there = root === repository.worktree ? headgate : await openWorktree(root);
    const { seen } = there.as(actorOf(call));
    const versions = isWhole ? places.flatMap(wholeVersion) : [];
    if (versions.length > 0) await seen.remember(versions);
    await seen.meet([...new Set(places.map(({ path }) => asShown(path)))]);
  }
};

const wholeVersion = ({ root, path }: Placed): { path: string; hash: string }[] => {
  if (isFolder(path)) return [];
  try {
    const now = workingTree(root).read(path);
    return now ? [{ path, hash: hash("sha256", now) }] : [];
  } catch (error) {
    if (HeadgateError.isInstance(error)) return [];
    throw error;
  }
};

/** For all files of a folder, whose own place may be the whole worktree. */
const anyFile = "\u0001";

const isFolder = (path: string): boolean => path.endsWith(anyFile);

const asShown = (path: string): string =>
  isFolder(path) ? path.slice(0, -anyFile.length) || "./" : path;

const lies = (file: string, roots: readonly string[]): Placed[] => {
  try {
    return [placeOf(file, roots) ?? []].flat();
  } catch (error) {
    if (HeadgateError.isInstance(error)) return [];
    throw error;
  }
};

/** Words that may be paths, seen from where the text is and from every folder that it names. */
const namedIn = (text: string, cwd: string): string[] => {
  const words = wordsIn(text);
  const folders = [cwd];
  for (const word of words) {
    const folder = pathTo(word, cwd);
    if (folder !== undefined && systemFiles.statFollowing(folder)?.isDirectory())
      folders.push(folder);
  }
  const paths = folders
    .slice(0, foldersMax)
    .flatMap((folder) => words.flatMap((word) => pathTo(word, folder) ?? []));
  return [...new Set(paths)];
};

/** A search through a folder, or a pattern: some file of it may have been shown. */
const shownFolders = (text: string, cwd: string): string[] => {
  if (!/\b(grep|egrep|fgrep|rg|ag|ack|cat|bat|head|tail|sed|awk|nl|less|more|xargs)\b/.test(text)) {
    return [];
  }
  const words = wordsIn(text);
  const named = words.flatMap((word) => {
    const [before = ""] = word.split(/[*?[{]/, 1);
    const folder = before === word ? word : before.replace(/[^/]*$/, "") || ".";
    const path = pathTo(folder, cwd);
    return path !== undefined && systemFiles.statFollowing(path)?.isDirectory() ? [path] : [];
  });
  if (named.length > 0) return named;
  const grepAt = text.search(/grep\s/);
  const isDeep = grepAt >= 0 && /\s-\w*[rR]/.test(text.slice(grepAt));
  const isSearch = isDeep || /\b(?:rg|ag|ack|git\s+grep)\b/.test(text);
  const namesFile = words.some((word) => {
    const path = pathTo(word, cwd);
    return path !== undefined && systemFiles.statFollowing(path)?.isFile();
  });
  return isSearch && !namesFile ? [cwd] : [];
};

const wordsIn = (text: string): string[] => {
  const words = text
    .slice(0, textMax)
    .split(/[\s"'`;|&<>()=,:#]+|\\(?=\s)/)
    .map((word) => word.replace(/^@/, "").replace(/(?<![.!?\]])[.!?\]]+$/, ""))
    .filter((word) => word !== "" && word.length < 1000 && !word.startsWith("-"));
  return [...new Set(words)].slice(0, wordsMax);
};

const pathTo = (word: string, cwd: string): string | undefined =>
  word.includes("\0") ? undefined : absolute(word, cwd);

const textMax = 20_000;
const wordsMax = 200;
const foldersMax = 5;
