/**
 * The highest fence ever handed out, kept outside the database: after an old copy of the database was
 * put back, its counter is behind, and a fence must never be handed out twice (G2, F09).
 *
 * Two files, so that a grant costs no further sync. `fences.json` is durable and names a number that no
 * fence has passed yet; it is written once per block. `fence-mark` holds the exact number, written in
 * place under the store's write turn and never synced: it survives a kill, and is not believed after
 * a restart of the machine, where the whole block counts as used.
 */
import { join } from "node:path";
import { errnoOf, type Files, openFlags } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { sha256 } from "../base/sha256.ts";
import { HeadgateError } from "../errors.ts";
import type { Scope, Store } from "../store/index.ts";
import { readFence, readMark } from "./stored-fence.ts";

export interface FenceMarkOptions {
  readonly files: Files;
  /** The repository's local folder; it must exist. */
  readonly dir: string;
  /** Which store the numbers come from, without secrets. */
  readonly store: string;
  /** A second `fences.json` outside of that folder, for the case that all in it is lost. */
  readonly twin?: string;
  /** Other machines use the store, too: what they were given is not in this machine's mark. */
  readonly isShared: boolean;
  readonly bootId: string;
  /** How the store knows the repository: a copied folder is another one. */
  readonly scopeKey?: string;
  /** A store that was made again gives the same repository another one. */
  readonly scopeId?: string;
}

interface Mark {
  readonly fence: number;
  readonly reserved: number;
  readonly boot: string;
  readonly store: string;
  /** When the last right handed out by that store ends. */
  readonly untilWallMs: number;
  /** The store's own number when the fence was taken: unlike the fence itself, it was committed by then. */
  readonly stored?: number | undefined;
  /** A hash of the scope's key. */
  readonly scope?: string | undefined;
  /** A hash of the scope's id. */
  readonly id?: string | undefined;
  /** The fence after which the store lost its history, until that was said. */
  readonly lost?: number | undefined;
}

/** The block is used up: `reserve` it outside the transaction, then run the transaction again. */
export class BlockUsedUp extends Error {
  readonly fence: number;
  constructor(fence: number) {
    super(`fence ${fence} is beyond the reserved block`);
    this.fence = fence;
  }
}

export class FenceMark {
  readonly #options: FenceMarkOptions;
  readonly #bytes = Buffer.alloc(markBytes);
  #fd: number | undefined;

  constructor(options: FenceMarkOptions) {
    this.#options = { ...options, store: nameStore(options.store, options.dir) };
  }

  /** What may be used up already, in whatever store; STORE_DIFFERS as `take`. */
  floor(nowWallMs: number): number {
    const mark = this.#read();
    this.#refuseOtherStore(nowWallMs, mark);
    return this.#usedUpTo(mark);
  }

  close(): void {
    if (this.#fd !== undefined) this.#options.files.close(this.#fd);
    this.#fd = undefined;
  }

  /**
   * The next `count` numbers after the database's own; returns the first. Only under the store's
   * write turn. Throws BlockUsedUp, and STORE_DIFFERS while another store's claims may be live.
   */
  take(
    count: number,
    storeFence: number,
    times: { readonly nowWallMs: number; readonly untilWallMs: number },
  ): number {
    const { store, bootId, isShared, scopeKey = "", scopeId = "" } = this.#options;
    const mark = this.#read();
    this.#refuseOtherStore(times.nowWallMs, mark);
    const isKnown = mark !== undefined && mark.boot === bootId;
    let floor = this.#usedUpTo(mark);
    if (isKnown && isShared && storeFence < floor) floor += limits.fencesOfOtherMachines;
    const first = Math.max(storeFence, floor) + 1;
    const last = first + count - 1;
    let reserved = isKnown ? mark.reserved : 0;
    if (last > reserved) ({ reserved } = this.#readBlock());
    if (last > reserved) throw new BlockUsedUp(last);
    const untilWallMs = Math.max(times.untilWallMs, mark?.untilWallMs ?? 0);
    this.#write({
      ...{ fence: last, reserved, boot: bootId, store, untilWallMs },
      ...{ stored: storeFence, scope: hashKey(scopeKey), id: hashKey(scopeId) },
      lost: mark && lostAfter(mark, { store, scopeKey, scopeId, stored: storeFence }),
    });
    return first;
  }

  /** Remembers a fence that the server gave without our turn; a lower one than known changes nothing. */
  raise(fence: number, untilWallMs: number): void {
    const { store, bootId: boot } = this.#options;
    const mark = this.#read();
    const isKnown = mark?.boot === boot;
    const isCovered = isKnown && mark.store === store && mark.untilWallMs >= untilWallMs;
    if (isCovered && mark.fence >= fence) return;
    const isInBlock = isKnown && fence <= mark.reserved;
    const reserved = isInBlock ? mark.reserved : this.#readBlock().reserved;
    if (fence > reserved) throw new BlockUsedUp(fence);
    this.#write({
      fence: isKnown ? Math.max(fence, mark.fence) : fence,
      reserved,
      boot,
      store,
      untilWallMs: Math.max(untilWallMs, mark?.untilWallMs ?? 0),
      ...(mark?.store === store && { stored: mark.stored, scope: mark.scope, id: mark.id }),
      lost: mark?.lost,
    });
  }

  /** It was said that the store lost history. Only under the store's write turn. */
  forgetLoss(storeFence: number): void {
    const { scopeKey = "", scopeId = "" } = this.#options;
    const mark = this.#read();
    if (mark === undefined) return;
    const known = { stored: storeFence, scope: hashKey(scopeKey), id: hashKey(scopeId) };
    this.#write({ ...mark, ...known, lost: undefined });
  }

  #usedUpTo(mark: Mark | undefined): number {
    const { bootId } = this.#options;
    if (mark?.boot === bootId) return mark.fence;
    // Of an earlier boot it may be too low, never too high.
    return Math.max(mark?.fence ?? 0, usedUpTo(this.#readBlock(), bootId));
  }

  /** F08: claims in two stores would not know of each other. */
  #refuseOtherStore(nowWallMs: number, mark: Mark | undefined): void {
    const { store, dir } = this.#options;
    if (mark === undefined || mark.store === store || mark.untilWallMs <= nowWallMs) return;
    const [granted, used] = [mark.store, store].map((name) =>
      name === ownStore ? `sqlite:${join(dir, "store.db")}` : name,
    );
    const seconds = Math.ceil((mark.untilWallMs - nowWallMs) / 1000);
    throw new HeadgateError(
      "STORE_DIFFERS",
      `claims of this repository were granted in ${granted} and may live for ${seconds} s more; ` +
        `this process uses ${used}`,
      { data: { granted: granted ?? "", used: used ?? "", seconds } },
    );
  }

  /** The store came here from another folder, and its mark with it: what it granted there stays its own. */
  adopt(from: string): void {
    const { store, dir } = this.#options;
    const mark = this.#read();
    const old = nameStore(`sqlite:${join(from, "store.db")}`, dir);
    if (mark?.store === old) this.#write({ ...mark, store });
  }

  /** Nothing is claimed any more: another store may be used at once. Only under the store's write turn. */
  clear(): void {
    const mark = this.#read();
    if (mark !== undefined && mark.store === this.#options.store && mark.untilWallMs !== 0) {
      this.#write({ ...mark, untilWallMs: 0 });
    }
  }

  /**
   * Makes as much durable as that many blocks behind `fence`. When a block ends, everybody needs the next
   * one at the same moment: one process makes it, and the others look whether it is there yet.
   */
  async reserve(fence: number, blocks = 1): Promise<void> {
    const { updateJson } = await import("../state/index.ts");
    const { bootId } = this.#options;
    const isDone = (block: Block): boolean => block.boot === bootId && block.reserved >= fence;
    for (let tries = 1; !isDone(this.#readBlock()); tries += 1) {
      try {
        await updateJson<unknown>(
          this.#blockPath,
          (present) => {
            const block =
              present === undefined ? this.#readBlock() : parseBlock(present, this.#blockPath);
            if (isDone(block)) return present;
            const reserved = Math.max(block.reserved, fence + blocks * limits.fenceBlock);
            return { version: 1, reserved, start: usedUpTo(block, bootId), boot: bootId };
          },
          { waitMs: reserveWaitMs },
        );
        // Numbers go on also when the state folder is removed with both marks in it.
        const { twin } = this.#options;
        if (twin !== undefined) {
          await updateJson<unknown>(twin, () => this.#present(), { waitMs: reserveWaitMs });
        }
      } catch (error) {
        const isBusy = HeadgateError.isInstance(error) && error.code === "STATE_BUSY";
        if (!isBusy || tries * reserveWaitMs >= limits.stateLockWaitMs) throw error;
      }
    }
  }

  get #blockPath(): string {
    return join(this.#options.dir, "fences.json");
  }

  get #markPath(): string {
    return join(this.#options.dir, "fence-mark");
  }

  #readBlock(): Block {
    const { twin } = this.#options;
    const block = this.#readBlockAt(this.#blockPath);
    if (block || twin === undefined) return block ?? parseBlock(undefined, this.#blockPath);
    // The exact mark is lost as well: all of the block counts as used.
    const other = this.#readBlockAt(twin);
    return other ? { ...other, start: other.reserved } : parseBlock(undefined, twin);
  }

  #present(): { readonly version: 1 } & Block {
    return { version: 1, ...this.#readBlock() };
  }

  #readBlockAt(path: string): Block | undefined {
    try {
      return parseBlock(JSON.parse(this.#options.files.readFile(path).toString("utf8")), path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw HeadgateError.isInstance(error) ? error : this.#unusable(path, error);
    }
  }

  /** Undefined when there is none, or it was torn: the block then counts as used. */
  #read(): Mark | undefined {
    try {
      this.#fd ??= this.#options.files.open(this.#markPath, openFlags.readWriteCreate, 0o600);
      const length = this.#options.files.read(this.#fd, this.#bytes, 0, 0);
      const mark = length === markBytes ? parseMark(this.#bytes.toString("utf8")) : undefined;
      // Release 0.1 wrote the whole path.
      return mark && { ...mark, store: nameStore(mark.store, this.#options.dir) };
    } catch (error) {
      throw this.#unusable(this.#markPath, error);
    }
  }

  #write(mark: Mark): void {
    const { files, bootId } = this.#options;
    const bytes = this.#bytes.fill(" ");
    bytes.write(`${JSON.stringify(mark)} end`, "utf8");
    try {
      this.#fd ??= files.open(this.#markPath, openFlags.readWriteCreate, 0o600);
      if (files.write(this.#fd, bytes, 0, 0) !== markBytes) throw new Error("not written whole");
      // Without a boot id nobody could tell that the machine was restarted in between.
      if (bootId === "") files.sync(this.#fd);
    } catch (error) {
      throw this.#unusable(this.#markPath, error);
    }
  }

  #unusable(path: string, cause: unknown): HeadgateError {
    const why = errnoOf(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    const code = readOnly.has(why) ? "STORE_READ_ONLY" : "FENCE_MARK_UNUSABLE";
    return new HeadgateError(code, `cannot use ${path} (${why})`, {
      data: { path },
      cause,
    });
  }
}

/**
 * Which store, in a mark. One in the mark's own folder is known as that, so that it stays the same when the
 * repository is moved, copied or seen under another path. A name too long for the mark is known by its hash.
 */
const nameStore = (store: string, dir: string): string => {
  const name = store === `sqlite:${join(dir, "store.db")}` ? ownStore : store;
  return Buffer.byteLength(JSON.stringify(name)) > storeNameBytesMax ? sha256(name) : name;
};

const ownStore = "sqlite:own";

const hashKey = (key: string): string => sha256(key).slice(0, 16);

/** The highest fence where a part of what came before it is not in the store any more. */
const lostAfter = (
  mark: Mark,
  now: {
    readonly store: string;
    readonly scopeKey: string;
    /** Undefined: the store does not know the repository. */
    readonly scopeId: string | undefined;
    readonly stored: number;
  },
): number | undefined => {
  if (mark.lost !== undefined) return mark.lost;
  if (mark.fence === 0 || mark.store !== now.store || mark.scope !== hashKey(now.scopeKey)) {
    return undefined;
  }
  const isAnother =
    now.scopeId === undefined || (mark.id !== undefined && mark.id !== hashKey(now.scopeId));
  // The last fence may belong to a transaction that was killed before its end.
  return isAnother || now.stored < (mark.stored ?? 0) ? mark.fence : undefined;
};

/**
 * A store that knows fewer fences than were handed out, or has another scope for the repository, was deleted,
 * emptied or put back from a copy. Undefined where nothing proves that. Changes nothing.
 */
export const findLostFences = async ({
  there,
  scopeKey,
  location,
  dir,
  files,
}: {
  readonly there: { readonly store: Store; readonly scope: Scope } | undefined;
  readonly scopeKey: string;
  /** Where the store is or was: `sqlite:/path`. */
  readonly location: string;
  readonly dir: string;
  readonly files: Files;
}): Promise<{ readonly marked: number; readonly stored: number } | undefined> => {
  const found = parseMark(readMark(files, join(dir, "fence-mark")));
  if (!found) return undefined;
  const mark = { ...found, store: nameStore(found.store, dir) };
  const stored = there ? await readFence(there) : 0;
  const marked = lostAfter(mark, {
    ...{ store: nameStore(location, dir), scopeKey: there?.scope.key ?? scopeKey },
    ...{ scopeId: there?.scope.id, stored },
  });
  return marked === undefined ? undefined : { marked, stored };
};

/** How long one look at the next block is put off while somebody else makes it. */
const reserveWaitMs = 25;

/** Written in one go, within one page. */
const markBytes = 1024;
const storeNameBytesMax = 700;

const parseMark = (text: string): Mark | undefined => {
  const end = text.lastIndexOf(" end");
  if (end < 0) return undefined;
  try {
    const mark = JSON.parse(text.slice(0, end)) as Mark;
    return isFence(mark.fence) && isFence(mark.reserved) ? mark : undefined;
  } catch {
    return undefined;
  }
};

interface Block {
  readonly reserved: number;
  /** What may have been used before the boot that reserved it. */
  readonly start: number;
  readonly boot: string;
}

/** As long as no fence of this boot is marked, none of a block reserved in this boot was used. */
const usedUpTo = (block: Block, bootId: string): number =>
  bootId !== "" && block.boot === bootId ? block.start : block.reserved;

const parseBlock = (content: unknown, path: string): Block => {
  if (content === undefined) return { reserved: 0, start: 0, boot: "" };
  const { reserved, start, boot } = (content ?? {}) as Record<string, unknown>;
  if (isFence(reserved) && isFence(start) && typeof boot === "string") {
    return { reserved, start, boot };
  }
  throw new HeadgateError("FENCE_MARK_UNUSABLE", `${path} names no reserved fence`, {
    data: { path },
  });
};

/** The folder is read-only for us, as in the sandbox of a client. */
const readOnly = new Set(["EROFS", "EACCES", "EPERM"]);

const isFence = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
