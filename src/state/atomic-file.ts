import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash, isContentHash } from "./content-hash.ts";
import type { Durability } from "./durability.ts";
import { type HeldTarget, tryHoldTarget } from "./held-target.ts";
import { resolvePorts, type StatePorts } from "./ports.ts";
import { replaceContent } from "./replace-content.ts";
import { showPath } from "./state-failure.ts";
import { waitTurn, waitTurnSync } from "./turn.ts";

export interface WriteOptions extends StatePorts {
  /** Default `required`; see `Durability`. */
  readonly durability?: Durability;
  /** Default: the present file's mode, or what the umask leaves of 0666 for a new one. */
  readonly mode?: number;
  /** SHA-256 (hexadecimal) of the content that must be there now; null: there must be no file. */
  readonly expect?: string | null;
  /** Empty content is refused unless this says that it is meant. */
  readonly allowEmpty?: boolean;
  /** Refuse when the file's real folder lies outside this one. */
  readonly root?: string;
  readonly waitMs?: number;
}

export interface WriteResult {
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
}

/**
 * Replaces a file's content so that any interruption leaves the old or the new content, never a mix.
 * Rejects with HeadgateError: codes STATE_*, PATH_OUTSIDE; after OUTCOME_UNKNOWN the content may have
 * been replaced, after every other code it was not. Waits at most `waitMs` for other updaters.
 */
export const writeFileAtomic = async (
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<WriteResult> => {
  const settled = settle(options);
  return waitTurn({ ...settled, path }, prepareWrite(path, data, settled));
};

/** The same, blocking: for callers that cannot wait, such as code inside another critical section. */
export const writeFileAtomicSync = (
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): WriteResult => {
  const settled = settle(options);
  return waitTurnSync({ ...settled, path }, prepareWrite(path, data, settled));
};

/** Present content to new content. What it throws, the update throws; the file is not touched then. */
export type Transform = (
  present: Buffer | undefined,
) => Uint8Array | string | Promise<Uint8Array | string>;

/**
 * Read, transform, write, with nobody of this room in between. A transform that answers at once runs
 * under the lock. One that returns a promise runs without it, and starts again on the newer content
 * when the file changed meanwhile (bounded).
 */
export const updateFileAtomic = async (
  path: string,
  transform: Transform,
  options: Omit<WriteOptions, "expect"> = {},
): Promise<WriteResult> => {
  const settled = settle(options);
  for (let attempt = 0; attempt < limits.stateUpdateAttemptsMax; attempt += 1) {
    const started = await waitTurn({ ...settled, path }, () =>
      startUpdate(path, transform, settled),
    );
    if ("hash" in started) return started;
    const data = await started.pending;
    try {
      return await writeFileAtomic(path, data, { ...settled, expect: started.baseHash ?? null });
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code !== "STATE_CHANGED") throw error;
    }
    await settled.clock.sleep(1 + 4 * attempt * settled.random.fraction());
  }
  throw new HeadgateError(
    "STATE_BUSY",
    `${showPath(path)} changed during each of ${limits.stateUpdateAttemptsMax} updates`,
    { data: { path } },
  );
};

/** The options with every port filled in, once per call: the identity of a process costs some reads. */
type Settled = WriteOptions & Required<StatePorts>;
const settle = (options: WriteOptions): Settled => ({ ...options, ...resolvePorts(options) });

interface PendingUpdate {
  readonly pending: Promise<Uint8Array | string>;
  readonly baseHash: string | undefined;
}

const startUpdate = (
  path: string,
  transform: Transform,
  options: Settled,
): WriteResult | PendingUpdate | undefined =>
  whileHeld(path, options, (held) => {
    const present = held.read();
    const baseHash = present && contentHash(present);
    const answer = transform(present);
    if (answer instanceof Promise) return { pending: answer, baseHash };
    return replace(held, toBytes(path, answer, options), { ...options, baseHash }, true);
  });

/** Everything that can be refused without looking at the disk is refused here. */
const prepareWrite = (path: string, data: string | Uint8Array, options: Settled) => {
  const bytes = toBytes(path, data, options);
  const { expect } = options;
  if (typeof expect === "string" && !isContentHash(expect)) {
    throw new HeadgateError("USAGE", `not a SHA-256 in hexadecimal: ${showPath(expect)}`);
  }
  return (): WriteResult | undefined =>
    whileHeld(path, options, (held) => {
      const present = held.read();
      const baseHash = present && contentHash(present);
      if (expect !== undefined && expect !== (baseHash ?? null))
        throw changed(path, expect, baseHash);
      return replace(held, bytes, { ...options, baseHash }, expect !== undefined);
    });
};

const whileHeld = <T>(
  path: string,
  options: Settled,
  use: (held: HeldTarget) => T | undefined,
): T | undefined => {
  const held = tryHoldTarget(options.files, path, { root: options.root });
  if (!held) return undefined;
  try {
    return use(held);
  } finally {
    held.release();
  }
};

const replace = (
  held: HeldTarget,
  data: Uint8Array,
  options: Settled & { readonly baseHash: string | undefined },
  isConditional: boolean,
): WriteResult | undefined => {
  const { durability = "required", mode, baseHash } = options;
  const hash = contentHash(data);
  const replacement = { data, hash, durability, mode, baseHash, isConditional };
  const isDone = replaceContent(options, held, replacement);
  return isDone ? { path: held.path, hash, bytes: data.byteLength } : undefined;
};

const toBytes = (
  path: string,
  data: string | Uint8Array,
  options: { readonly allowEmpty?: boolean },
): Uint8Array => {
  if (typeof data === "string" && !data.isWellFormed()) {
    throw new HeadgateError("STATE_INVALID", `${showPath(path)}: the text has a lone surrogate`);
  }
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  if (bytes.byteLength === 0 && options.allowEmpty !== true) {
    throw new HeadgateError("STATE_EMPTY", `${showPath(path)}: the new content is empty`, {
      data: { path },
    });
  }
  if (bytes.byteLength > limits.stateFileBytesMax) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `${showPath(path)}: ${bytes.byteLength} bytes, the limit is ${limits.stateFileBytesMax}`,
      { data: { path, bytes: bytes.byteLength, bytesMax: limits.stateFileBytesMax } },
    );
  }
  return bytes;
};

const changed = (path: string, expected: string | null, present: string | undefined) =>
  new HeadgateError(
    "STATE_CHANGED",
    `${showPath(path)}: expected ${shown(expected)}, found ${shown(present ?? null)}`,
    { data: { path, expected, present: present ?? null } },
  );

const shown = (hash: string | null): string =>
  hash === null ? "no file" : `sha256 ${hash.slice(0, 12)}…`;
