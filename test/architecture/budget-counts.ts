import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseSync, type Program, Visitor } from "oxc-parser";
import { lineOf, sourceRoot } from "./source-tree.ts";

/**
 * Counts the numbers of budgets.json in the tree: the test compares them, `npm run budgets` writes
 * them. The trees come from oxc-parser, which also keeps the comments and visits 1,100 files in a second.
 */
export const repositoryRoot = resolve(sourceRoot, "..");

/** One thing that counts against a budget. */
export interface CountedPlace {
  /** Relative to the repository, with forward slashes. */
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** Of a repeat: the place that it repeats, which may be the newer of the two. */
  readonly first?: CountedPlace;
}

/** Budgets are numbers, or groups of them by word. */
export interface CountedBudgets {
  readonly bannedWordsInSource: Readonly<Record<string, readonly CountedPlace[]>>;
  readonly bannedWordsInDocs: Readonly<Record<string, readonly CountedPlace[]>>;
  /** Every declaration of a name after its first. */
  readonly repeatedTypeNames: readonly CountedPlace[];
  readonly functionsNamedOf: readonly CountedPlace[];
}

type NamedText = readonly [file: string, text: string];

/** Whole words in comments, strings and pages, never in names. */
export const bannedWords: Readonly<Record<string, RegExp>> = {
  anew: /\banew\b/gi,
  behind: /\bbehind\b/gi,
  blanks: /\bblanks\b/gi,
  // "there is no such file" and "is no longer" are plain English.
  "is no": /(?<!\bthere\s+)\bis\s+no\b(?!\s+longer\b)/gi,
  lies: /\blies\b/gi,
  meanwhile: /\bmeanwhile\b/gi,
  nobody: /\bnobody\b/gi,
  "so long": /\bso\s+long\b(?!\s+as\b)/gi,
  somebody: /\bsomebody\b/gi,
  stands: /\bstands\b/gi,
  told: /\btold\b/gi,
  // A sentence whose subject is a clause, or which is nothing but one. Questions are fine.
  "What …": /\bWhat\s[^.?!\0]*(?:[.!\0]|$)/g,
  whoever: /\bwhoever\b/gi,
  "words of this": /\bwords\s+of\s+this\b/gi,
};

export const countTree = (root = repositoryRoot): CountedBudgets =>
  countTexts(readTexts(root, "src/**/*.{ts,tsx}"), readTexts(root, "{*.md,docs/**/*.md}"));

export const countTexts = (
  sources: readonly NamedText[],
  pages: readonly NamedText[],
): CountedBudgets => {
  const parsed = sources.map(([file, text]) => ({ file, text, ...readParts(file, text) }));
  return {
    bannedWordsInSource: findBannedWords(
      parsed.map(({ file, text, prose }) => [file, keepProse(text, prose)]),
    ),
    // A blank line ends a sentence, so that a heading does not run into its text.
    bannedWordsInDocs: findBannedWords(
      pages.map(([file, text]) => [file, text.replace(/\n(?=\n)/g, "\0")]),
      pages,
    ),
    repeatedTypeNames: findRepeats(parsed.flatMap((one) => one.types)),
    functionsNamedOf: parsed.flatMap((one) => one.accessors),
  };
};

const readTexts = (root: string, pattern: string): NamedText[] =>
  globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => [path, readFileSync(resolve(root, path), "utf8")]);

const readParts = (file: string, text: string) => {
  const { program, comments } = parseSync(file, text);
  const prose: { start: number; end: number }[] = [...comments];
  const accessors: CountedPlace[] = [];
  const addText = (part: { start: number; end: number }): void => void prose.push(part);
  const addAccessor = (id: { type: string; start: number; name?: unknown }): void => {
    if (typeof id.name !== "string" || !/[a-z0-9]Of$/.test(id.name)) return;
    accessors.push({ file, line: lineOf(text, id.start), text: id.name });
  };
  const addIfFunction = (
    id: { type: string; start: number; name?: unknown },
    value: { type: string } | null,
  ): void => {
    if (/^(?:ArrowFunction|Function)Expression$/.test(value?.type ?? "")) addAccessor(id);
  };
  new Visitor({
    Literal: (node) => {
      if (typeof node.value === "string") addText(node);
    },
    TemplateElement: addText,
    JSXText: addText,
    FunctionDeclaration: ({ id }) => {
      if (id) addAccessor(id);
    },
    VariableDeclarator: ({ id, init }) => addIfFunction(id, init),
    MethodDefinition: ({ key }) => addAccessor(key),
    PropertyDefinition: ({ key, value }) => addIfFunction(key, value),
    Property: ({ key, value }) => addIfFunction(key, value),
  }).visit(program);
  return { prose, accessors, types: findTypes(program, file, text) };
};

const findTypes = (program: Program, file: string, text: string): CountedPlace[] =>
  program.body.flatMap((statement) => {
    const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    const isType =
      node?.type === "TSInterfaceDeclaration" ||
      node?.type === "TSTypeAliasDeclaration" ||
      node?.type === "TSEnumDeclaration" ||
      node?.type === "ClassDeclaration";
    if (!isType || !node.id) return [];
    return [{ file, line: lineOf(text, node.start), text: node.id.name }];
  });

const findRepeats = (types: readonly CountedPlace[]): CountedPlace[] => {
  const first = new Map<string, CountedPlace>();
  return types.flatMap((one) => {
    const earlier = first.get(one.text);
    if (!earlier) first.set(one.text, one);
    if (!earlier) return [];
    const text = `${one.text} (first in ${earlier.file}:${earlier.line})`;
    return [{ ...one, text, first: earlier }];
  });
};

/** Code becomes NUL, comment marks become spaces: a phrase may cross the end of a line, never code. */
const keepProse = (
  text: string,
  parts: readonly { readonly start: number; readonly end: number }[],
): string => {
  const kept: string[] = [];
  let done = 0;
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    kept.push(
      text.slice(done, start).replace(/\S/g, "\0"),
      text
        .slice(start, end)
        .replace(/^\/[/*]+|\*\/$|(?<=\n[ \t]*)\*/g, (mark) => " ".repeat(mark.length)),
    );
    done = end;
  }
  return [...kept, text.slice(done).replace(/\S/g, "\0")].join("");
};

const findBannedWords = (
  prose: readonly NamedText[],
  texts: readonly NamedText[] = prose,
): Record<string, CountedPlace[]> =>
  Object.fromEntries(
    Object.entries(bannedWords).map(([word, pattern]) => [
      word,
      prose.flatMap(([file, kept], at) =>
        [...kept.matchAll(pattern)].map(({ index }) => {
          const line = lineOf(texts[at]![1], index);
          return { file, line, text: kept.slice(index, index + 40).split(/[\n\0]/)[0]! };
        }),
      ),
    ]),
  );
