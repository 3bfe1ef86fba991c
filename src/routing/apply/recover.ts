/**
 * What a killed process left half done is finished when its commit is on the branch, and given up when it is
 * not. Only operations of this clone: elsewhere nobody can see what its branches have.
 */
import { dirname, join } from "node:path";
import { HeadgateError } from "../../errors.ts";
import { changesBetween, clearStaleLocks, isAncestor, type WritingGit } from "../../git/index.ts";
import { recoverState } from "../../state/index.ts";
import type { RoutingContext, There } from "../ports.ts";
import { withRoutingLock } from "./lock.ts";
import { openOperations, type Operation } from "./operations.ts";
import { tidyScratch } from "./commit-overrides.ts";
import { abortChange, recordChange } from "./record-change.ts";
import { refreshFiles } from "./refresh-files.ts";

export interface RoutingRecovery {
  readonly finished: readonly string[];
  readonly aborted: readonly string[];
}

export const placeOf = ({
  host,
  repository,
}: Pick<RoutingContext, "host" | "repository">): string =>
  `${host}:${repository.commonDir ?? repository.root}`;

/** Looks whether there is something to do before it takes the lock. Leaves it to a living holder. */
export const recoverRouting = async (context: RoutingContext): Promise<RoutingRecovery> => {
  const nothing = { finished: [], aborted: [] };
  const look = await context.store.look();
  if (!look) return nothing;
  const open = await look.store.read((tx) => openOperations(tx, look.scope.id, placeOf(context)));
  if (open.length === 0) return nothing;
  // Who only may look leaves it to the next one that may write.
  if (look.store.readOnly && !context.mayWrite) return nothing;
  const there = await context.store.open();
  return (await withRoutingLock(context, 0, () => recoverHeld(context, there))) ?? nothing;
};

/** Inside the lock: whoever began these operations is dead. */
export const recoverHeld = async (
  context: RoutingContext,
  { store, scope }: There,
): Promise<RoutingRecovery> => {
  const open = await store.read((tx) => openOperations(tx, scope.id, placeOf(context)));
  const finished: string[] = [];
  const aborted: string[] = [];
  for (const operation of open) {
    const git = context.gitIn(worktreeFor(context, operation));
    const { files, clock } = context;
    const { ref: branch, commit } = operation;
    await clearStaleLocks({ git, files, clock, branch, commits: [commit] });
    if (await isAncestor(git, operation.commit, operation.ref)) {
      await refreshThere(context, git, operation);
      await store.write({ scope }, (tx) => recordChange(tx, scope.id, operation));
      context.onStep("stored");
      finished.push(operation.id);
    } else {
      await store.write({ scope }, (tx) => abortChange(tx, scope.id, operation));
      context.onStep("aborted");
      aborted.push(operation.id);
    }
  }
  if (open.length > 0) tidyScratch(context);
  return { finished, aborted };
};

/** The worktree may be gone by now; any other can say what the branches have. */
const worktreeFor = ({ repository }: RoutingContext, { payload }: Operation): string =>
  repository.worktrees.includes(payload.worktree) ? payload.worktree : repository.worktree;

/** Only where the branch is still checked out and still has this version of the file. */
const refreshThere = async (
  context: RoutingContext,
  git: WritingGit,
  operation: Operation,
): Promise<void> => {
  const { worktree, path, blob } = operation.payload;
  if (!context.repository.worktrees.includes(worktree)) return;
  const head = await git.ask({ args: ["symbolic-ref", "--quiet", "HEAD"] });
  const now = await git.ask({ args: ["rev-parse", "--quiet", "--verify", `HEAD:${path}`] });
  if (head.stdout.trim() !== operation.ref || now.stdout.trim() !== blob) return;
  const { files, clock } = context;
  const file = join(worktree, path);
  // A writer that was killed leaves its temporary beside the file. As plain text: what the user wrote
  // there must not be set aside for not being JSON.
  if (files.stat(dirname(file))) await tidyTemporaries(file, { files, clock });
  const changes = await changesBetween(git, operation.parent ?? undefined, operation.commit);
  await refreshFiles(context, git, { operation, changes });
};

const tidyTemporaries = async (
  file: string,
  ports: Pick<RoutingContext, "files" | "clock">,
): Promise<void> => {
  try {
    await recoverState([file], { ...ports, rulesOf: () => ({ kind: "text" }) });
  } catch (error) {
    // There is neither the file nor a temporary of it.
    if (!HeadgateError.isInstance(error) || error.code !== "STATE_NOT_FOUND") throw error;
  }
};
