/**
 * Writes that no hook saw (editors, formatters, programs in the background) are looked at when they happen, so
 * that they have no author from then on, and edits that sessions make around them later are not taken for
 * them. It never gets in the way of a write that is under way: while a hook is answered, a session's command
 * runs or git holds its index, it waits for the next word; files with allowed writes that were not seen yet
 * are left to the hook after them. Missing an event costs nothing but time: files are looked at again
 * whenever their lines are asked for.
 */
import { dirname, join } from "node:path";
import { errnoOf, systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { type FolderWatch, watchFolders } from "../../base/folder-watch.ts";
import { commitOf, createGit, type Git, gitDirOf, splitNul } from "../../git/index.ts";
import { currentLines, type FileRecord, type Lines, toBytes } from "../../lines/index.ts";

export interface FileWatchOptions {
  readonly root: string;
  readonly lines: Pick<Lines, "records" | "refresh">;
  /** A hook is being answered, or a command of a session runs in this worktree. */
  isBusy(): boolean;
  onDefect(error: unknown): void;
  readonly foldersMax?: number;
  readonly git?: Git;
}

export interface WorktreeWatch {
  /** Word from elsewhere that what it waited for may be over. */
  lookAgain(): void;
  /** Why not everything is watched; undefined: all of it is. */
  readonly problem: string | undefined;
  /** Resolves when all that is known of has been looked at, or waits. */
  settled(): Promise<void>;
  close(): void;
}

/** Above this a repository is looked at only when it is asked for. */
const foldersMaxDefault = 20_000;
/** A larger change (another branch) is looked at when it is asked for. */
const changesMax = 2_000;

export const openFileWatch = async (options: FileWatchOptions): Promise<WorktreeWatch> => {
  const { root, foldersMax = foldersMaxDefault, onDefect } = options;
  const git = options.git ?? createGit({ cwd: root });
  const gitDir = gitDirOf(root, systemFiles);
  const changed = new Set<string>();
  let problem: string | undefined;
  let running: Promise<void> | undefined;
  let isClosed = false;

  const mustWait = (): boolean =>
    (gitDir !== undefined && systemFiles.stat(join(gitDir, "index.lock")) !== undefined) ||
    options.isBusy();
  const look = (): void => {
    if (running || isClosed || changed.size === 0 || mustWait()) return;
    running = lookAt([...changed])
      .catch(onDefect)
      .finally(() => {
        running = undefined;
        look();
      });
    changed.clear();
  };
  const lookAt = async (paths: readonly string[]): Promise<void> => {
    await addFolders(paths.filter(isFolder));
    if (paths.length > changesMax) return;
    const records = await options.lines.records(paths);
    // Most changes are edits that a hook has noted: they need no git.
    const news = paths.filter((path) => !isKnown(path, records.get(path)));
    if (news.length === 0) return;
    const listed = await list(["-m", "-d", "-o"], news);
    const dirty = new Set([...listed, ...news.filter((path) => records.has(path))]);
    const meant = [...dirty].filter((path) => (records.get(path)?.pendings.length ?? 0) === 0);
    if (meant.length === 0) return;
    const { readContents } = await import("../../landing/index.ts");
    const committed = await readContents(git, await commitOf(git, "HEAD"), meant);
    // Another one may have begun to write, and be the author.
    if (mustWait()) for (const path of meant) changed.add(path);
    else if (!isClosed) await options.lines.refresh(committed);
  };
  const isKnown = (path: string, record: FileRecord | undefined): boolean => {
    const full = join(root, path);
    const stat = systemFiles.stat(full);
    if (!record || (stat && !stat.isFile())) return false;
    const lines = currentLines(record.weave);
    if (lines === undefined || !stat) return lines === undefined && !stat;
    if (stat.size > limits.editFileBytesMax) return false;
    try {
      return toBytes(lines).equals(systemFiles.readFile(full));
    } catch (error) {
      // Gone since, or not to be read: git knows better.
      if (errnoOf(error) !== undefined) return false;
      throw error;
    }
  };
  const isFolder = (path: string): boolean =>
    systemFiles.stat(join(root, path))?.isDirectory() === true;
  /** As git names them; ignored files are in no list. */
  const list = async (which: readonly string[], paths: readonly string[] = []) => {
    const { stdout } = await git.run({
      args: ["ls-files", "-z", ...which, "--exclude-standard", "--full-name"],
      paths,
    });
    return splitNul(stdout);
  };
  /** With all folders in them that git does not ignore, empty ones too. */
  const addFolders = async (paths: readonly string[]): Promise<void> => {
    if (paths.length === 0) return;
    const empty = await list(["-o", "--directory"], paths);
    const names = empty.map((path) => (path.endsWith("/") ? `${path}.` : path));
    for (const folder of foldersIn([...(await list(["-c", "-o"], paths)), ...names])) add(folder);
  };
  const foldersIn = (files: readonly string[]): ReadonlySet<string> => {
    const folders = new Set<string>([root]);
    for (const path of files) {
      let one = dirname(path);
      for (; one !== "." && !folders.has(join(root, one)); one = dirname(one))
        folders.add(join(root, one));
    }
    return folders;
  };
  const add = (folder: string): void => {
    if (problem === undefined && watching.count >= foldersMax) problem = tooMany(foldersMax);
    if (problem !== undefined) return;
    if (!watching.add(folder)) problem = noHandles(watching.count);
  };
  const watching: FolderWatch = watchFolders((folder, name) => {
    const path = folder === root ? (name ?? "") : `${folder.slice(root.length + 1)}/${name ?? ""}`;
    const isOurs = folder === gitDir || /^\.(?:git|headgate)(?:\/|$)/.test(path);
    if (!isOurs && name !== null && changed.size <= changesMax) changed.add(path);
    look();
  });

  const folders = foldersIn(await list(["-c", "-o"]));
  if (gitDir !== undefined) watching.add(gitDir);
  if (folders.size > foldersMax) problem = tooMany(foldersMax);
  else for (const folder of folders) add(folder);
  if (problem !== undefined) watching.close();
  return {
    lookAgain: look,
    get problem() {
      return problem;
    },
    settled: async () => {
      await running;
      if (running) await running;
    },
    close: () => {
      isClosed = true;
      watching.close();
    },
  };
};

const tooMany = (max: number): string => `more than ${max} folders`;
const noHandles = (count: number): string =>
  `the system gives no more watches (${count} in use; fs.inotify.max_user_watches)`;
