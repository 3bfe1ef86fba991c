/**
 * An index lock that a killed git left. Git writes no owner into it, so two proofs are needed before it goes:
 * no process of this machine can be using it, and it is known whose it was and that this git has ended. The
 * hooks write down what they see of that: pre-commit runs below the git that holds the lock, and the hooks
 * around an agent's command know when its gits began and ended. Where a proof is missing, the lock stays.
 */
import { dirname, join, resolve } from "node:path";
import { bootedAtMs } from "../../base/boot-time.ts";
import type { Clock } from "../../base/clock.ts";
import { errnoOf, type Files, type FileStats, systemFiles } from "../../base/files.ts";
import { newId } from "../../base/ids.ts";
import { isLocalType, mountType } from "../../base/mount-type.ts";
import { removeFile, writeInPlace } from "../../base/open-file.ts";
import { probe, type ProcessIdentity } from "../../base/process-identity.ts";
import { startVariable } from "../../base/process-marks.ts";
import { readProcessTree, type RunningProcess } from "../../base/process-tree.ts";
import { plural, showText } from "../../base/text.ts";
import { gitDirOf } from "../layout.ts";
import { isDeadIndexLock } from "./index-lock.ts";

export interface LeftIndexLock {
  readonly path: string;
  /** Both proofs are there. */
  readonly isLeft: boolean;
  readonly isRemoved: boolean;
  readonly ageMs: number;
  /** One line: the proof, or what is missing and what to do. */
  readonly what: string;
}

/** Undefined: the index is not locked. Without `repairs` it says what it would do. */
export const clearLeftIndexLock = (
  worktree: string,
  { clock, repairs = true, files = systemFiles }: LockPorts & { readonly repairs?: boolean },
): LeftIndexLock | undefined => {
  const gitDir = gitDirOf(worktree, files);
  const path = gitDir && join(gitDir, "index.lock");
  const stat = path && files.stat(path);
  if (!gitDir || !path || !stat) return undefined;
  const ageMs = Math.max(0, clock.wallMs() - stat.mtimeMs);
  const kept = { path, ageMs, isLeft: false, isRemoved: false };
  const what = (why: string): string => `${showText(path, 400)}, ${ageText(ageMs)} old: ${why}`;
  const left = (why: string): LeftIndexLock => {
    const isRemoved = repairs && takeAway(files, path, stat);
    return { ...kept, isLeft: true, isRemoved, what: what(why) };
  };
  if (isDeadIndexLock(gitDir, files)) return left("its process of Headgate is dead");
  const place = { gitDir, worktree, stat, files };
  const ended = stat.isFile() ? endedOwner({ ...place, clock }) : undefined;
  const user = findUser(place, { isOwnerKnown: ended?.isOwnerKnown ?? false });
  if (user !== undefined) return { ...kept, what: what(`${user}; wait until it has ended`) };
  const type = mountType(path, files);
  if (ended !== undefined && type !== undefined && isLocalType(type)) return left(ended.why);
  const where = type === undefined || isLocalType(type) ? "" : ` (${type} file system)`;
  const why = `nothing proves that its git has ended${where}; if no git runs in this repository, remove the lock`;
  return { ...kept, what: what(why) };
};

interface LockPorts {
  readonly clock: Clock;
  readonly files?: Files;
}

/** The git that holds the index now, as its own hook sees it. */
export const noteIndexLock = (
  gitDir: string,
  owner: ProcessIdentity,
  files: Files = systemFiles,
): void => {
  const stat = files.stat(join(gitDir, "index.lock"));
  if (stat)
    writeNote(files, join(gitDir, ownerName), { owner: { ...owner }, lock: fileMark(stat) });
};

/** A command that runs git begins: a lock that is there afterwards was not there before. */
export const noteGitBegins = (worktree: string, by: string, files: Files = systemFiles): void => {
  const gitDir = gitDirOf(worktree, files);
  if (gitDir === undefined) return;
  const isLocked = files.stat(join(gitDir, "index.lock")) !== undefined;
  if (isLocked) removeFile(files, join(gitDir, commandName));
  else writeNote(files, join(gitDir, commandName), { by });
};

export const noteGitEnded = (
  worktree: string,
  by: string,
  { clock, files = systemFiles }: LockPorts,
): void => {
  const gitDir = gitDirOf(worktree, files);
  if (gitDir === undefined) return;
  const note = readNote<CommandNote>(files, join(gitDir, commandName));
  if (note?.by !== by || note.endedMs !== undefined) return;
  // Only a lock that it left is of interest.
  if (!files.stat(join(gitDir, "index.lock"))) removeFile(files, join(gitDir, commandName));
  else writeNote(files, join(gitDir, commandName), { by, endedMs: clock.wallMs() });
};

interface OwnerNote {
  readonly owner: ProcessIdentity;
  readonly lock: string;
}

interface CommandNote {
  readonly by: string;
  readonly endedMs?: number;
}

const ownerName = "headgate-lock";
const commandName = "headgate-command";

/** In git's folder of a worktree. */
export const lockNoteNames = [ownerName, commandName] as const;

interface LockPlace {
  readonly gitDir: string;
  readonly worktree: string;
  readonly stat: FileStats;
  readonly files: Files;
}

/** How it is known that the git that made the lock has ended. */
const endedOwner = ({
  gitDir,
  stat,
  clock,
  files,
}: LockPlace & { readonly clock: Clock }):
  | { readonly why: string; readonly isOwnerKnown: boolean }
  | undefined => {
  // A minute for clocks that were set after the start.
  if (stat.ctimeMs < bootedAtMs(clock) - 60_000) {
    return { why: "older than the start of this machine", isOwnerKnown: true };
  }
  const made = readNote<OwnerNote>(files, join(gitDir, ownerName));
  if (made?.lock === fileMark(stat) && probe(made.owner).state === "dead") {
    return { why: `the git that made it, process ${made.owner.pid}, is dead`, isOwnerKnown: true };
  }
  const command = readNote<CommandNote>(files, join(gitDir, commandName));
  if (command?.endedMs === undefined || stat.ctimeMs > command.endedMs || !seesAll(files)) {
    return undefined;
  }
  const why = `made during a command of ${showText(String(command.by), 80)} that has ended`;
  return { why, isOwnerKnown: false };
};

/** In a container, or with the mount option hidepid, there may be a git that is not shown. */
const seesAll = (files: Files): boolean =>
  orUndefined(() => files.readLink("/proc/self/ns/pid")) === "pid:[4026531836]" &&
  orUndefined(() => files.readFile("/proc/1/stat")) !== undefined;

/** Who may be using the lock. Only processes of the lock's owner can have made it. */
const findUser = (
  place: LockPlace,
  { isOwnerKnown }: { readonly isOwnerKnown: boolean },
): string | undefined => {
  const { files, stat } = place;
  const tree = readProcessTree();
  const names = files.traits.handlePaths ? orUndefined(() => files.list("/proc")) : undefined;
  if (!tree || !names) return "the system does not tell which git runs here";
  for (const { name } of names) {
    const one = /^\d+$/.test(name) ? tree.find(Number(name)) : undefined;
    if (!one || one.isZombie || one.pid === tree.own.pid || one.userId !== stat.uid) continue;
    const program = showText(one.argv.slice(0, 3).join(" ") || one.name, 80);
    if (isGitHere(one, place)) return `process ${one.pid} (${program}) works here`;
    const isOpen = hasOpen(one, place);
    if (isOpen) return `process ${one.pid} (${program}) has git's index open`;
    // It may be ending just now.
    const isHidden = isOpen === undefined && tree.find(one.pid)?.isZombie === false;
    if (isHidden && !isOwnerKnown && one.pid !== 1 && one.argv[0]) {
      return `process ${one.pid} (${program}) may not be looked at`;
    }
  }
  return undefined;
};

const isGitHere = (
  { pid, name, argv }: RunningProcess,
  { gitDir, worktree, files }: LockPlace,
): boolean => {
  if (!/^git(?:-|$)/.test(name) && argv[0]?.split("/").at(-1) !== "git") return false;
  // Long-lived ones that never write an index.
  if (argv.slice(1).some((word) => readingCommands.has(word))) return false;
  const cwd = orUndefined(() => files.readLink(`/proc/${pid}/cwd`));
  if (cwd === undefined) return true;
  const named = [
    ...["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"].map((one) => startVariable(pid, one, files)),
    ...argv.map((word, at) => /^--(?:git-dir|work-tree)=(.*)$/.exec(word)?.[1] ?? argv[at + 1]),
  ];
  return [cwd, ...named.flatMap((one) => (one ? [resolve(cwd, one)] : []))].some((path) =>
    [gitDir, worktree].some((folder) => path === folder || path.startsWith(`${folder}/`)),
  );
};

const readingCommands = new Set(["cat-file", "fsmonitor--daemon", "log", "upload-pack"]);

/** Undefined: the system does not let us look. */
const hasOpen = ({ pid }: RunningProcess, { gitDir, files }: LockPlace): boolean | undefined => {
  const fds = orUndefined(() => files.list(`/proc/${pid}/fd`));
  if (!fds) return files.stat(`/proc/${pid}`) ? undefined : false;
  const targets = fds.map(({ name }) =>
    orUndefined(() => files.readLink(`/proc/${pid}/fd/${name}`)),
  );
  return targets.some(
    (path) =>
      path !== undefined &&
      dirname(path) === gitDir &&
      path.slice(gitDir.length + 1).startsWith("index"),
  );
};

/** By its own name first: another git may have taken the lock since it was looked at, and gets it back. */
const takeAway = (files: Files, path: string, stat: FileStats): boolean => {
  const away = join(dirname(path), `headgate-index-${newId("operation")}.left`);
  try {
    files.rename(path, away);
  } catch (error) {
    if (errnoOf(error) !== undefined) return false;
    throw error;
  }
  const taken = files.stat(away);
  const isSame = taken !== undefined && fileMark(taken) === fileMark(stat);
  if (!isSame) orUndefined(() => files.link(away, path));
  removeFile(files, away);
  return isSame;
};

/** A number of a file is used again; with its time it is not. */
const fileMark = ({ ino, mtimeMs }: FileStats): string => `${ino} ${mtimeMs}`;

const ageText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return plural(Math.floor(ms / 1000), "second");
  return minutes < 120 ? plural(minutes, "minute") : plural(Math.floor(minutes / 60), "hour");
};

/** Nothing depends on it but a repair, so nothing is said where it cannot be written. */
const writeNote = (files: Files, path: string, note: OwnerNote | CommandNote): void => {
  orUndefined(() => writeInPlace(files, path, { text: JSON.stringify(note), mode: 0o600 }));
};

const readNote = <T>(files: Files, path: string): T | undefined => {
  try {
    if (!files.stat(path)?.isFile()) return undefined;
    return JSON.parse(files.readFile(path).toString("utf8")) as T;
  } catch {
    // Half written, or gone: it proves nothing.
    return undefined;
  }
};

const orUndefined = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
