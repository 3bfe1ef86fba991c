/**
 * Landing: from lines in a working tree to a commit that holds one session's part of them.
 * 1. The part is HEAD with the session's lines; where they were written into another's uncommitted lines,
 *    with exactly those, and their author is named (N-02).
 * 2. Lines without a known author go along when no other live session could have written them (`unknown`).
 * 3. A part that does not stand alone takes along the edits of the same file that it needs, or is refused when
 *    it is broken even with them (N-03).
 * Nothing here writes: `own-part` works out what a commit holds, whoever commits puts it into an index.
 */
export {
  hasUnstaged,
  holdsForeign,
  type LeftLines,
  type OwnPart,
  type PartFile,
  type OwnPartOptions,
  planPart,
  readCommitted,
  readContents,
} from "./own-part.ts";
export { type ActorChange, actorChanges, type EditChoice, listActors } from "./actor-change.ts";
export { planTakeBack, type TakeBackPlan, type TiedLines } from "./take-back.ts";
export { findNeeds, othersIn } from "./needed-edits.ts";
export type { CommitAnswer, CommitFile } from "./commit-answer.ts";
export {
  commitPart,
  type CommitPorts,
  commitVariable,
  type CommitWish,
  readAlong,
} from "./commit-part.ts";
export { finishCommits, type FinishedCommit, type FinishingPlace } from "./unfinished-commits.ts";
export { type CommittedFile, keptName, type TreeForm, treeForms } from "./tree-form.ts";
export { readInTree } from "./read-in-tree.ts";
