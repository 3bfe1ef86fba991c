/** Which files are documents, and which ones a program wrote. */
import { saysForeign } from "../../base/path-kinds.ts";

/** Plans, requirements, notes. Lists that programs read have the same endings. */
export const isDocumentName = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (!/\.(?:md|markdown|mdx|txt|rst|adoc|asciidoc|org)$/.test(name)) return false;
  return !/^(?:requirements|constraints|cmakelists|robots|humans|ads|manifest|go\.mod)[\w.-]*\.txt$/.test(
    name,
  );
};

/** Says so itself at its beginning, or has lines that nobody writes. */
export const isForeignText = (text: string): boolean => {
  if (saysForeign(text)) return true;
  if (text.length < longLine) return false;
  const lines = text.split("\n");
  return text.length / lines.length > averageLine && lines.some((line) => line.length > longLine);
};

/** Bundled code has few lines, each of them very long. */
const longLine = 5000;
const averageLine = 500;
