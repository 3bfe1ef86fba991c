/** Text of others as one harmless line. */
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";

/** Terminal escapes and control characters are taken out, line breaks become spaces. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(escapes, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(controls, "")
    .trim();

/** The text as it is kept. Throws USAGE for an empty one and INPUT_TOO_LARGE. */
export const checkNoticeText = (text: string): string => {
  if (Buffer.byteLength(text, "utf8") > limits.noticeTextBytesMax) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `the text is longer than ${limits.noticeTextBytesMax} bytes; put it into a file and name that`,
    );
  }
  const line = oneLine(text);
  if (line === "") throw new HeadgateError("USAGE", "the text is empty");
  return line;
};

/** CSI, OSC (up to its end) and two-character sequences. */
const escapes =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
/** The rest of them, and characters that reorder or hide text. */
const controls =
  // oxlint-disable-next-line no-control-regex -- as above.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;
