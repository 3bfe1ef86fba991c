import type { Files } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";

/**
 * Notices that store.db or its -wal was deleted or replaced while open (F11). SQLite itself goes on
 * writing to the unlinked file, where nobody else sees it. As long as a handle is open nobody removes
 * these files by right, so their identity must stay what it was.
 */
export class FileWatch {
  readonly #files: Files;
  readonly #path: string;
  readonly #expected: ReadonlyMap<string, string | undefined>;

  constructor(files: Files, path: string) {
    this.#files = files;
    this.#path = path;
    this.#expected = new Map(
      [path, `${path}-wal`].map((name) => [name, this.#identity(name)] as const),
    );
  }

  check(): void {
    for (const [name, expected] of this.#expected) {
      if (this.#identity(name) === expected) continue;
      throw new HeadgateError("STORE_REPLACED", `${name} was removed or replaced while in use`, {
        data: { location: this.#path, file: name },
      });
    }
  }

  #identity(name: string): string | undefined {
    const stat = this.#files.statFollowing(name);
    return stat && `${stat.dev}:${stat.ino}`;
  }
}
