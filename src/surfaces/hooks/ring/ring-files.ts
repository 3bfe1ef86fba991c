/**
 * What the ring remembers between two processes: without a server each hook call is one of its own. Small
 * files below `ring/` of the local folder, written atomically, bounded in number and age. All of it can
 * be deleted at any time; the next comparison is then not made.
 */
import { join } from "node:path";
import type { Clock } from "../../../base/clock.ts";
import type { Environment } from "../../../base/environment.ts";
import { type Files, type FileStats } from "../../../base/files.ts";
import { sha256 } from "../../../base/sha256.ts";
import { readJson, updateJson, writeJson } from "../../../state/index.ts";
import { makeLocalDir } from "../../../store/index.ts";
import { type Passed, PassedLog } from "./passed-log.ts";
import { ringLimits } from "./ring-limits.ts";
import type { WorktreeState } from "./worktree-state.ts";

export interface Snapshot {
  readonly actor: string;
  readonly tool: string;
  /** Wall time, as files have it. */
  readonly at: number;
  readonly root: string;
  readonly state?: WorktreeState;
  /** Why there is no state. */
  readonly problem?: string;
}

/** A file's time is that of the kernel's last tick, up to 10 ms ago. */
const clockStepMs = 20;

interface Message {
  readonly at: number;
  readonly text: string;
}

export interface RingFilesOptions {
  readonly localDir: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly environment: Environment;
}

type Folder = "open" | "ended" | "inbox" | "said";

export class RingFiles {
  readonly #options: RingFilesOptions;
  readonly #passed: PassedLog;

  constructor(options: RingFilesOptions) {
    this.#options = options;
    const file = join(options.localDir, "ring", "passed.log");
    this.#passed = new PassedLog(file, options.files, () => this.#makeFolders());
  }

  async saveSnapshot(key: string, snapshot: Snapshot): Promise<void> {
    this.#prune("open", ringLimits.snapshotsMax, ringLimits.snapshotMs);
    await writeJson(this.#place("open", key), snapshot, this.#writing());
  }

  /** A snapshot is used once. */
  takeSnapshot(key: string): Snapshot | undefined {
    const path = this.#place("open", key);
    const found = this.#read<Snapshot>(path);
    this.#prune("ended", ringLimits.snapshotsMax, ringLimits.snapshotMs);
    try {
      // In one step: others find it in one of the two places. Its new time is that of the end.
      this.#options.files.rename(path, this.#place("ended", key));
    } catch {
      this.#remove(path);
    }
    const isFresh = found && found.at > this.#options.clock.wallMs() - ringLimits.snapshotMs;
    return isFresh ? found : undefined;
  }

  /** Of tools that run in the worktree now. */
  opened(root: string): Snapshot[] {
    const folder = this.#folder("open");
    const names = this.#list(folder).slice(0, ringLimits.snapshotsMax);
    const open = names.flatMap((name) => this.#read<Snapshot>(join(folder, name)) ?? []);
    return open.filter((one) => one.root === root);
  }

  /** Others whose tools run in the same worktree now. */
  othersAtWork(root: string, actor: string): string[] {
    const others = this.opened(root).filter((one) => one.actor !== actor);
    return [...new Set(others.map((one) => one.actor))];
  }

  /** Others whose tools ran in the same worktree at any time since then. */
  othersSince(root: string, actor: string, since: number): Snapshot[] {
    const { files } = this.#options;
    const open = this.opened(root);
    const folder = this.#folder("ended");
    const ended = this.#list(folder).flatMap((name) => {
      const path = join(folder, name);
      const isLater = (files.stat(path)?.ctimeMs ?? 0) >= since - clockStepMs;
      return isLater ? (this.#read<Snapshot>(path) ?? []) : [];
    });
    return [...open, ...ended].filter((one) => one.root === root && one.actor !== actor);
  }

  addPassed(passed: readonly Omit<Passed, "at">[]): void {
    const at = this.#options.clock.wallMs();
    if (passed.length > 0) this.#passed.add(passed.map((one) => ({ ...one, at })));
  }

  /** Whether a content passed the gate lately, or was told about since `since`. */
  passed(root: string, since: number): ReturnType<PassedLog["known"]> {
    return this.#passed.known(root, since);
  }

  async leaveMessage(actor: string, text: string): Promise<void> {
    this.#prune("inbox", ringLimits.inboxesMax, ringLimits.messageMs);
    const at = this.#options.clock.wallMs();
    await updateJson<Message[]>(
      this.#place("inbox", actor),
      (present = []) => [...present, { at, text }].slice(-ringLimits.messagesMax),
      this.#writing(),
    );
  }

  async takeMessages(actor: string): Promise<readonly string[]> {
    const path = this.#place("inbox", actor);
    if (!this.#options.files.stat(path)) return [];
    let taken: readonly Message[] = [];
    await updateJson<Message[]>(
      path,
      (present = []) => {
        taken = present;
        return [];
      },
      this.#writing(),
    );
    const oldest = this.#options.clock.wallMs() - ringLimits.messageMs;
    return taken.filter(({ at }) => at >= oldest).map(({ text }) => text);
  }

  /** Whether an actor has not heard this yet; it has then. */
  async sayOnce(actor: string, what: string): Promise<boolean> {
    this.#prune("said", ringLimits.inboxesMax, ringLimits.messageMs);
    let isNew = false;
    const mark = sha256(what).slice(0, 16);
    await updateJson<string[]>(
      this.#place("said", actor),
      (present = []) => {
        isNew = !present.includes(mark);
        return isNew ? [...present, mark].slice(-ringLimits.saidMax) : present;
      },
      this.#writing(),
    );
    return isNew;
  }

  /** Whether `at` is later than the actor's last reminder, which it is from now on. */
  async remindOnce(actor: string, at: number): Promise<boolean> {
    this.#prune("said", ringLimits.inboxesMax, ringLimits.messageMs);
    let isNew = false;
    await updateJson<number[]>(
      this.#place("said", `${actor}\0lines`),
      (present = []) => {
        isNew = at > (present[0] ?? 0);
        return isNew ? [at] : present;
      },
      this.#writing(),
    );
    return isNew;
  }

  #folder(name: Folder): string {
    return join(this.#options.localDir, "ring", name);
  }

  /** Names from outside become names of files only as fingerprints. */
  #place(folder: Folder, key: string): string {
    return join(this.#folder(folder), `${sha256(key).slice(0, 32)}.json`);
  }

  #makeFolders(): void {
    const { files, localDir, environment } = this.#options;
    makeLocalDir(localDir, files, environment.platform);
    for (const name of ["open", "ended", "inbox", "said"] as const) {
      files.makeDirectory(this.#folder(name), 0o700);
    }
  }

  #writing() {
    const { files, clock } = this.#options;
    this.#makeFolders();
    return { files, clock, durability: "cache", mode: 0o600, waitMs: 1_000 } as const;
  }

  /** What is damaged is as good as not there. */
  #read<T>(path: string): T | undefined {
    const { files } = this.#options;
    if (!files.stat(path)) return undefined;
    try {
      return readJson<T>(path, { files });
    } catch {
      this.#remove(path);
      return undefined;
    }
  }

  #remove(path: string): void {
    try {
      this.#options.files.unlink(path);
    } catch {
      // Somebody else was first.
    }
  }

  #list(folder: string): string[] {
    try {
      const entries = this.#options.files.list(folder);
      return entries.map(({ name }) => name).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
    } catch {
      return [];
    }
  }

  #prune(name: Folder, countMax: number, ageMs: number): void {
    const { files, clock } = this.#options;
    const folder = this.#folder(name);
    const names = this.#list(folder);
    // Looking at each costs more than keeping a few.
    if (names.length <= countMax / 4) return;
    const oldest = clock.wallMs() - ageMs;
    const known = names
      .map((one) => ({ path: join(folder, one), stat: files.stat(join(folder, one)) }))
      .filter((one): one is { path: string; stat: FileStats } => one.stat !== undefined)
      .toSorted((a, b) => b.stat.mtimeMs - a.stat.mtimeMs);
    for (const [index, { path, stat }] of known.entries()) {
      if (index >= countMax || stat.mtimeMs < oldest) this.#remove(path);
    }
  }
}
