/**
 * Text of others inside a prompt. It stands between two lines that it cannot hold: a row of signs longer than any
 * in it, and a mark made from the run's secret. Every line of it begins with a number or a bar, so that it cannot
 * begin anything else either.
 */
import { sha256 } from "../../base/sha256.ts";

export const fenced = (
  text: string,
  nonce: string,
): { readonly text: string; readonly mark: string } => {
  let mark = "";
  for (let round = 0; mark === "" || text.includes(mark); round += 1) {
    mark = `data-${sha256(`fence\0${nonce}\0${round}`).slice(0, 16)}`;
  }
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(4, longest + 1));
  return { text: `${fence} ${mark}\n${text}\n${fence} end ${mark}`, mark };
};

/** Signs that move the cursor, hide or reorder text become visible: a reviewer must see them. */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .replace(unseen, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`);

const unseen =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
