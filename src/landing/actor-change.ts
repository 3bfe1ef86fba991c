/** The uncommitted change of one actor, as it would be on HEAD. */
import {
  type CommittedFiles,
  type FileRecord,
  type LineEdit,
  partLines,
  toBytes,
  withGround,
} from "../lines/index.ts";

/** Which edits are meant. */
export type EditChoice = (edit: LineEdit) => boolean;

export interface ActorChange {
  readonly path: string;
  /** HEAD, and HEAD with the change; null: there is no such file. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** Edits of others that the chosen ones were written onto: they are part of the change. */
  readonly carried: readonly LineEdit[];
}

export const actorChanges = (
  records: ReadonlyMap<string, FileRecord>,
  committed: CommittedFiles,
  isChosen: EditChoice,
): ActorChange[] =>
  [...records].flatMap(([path, { weave }]): ActorChange[] => {
    const chosen = weave.edits.filter(isChosen);
    if (chosen.length === 0) return [];
    const edits = withGround(
      weave,
      chosen.map(({ id }) => id),
    );
    const part = partLines(weave, edits);
    const content = committed.get(path);
    const before = content ? Buffer.from(content) : null;
    const after = part ? toBytes(part) : null;
    const isSame = before && after ? before.equals(after) : before === after;
    if (isSame) return [];
    const carried = weave.edits.filter((edit) => edits.has(edit.id) && !isChosen(edit));
    return [{ path, before, after, carried }];
  });

/** Who has uncommitted lines here: the oldest first, then lines of which no author is known (empty). */
export const listActors = (records: ReadonlyMap<string, FileRecord>): string[] => {
  const edits = [...records.values()].flatMap(({ weave }) => weave.edits);
  const actors = new Set(edits.toSorted((a, b) => a.at - b.at).map(({ actor }) => actor));
  const known = [...actors].filter((actor) => actor !== "");
  return actors.has("") ? [...known, ""] : known;
};
