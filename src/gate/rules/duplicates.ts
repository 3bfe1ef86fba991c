/** E-02: adding what exists already is refused, in the scope and by the key of the language. */
import { commandLine } from "../../base/shell-word.ts";
import {
  type Duplicate,
  findDuplicates,
  newDuplicates,
  type SyntaxError,
} from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import { type Finding, findingsMax } from "./rule.ts";

export const duplicates = async (one: FileCase): Promise<readonly Finding[]> => {
  const { after, path } = one;
  const found = broughtIn(one);
  if (!after) return [];
  const whole = wholeFileTwice(one);
  if (whole) return [whole];
  if (found.length === 0) return [];
  const errors = (await one.syntaxAfter())?.errors ?? [];
  // A file that does not parse is refused for that; what its outline shows there is a guess.
  const isBroken = errors.some((error) => !isRedeclaration(error));
  if (isBroken && after.outline.coverage.syntax.state === "live") return [];
  return found.slice(0, findingsMax).map((duplicate) => toFinding(one, duplicate, path));
};

/** What the change defines a second time. */
export const broughtIn = ({ before, after }: FileCase): Duplicate[] => {
  if (!after || after.outline.coverage.duplicates.state === "off") return [];
  const old = before ? findDuplicates(before.outline, before.source) : [];
  return newDuplicates(old, findDuplicates(after.outline, after.source));
};

/** Some parsers count a name that is declared twice among the syntax errors. */
export const isRedeclaration = ({ message }: SyntaxError): boolean =>
  /already been declared|duplicated? (export|identifier|declaration|__proto__)/i.test(message);

const toFinding = (one: FileCase, duplicate: Duplicate, path: string): Finding => {
  const { first, second, name } = duplicate;
  // Which of the two is new? The one that was not there before.
  const isFirstNew =
    one.oldLine(first.line) === undefined && one.oldLine(second.line) !== undefined;
  const [old, added] = isFirstNew ? [second, first] : [first, second];
  const where = describeScope(duplicate);
  const what = describeKind(duplicate);
  const code = one.after?.source.text.slice(added.span.from, added.span.to) ?? "";
  const isDoubted =
    isInProblem(one, old.line) || isInProblem(one, added.line) || isLostAnywhere(one);
  return {
    level: isDoubted || isHarmless(one, duplicate) ? "note" : "deny",
    code: codes[duplicate.kind],
    path,
    line: added.line,
    ...(duplicate.kind === "symbol" && { symbol: old.path }),
    message: `${what} '${name}' already exists${where} at line ${old.line}${isDoubted ? " (the parsers disagree about this part of the file)" : ""}; use modify`,
    remedy: remedyOf(duplicate, path, old.path),
    ...(duplicate.kind === "symbol" && {
      call: { do: "modify", file: path, symbol: old.path.replace(/~\d+$/, ""), code },
    }),
  };
};

/** These languages import a second time without a word. */
const isHarmless = ({ after }: FileCase, { kind }: Duplicate): boolean =>
  kind === "import" && /^(python|java|ruby)$/.test(after?.outline.language ?? "");

const codes = {
  symbol: "DUPLICATE_SYMBOL",
  import: "DUPLICATE_IMPORT",
  export: "DUPLICATE_EXPORT",
  key: "DUPLICATE_KEY",
} as const;

const describeScope = ({ kind, within }: Duplicate): string => {
  if (within === "") return "";
  return kind === "key" ? ` in '${within}'` : ` in class '${within}'`;
};

const describeKind = ({ kind, symbolKind }: Duplicate): string => {
  if (kind !== "symbol") return { import: "Import", export: "Export", key: "Key" }[kind];
  const word = symbolKind ?? "symbol";
  return word.charAt(0).toUpperCase() + word.slice(1);
};

const remedyOf = (duplicate: Duplicate, path: string, existing: string): string => {
  if (duplicate.kind === "import") return "Leave the second import out; the first one is enough.";
  if (duplicate.kind === "key") return "Change the existing key instead of adding it again.";
  if (duplicate.kind === "export") return "Export it once.";
  return `Change the existing one: headgate edit modify ${commandLine([path, existing])}, or choose another name.`;
};

/** Where the structure parser lost its way, what it says about a line is a guess. */
const isInProblem = ({ after }: FileCase, line: number): boolean =>
  (after?.outline.problems ?? []).some((problem) => Math.abs(problem.line - line) <= 3);

/** These grammars, once lost, show parts of one definition as parts of another, far from the place. */
const isLostAnywhere = ({ after }: FileCase): boolean =>
  /^(swift|kotlin|scala|lua|bash)$/.test(after?.outline.language ?? "") &&
  (after?.outline.problems.length ?? 0) > 0;

/** Grammars lose their way where the second one begins; to see that everything is there twice needs none. */
const wholeFileTwice = ({ path, before, after }: FileCase): Finding | undefined => {
  if (!after || !/^(swift|kotlin|scala|lua|bash)$/.test(after.outline.language)) return undefined;
  const [first] = after.outline.symbols.filter(({ body }) => body);
  if (!first || !isPastedTwice(after.source.text) || isPastedTwice(before?.source.text ?? ""))
    return undefined;
  return {
    level: "deny",
    code: "DUPLICATE_SYMBOL",
    path,
    line: first.range.start.line,
    symbol: first.path,
    message: `the whole of ${path} is in it twice, from '${first.name}' at line ${first.range.start.line} on`,
    remedy: "Write the file once, or change the part that was meant (modify, replace).",
  };
};

/** The whole file, and then the whole file again. */
const isPastedTwice = (text: string): boolean => {
  const lines = text.trim().split(/\r\n|\r|\n/);
  return [0, 1, 2].some((blanks) => {
    const half = (lines.length - blanks) / 2;
    return (
      half >= 3 && lines.slice(0, half).every((line, at) => line === lines[at + half + blanks])
    );
  });
};
