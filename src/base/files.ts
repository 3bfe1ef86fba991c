import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { platform } from "node:os";

/**
 * The file system as a port. Synchronous on purpose: each protocol step must finish before the next,
 * and for small files a system call costs less than a trip through the thread pool. Every method is
 * one system call, so a fault test can fail, kill or delay each of them by its number.
 */
export interface Files {
  open(path: string, flags: number, mode?: number): number;
  close(fd: number): void;
  /** May write less than asked; Node reports a full disk that way, so callers must count. */
  write(fd: number, data: Uint8Array, offset: number, position?: number): number;
  /** From `position`, or from where the last read ended. */
  read(fd: number, into: Uint8Array, offset: number, position?: number): number;
  sync(fd: number): void;
  chmod(fd: number, mode: number): void;
  statHandle(fd: number): Stats;
  /** Does not follow a link. */
  stat(path: string): Stats | undefined;
  statFollowing(path: string): Stats | undefined;
  readLink(path: string): string;
  realPath(path: string): string;
  rename(from: string, to: string): void;
  /** Fails with EEXIST when `to` exists: the exclusive way to give a finished file its name. */
  link(from: string, to: string): void;
  /** A symbolic one at `path`; Windows asks for a privilege. */
  symlink(target: string, path: string): void;
  unlink(path: string): void;
  makeDirectory(path: string, mode: number): void;
  /** Fails with ENOTEMPTY unless it is empty. */
  removeDirectory(path: string): void;
  list(path: string): Dirent[];
  readFile(path: string): Buffer;
  /** Rights and a read-only file system; writing may fail all the same. */
  mayWrite(path: string): boolean;
  /** What the platform takes away from the mode of a new file. */
  umask(): number;
  readonly traits: FileTraits;
}

/** Where platforms differ. Tests pass other traits over the same real files. */
export interface FileTraits {
  /** `/proc/self/fd/N/name` works: names relative to an open folder, which no swap can redirect. */
  readonly handlePaths: boolean;
  /** A folder can be opened and synced (not on Windows). */
  readonly directoryHandles: boolean;
  /** A file can be replaced while somebody has it open (not on Windows). */
  readonly replaceOpenFiles: boolean;
}

const absentCodes = new Set(["ENOENT", "ENOTDIR"]);
const orAbsent = <T>(call: () => T): T | undefined => {
  try {
    return call();
  } catch (error) {
    if (absentCodes.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
};

// Most of what is looked for is not there, and an error with its stack costs more than the look.
const quietly = { throwIfNoEntry: false } as const;

const traits: FileTraits = {
  // Asked when first needed: most commands never write a state file.
  get handlePaths() {
    handlePaths ??= platform() === "linux" && existsSync("/proc/self/fd");
    return handlePaths;
  },
  directoryHandles: platform() !== "win32",
  replaceOpenFiles: platform() !== "win32",
};
let handlePaths: boolean | undefined;

export const systemFiles: Files = {
  open: (path, flags, mode) => openSync(path, flags, mode),
  close: (fd) => closeSync(fd),
  write: (fd, data, offset, position) =>
    writeSync(fd, data, offset, data.byteLength - offset, position ?? null),
  read: (fd, into, offset, position) =>
    readSync(fd, into, offset, into.byteLength - offset, position ?? null),
  sync: (fd) => fsyncSync(fd),
  chmod: (fd, mode) => fchmodSync(fd, mode),
  statHandle: (fd) => fstatSync(fd),
  stat: (path) => orAbsent(() => lstatSync(path, quietly)),
  statFollowing: (path) => orAbsent(() => statSync(path, quietly)),
  readLink: (path) => readlinkSync(path),
  realPath: (path) => realpathSync.native(path),
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  symlink: (target, path) => symlinkSync(target, path),
  unlink: (path) => unlinkSync(path),
  makeDirectory: (path, mode) => {
    mkdirSync(path, { recursive: true, mode });
  },
  removeDirectory: (path) => rmdirSync(path),
  list: (path) => readdirSync(path, { withFileTypes: true }),
  readFile: (path) => readFileSync(path),
  mayWrite: (path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
  umask: () => {
    // Node's own call sets the mask to read it, which other threads can see. Where the kernel does not
    // publish it, private files are the safe answer.
    if (!traits.handlePaths) return 0o077;
    const status = readFileSync("/proc/self/status", "latin1");
    const line = /^Umask:\s*([0-7]+)$/m.exec(status);
    return line ? Number.parseInt(line[1] ?? "077", 8) : 0o077;
  },
  traits,
};

export const openFlags = {
  read: constants.O_RDONLY,
  readWrite: constants.O_RDWR,
  /** Exclusive create that follows no link; O_NOFOLLOW is 0 on Windows. */
  create: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
  readWriteCreate: constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0),
  /** What was in it goes; follows no link. */
  replace: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0),
  /** Each write goes to the end, whoever else writes; follows no link. */
  append: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0),
  /** Follows links: what was opened is then asked of the handle. */
  directory: constants.O_RDONLY | (constants.O_DIRECTORY ?? 0),
  noFollow: constants.O_NOFOLLOW ?? 0,
  /** Opening a pipe must not wait for its other end. */
  noWait: constants.O_NONBLOCK ?? 0,
} as const;

export type FileStats = Stats;

/** The code of an operating-system error, or undefined for anything else. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;

/** No file descriptors are left, for this process or for the whole system. */
export const isOutOfFiles = (error: unknown): boolean =>
  ["EMFILE", "ENFILE"].includes(errnoOf(error) ?? "");
