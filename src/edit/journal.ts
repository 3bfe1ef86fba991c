/**
 * What is about to be done, on disk before it is done: `blobs/` holds contents by their hash, `open/` the
 * edits under way and those that the store does not know. A record never changes; its phase is
 * part of its name, so that going on is one rename, which needs no space and is whole or not there.
 *
 * Recovery writes files by what a record says, so a record is believed only when it carries the code of this
 * state folder's own key and every path in it is one that an edit may write (T-01).
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { type Files, openFlags } from "../base/files.ts";
import { isId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { closeQuietly, linkNew, removeFile } from "../base/open-file.ts";
import type { ProcessIdentity } from "../base/process-identity.ts";
import { HeadgateError } from "../errors.ts";
import { checkPath, treeOf } from "../gate/index.ts";
import {
  contentHash,
  isContentHash,
  readContent,
  whileKernelLocked,
  writeFileAtomicSync,
} from "../state/index.ts";
import { syncFolder } from "./folders.ts";
import type { Ports } from "./ports.ts";
import type { FileChange } from "./types.ts";

/** What of an earlier edit an edit takes back. */
export interface Undone {
  readonly id: string;
  readonly part: "whole" | "file" | "symbol";
  readonly file?: string;
  readonly symbol?: string;
}

export interface JournalFile {
  readonly path: string;
  readonly kind: FileChange["kind"];
  /** Content hashes; null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly beforeMode: number | null;
  readonly afterMode: number | null;
}

export interface JournalRecord {
  readonly version: 1;
  readonly id: string;
  readonly atMs: number;
  readonly actor: string;
  readonly reason: string;
  readonly undoes?: Undone;
  readonly process: ProcessIdentity;
  /** The worktree whose files these are, by git's name: all worktrees share the journal. Empty: the main one. */
  readonly worktree?: string;
  /** A command must pass before the edit counts: what died before that is taken back, even if complete. */
  readonly isVerified: boolean;
  /** Deletions first: by then nothing stands in the way of a name that differs only in case. */
  readonly files: readonly JournalFile[];
  /** Folders made for new files, outermost first. */
  readonly folders: readonly string[];
}

/**
 * preparing: no file has changed. writing: files get their new content. returning: they get their old one
 * back. dropping (nothing was written) and returned (everything is back): only temporaries are left.
 * applied and rolled-back: finished; the store may not know yet.
 */
export type Phase =
  | "preparing"
  | "writing"
  | "returning"
  | "dropping"
  | "returned"
  | "applied"
  | "rolled-back";

export class Journal {
  readonly dir: string;
  readonly #ports: Ports;
  readonly #files: Files;
  #key: Buffer | undefined;

  constructor(dir: string, ports: Ports) {
    this.dir = dir;
    this.#ports = ports;
    this.#files = ports.files;
  }

  /** Makes the folders and the key durably; answers whether this is the first time. */
  prepare(): boolean {
    // Only a journal that was prepared to the end is ever locked. Before that, a key that is there may be one whose
    // maker has not synced it, or was killed first: a power cut would take it, and with it every record's code.
    const needed = [this.#open, this.#keyPath, this.#lockPath];
    if (needed.every((path) => this.#files.stat(path))) return false;
    for (const name of ["blobs", "open"]) {
      this.#files.makeDirectory(join(this.dir, name), 0o700);
    }
    this.#makeKey();
    syncFolder(this.#files, this.dir);
    syncFolder(this.#files, join(this.dir, ".."));
    return true;
  }

  /** Stores contents durably under their hashes. */
  keep(contents: readonly Uint8Array[]): void {
    for (const bytes of contents) {
      const path = this.#blob(contentHash(bytes));
      if (this.#files.stat(path)?.size === bytes.byteLength) continue;
      this.#write(path, bytes, "normal");
    }
    syncFolder(this.#files, join(this.dir, "blobs"));
  }

  /** Throws EDIT_JOURNAL_DAMAGED when it is missing or not what was stored. */
  content(hash: string): Buffer {
    const path = this.#blob(hash);
    const bytes = readContent(path, this.#files);
    if (bytes && contentHash(bytes) === hash) return bytes;
    throw new HeadgateError(
      "EDIT_JOURNAL_DAMAGED",
      `${path} ${bytes ? "is damaged" : "is missing"}`,
      { data: { path } },
    );
  }

  write(record: JournalRecord): void {
    const text = JSON.stringify(record);
    // JSON as a whole: whatever else is under its name would be put aside as damaged (state/).
    const signed = JSON.stringify({ code: this.#sign(text).toString("hex"), record: text });
    this.#write(this.#path(record.id, "preparing"), Buffer.from(signed), "required");
  }

  move(id: string, from: Phase, to: Phase): void {
    this.#files.rename(this.#path(id, from), this.#path(id, to));
    syncFolder(this.#files, this.#open);
  }

  /** Before others hear how it ended: it may have been killed before that was durable. */
  confirm(): void {
    syncFolder(this.#files, this.#open);
  }

  remove(id: string, phase: Phase): void {
    removeFile(this.#files, this.#path(id, phase));
  }

  has(id: string, phase: Phase): boolean {
    return this.#files.stat(this.#path(id, phase)) !== undefined;
  }

  /** Oldest first. */
  list(): { readonly id: string; readonly phase: Phase }[] {
    return ["open", "done"]
      .flatMap((folder) => this.#names(folder))
      .flatMap((name) => {
        const [, id = "", phase = ""] = recordName.exec(name) ?? [];
        return isId("edit", id) ? [{ id, phase: phase as Phase }] : [];
      })
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Writers that were killed in `open` or `blobs` left something that the state room cleans up. */
  hasLeftovers(): boolean {
    return ["open", "blobs"].some((folder) =>
      this.#names(folder).some((name) => name.startsWith(".") && name.endsWith(".tmp")),
    );
  }

  /** Undefined when it went on to another phase meanwhile. */
  read(id: string, phase: Phase): JournalRecord | undefined {
    const path = this.#path(id, phase);
    const bytes = readContent(path, this.#files);
    if (!bytes) return undefined;
    const damaged = (why: string): HeadgateError =>
      new HeadgateError("EDIT_JOURNAL_DAMAGED", `${path} ${why}`, { data: { path } });
    const text = this.#readSigned(bytes.toString("utf8"));
    if (text === undefined) throw damaged("was not written by this Headgate");
    const record = parse(text);
    if (record?.id !== id) throw damaged("is not a record of an edit");
    const names = [...record.files.map((file) => file.path), ...record.folders];
    const odd = names.map((name) => checkPath(name, nowhere, {})).find(Boolean);
    if (odd) throw damaged(`names a path that no edit writes: ${odd.message}`);
    return record;
  }

  /** One edit at a time between looking and writing, whichever process makes it. */
  async locked<T>(work: () => Promise<T> | T): Promise<T> {
    const path = this.#lockPath;
    const waitMs = limits.stateLockWaitMs;
    const busy = () =>
      new HeadgateError("STATE_BUSY", `other edits were being written for ${waitMs} ms`, {
        data: { path },
      });
    const fd = this.#files.open(path, openFlags.readWriteCreate, 0o600);
    try {
      return await whileKernelLocked(fd, { clock: this.#ports.clock, waitMs, busy }, work);
    } finally {
      closeQuietly(this.#files, fd);
    }
  }

  get #keyPath(): string {
    return join(this.dir, "key");
  }

  get #lockPath(): string {
    return join(this.dir, "lock");
  }

  /** Made once, by the first process that needs it; it is whole or not there. */
  #makeKey(): void {
    if (this.#files.stat(this.#keyPath)) return;
    const fresh = `${this.#keyPath}.${randomBytes(8).toString("hex")}`;
    this.#write(fresh, randomBytes(keyBytes), "required");
    linkNew(this.#files, fresh, this.#keyPath);
    removeFile(this.#files, fresh);
  }

  #sign(text: string): Buffer {
    this.#key ??= readContent(this.#keyPath, this.#files);
    if (this.#key?.length !== keyBytes) {
      const why = this.#key ? "is damaged" : "is missing";
      throw new HeadgateError("EDIT_JOURNAL_DAMAGED", `${this.#keyPath} ${why}`, {
        data: { path: this.#keyPath },
      });
    }
    return createHmac("sha256", this.#key).update(text).digest();
  }

  #readSigned(signed: string): string | undefined {
    const { code, record } = (readJson(signed) ?? {}) as { code?: unknown; record?: unknown };
    if (typeof code !== "string" || !/^[0-9a-f]{64}$/.test(code)) return undefined;
    if (typeof record !== "string" || !this.#files.stat(this.#keyPath)) return undefined;
    return timingSafeEqual(Buffer.from(code, "hex"), this.#sign(record)) ? record : undefined;
  }

  #write(path: string, bytes: Uint8Array, durability: "required" | "normal"): void {
    const { files, clock, owner } = this.#ports;
    const options = { files, clock, owner, durability, mode: 0o600, allowEmpty: true };
    try {
      writeFileAtomicSync(path, bytes, options);
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code !== "OUTCOME_UNKNOWN") throw error;
      // Whether the journal has it or not, no file of the edit was touched.
      throw new HeadgateError("STATE_SYNC_FAILED", error.message, { data: { path }, cause: error });
    }
  }

  #names(folder: string): string[] {
    const path = join(this.dir, folder);
    return this.#files.stat(path) ? this.#files.list(path).map(({ name }) => name) : [];
  }

  get #open(): string {
    return join(this.dir, "open");
  }

  /** Every command looks into one folder. */
  #folder(id: string, phase: Phase): string {
    // Releases before this one kept finished edits that the store does not know in a folder of their own.
    const isFinished = phase === "applied" || phase === "rolled-back";
    const old = join(this.dir, "done");
    return isFinished && this.#files.stat(join(old, `${id}.${phase}.json`)) ? old : this.#open;
  }

  #path(id: string, phase: Phase): string {
    return join(this.#folder(id, phase), `${id}.${phase}.json`);
  }

  #blob(hash: string): string {
    if (isContentHash(hash)) return join(this.dir, "blobs", hash);
    throw new HeadgateError("EDIT_JOURNAL_DAMAGED", "not the hash of a content");
  }
}

const keyBytes = 32;
/** Only the names are looked at: the files are opened without following links. */
const nowhere = treeOf({});

/** Of a record, readable or not. */
export const isRecordName = (name: string): boolean => recordName.test(name);

const recordName =
  /^(ed_\w{18})\.(preparing|writing|returning|dropping|returned|applied|rolled-back)\.json$/;

const parse = (text: string): JournalRecord | undefined => {
  const value = readJson(text) as JournalRecord | null | undefined;
  const isRecord = value?.version === 1 && Array.isArray(value.files);
  return isRecord && Array.isArray(value.folders) ? value : undefined;
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
