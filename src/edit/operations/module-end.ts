/** What stays last in a file, so that new definitions go before it. */
import type { Document } from "./document.ts";

const lastParts: Readonly<Record<string, RegExp>> = {
  python: /^if[ \t]+__name__[ \t]*==/gm,
  javascript: /^(?:module\.exports\b|export[ \t]*\{)/gm,
  typescript: /^(?:module\.exports\b|export[ \t]*(?:=|\{))/gm,
  php: /^\?>\s*$/g,
  rust: /^#\[cfg\(test\)\]\s*mod\b/gm,
  c: /^#[ \t]*endif\b[^\r\n]*\s*$/g,
  cpp: /^#[ \t]*endif\b[^\r\n]*\s*$/g,
};

/** Where that part's line begins; the end of the text when there is none. */
export const lastLineOfModule = ({ text, language, scanned }: Document): number => {
  const pattern = lastParts[language];
  if (!pattern) return text.length;
  const isCode = (at: number): boolean =>
    ![...scanned.strings, ...scanned.comments].some(({ from, to }) => from < at && at < to);
  const found = [...text.matchAll(new RegExp(pattern.source, "gm"))].filter(({ index }) =>
    isCode(index),
  );
  // Only a part that nothing but its kind follows is a last part; a guard in the middle is not.
  const last = language === "python" ? found[0] : found.at(-1);
  return last?.index ?? text.length;
};
