/** The lines of a worktree; compose.ts loads this with the first write. */
import { createIdSource } from "./base/ids.ts";
import { ownIdentity } from "./base/process-identity.ts";
import type { Repository } from "./git/index.ts";
import type { HistoryPlace } from "./edit/index.ts";
import { HeadgateError } from "./errors.ts";
import { type OpenEnds, openOpenEnds, workingTree } from "./gate/index.ts";
import { type Lines, openLines } from "./lines/index.ts";

export interface LinesParts {
  readonly repository: Repository;
  readonly place: HistoryPlace;
  /** Other machines may use the store as well. */
  readonly isShared: boolean;
  readonly idleMs: number;
}

/** Other machines have folders of the same name. */
export const worktreeName = (worktree: string, isShared: boolean): string =>
  isShared ? `${ownIdentity().host}:${worktree}` : worktree;

export const openOpenEndsIn = ({
  repository,
  place,
  isShared,
}: Omit<LinesParts, "idleMs">): OpenEnds =>
  openOpenEnds({ ...place, worktree: worktreeName(repository.worktree, isShared) });

export const openLinesIn = ({ repository, place, isShared, idleMs }: LinesParts): Lines => {
  const { worktree } = repository;
  const tree = workingTree(worktree);
  return openLines({
    open: () => place.open(),
    look: () => place.look(),
    worktree: worktreeName(worktree, isShared),
    newId: createIdSource(),
    read: (path) => {
      try {
        return tree.read(path);
      } catch (error) {
        // An unreadable file has no lines.
        if (HeadgateError.isInstance(error)) return undefined;
        throw error;
      }
    },
    idleMs,
    keepLate: async (late) => {
      // Most sessions never write late.
      const { keepLatePatch } = await import("./edit/index.ts");
      return keepLatePatch(repository, late.edit.id, late);
    },
  });
};
