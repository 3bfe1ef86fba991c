/**
 * A folder whose disk forgets: calls go to real files, and a power cut takes back what was not synced. Contents go
 * back to the last sync, or to a part of what was written; names go back to a point after the last sync of their
 * folder. A process has its own door (`door`), where one call can fail or end the process.
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { renameSync, rmdirSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Files, systemFiles } from "../../src/base/files.ts";

/** The process ended here; nothing it does afterwards counts. */
export class Killed extends Error {}

export type Fault = "kill" | "ENOSPC" | "EIO";

export interface Door {
  readonly files: Files;
  readonly isDead: boolean;
  /** Calls that change something, so far. */
  readonly calls: number;
  /** The n-th change from now fails, or ends the process. */
  arm(after: number, fault: Fault): void;
  disarm(): void;
  /** What the system does when a process ends. */
  end(): void;
}

interface NameChange {
  readonly folders: readonly string[];
  undo(): void;
}

export class CrashDisk {
  readonly #graves: string;
  readonly #fraction: () => number;
  /** By inode: the content that survives. */
  readonly #unsynced = new Map<number, Buffer>();
  #names: NameChange[] = [];
  #graveCount = 0;
  /** A planted defect: nothing is synced in folders of this name. */
  syncless: RegExp | undefined;

  constructor(graves: string, fraction: () => number) {
    this.#graves = graves;
    this.#fraction = fraction;
    mkdirSync(graves, { recursive: true });
  }

  /** `root` may have been moved meanwhile; only what lies below it is on this disk. */
  cutPower(root: string): void {
    const kept = Math.floor(this.#fraction() * (this.#names.length + 1));
    for (const change of this.#names.slice(kept).toReversed()) ignoringAbsence(() => change.undo());
    for (const path of filesBelow(root)) {
      const durable = this.#unsynced.get(statSync(path).ino);
      if (durable === undefined) continue;
      const now = readFileSync(path);
      if (this.#fraction() < 0.5) writeFileSync(path, durable);
      else truncateSync(path, Math.floor(this.#fraction() * (now.length + 1)));
    }
    this.settle();
  }

  /** Everything is on the disk. */
  settle(): void {
    this.#names = [];
    this.#unsynced.clear();
    rmSync(this.#graves, { recursive: true });
    mkdirSync(this.#graves);
  }

  door(): Door {
    const open = new Map<number, string>();
    let isDead = false;
    let calls = 0;
    let armed: { at: number; fault: Fault } | undefined;
    const change = (): void => {
      if (isDead) throw new Killed("dead");
      calls += 1;
      if (!armed || calls < armed.at) return;
      const { fault } = armed;
      armed = undefined;
      if (fault === "kill") {
        isDead = true;
        throw new Killed("killed");
      }
      throw Object.assign(new Error(`${fault}: planted`), { code: fault });
    };
    const living = <T>(call: () => T): T => {
      if (isDead) throw new Killed("dead");
      return call();
    };
    const files: Files = {
      ...systemFiles,
      // Names instead of handles, so that each change names its folder.
      traits: { handlePaths: false, directoryHandles: true, replaceOpenFiles: true },
      open: (path, flags, mode) => {
        const isThere = living(() => systemFiles.stat(path)) !== undefined;
        if (!isThere) change();
        const fd = systemFiles.open(path, flags, mode);
        open.set(fd, path);
        if (!isThere) {
          this.#unsynced.set(systemFiles.statHandle(fd).ino, Buffer.alloc(0));
          this.#named([dirname(path)], () => unlinkSync(path));
        }
        return fd;
      },
      close: (fd) => {
        living(() => systemFiles.close(fd));
        open.delete(fd);
      },
      write: (fd, data, offset, position) => {
        change();
        const { ino } = systemFiles.statHandle(fd);
        const path = open.get(fd) ?? "";
        if (!this.#unsynced.has(ino)) this.#unsynced.set(ino, readFileSync(path));
        return systemFiles.write(fd, data, offset, position);
      },
      sync: (fd) => {
        change();
        const path = open.get(fd) ?? "";
        if (this.syncless?.test(path)) return;
        const stat = systemFiles.statHandle(fd);
        if (stat.isDirectory()) {
          this.#names = this.#names.filter(({ folders }) => !folders.includes(path));
        } else this.#unsynced.delete(stat.ino);
      },
      rename: (from, to) => {
        change();
        const grave = this.#bury(to);
        systemFiles.rename(from, to);
        this.#named([dirname(from), dirname(to)], () => {
          renameSync(to, from);
          if (grave !== undefined) linkSync(grave, to);
        });
      },
      link: (from, to) => {
        change();
        systemFiles.link(from, to);
        this.#named([dirname(to)], () => unlinkSync(to));
      },
      unlink: (path) => {
        if (living(() => systemFiles.stat(path)) === undefined) return systemFiles.unlink(path);
        change();
        const grave = this.#bury(path);
        systemFiles.unlink(path);
        this.#named([dirname(path)], () => grave !== undefined && linkSync(grave, path));
      },
      makeDirectory: (path, mode) => {
        if (living(() => systemFiles.stat(path)) !== undefined) return;
        change();
        systemFiles.makeDirectory(path, mode);
        this.#named([dirname(path)], () => rmdirSync(path));
      },
      list: (path) => living(() => systemFiles.list(path)),
      stat: (path) => living(() => systemFiles.stat(path)),
      readFile: (path) => living(() => systemFiles.readFile(path)),
    };
    return {
      files,
      get isDead() {
        return isDead;
      },
      get calls() {
        return calls;
      },
      arm: (after, fault) => void (armed = { at: calls + after, fault }),
      disarm: () => void (armed = undefined),
      end: () => {
        isDead = true;
        for (const fd of open.keys()) systemFiles.close(fd);
        open.clear();
      },
    };
  }

  #named(folders: readonly string[], undo: () => unknown): void {
    this.#names.push({ folders, undo: () => void undo() });
  }

  /** A second name of what is about to lose its name. */
  #bury(path: string): string | undefined {
    if (!systemFiles.stat(path)?.isFile()) return undefined;
    const grave = join(this.#graves, String((this.#graveCount += 1)));
    linkSync(path, grave);
    return grave;
  }
}

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

const ignoringAbsence = (call: () => void): void => {
  try {
    call();
  } catch (error) {
    if (!["ENOENT", "EEXIST", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "")) {
      throw error;
    }
  }
};
