/**
 * Writes the files of one edit, all or none (G3, G6). The order is the proof: old and new contents are
 * kept and the record is durable before any file changes; the new contents wait beside their places; at
 * the moment of the write the claims are held, every file is looked at once more, and only renames follow.
 * A failure at any point is taken back, a crash by the next `recoverEdits`.
 */
import { isId } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { spellingProblem } from "../base/path-spelling.ts";
import { showText } from "../base/text.ts";
import type { Claims, FenceCheck, TargetInput } from "../claims/index.ts";
import { HeadgateError } from "../errors.ts";
import { ignoreInGit, worktreeName } from "../git/index.ts";
import { contentHash } from "../state/index.ts";
import { editFailure } from "./failure.ts";
import { makeFile } from "./file-state.ts";
import { Folders, parentOf } from "./folders.ts";
import type { EditHistory } from "./history.ts";
import { Journal, type JournalFile, type JournalRecord, type Undone } from "./journal.ts";
import { type EditPorts, type Ports, resolvePorts } from "./ports.ts";
import { isUnderWay, recoverEdits, settle, whileUnderWay } from "./recover.ts";
import { type Conflict, removeTemporaries, takeBack } from "./take-back.ts";
import type { FileChange } from "./types.ts";
import type { Verified } from "./verify.ts";
import {
  checkBefore,
  scratchPattern,
  staleView,
  syncFolders,
  temporaryNames,
  type Work,
  writeFiles,
} from "./write-files.ts";

export interface ApplyOptions extends EditPorts {
  /** The repository's root; paths are relative to it. */
  readonly root: string;
  /** Every worktree that shares the journal; default: this one. */
  worktrees?(): readonly string[];
  /** Where the journal lies: `.git/headgate/edits`. */
  readonly dir: string;
  readonly id: string;
  readonly actor: string;
  readonly reason?: string;
  /** The writer's claims; the write happens while they are held, or not at all. */
  readonly claims?: Claims;
  readonly fences?: number | readonly number[];
  /** What must be held; default: each file, as `targetOf` says. */
  readonly targets?: readonly TargetInput[];
  /** How a path is claimed; default: the file itself, by its path from the root. */
  readonly targetOf?: (path: string) => TargetInput;
  readonly undoes?: Undone;
  /** Asked when everything is written; a no takes everything back (E-15). */
  readonly verify?: () => Promise<Verified>;
  readonly history?: EditHistory;
}

export type Applied =
  | {
      readonly ok: true;
      readonly id: string;
      readonly files: readonly JournalFile[];
      readonly verified?: Verified;
      /** Why the store was not told yet; recovery will do it. */
      readonly unrecorded?: string;
    }
  | {
      readonly ok: false;
      readonly code: "STALE_VIEW" | "FENCE_STALE" | "EDIT_VERIFY_FAILED";
      readonly message: string;
      readonly path?: string;
      readonly problems?: FenceCheck["problems"];
      readonly verified?: Verified;
      /** Files that could not be taken back because somebody else changed them meanwhile. */
      readonly conflicts?: readonly Conflict[];
    };

/** Refusals are values; thrown are EDIT_…, STATE_…, USAGE and what the store throws. */
export const applyChanges = async (
  changes: readonly FileChange[],
  options: ApplyOptions,
): Promise<Applied> => {
  checkRequest(changes, options);
  const ports = resolvePorts(options);
  const journal = new Journal(options.dir, ports);
  const folders = new Folders(ports.files, options.root);
  return whileUnderWay(options.id, async () => {
    try {
      if (journal.prepare()) ignoreInGit(options.root, scratchPattern, ports.files);
      const known = journal.list();
      if (known.some(({ id }) => id === options.id)) throw usage(`${options.id} was made already`);
      // What a dead process left half done must not be taken for the present state.
      const isLeft = known.some(({ id, phase }) => isOpen(phase) && !isUnderWay(id));
      if (isLeft || journal.hasLeftovers()) {
        await recoverEdits(options);
      }
      return await apply(changes, { ports, journal, folders }, options);
    } catch (error) {
      const failure = editFailure(error, "write the files of the edit");
      if (HeadgateError.isInstance(failure) && failure.code === "STALE_VIEW") {
        return refused(failure);
      }
      throw failure;
    } finally {
      folders.close();
    }
  });
};

const isOpen = (phase: string): boolean => phase !== "applied" && phase !== "rolled-back";

const refused = (failure: HeadgateError): Applied => ({
  ok: false,
  code: "STALE_VIEW",
  message: failure.message,
  path: String(failure.data["path"]),
});

const apply = async (
  changes: readonly FileChange[],
  { ports, journal, folders }: Omit<Work, "record">,
  options: ApplyOptions,
): Promise<Applied> => {
  const record = makeRecord(changes, { ports, folders }, options);
  const work: Work = { ports, journal, folders, record };
  const contents = changes.flatMap(({ before, after }) => [before, after]);
  journal.keep(contents.filter((bytes) => bytes !== null));
  ports.onStep("kept");
  let verified: Verified | undefined;
  try {
    journal.write(record);
    ports.onStep("recorded");
    prepare(work, changes);
    journal.move(record.id, "preparing", "writing");
    ports.onStep("prepared");
    const refusal = await write(work, options);
    if (refusal) return refusal;
    syncFolders(work);
    ports.onStep("synced");
    verified = await options.verify?.();
    ports.onStep("verified");
    if (verified && !verified.ok) return await takeBackUnverified(work, verified, options);
    journal.move(record.id, "writing", "applied");
    ports.onStep("done");
  } catch (error) {
    throw await afterFailure(work, error, options);
  }
  const unrecorded = tidy(work) ?? (await tell(work, "applied", options));
  const { id, files } = record;
  return { ok: true, id, files, ...(verified && { verified }), ...(unrecorded && { unrecorded }) };
};

/** What could not be removed is found by recovery as long as the record is there. */
const tidy = (work: Work): string | undefined => {
  try {
    removeTemporaries(work);
    work.ports.onStep("tidied");
    return undefined;
  } catch (error) {
    const failure = editFailure(error, "remove what the edit needed");
    if (HeadgateError.isInstance(failure)) return failure.message;
    throw error;
  }
};

/** The edit is made, whatever the store says; recovery tells it again. */
const tell = async (
  { journal, record, ports }: Work,
  phase: "applied" | "rolled-back",
  { history }: ApplyOptions,
): Promise<string | undefined> => {
  if (!history) return undefined;
  try {
    await settle(journal, record, phase, history);
    ports.onStep("stored");
    return undefined;
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code !== "INTERNAL") return error.message;
    throw error;
  }
};

/** Folders and new contents, each synced. */
const prepare = (work: Work, changes: readonly FileChange[]): void => {
  const { folders, ports, record } = work;
  for (const folder of record.folders) {
    if (!folders.find(folder)) folders.make(folder);
    ports.onStep("folder", folder);
  }
  const contents = new Map(changes.map(({ path, after }) => [path, after]));
  for (const [index, { path, afterMode }] of record.files.entries()) {
    const after = contents.get(path);
    if (!after) continue;
    const at = folders.find(parentOf(path))?.at(temporaryNames(record.id, index).fresh);
    if (at === undefined) throw staleView(path, "its folder is gone");
    makeFile(ports.files, at, after, afterMode ?? 0o600);
    ports.onStep("temporary", path);
  }
  syncFolders(work);
};

/** The refusal, if there is one; everything is taken back then. Throws when it was not taken back. */
const write = async (work: Work, options: ApplyOptions): Promise<Applied | undefined> => {
  const { claims, fences } = options;
  const { journal, record } = work;
  let isWritten = false;
  let failure: { readonly error: unknown } | undefined;
  // A server may ask for the transaction to be repeated; the files are written once. The fence then
  // still being the same shows that the claim was held all the time.
  const act = (): null => {
    if (isWritten || failure) return null;
    try {
      writeFiles(work);
      isWritten = true;
    } catch (error) {
      failure = { error };
      takeBackOrThrow(work, error);
    }
    return null;
  };
  return journal.locked(async () => {
    if (!claims || fences === undefined) act();
    else {
      const toTarget = options.targetOf ?? ((path) => ({ path, extent: "file" as const }));
      const targets = options.targets ?? record.files.map(({ path }) => toTarget(path));
      const held = await claims.whileHeld(fences, targets, act);
      if (!held.ok) {
        takeBackOrThrow(work, undefined);
        const [first] = held.problems;
        return {
          ok: false,
          code: "FENCE_STALE",
          message: `${showText(first?.target ?? "")}: ${first?.problem ?? "the claim has ended"}`,
          problems: held.problems,
        };
      }
    }
    if (failure) throw failure.error;
    return undefined;
  });
};

/** After an error the record may be in any phase, or be gone when it was taken back already. */
const afterFailure = async (
  work: Work,
  error: unknown,
  options: ApplyOptions,
): Promise<unknown> => {
  const { journal, record } = work;
  const { id } = record;
  if (journal.has(id, "applied")) {
    const message = `${id} is written, but it was not confirmed that a power cut cannot undo it`;
    return new HeadgateError("OUTCOME_UNKNOWN", message, { data: { id }, cause: error });
  }
  if (journal.has(id, "preparing") || journal.has(id, "writing")) {
    await journal.locked(() => takeBackOrThrow(work, error));
  }
  if (journal.has(id, "rolled-back")) await tell(work, "rolled-back", options);
  return error;
};

const takeBackOrThrow = (work: Work, error: unknown): void => {
  const { journal, record } = work;
  const phase = journal.has(record.id, "preparing") ? "preparing" : "writing";
  const cause = editFailure(error, "write the files of the edit");
  let conflicts: readonly Conflict[];
  try {
    ({ conflicts } = takeBack(work, phase));
  } catch (second) {
    const why = editFailure(second, "take the edit back");
    const message = why instanceof Error ? why.message : String(why);
    throw notTakenBack(record, message, { cause, conflicts: [] });
  }
  if (conflicts.length === 0) return;
  const paths = conflicts.map(({ path }) => showText(path)).join(", ");
  throw notTakenBack(record, `somebody else changed ${paths}`, { cause, conflicts });
};

const notTakenBack = (
  { id }: JournalRecord,
  what: string,
  { cause, conflicts }: { readonly cause: unknown; readonly conflicts: readonly Conflict[] },
): HeadgateError =>
  new HeadgateError("EDIT_NOT_TAKEN_BACK", `${id} failed and was not taken back: ${what}`, {
    data: { id, conflicts },
    cause,
  });

const takeBackUnverified = async (
  work: Work,
  verified: Verified,
  options: ApplyOptions,
): Promise<Applied> => {
  const { journal } = work;
  const { conflicts } = await journal.locked(() => takeBack(work, "writing"));
  if (conflicts.length === 0) await tell(work, "rolled-back", options);
  return {
    ok: false,
    code: "EDIT_VERIFY_FAILED",
    message: verified.message,
    verified,
    ...(conflicts.length > 0 && { conflicts }),
  };
};

const makeRecord = (
  changes: readonly FileChange[],
  { ports, folders }: { readonly ports: Ports; readonly folders: Folders },
  options: ApplyOptions,
): JournalRecord => {
  const order = changes.toSorted((a, b) => rank(a) - rank(b));
  const made = new Set<string>();
  const files = order.map((change): JournalFile => {
    const { path, kind } = change;
    const before = change.before && contentHash(change.before);
    const after = change.after && contentHash(change.after);
    const folder = folders.find(parentOf(path));
    const now = checkBefore({ ports }, { path, before }, folder);
    if (!folder) for (const one of folders.missingAbove(path)) made.add(one);
    const beforeMode = now ? now.stats.mode & 0o7777 : null;
    const newMode = change.mode ?? beforeMode ?? 0o666 & ~ports.files.umask();
    return { path, kind, before, after, beforeMode, afterMode: after === null ? null : newMode };
  });
  return {
    version: 1,
    id: options.id,
    atMs: ports.clock.wallMs(),
    actor: options.actor,
    reason: options.reason ?? "",
    ...(options.undoes && { undoes: options.undoes }),
    // The host's name is read when asked for; spreading the identity asks.
    process: { ...ports.owner },
    worktree: worktreeName(options.root, ports.files),
    isVerified: options.verify !== undefined,
    files,
    folders: [...made].toSorted(),
  };
};

const rank = ({ kind }: FileChange): number => (kind === "delete" ? 0 : 1);

const checkRequest = (changes: readonly FileChange[], options: ApplyOptions): void => {
  const { id, actor, reason = "", claims, fences } = options;
  if (!isId("edit", id)) throw usage(`not the id of an edit: ${showText(id)}`);
  // They go into the store when nothing can be refused any more.
  for (const text of [actor, reason]) {
    if (!text.isWellFormed() || text.includes("\0"))
      throw usage("actor and reason must be plain text");
    if (Buffer.byteLength(text) > limits.claimReasonBytesMax) {
      throw usage(`actor and reason have at most ${limits.claimReasonBytesMax} bytes`);
    }
  }
  if (claims && fences === undefined) throw usage("claims are given without their fences");
  if (changes.length === 0) throw usage("an edit needs at least one change");
  if (changes.length > limits.proposalWritesMax) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `${changes.length} files in one edit; ${limits.proposalWritesMax} are the most`,
    );
  }
  const paths = new Set<string>();
  for (const change of changes) {
    checkChange(change);
    if (paths.has(change.path))
      throw usage(`${showText(change.path)} is changed twice in one edit`);
    paths.add(change.path);
  }
};

const checkChange = ({ path, kind, before, after, mode }: FileChange): void => {
  const names = path.split("/");
  const spelling = spellingProblem(path, "linux");
  if (spelling !== undefined || names.some((name) => ["", ".", ".."].includes(name))) {
    throw new HeadgateError(
      "PATH_OUTSIDE",
      spelling ?? `${showText(path)} is no path from the repository's root`,
      { data: { path } },
    );
  }
  const isBefore = before !== null;
  const isAfter = after !== null;
  const fits = { create: [false, true], modify: [true, true], delete: [true, false] }[kind];
  if (fits[0] !== isBefore || fits[1] !== isAfter) {
    throw usage(`${showText(path)}: the contents do not fit "${kind}"`);
  }
  const size = Math.max(before?.length ?? 0, after?.length ?? 0);
  if (size > limits.stateFileBytesMax) {
    throw new HeadgateError("INPUT_TOO_LARGE", `${showText(path)}: ${size} bytes are too many`);
  }
  if (mode !== undefined && (!Number.isInteger(mode) || mode < 0 || mode > 0o777)) {
    throw usage(`${showText(path)}: not the permission bits of a file: ${mode}`);
  }
};

const usage = (message: string): HeadgateError => new HeadgateError("USAGE", message);
