/**
 * An actor's uncommitted work taken out of the files, with everybody else's left in place. Others' lines that
 * were written onto it cannot stay without it: then nothing is planned, and they are named.
 */
import {
  currentLines,
  type FileRecord,
  type LineEdit,
  lineSpans,
  toBytes,
  type Weave,
  withGround,
  withoutEdits,
} from "../lines/index.ts";
import type { EditChoice } from "./actor-change.ts";

/** Lines of others that stand on what is to be taken back. */
export interface TiedLines {
  readonly path: string;
  /** In the file as it is, from 1; empty: they only took lines away. */
  readonly lines: readonly { readonly from: number; readonly to: number }[];
  readonly edit: LineEdit;
}

export interface TakeBackPlan {
  readonly files: readonly {
    readonly path: string;
    /** Null: there is no such file. */
    readonly before: Buffer | null;
    readonly after: Buffer | null;
    readonly edits: ReadonlySet<string>;
  }[];
  readonly tied: readonly TiedLines[];
}

export const planTakeBack = (
  records: ReadonlyMap<string, FileRecord>,
  isChosen: EditChoice,
): TakeBackPlan => {
  const chosen = [...records].flatMap(([path, { weave }]) => {
    const edits = new Set(weave.edits.filter(isChosen).map(({ id }) => id));
    return edits.size === 0 ? [] : [{ path, weave, edits }];
  });
  return {
    files: chosen.map(({ path, weave, edits }) => ({
      ...{ path, edits },
      before: contentBytes(weave),
      after: contentBytes(withoutEdits(weave, edits)),
    })),
    tied: chosen.flatMap(({ path, weave, edits }) => tiedLines(path, weave, edits)),
  };
};

const tiedLines = (path: string, weave: Weave, edits: ReadonlySet<string>): TiedLines[] => {
  const spans = lineSpans(weave, (one, other) => one.id === other.id);
  return weave.edits
    .filter(({ id }) => !edits.has(id) && isOnto(weave, id, edits))
    .map((edit) => ({
      ...{ path, edit },
      lines: spans.filter((span) => span.edit.id === edit.id).map(({ from, to }) => ({ from, to })),
    }));
};

const isOnto = (weave: Weave, id: string, edits: ReadonlySet<string>): boolean =>
  [...withGround(weave, [id])].some((ground) => edits.has(ground));

const contentBytes = (weave: Weave): Buffer | null => {
  const lines = currentLines(weave);
  return lines ? toBytes(lines) : null;
};
