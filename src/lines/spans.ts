/** A weave for reading: which lines of the file are whose, and where lines were taken away. */
import type { LineEdit, Weave } from "./types.ts";

/** Lines of the file as it is, from 1, both ends included. */
export interface LineSpan {
  readonly from: number;
  readonly to: number;
  readonly edit: LineEdit;
}

/** Committed lines that were taken away with nothing in their place. */
export interface GoneLines {
  /** The line they came after; 0: they were the first. */
  readonly after: number;
  readonly count: number;
  /** The first of them in the commit, from 1. */
  readonly was: number;
  readonly edit: LineEdit;
}

/** Uncommitted lines. Those of one session that follow each other are one span, as old as its oldest. */
export const lineSpans = (
  weave: Weave,
  isOne: (one: LineEdit, other: LineEdit) => boolean = isSameHand,
): LineSpan[] => {
  const authors = new Map(weave.edits.map((edit) => [edit.id, edit]));
  const spans: LineSpan[] = [];
  const live = weave.inTree ? weave.rows.filter(({ gone }) => gone === null) : [];
  live.forEach(({ by }, at) => {
    const edit = by === null ? undefined : authors.get(by);
    if (!edit) return;
    const last = spans.at(-1);
    if (last && last.to === at && isOne(last.edit, edit)) {
      const older = last.edit.at <= edit.at ? last.edit : edit;
      spans[spans.length - 1] = { from: last.from, to: at + 1, edit: older };
    } else spans.push({ from: at + 1, to: at + 1, edit });
  });
  return spans;
};

export const goneLines = (weave: Weave): GoneLines[] => {
  const authors = new Map(weave.edits.map((edit) => [edit.id, edit]));
  const found: GoneLines[] = [];
  const live = weave.rows.filter(({ gone }) => gone === null);
  let [at, was] = [0, 0];
  for (const { by, gone } of weave.rows) {
    if (by === null) was += 1;
    if (gone === null) {
      at += 1;
      continue;
    }
    const edit = authors.get(gone);
    const isReplaced = live[at - 1]?.by === gone || live[at]?.by === gone;
    if (by !== null || !edit || isReplaced) continue;
    const last = found.at(-1);
    if (last && last.after === at && isSameHand(last.edit, edit)) {
      found[found.length - 1] = { ...last, count: last.count + 1 };
    } else found.push({ after: at, count: 1, was, edit });
  }
  return found;
};

const isSameHand = (one: LineEdit, other: LineEdit): boolean =>
  one.actor === other.actor && one.kind === other.kind && one.task === other.task;
