/**
 * Two titles that read the same but for their subject ("Missing null check on user", "Missing null check on order") are
 * about two problems: independent reviewers hardly ever choose the same words for one problem and another subject.
 */
import { conceptOf } from "./concepts.ts";
import { stemOf } from "./stem.ts";
import { stopWords } from "./stop-words.ts";

export interface TitleWords {
  readonly stems: readonly string[];
  /** Small words of grammar carry no subject. */
  readonly carries: readonly boolean[];
}

export const titleWords = (title: string): TitleWords => {
  const words = [...title.matchAll(/[\p{L}\p{N}_$]+(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*/gu)]
    .slice(0, wordsMax)
    .map(([word]) => word.toLowerCase());
  return {
    stems: words.map(stemOf),
    carries: words.map((word) => !stopWords.has(word)),
  };
};

/** The same frame around different subjects. */
export const isContrast = (left: TitleWords, right: TitleWords): boolean => {
  const longer = Math.max(left.stems.length, right.stems.length);
  if (longer < 2) return false;
  const { leftRest, rightRest, shared } = compareSequences(left, right);
  if (shared * 2 < longer || leftRest.length === 0 || rightRest.length === 0) return false;
  return !leftRest.some((word) => rightRest.some((other) => areAlike(word, other)));
};

const areAlike = (left: string, right: string): boolean => {
  if (left === right) return true;
  const concept = conceptOf(left);
  return concept !== undefined && concept === conceptOf(right);
};

/** The longest common subsequence, and what of each title with a meaning of its own is not in it. */
const compareSequences = (left: TitleWords, right: TitleWords) => {
  const [rows, columns] = [left.stems.length, right.stems.length];
  const width = columns + 1;
  const lengths = new Uint8Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left.stems[row] === right.stems[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const leftRest: string[] = [];
  const rightRest: string[] = [];
  const take = (rest: string[], { stems, carries }: TitleWords, index: number): void => {
    const stem = stems[index];
    if (stem !== undefined && carries[index]) rest.push(stem);
  };
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    if (row < rows && column < columns && left.stems[row] === right.stems[column]) {
      row += 1;
      column += 1;
    } else if (column >= columns || (row < rows && at(row + 1, column) >= at(row, column + 1))) {
      take(leftRest, left, row);
      row += 1;
    } else {
      take(rightRest, right, column);
      column += 1;
    }
  }
  return { leftRest, rightRest, shared: at(0, 0) };
};

/** A title is a sentence; what follows is a paragraph. */
const wordsMax = 40;
