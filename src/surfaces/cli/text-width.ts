/**
 * How many columns of a terminal a text takes. Terminals differ about rare characters; what is common
 * (Latin, marks on top of letters, East Asian characters, emoji) is counted right.
 */
export const textWidth = (text: string): number => {
  if (narrowOnly.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
};

/** The text in at most `width` columns: the middle of a longer one gives way to `…`. */
export const cutMiddle = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text;
  if (width <= 1) return width === 1 ? "…" : "";
  const chars = [...text];
  // Paths and session ids differ at their ends, so the end gets the odd column.
  const head = fitting(chars, Math.floor((width - 1) / 2));
  const tail = fitting(chars.toReversed(), width - 1 - textWidth(head.join("")));
  return `${head.join("")}…${tail.toReversed().join("")}`;
};

const fitting = (chars: readonly string[], width: number): string[] => {
  const taken: string[] = [];
  let left = width;
  for (const char of chars) {
    left -= charWidth(char);
    if (left < 0) break;
    taken.push(char);
  }
  return taken;
};

const charWidth = (char: string): number => (zero.test(char) ? 0 : wide.test(char) ? 2 : 1);

const narrowOnly = /^[\u0020-\u02ff\u2010-\u2027]*$/;
const zero = /^\p{M}$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;
