/**
 * Word of changes in folders, one handle of the system per folder and none per file. Node's own recursive form
 * takes one per file on Linux and loses events of a large change, so folders are added one by one.
 */
import { type FSWatcher, watch } from "node:fs";
import { errnoOf } from "./files.ts";

export interface FolderWatch {
  /** False when the system gives no more handles; a folder that is gone does not fail. */
  add(folder: string): boolean;
  readonly count: number;
  close(): void;
}

/** `name` is null where the system does not tell which entry changed. */
export const watchFolders = (
  onChange: (folder: string, name: string | null) => void,
): FolderWatch => {
  const open = new Map<string, FSWatcher>();
  const drop = (folder: string) => {
    open.get(folder)?.close();
    open.delete(folder);
  };
  return {
    add: (folder) => {
      if (open.has(folder)) return true;
      try {
        const handle = watch(folder, { persistent: false }, (_, name) => onChange(folder, name));
        handle.on("error", () => drop(folder));
        open.set(folder, handle);
        return true;
      } catch (error) {
        return !outOfHandles.has(errnoOf(error) ?? "");
      }
    },
    get count() {
      return open.size;
    },
    close: () => {
      for (const folder of open.keys()) drop(folder);
    },
  };
};

const outOfHandles = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"]);
