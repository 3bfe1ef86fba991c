/**
 * A reviewer's words as plain text. Whatever a report holds is data: terminal escapes, control characters
 * and signs that reorder or hide text are taken out, and the length is bounded.
 */

/** Several lines; tabs stay. */
export const plainText = (text: string, lengthMax: number = textLengthMax): string => {
  const plain = text
    .slice(0, lengthMax * 2)
    .toWellFormed()
    .replace(escapes, "")
    .replace(/\r\n?/g, "\n")
    .replace(hidden, "");
  return plain.length > lengthMax ? `${plain.slice(0, lengthMax).toWellFormed()}…` : plain;
};

/** One line, blanks collapsed. */
export const plainLine = (text: string, lengthMax: number = lineLengthMax): string => {
  const line = plainText(text, textLengthMax).replace(/\s+/gu, " ").trim();
  return line.length > lengthMax ? `${line.slice(0, lengthMax).toWellFormed()}…` : line;
};

/** A body longer than this is a document, not a finding. */
const textLengthMax = 20_000;
/** Titles in the wild stay below 200. */
const lineLengthMax = 400;

// CSI, OSC (ended by BEL or ST), and the other two-character escapes.
const escapes =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\u001b[@-_]|\u009b[0-?]*[ -/]*[@-~]/g;
const hidden =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
