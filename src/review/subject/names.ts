/** What a file's name says: a document, a program's work, somebody else's code. */
import { isGeneratedName, isVendoredFolder } from "../../profile/index.ts";

/** Plans, requirements, notes. Lists that programs read have the same endings. */
export const isDocumentName = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (!/\.(?:md|markdown|mdx|txt|rst|adoc|asciidoc|org)$/.test(name)) return false;
  return !/^(?:requirements|constraints|cmakelists|robots|humans|ads|manifest|go\.mod)[\w.-]*\.txt$/.test(
    name,
  );
};

/** Lock files, bundles, protocol code, and what was copied in from others. */
export const isForeignName = (path: string): boolean => {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  return (
    isGeneratedName(name) ||
    lockNames.has(name) ||
    // The settings of this program lie beside what it leaves out elsewhere.
    parts.some((folder, at) => folder !== ".headgate" && isVendoredFolder(folder, at === 0))
  );
};

const lockNames = new Set([
  "npm-shrinkwrap.json",
  "Package.resolved",
  "gradle.lockfile",
  "mix.lock",
  "deno.lock",
  "bun.lock",
  ".terraform.lock.hcl",
]);

/** Says so itself at its beginning, or has lines that nobody writes. */
export const isForeignText = (text: string): boolean => {
  const head = text.slice(0, headLength);
  if (/^.{0,12}\bcode generated\b.{0,200}\bdo not edit\b/im.test(head)) return true;
  if (/^\W{0,12}@generated\b/m.test(head)) return true;
  if (text.length < longLine) return false;
  const lines = text.split("\n");
  return text.length / lines.length > averageLine && lines.some((line) => line.length > longLine);
};

const headLength = 2000;
/** Bundled code has few lines, each of them very long. */
const longLine = 5000;
const averageLine = 500;
