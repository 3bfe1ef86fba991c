/**
 * What edits of dead processes left behind is finished or taken back; of living ones nothing is touched.
 * Afterwards the store knows every edit that is on disk.
 */
import { join } from "node:path";
import { type Liveness, probe, type ProcessIdentity } from "../base/process-identity.ts";
import { HeadgateError } from "../errors.ts";
import { isWorktreeGone, worktreeName } from "../git/index.ts";
import { recoverState } from "../state/index.ts";
import { editFailure } from "./failure.ts";
import { Folders } from "./folders.ts";
import { lookAt } from "./file-state.ts";
import type { EditHistory } from "./history.ts";
import { Journal, type JournalRecord, type Phase } from "./journal.ts";
import { type EditPorts, type Ports, resolvePorts } from "./ports.ts";
import { type Conflict, removeTemporaries, takeBack, writtenFiles } from "./take-back.ts";
import { syncFolders, type Work } from "./write-files.ts";

export interface RecoverOptions extends EditPorts {
  readonly root: string;
  /** Every worktree that shares the journal; default: this one. */
  worktrees?(): readonly string[];
  readonly dir: string;
  readonly history?: EditHistory;
  readonly probe?: (identity: ProcessIdentity) => Liveness;
  /** Edits whose conflicts are settled by hand: files that somebody else changed stay as they are. */
  readonly acceptConflictsOf?: readonly string[];
}

export interface EditRecovery {
  /** All files have their new content. */
  readonly finished: readonly string[];
  /** All files have their old content. */
  readonly takenBack: readonly string[];
  /** Added to the store. */
  readonly recorded: readonly string[];
  /** Of living processes, or of some that nothing is known about. */
  readonly left: readonly { readonly id: string; readonly evidence: readonly string[] }[];
  /** Kept open: somebody else changed these files meanwhile. */
  readonly conflicts: readonly (Conflict & { readonly id: string })[];
  readonly failures: readonly { readonly id: string; readonly error: HeadgateError }[];
}

/** Changes nothing when there is nothing to do. May itself be killed at any point and run again. */
export const recoverEdits = async (options: RecoverOptions): Promise<EditRecovery> => {
  const ports = resolvePorts(options);
  const journal = new Journal(options.dir, ports);
  const found: Found = {
    finished: [],
    takenBack: [],
    recorded: [],
    left: [],
    conflicts: [],
    failures: [],
  };
  if (!ports.files.stat(options.dir)) return found;
  if (journal.hasLeftovers()) {
    const folders = ["open", "blobs"].map((name) => join(options.dir, name));
    await recoverState(folders, { files: ports.files, clock: ports.clock, owner: ports.owner });
  }
  for (const { id, phase } of journal.list()) {
    try {
      await recoverOne({ id, phase, found, options }, { ports, journal });
    } catch (error) {
      const failure = editFailure(error, `recover the edit ${id}`);
      // One edit that cannot be recovered must not keep the others from it.
      if (!HeadgateError.isInstance(failure) || failure.code === "INTERNAL") throw failure;
      found.failures.push({ id, error: failure });
    }
  }
  return found;
};

/** The edits that `recoverEdits` looks at. Changes nothing. */
export const listUnfinishedEdits = (options: RecoverOptions): readonly UnfinishedEdit[] => {
  const ports = resolvePorts(options);
  const journal = new Journal(options.dir, ports);
  return journal.list().flatMap(({ id, phase }): UnfinishedEdit[] => {
    const isWhole = phase === "applied" || phase === "rolled-back";
    try {
      const record = journal.read(id, phase);
      if (!record) return [];
      const { state } = readOwnerLiveness(record, options, { ports });
      const paths = record.files.map(({ path }) => path);
      return [{ id, isWhole, actor: record.actor, paths, owner: state }];
    } catch (error) {
      const failure = editFailure(error, `read the edit ${id}`);
      if (!HeadgateError.isInstance(failure) || failure.code === "INTERNAL") throw failure;
      return [{ id, isWhole, problem: failure.message }];
    }
  });
};

export interface UnfinishedEdit {
  readonly id: string;
  /** Only the store does not know it yet. */
  readonly isWhole: boolean;
  readonly actor?: string;
  readonly paths?: readonly string[];
  readonly owner?: Liveness["state"];
  /** Why its record cannot be used. */
  readonly problem?: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
type Found = Mutable<EditRecovery>;

interface Case {
  readonly id: string;
  readonly phase: Phase;
  readonly found: Found;
  readonly options: RecoverOptions;
}

const recoverOne = async (
  one: Case,
  { ports, journal }: Pick<Work, "ports" | "journal">,
): Promise<void> => {
  const { id, phase, found, options } = one;
  const first = journal.read(id, phase);
  if (!first) return;
  const owner = readOwnerLiveness(first, options, { ports });
  const isAccepted = options.acceptConflictsOf?.includes(id) === true;
  if (owner.state !== "dead" && !isAccepted) {
    // The store's row may be written by anybody, but whoever lives does it itself.
    found.left.push({ id, evidence: owner.evidence });
    return;
  }
  const root = findWorktree(first, options, ports);
  if (root === undefined) {
    const { worktree = "" } = first;
    // Its files went with the worktree.
    if (isWorktreeGone(worktree, options.root, ports.files)) journal.remove(id, phase);
    else found.left.push({ id, evidence: [`its worktree ${worktree} is not there`] });
    return;
  }
  const folders = new Folders(ports.files, root);
  try {
    await recoverIn(one, { ports, journal, folders }, first);
  } finally {
    folders.close();
  }
};

const findWorktree = (
  { worktree }: JournalRecord,
  { root, worktrees = () => [root] }: RecoverOptions,
  { files }: Ports,
): string | undefined =>
  worktree === undefined ? root : worktrees().find((one) => worktreeName(one, files) === worktree);

const recoverIn = async (
  one: Case,
  tools: Omit<Work, "record">,
  first: JournalRecord,
): Promise<void> => {
  const { id, phase, found, options } = one;
  const { journal } = tools;
  const isDone = phase === "applied" || phase === "rolled-back";
  if (isDone) journal.confirm();
  const isAccepted = options.acceptConflictsOf?.includes(id) === true;
  const end = isDone ? phase : await journal.locked(() => resolveOpen(one, tools, isAccepted));
  if (!end) return;
  const work = { ...tools, record: first };
  if (end === "applied") {
    removeTemporaries(work);
    if (!isDone) found.finished.push(id);
  }
  if (!options.history) return;
  if (await settle(journal, first, end, options.history)) found.recorded.push(id);
  tools.ports.onStep("stored");
};

/** How it ended, if it did and if the store should know; asked again under the lock. */
const resolveOpen = (
  { id, phase, found }: Case,
  tools: Omit<Work, "record">,
  acceptsConflicts: boolean,
): "applied" | "rolled-back" | undefined => {
  const { journal, ports } = tools;
  const record = journal.read(id, phase);
  if (!record) return undefined;
  const work: Work = { ...tools, record };
  if (phase === "writing" && !record.isVerified && isComplete(work)) {
    syncFolders(work);
    journal.move(id, phase, "applied");
    ports.onStep("done");
    return "applied";
  }
  const { wasWritten, conflicts } = takeBack(work, phase, { acceptsConflicts });
  if (conflicts.length > 0) {
    found.conflicts.push(...conflicts.map((conflict) => ({ id, ...conflict })));
    return undefined;
  }
  found.takenBack.push(id);
  return wasWritten ? "rolled-back" : undefined;
};

/** Every file was written; what somebody wrote on top of that is theirs. */
const isComplete = (work: Work): boolean => {
  const { record, ports } = work;
  const written = writtenFiles(work, "writing");
  if (written.length < record.files.length) return false;
  return written.every(({ file, folder }) => {
    const now = folder && lookAt(ports.files, folder, file.path);
    const hash = now?.hash ?? null;
    return hash === file.after || hash !== file.before;
  });
};

/** Tells the store, once; true when it did not know. */
export const settle = async (
  journal: Journal,
  record: JournalRecord,
  phase: "applied" | "rolled-back",
  history: EditHistory,
): Promise<boolean> => {
  const isNew = await history.add(record, phase);
  journal.remove(record.id, phase);
  return isNew;
};

const readOwnerLiveness = (
  record: JournalRecord,
  options: RecoverOptions,
  { ports }: Pick<Work, "ports">,
): Liveness => {
  if (isUnderWay(record.id)) return { state: "alive", evidence: ["this process is writing it"] };
  if (isSame(record.process, ports.owner)) {
    return { state: "dead", evidence: ["this process has given it up"] };
  }
  return (options.probe ?? probe)(record.process);
};

const isSame = (a: ProcessIdentity, b: ProcessIdentity): boolean =>
  a.pid === b.pid &&
  a.startTime === b.startTime &&
  a.bootId === b.bootId &&
  a.pidNamespace === b.pidNamespace &&
  a.host === b.host;

/** Edits of this process that are being written; its other open ones have failed. */
const underWay = new Set<string>();

export const isUnderWay = (id: string): boolean => underWay.has(id);

export const whileUnderWay = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
  underWay.add(id);
  try {
    return await work();
  } finally {
    underWay.delete(id);
  }
};
