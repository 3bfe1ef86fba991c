/**
 * The folders of a repository, opened name by name from its root without following a link. Where the
 * platform allows it everything below is reached through the open handles (`/proc/self/fd/N/name`), so
 * that no swap of a folder for a link can lead a write elsewhere. Elsewhere `verify` compares device and
 * inode right before a file gets its name, which leaves a window of one system call.
 */
import { join } from "node:path";
import { errnoOf, type Files, openFlags } from "../base/files.ts";
import { closeQuietly, syncDirectory } from "../base/open-file.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";

export interface Folder {
  /** Relative to the root; empty for the root itself. */
  readonly path: string;
  at(name: string): string;
  /** Throws EDIT_TARGET_KIND when the path leads to another folder by now. */
  verify(): void;
  sync(): void;
}

interface OpenFolder extends Folder {
  close(): void;
}

export class Folders {
  readonly #files: Files;
  readonly #root: string;
  readonly #open = new Map<string, OpenFolder>();

  constructor(files: Files, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** Undefined when there is no such folder; throws EDIT_TARGET_KIND for a link or anything else. */
  find(path: string): Folder | undefined {
    const known = this.#open.get(path);
    if (known) return known;
    const opened = path === "" ? this.#openRoot() : this.#openBelow(path);
    if (opened) this.#open.set(path, opened);
    return opened;
  }

  /** Paths of the folders above a file that do not exist, outermost first. */
  missingAbove(file: string): string[] {
    const names = parentOf(file).split("/");
    const missing: string[] = [];
    for (let count = names.length; count > 0; count -= 1) {
      const path = names.slice(0, count).join("/");
      if (path === "" || this.find(path)) break;
      missing.unshift(path);
    }
    return missing;
  }

  make(path: string): void {
    const above = this.find(parentOf(path));
    if (!above) throw kindProblem(path, "its parent folder is gone");
    this.#files.makeDirectory(above.at(nameOf(path)), 0o777);
    above.sync();
  }

  close(): void {
    for (const folder of this.#open.values()) folder.close();
    this.#open.clear();
  }

  #openRoot(): OpenFolder {
    const files = this.#files;
    if (!files.traits.directoryHandles) return this.#byPath("", this.#root);
    const fd = files.open(this.#root, openFlags.directory);
    if (this.#hasHandlePaths(fd)) return this.#byHandle("", fd);
    files.close(fd);
    return this.#byPath("", this.#root);
  }

  #openBelow(path: string): OpenFolder | undefined {
    const above = this.find(parentOf(path));
    if (!above) return undefined;
    const files = this.#files;
    const at = above.at(nameOf(path));
    const stats = files.stat(at);
    if (!stats) return undefined;
    if (stats.isSymbolicLink()) throw kindProblem(path, "it is a link");
    if (!stats.isDirectory()) throw kindProblem(path, "it is not a folder");
    if (!at.startsWith(handlePlace)) return this.#byPath(path, at);
    try {
      return this.#byHandle(path, files.open(at, openFlags.directory | openFlags.noFollow));
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      if (swapped.has(errnoOf(error) ?? "")) throw kindProblem(path, "it was replaced just now");
      throw error;
    }
  }

  #byHandle(path: string, fd: number): OpenFolder {
    const files = this.#files;
    return {
      path,
      at: (name) => `${handlePlace}${fd}/${name}`,
      // Removed and made again it is another folder, in which nobody would find what is written here.
      verify: () => this.#verifySame(path, files.statHandle(fd)),
      sync: () => syncDirectory(files, fd),
      close: () => closeQuietly(files, fd),
    };
  }

  #byPath(path: string, place: string): OpenFolder {
    const files = this.#files;
    const stats = path === "" ? files.statFollowing(place) : files.stat(place);
    if (!stats?.isDirectory()) throw kindProblem(path, "it is not a folder");
    return {
      path,
      at: (name) => join(place, name),
      verify: () => this.#verifySame(path, stats),
      sync: () => syncFolder(files, place),
      close: () => {},
    };
  }

  #verifySame(path: string, opened: { readonly dev: number; readonly ino: number }): void {
    const names = path === "" ? [] : path.split("/");
    let place = this.#root;
    let now = this.#files.statFollowing(place);
    for (const name of names) {
      place = join(place, name);
      now = this.#files.stat(place);
    }
    if (now?.dev === opened.dev && now.ino === opened.ino) return;
    throw kindProblem(path, "it was replaced just now");
  }

  /** Not in a process that gave up root: it may not look into its own /proc. */
  #hasHandlePaths(fd: number): boolean {
    if (!this.#files.traits.handlePaths) return false;
    try {
      this.#files.readLink(`${handlePlace}${fd}`);
      return true;
    } catch (error) {
      if (errnoOf(error) === "EACCES" || errnoOf(error) === "ENOENT") return false;
      throw error;
    }
  }
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Makes the names in a folder durable; nothing where the platform or file system cannot. */
export const syncFolder = (files: Files, path: string): void => {
  if (!files.traits.directoryHandles) return;
  const fd = files.open(path, openFlags.directory);
  try {
    syncDirectory(files, fd);
  } finally {
    closeQuietly(files, fd);
  }
};

export const kindProblem = (path: string, what: string): HeadgateError =>
  new HeadgateError("EDIT_TARGET_KIND", `${showText(path || ".")}: ${what}`, {
    data: { path, problem: what },
  });

const handlePlace = "/proc/self/fd/";
const swapped = new Set(["ELOOP", "ENOTDIR"]);
