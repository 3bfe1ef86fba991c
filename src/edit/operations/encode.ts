import { HeadgateError } from "../../errors.ts";
import type { SourceText } from "../../structure/index.ts";

/** The new text in the file's own encoding and with its mark. */
export const encodeFor = (
  { path, source }: { readonly path: string; readonly source: SourceText },
  text: string,
): Buffer => {
  const bytes = source.encode(text);
  if (bytes) return bytes;
  const at = text.search(source.encoding === "latin1" ? /[^\0-\xff]/ : /\p{Surrogate}/u);
  const line = text.slice(0, at).split(/\r\n|\r|\n/).length;
  const code = text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, "0");
  throw new HeadgateError(
    "ENCODING_UNFIT",
    `${path} is ${source.encoding === "latin1" ? "Latin-1 (it is not UTF-8)" : source.encoding}, which has no place for U+${code} in line ${line}.`,
    { data: { path, encoding: source.encoding, line, character: `U+${code}` } },
  );
};
