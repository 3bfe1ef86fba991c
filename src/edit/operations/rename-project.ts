/**
 * E-22: a rename follows a definition into the files that import it: by name, under another name, through a module
 * (`a.total`), through re-exports. All of it or nothing. A place that may mean it, but is not proven to, is
 * listed and stops the rename; strings and comments are listed and left alone.
 */
import { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import { familyOf, type Outline, type Span } from "../../structure/index.ts";
import type { Document } from "./document.ts";
import { everySymbol, findSymbol, type Found } from "./find-symbol.ts";
import { openOthers, type Other, type ProjectUses, resolveModule } from "./project-uses.ts";
import { freeUses, namedInList, renaming, replaceUse, wordsIn } from "./rename-symbol.ts";
import type { Splice } from "./text-lines.ts";

export interface Rename {
  readonly file: string;
  readonly symbol: string;
  readonly to: string;
  /** Only the definition's own file. */
  readonly fileOnly?: boolean;
  /** Renames all that is certain, although more may mean it. */
  readonly force?: boolean;
}

export interface RenamePlan {
  readonly files: readonly { readonly document: Document; readonly splices: readonly Splice[] }[];
  /** Strings and comments that name it. */
  readonly mentions: readonly Reason[];
}

/** Throws RENAME_UNCERTAIN with the places (`data.reasons`). */
export const renameInProject = async (
  operation: Rename,
  open: (path: string) => Promise<Document>,
  uses: ProjectUses | undefined,
): Promise<RenamePlan> => {
  const home = await open(operation.file);
  const own = { document: home, splices: renaming(home, operation) };
  const found = findSymbol(home, operation.symbol);
  if (operation.fileOnly || !uses || isLocal(found)) return { files: [own], mentions: [] };
  const { name } = found.symbol;
  const others = await openOthers(name, { home, uses, open });
  const followed = follow(found, { home, others, uses, operation });
  const mentions = [home, ...others.flatMap(({ document }) => document ?? [])].flatMap((document) =>
    mentionsIn(document, name),
  );
  if (followed.uncertain.length > 0 && !operation.force) {
    throw uncertain(operation, followed.uncertain);
  }
  return { files: [own, ...followed.files], mentions: [...mentions, ...followed.uncertain] };
};

const uncertain = ({ file, symbol, to }: Rename, reasons: readonly Reason[]): HeadgateError => {
  const places = reasons.length === 1 ? "1 place" : `${reasons.length} places`;
  return new HeadgateError(
    "RENAME_UNCERTAIN",
    `${symbol} in ${file} was not renamed to ${to}: ${places} may mean it, and that is not certain`,
    { data: { path: file, symbol, to, reasons: reasons.slice(0, shownMax) } },
  );
};

const shownMax = 50;

/** Defined inside of a function: no other file can mean it. */
const isLocal = ({ parent }: Found): boolean =>
  parent !== undefined && ["function", "method", "constructor"].includes(parent.kind);

interface UseSearch {
  readonly home: Document;
  readonly others: readonly Other[];
  readonly uses: ProjectUses;
  readonly operation: Rename;
}

interface FollowedUses {
  readonly files: RenamePlan["files"];
  readonly uncertain: readonly Reason[];
}

const follow = (found: Found, search: UseSearch): FollowedUses => {
  const { home, others } = search;
  const { name } = found.symbol;
  if (found.parent !== undefined || familyOf(home.language) === "other") {
    // Which object is before the dot, or which package a file belongs to, the text does not say.
    const isMember = found.parent !== undefined;
    return { files: [], uncertain: others.flatMap((other) => unproven(other, name, isMember)) };
  }
  if (isOtherExport(home, name)) return { files: [], uncertain: [] };
  // The files in which the name means this definition: its own, and those that pass it on.
  const modules = new Set([home.path]);
  for (let size = 0; size !== modules.size;) {
    size = modules.size;
    for (const { document } of others) {
      if (document && passesOn(document, name, { modules, search })) modules.add(document.path);
    }
  }
  const looked = others.map((other) => lookInto(other, name, { modules, search }));
  return {
    files: looked.flatMap(({ change }) => change ?? []),
    uncertain: looked.flatMap((one) => one.uncertain),
  };
};

/** `export { x as total }`: to others that name is something else. */
const isOtherExport = (home: Document, name: string): boolean =>
  home.outline.exports.some(
    (one) =>
      one.name === name &&
      wordsIn(home, name).some(
        (word) =>
          isInRange(home, word, one.range) && /\bas\s+$/.test(home.text.slice(0, word.from)),
      ),
  );

interface Known {
  readonly modules: ReadonlySet<string>;
  readonly search: UseSearch;
}

/** How a module that is named in a file relates to the definition. */
const relation = (
  module: string,
  from: string,
  { modules, search }: Known,
): "ours" | "other" | "unsure" => {
  const { home, uses } = search;
  const resolved = resolveModule(module, from, { uses, language: home.language });
  if (resolved.kind === "package") return "other";
  // No folder of the project is called so. An alias of its settings would be.
  if (resolved.kind === "unknown") return /^[@~]/.test(module) ? "unsure" : "other";
  if (resolved.path === undefined) return "unsure";
  if (modules.has(resolved.path)) return "ours";
  // Two files answer to the name, and the first one was taken.
  const wanted = module.replace(/^\.+/, "").replaceAll(".", "/");
  const ownName = home.path.replace(/(\/__init__)?\.pyi?$/, "");
  const isTwin =
    home.language === "python" &&
    !module.startsWith(".") &&
    wanted !== "" &&
    ownName.endsWith(`/${wanted}`);
  return isTwin ? "unsure" : "other";
};

/** Importing a name in Python, or exporting it again, makes it a name of this file as well. */
const passesOn = (document: Document, name: string, known: Known): boolean => {
  const { outline, path, language } = document;
  const isOurs = (module: string): boolean => relation(module, path, known) === "ours";
  const exports = outline.exports.some(
    (one) =>
      one.from !== undefined &&
      isOurs(one.from) &&
      (one.name === "*" || (one.name === name && isPlainReexport(document, one, name))),
  );
  if (exports) return true;
  const imported = outline.imports.some(
    (one) =>
      isOurs(one.from) && one.names.some((given) => given.name === name && given.as === name),
  );
  if (!imported) return false;
  return (
    language === "python" ||
    outline.exports.some((one) => one.from === undefined && one.name === name)
  );
};

/** `export { total } from`, and not `export { x as total } from`. */
const isPlainReexport = (
  document: Document,
  { range }: Outline["exports"][number],
  name: string,
): boolean =>
  wordsIn(document, name).some(
    (word) =>
      isInRange(document, word, range) && !/\bas\s+$/.test(document.text.slice(0, word.from)),
  );

const isInRange = (
  { source }: Document,
  { from }: Span,
  range: Outline["exports"][number]["range"],
): boolean => {
  const { line } = source.position(from);
  return line >= range.start.line && line <= range.end.line;
};

interface Looked {
  readonly change?: RenamePlan["files"][number];
  readonly uncertain: readonly Reason[];
}

const lookInto = (other: Other, name: string, known: Known): Looked => {
  const { document, path } = other;
  const { operation } = known.search;
  if (!document) return { uncertain: unproven(other, name, false) };
  const spans: Span[] = [];
  const unsure: Span[] = [];
  const words = wordsIn(document, name);
  const statements = document.outline.imports.map(({ span }) => span);
  const isIn = (outer: Span, one: Span): boolean => outer.from <= one.from && one.to <= outer.to;
  const behind = (receiver: string): Span[] =>
    words.filter(({ from }) =>
      isReceiver(document.text.slice(Math.max(0, from - 200), from), receiver),
    );
  let isBound = false;
  for (const { from, names, span } of document.outline.imports) {
    const how = relation(from, path, known);
    const named = words.filter((word) => isIn(span, word) && isImported(document, word, span));
    for (const given of names) {
      if (given.name === name && how !== "other") {
        (how === "ours" ? spans : unsure).push(...named);
        if (given.as === name && how === "ours") isBound = true;
      } else if (given.name === "" || (given.name === "*" && given.as !== "*" && given.as !== "")) {
        if (how !== "other") (how === "ours" ? spans : unsure).push(...behind(given.as));
      } else if (document.language === "python" && given.name !== "*") {
        const module = from.endsWith(".") ? from + given.name : `${from}.${given.name}`;
        if (relation(module, path, known) === "ours") spans.push(...behind(given.as));
      } else if (given.name === "*" && how === "ours") {
        // Everything is taken over, and what is bound here afterwards is not certain.
        unsure.push(
          ...freeUses(document, name).filter((use) => !statements.some((one) => isIn(one, use))),
        );
      }
    }
  }
  for (const one of document.outline.exports) {
    if (one.from === undefined || one.name === "*") continue;
    const how = relation(one.from, path, known);
    const named = words.filter(
      (word) =>
        isInRange(document, word, one.range) && !/\bas\s+$/.test(document.text.slice(0, word.from)),
    );
    if (how !== "other") (how === "ours" ? spans : unsure).push(...named);
  }
  unsure.push(...runtimeImports(document, words, known));
  if (isBound) {
    spans.push(
      ...freeUses(document, name).filter((use) => !statements.some((one) => isIn(one, use))),
    );
    spans.push(...namedInList(document, name));
    if (everySymbol(document).some(({ symbol, parent }) => !parent && symbol.name === name)) {
      unsure.push(...spans.slice(0, 1));
    }
  }
  const isTaken = isBound && wordsIn(document, operation.to).length > 0;
  if (isTaken) unsure.push(...wordsIn(document, operation.to).slice(0, 1));
  const unique = new Map(spans.map((span) => [span.from, span]));
  const splices = [...unique.values()].map((span) =>
    replaceUse(document, span, name, operation.to),
  );
  return {
    ...(splices.length > 0 && { change: { document, splices } }),
    uncertain:
      unique.size === 0 && unsure.length === 0
        ? []
        : places(document, unsure, name, isTaken ? operation.to : undefined),
  };
};

/** The name as it is called there, not the one that it gets here, nor a part of the module's own name. */
const isImported = ({ text, language }: Document, { from }: Span, span: Span): boolean => {
  const before = text.slice(span.from, from);
  if (/\bas\s+$/.test(before)) return false;
  return language !== "python" || /\bimport\b/.test(before) || !/^\s*from\b/.test(before);
};

const isReceiver = (before: string, receiver: string): boolean => {
  if (receiver === "" || receiver === "*") return false;
  const end = /(?:\?\.|!\.|\.)\s*$/.exec(before);
  if (!end) return false;
  const head = before.slice(0, end.index).trimEnd();
  return head.endsWith(receiver) && !/[\p{L}\p{N}_$.]$/u.test(head.slice(0, -receiver.length));
};

/** `require("./a")`, `import("./a")`: what becomes of the module is not followed. */
const runtimeImports = (document: Document, words: readonly Span[], known: Known): Span[] => {
  if (document.language === "python") return [];
  const calls = document.text.matchAll(/\b(?:require|import)\s*\(\s*["'`]([^"'`]+)["'`]/g);
  const isOurs = [...calls].some(
    ([, module = ""]) => relation(module, document.path, known) === "ours",
  );
  return isOurs ? [...words] : [];
};

const unproven = ({ path, document }: Other, name: string, isMember: boolean): Reason[] => {
  if (!document)
    return [asReason(path, undefined, `${name} occurs in a file that has no structure`)];
  const words = wordsIn(document, name).filter(
    ({ from }) =>
      !isMember || /(?:\.|->|::)\s*$/.test(document.text.slice(Math.max(0, from - 50), from)),
  );
  return places(document, words, name);
};

const places = (
  document: Document,
  spans: readonly Span[],
  name: string,
  taken?: string,
): Reason[] => {
  const lines = new Set(spans.map(({ from }) => document.lineOf(from)));
  const text = document.text.split(/\r\n|\r|\n/);
  return [...lines].map((line) => {
    const shown = (text[line - 1] ?? "").trim().slice(0, 100);
    const isTaken = taken !== undefined && (text[line - 1] ?? "").includes(taken);
    return asReason(
      document.path,
      line,
      isTaken ? `'${taken}' is used here already: ${shown}` : `may mean '${name}': ${shown}`,
    );
  });
};

const asReason = (path: string, line: number | undefined, message: string): Reason => ({
  code: "RENAME_UNCERTAIN",
  path,
  ...(line !== undefined && { line }),
  message,
  remedy: "Look at it. `--file-only` renames in the definition's own file alone.",
});

const mentionsIn = (document: Document, name: string): Reason[] => {
  const code = new Set(wordsIn(document, name).map(({ from }) => from));
  const listed = new Set(namedInList(document, name).map(({ from }) => from));
  const lines = new Map<number, string>();
  const word = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`,
    "gu",
  );
  for (const { index } of document.text.matchAll(word)) {
    if (!code.has(index) && !listed.has(index)) lines.set(document.lineOf(index), name);
  }
  return [...lines.keys()].slice(0, mentionsMax).map((line) => ({
    code: "RENAME_MENTION",
    path: document.path,
    line,
    message: `a string or comment names '${name}' and was left as it is`,
    remedy: "Change it by hand where it means the definition.",
  }));
};

const mentionsMax = 20;
