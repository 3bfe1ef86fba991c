/**
 * Given code made to fit its place: outer indentation taken off, the file's unit of indentation, the
 * place's indentation and the file's line endings put on. What stands inside a string stays as it is; a
 * Python docstring alone moves with its function, as its readers strip its indentation (PEP 257).
 */
import { scan, type Scanned, type ScannedLine } from "../../structure/index.ts";

export interface Fit {
  readonly language: string;
  readonly block: "indent" | "braces" | "end";
  readonly indent: string;
  /** The file's own unit; undefined leaves the code's. */
  readonly unit: string | undefined;
  readonly lineEnding: string;
}

/** Every line with its indentation, without a line ending at the end. */
export const fitCode = (given: string, fit: Fit): string => {
  const plain = trimmed(given);
  const scanned = scan(plain, fit.language);
  const docstrings = fit.language === "python" ? docstringLines(plain, scanned) : new Set<number>();
  const lines = scanned.lines.map((line, index) => ({
    ...line,
    index,
    text: plain.slice(line.from, scanned.lines[index + 1]?.from ?? plain.length).replace(/\n$/, ""),
  }));
  const rest = restIndent(lines, fit);
  const code = lines.filter(({ begins, index }) => begins === "code" && !(index === 0 && rest));
  // Comments and directives may stand at the margin; they do not say how deep the code stands.
  const starts = new Set(scanned.comments.map(({ from }) => from));
  const isLoose = ({ from, text }: { from: number; text: string }): boolean =>
    starts.has(from + text.length - text.trimStart().length) ||
    (hasDirectives.has(fit.language) && text.startsWith("#"));
  const firm = code.filter((line) => !isLoose(line));
  const outer = commonIndent(firm.some(({ text }) => text.trim() !== "") ? firm : code);
  const convert = converter(plain, scanned, fit);
  const isInPlace = outer === fit.indent && convert === unchanged;
  const shift = (text: string): string | undefined => {
    if (!text.startsWith(outer)) return undefined;
    const inner = /^[ \t]*/.exec(text.slice(outer.length))?.[0] ?? "";
    return fit.indent + convert(inner) + text.slice(outer.length + inner.length);
  };
  const fitted = lines.map(({ begins, text, index }) => {
    if (begins === "string" && !docstrings.has(index)) return text;
    if (isInPlace && !(index === 0 && rest)) return text;
    if (/^[ \t]*$/.test(text)) return begins === "code" ? "" : text;
    if (index === 0 && rest) return fit.indent + text;
    if (hasDirectives.has(fit.language) && text.startsWith("#")) return text;
    return shift(text) ?? text;
  });
  return fitted.join(fit.lineEnding);
};

const hasDirectives = new Set(["c", "cpp", "csharp"]);

const trimmed = (code: string): string =>
  code
    .replaceAll(/\r\n?/g, "\n")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();

/**
 * Copied code often lost the indentation of its first line only. It shows where the last line closes what
 * the first one opened, and stands less deep than what is between them.
 */
const restIndent = (
  lines: readonly { begins: string; text: string; depth: number }[],
  fit: Fit,
): boolean => {
  const [first, second] = lines;
  const last = lines.at(-1);
  if (fit.block === "indent" || !first || !second || !last || /^[ \t]/.test(first.text))
    return false;
  if (last.begins !== "code" || !/^[ \t]+(?:[})\]]|end\b)/.test(last.text)) return false;
  if (fit.block === "braces" && second.depth === 0) return false;
  const between = lines.slice(1, -1).filter(({ begins }) => begins === "code");
  const outer = /^[ \t]*/.exec(last.text)?.[0] ?? "";
  const inner = commonIndent(between);
  return inner.length > outer.length && inner.startsWith(outer);
};

const commonIndent = (lines: readonly { text: string }[]): string => {
  let common: string | undefined;
  for (const { text } of lines) {
    if (/^[ \t]*$/.test(text)) continue;
    const own = /^[ \t]*/.exec(text)?.[0] ?? "";
    common ??= own;
    while (!own.startsWith(common)) common = common.slice(0, -1);
  }
  return common ?? "";
};

/** Lines inside the first string of a function or class, where that string is a statement of its own. */
const docstringLines = (text: string, { strings, comments, lines }: Scanned): Set<number> => {
  const found = new Set<number>();
  for (const { from, to } of strings) {
    const first = lines.findLastIndex((line) => line.from <= from);
    const last = lines.findLastIndex((line) => line.from < to);
    if (first === last || lines[first]?.depth !== 0) continue;
    if (
      !/^[ \t]*[rRuU]?$/.test(
        text.slice(lines[first]?.from, from) + (/^\w*/.exec(text.slice(from))?.[0] ?? ""),
      )
    )
      continue;
    if (!/^[ \t]*(?:#|\n|$)/.test(text.slice(to))) continue;
    if (!/:\s*$/.test(withoutComments(text.slice(0, from), comments))) continue;
    const own = lines.slice(first + 1, last + 1);
    for (const [index] of own.entries()) found.add(first + 1 + index);
  }
  return found;
};

const withoutComments = (text: string, comments: Scanned["comments"]): string => {
  let end = text.trimEnd().length;
  for (const { from, to } of comments.toReversed()) {
    if (to !== end) continue;
    end = text.slice(0, from).trimEnd().length;
  }
  return text.slice(0, end);
};

/** The code's levels in the file's unit. Blanks beyond a level stay, for what is aligned. */
const converter = (text: string, scanned: Scanned, fit: Fit): ((blanks: string) => string) => {
  const steps = stepsOf(text, scanned, fit.block);
  const [unit] = steps.keys();
  const wanted = fit.unit;
  // Code with blocks of several depths follows no unit that could be converted.
  if (steps.size !== 1 || unit === undefined || wanted === undefined) return unchanged;
  if (unit === wanted) return unchanged;
  const convert = (blanks: string): string => {
    const levels = levelsOf(blanks, unit);
    return wanted.repeat(levels) + blanks.slice(levels * unit.length);
  };
  // Only whole levels are converted: a line between two of them shows that the unit is another one.
  const isRegular = scanned.lines.every(({ from, begins, depth }) => {
    const blanks = /[ \t]*/y;
    blanks.lastIndex = from;
    const own = blanks.exec(text)?.[0] ?? "";
    return begins !== "code" || depth > 0 || levelsOf(own, unit) * unit.length === own.length;
  });
  return isRegular ? convert : unchanged;
};

const unchanged = (blanks: string): string => blanks;

const levelsOf = (blanks: string, unit: string): number => {
  let levels = 0;
  while (blanks.startsWith(unit, levels * unit.length)) levels += 1;
  return levels;
};

/** What most blocks are indented by; undefined when there is no block. */
export const indentUnit = (
  text: string,
  scanned: Scanned,
  block: Fit["block"],
): string | undefined => [...stepsOf(text, scanned, block)].toSorted((a, b) => b[1] - a[1])[0]?.[0];

/** By how much blocks are indented, and how often. */
const stepsOf = (
  text: string,
  { lines, comments }: Scanned,
  block: Fit["block"],
): Map<string, number> => {
  const counts = new Map<string, number>();
  let before: { indent: string; opens: boolean } | undefined;
  const starts = new Set(comments.map(({ from }) => from));
  for (const [index, line] of lines.entries()) {
    const whole = text.slice(line.from, lines[index + 1]?.from ?? text.length);
    const indent = /^[ \t]*/.exec(whole)?.[0] ?? "";
    if (line.begins !== "code" || isEmptyLine(whole)) continue;
    if (starts.has(line.from + indent.length)) continue;
    if (before?.opens && indent !== before.indent && indent.startsWith(before.indent)) {
      const step = indent.slice(before.indent.length);
      const unit = step.startsWith("\t") ? "\t" : step;
      // A block under a line that stands between two levels is aligned with something, not indented.
      const isLevel = before.indent.length % unit.length === 0;
      const isUsual = /^(?:\t| {2}| {3}| {4}| {8})$/.test(unit);
      if (isLevel && isUsual) counts.set(unit, (counts.get(unit) ?? 0) + 1);
    }
    before = { indent, opens: opensBlock(line, whole, block) };
  }
  return counts;
};

const isEmptyLine = (text: string): boolean => /^\s*$/.test(text);

const opensBlock = (line: ScannedLine, text: string, block: Fit["block"]): boolean => {
  if (block === "end") return true;
  const code = text.replace(/(?:#|\/\/)[\s\S]*$/, "").trimEnd();
  return block === "indent" ? line.depth === 0 && code.endsWith(":") : code.endsWith("{");
};
