/**
 * The register of writes that are not judged: a small file for each below `unjudged/` of the local folder,
 * written atomically, bounded in number and age. All of it can be deleted at any time: the commit judges
 * what it is given, whatever is written here.
 */
import { join } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import { type Environment, systemEnvironment } from "../../base/environment.ts";
import { type Files, systemFiles } from "../../base/files.ts";
import { sha256 } from "../../base/sha256.ts";
import { readJson, updateJson, writeJson } from "../../state/index.ts";
import { makeLocalDir } from "../../store/index.ts";

export interface UnjudgedWrite {
  /** Of the worktree. */
  readonly root: string;
  readonly path: string;
  /** sha256 of the content, null when absent. */
  readonly before: string | null;
  readonly after: string | null;
  readonly actor: string;
  readonly tool: string;
  /** One tool use that asks twice has run out of time once. */
  readonly toolUseId?: string;
  readonly atMs: number;
  readonly why: string;
  readonly state: "waiting" | "passed" | "refused";
  /** Its writer knows that it still waits. */
  readonly isSaid?: true;
}

type Key = Pick<UnjudgedWrite, "root" | "path" | "after">;

export interface UnjudgedOptions {
  readonly localDir: string;
  readonly files?: Files;
  readonly clock?: Clock;
  readonly environment?: Pick<Environment, "platform">;
}

export class UnjudgedWrites {
  readonly #folder: string;
  readonly #localDir: string;
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #options: UnjudgedOptions;

  constructor(options: UnjudgedOptions) {
    const { localDir, files = systemFiles, clock = systemClock } = options;
    this.#localDir = localDir;
    this.#folder = join(localDir, "unjudged");
    this.#files = files;
    this.#clock = clock;
    this.#options = options;
  }

  /** Throws where it cannot be written: what nothing is known about must not be forgotten. */
  async add(writes: readonly Omit<UnjudgedWrite, "atMs" | "state" | "isSaid">[]): Promise<void> {
    this.#prune();
    const atMs = this.#clock.wallMs();
    for (const one of writes) {
      await writeJson(this.#place(one), { ...one, atMs, state: "waiting" }, this.#writing());
    }
  }

  find(key: Key): UnjudgedWrite | undefined {
    return this.#read(this.#place(key));
  }

  /** The oldest first; of all worktrees, or of one. */
  waiting(root?: string): UnjudgedWrite[] {
    return this.#names()
      .flatMap((name) => this.#read(join(this.#folder, name)) ?? [])
      .filter((one) => one.state === "waiting" && (root === undefined || one.root === root))
      .toSorted((a, b) => a.atMs - b.atMs || (a.path < b.path ? -1 : 1));
  }

  /** False where it did not wait any more: another process was first, and has said so. */
  settle(write: UnjudgedWrite, state: "passed" | "refused"): Promise<boolean> {
    return this.#change(write, { state });
  }

  /** False where that is so already. */
  markSaid(write: UnjudgedWrite): Promise<boolean> {
    return this.#change(write, { isSaid: true });
  }

  drop(write: Key): void {
    this.#remove(this.#place(write));
  }

  async #change(
    write: UnjudgedWrite,
    change: Pick<Partial<UnjudgedWrite>, "state" | "isSaid">,
  ): Promise<boolean> {
    let isChanged = false;
    await updateJson<UnjudgedWrite>(
      this.#place(write),
      (present = write) => {
        isChanged = present.state === "waiting" && !(change.isSaid && present.isSaid);
        return isChanged ? { ...present, ...change } : present;
      },
      this.#writing(),
    );
    return isChanged;
  }

  /** Names from outside become names of files only as fingerprints. */
  #place({ root, path, after }: Key): string {
    return join(this.#folder, `${sha256(`${root}\0${path}\0${after}`).slice(0, 32)}.json`);
  }

  #writing() {
    const { environment = systemEnvironment() } = this.#options;
    makeLocalDir(this.#localDir, this.#files, environment.platform);
    this.#files.makeDirectory(this.#folder, 0o700);
    const [files, clock] = [this.#files, this.#clock];
    return { files, clock, durability: "cache", mode: 0o600, waitMs: 1_000 } as const;
  }

  #names(): string[] {
    try {
      const entries = this.#files.list(this.#folder);
      return entries.map(({ name }) => name).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
    } catch {
      return [];
    }
  }

  /** A damaged file counts as absent; reading changes nothing. */
  #read(path: string): UnjudgedWrite | undefined {
    if (!this.#files.stat(path)) return undefined;
    try {
      return readJson<UnjudgedWrite>(path, { files: this.#files });
    } catch {
      return undefined;
    }
  }

  #remove(path: string): void {
    try {
      this.#files.unlink(path);
    } catch {
      // Another process was first.
    }
  }

  #prune(): void {
    const names = this.#names();
    // Looking at each costs more than keeping a few.
    if (names.length <= countMax / 4) return;
    const oldest = this.#clock.wallMs() - ageMs;
    const known = names
      .map((name) => join(this.#folder, name))
      .map((path) => ({ path, mtimeMs: this.#files.stat(path)?.mtimeMs ?? 0 }))
      .toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    for (const [index, { path, mtimeMs }] of known.entries()) {
      if (index >= countMax || mtimeMs < oldest) this.#remove(path);
    }
  }
}

const countMax = 400;
const ageMs = 7 * 24 * 60 * 60_000;
