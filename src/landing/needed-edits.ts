/**
 * Edits of others that a part cannot do without: they define a name that the part's own lines use, and nothing
 * else in the file's part does (NEEDS_FOREIGN).
 */
import type { LineEdit, LineRow } from "../lines/index.ts";
import type { Outline } from "../structure/index.ts";
import type { PartFile } from "./own-part.ts";

/** `whole` is the outline of the file in the working tree, `part` that of the part. */
const neededEdits = (
  file: PartFile,
  outlines: { readonly whole: Outline; readonly part: Outline },
): readonly LineEdit[] => {
  const { record, edits } = file;
  const { rows } = record.weave;
  const live = rows.filter(({ gone }) => gone === null);
  const known = definedNames(outlines.part);
  const authors = new Map(record.weave.edits.map((edit) => [edit.id, edit]));
  const defined = new Map<string, LineEdit>();
  for (const { name, range } of definitions(outlines.whole)) {
    // A comment above belongs to it, and may be of another than the line that names it.
    const inside = live.slice(range.start.line - 1, range.end.line);
    const by = inside.find((row) => readWords([row]).has(name))?.by ?? null;
    const author = by === null || edits.has(by) ? undefined : authors.get(by);
    if (author && !known.has(name)) defined.set(name, author);
  }
  if (defined.size === 0) return [];
  const used = readWords(rows.filter(({ by }) => by !== null && edits.has(by)));
  return [...new Set([...defined].flatMap(([name, author]) => (used.has(name) ? [author] : [])))];
};

/** Edits of others that the parts of these files need, by path. */
export const findNeeds = async (
  files: readonly PartFile[],
  outline: (content: Buffer, path: string) => Promise<{ readonly outline: Outline }>,
): Promise<Map<string, ReadonlySet<string>>> => {
  const found = new Map<string, ReadonlySet<string>>();
  for (const file of files) {
    const { path, current, content, isOwn, isWhole } = file;
    if (isWhole || !isOwn || !current || !content) continue;
    const [whole, part] = [await outline(current, path), await outline(content, path)];
    const edits = neededEdits(file, { whole: whole.outline, part: part.outline });
    if (edits.length > 0) found.set(path, new Set(edits.map(({ id }) => id)));
  }
  return found;
};

/** Everything of others in the files that were taken apart. */
export const othersIn = (files: readonly PartFile[]): [string, ReadonlySet<string>][] =>
  files
    .filter(({ isWhole, isOwn }) => !isWhole && isOwn)
    .map(({ path, record }) => [path, new Set(record.weave.edits.map(({ id }) => id))]);

const definitions = ({
  symbols,
  imports,
}: Outline): { readonly name: string; readonly range: Outline["symbols"][number]["range"] }[] => [
  ...symbols.map(({ name, range }) => ({ name, range })),
  ...imports.flatMap(({ names, range }) => names.map(({ as }) => ({ name: as, range }))),
];

const definedNames = (outline: Outline): Set<string> =>
  new Set(definitions(outline).map(({ name }) => name));

const readWords = (rows: readonly LineRow[]): Set<string> =>
  new Set(rows.flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
