/** Every ordinary command first finishes or takes back work that killed processes left half done. */
import { join } from "node:path";
import { plural, showText } from "../base/text.ts";
import { listWork } from "../base/work-folder.ts";
import { listUnfinishedEdits } from "../edit/index.ts";
import { clearLeftIndexLock } from "../git/index.ts";
import { finishCommits } from "../landing/index.ts";
import { endWork, findLeftWork } from "../state/index.ts";
import type { Leftover, VerifyPorts } from "./leftover.ts";

/** One read. Work of living processes counts as well. */
export const hasLeftWork = (stateFolder: string): boolean => listWork(stateFolder).length > 0;

/** Nothing where all work under way belongs to living processes. */
export const repairLeftWork = async (
  ports: VerifyPorts,
  { onlyEdits = false }: RepairOptions = {},
): Promise<readonly Leftover[]> => {
  const locks = onlyEdits ? [] : checkLock(ports, ports.repository.worktree, true);
  if (!hasLeftWork(ports.repository.localDir)) return locks;
  const edits = await checkEdits(ports, true);
  return onlyEdits ? edits : [...locks, ...edits, ...(await checkWork(ports, true))];
};

export const checkLock = (
  { clock }: Pick<VerifyPorts, "clock">,
  worktree: string,
  repairs: boolean,
): readonly Leftover[] => {
  const lock = clearLeftIndexLock(worktree, { clock, repairs });
  if (!lock || (!lock.isLeft && lock.ageMs < heldMs)) return [];
  const { what, isLeft, isRemoved } = lock;
  return [{ code: isLeft ? "LOCK_LEFT" : "LOCK_HELD", what, repaired: isRemoved }];
};

/** An ordinary git command is done by then. */
const heldMs = 60_000;

export interface RepairOptions {
  /** Git holds its index: commits cannot be finished now. */
  readonly onlyEdits?: boolean;
}

export const checkEdits = async (
  ports: VerifyPorts,
  repairs: boolean,
): Promise<readonly Leftover[]> => {
  const { repository } = ports;
  const { root, localDir } = repository;
  const { probe } = ports;
  const dir = join(localDir, "edits");
  const found = listUnfinishedEdits({ root, dir, ...(probe && { probe }) });
  const unreadable = found.flatMap(({ id, problem }): Leftover[] =>
    problem === undefined
      ? []
      : [{ code: "EDIT_UNREADABLE", what: `${id}: ${problem}`, repaired: false }],
  );
  const dead = found.filter(({ owner }) => owner === "dead");
  // A process was killed before its record was whole.
  const isTorn = repairs && listWork(localDir).some((name) => name.startsWith("."));
  if (dead.length === 0 && !isTorn) return unreadable;
  const outcome = repairs ? await ports.edit.recover() : undefined;
  const words = (id: string): { readonly code: Leftover["code"]; readonly word: string } => {
    const conflict = outcome?.conflicts.find((one) => one.id === id);
    if (conflict) {
      const word = `${showText(conflict.path)} was changed since; put it right, then repeat this`;
      return { code: "EDIT_CONFLICT", word };
    }
    if (outcome?.takenBack.includes(id)) return { code: "EDIT_HALF", word: "taken back" };
    if (outcome?.finished.includes(id)) return { code: "EDIT_HALF", word: "finished" };
    const isWhole = found.some((one) => one.id === id && one.isWhole);
    const code = isWhole ? "EDIT_UNRECORDED" : "EDIT_HALF";
    return { code, word: outcome ? "recorded" : "its process is dead" };
  };
  const own = dead.map(({ id, actor, paths = [] }): Leftover => {
    const { code, word } = words(id);
    const failed = outcome?.failures.find((one) => one.id === id);
    const whose = actor === undefined ? "" : ` of ${showText(actor, 80)}`;
    return {
      code,
      what: `edit ${id}${whose} in ${plural(paths.length, "file")}: ${failed?.error.message ?? word}`,
      repaired: outcome !== undefined && !failed && code !== "EDIT_CONFLICT",
      ...(actor !== undefined && { actor }),
      ...(outcome?.takenBack.includes(id) && { takenBack: paths }),
    };
  });
  return [...unreadable, ...own];
};

export const checkWork = async (
  ports: VerifyPorts,
  repairs: boolean,
): Promise<readonly Leftover[]> => {
  const { repository, environment, clock, claims } = ports;
  const stateFolder = repository.localDir;
  const left = findLeftWork(stateFolder);
  const isRouting = left.some(({ kind }) => kind === "routing");
  if (isRouting && repairs) {
    await ports.routing.recover();
    // The store says what is open; a note without a row there was killed before it began, or after its end.
    for (const note of left) if (note.kind === "routing") endWork(stateFolder, note);
  }
  const actor = claims.actor.id;
  const finished = repairs ? await finishCommits({ stateFolder, environment, clock, actor }) : [];
  const after = new Set(findLeftWork(stateFolder).map(({ id }) => id));
  return left.map(({ kind, id, commit }): Leftover => {
    const repaired = repairs && !after.has(id);
    if (kind === "routing") {
      return { code: "ROUTING_UNFINISHED", what: `routing change ${id}`, repaired };
    }
    const outcome = finished.find(({ note }) => note.id === id)?.outcome;
    const word =
      outcome === "index-followed"
        ? "git's index knows it now"
        : outcome === "given-up"
          ? "the branch never got it; its scratch files are removed"
          : repairs
            ? "another git holds index.lock; if no git runs, remove the lock and repeat this"
            : "git's index does not know it yet, or it never got to the branch";
    const name = commit === undefined ? id : commit.slice(0, 10);
    return { code: "COMMIT_UNFINISHED", what: `commit ${name}: ${word}`, repaired };
  });
};
