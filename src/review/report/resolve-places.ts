/**
 * Where a finding is, by the reviewed version and not by what a reviewer wrote: a path and a line that exist, and the symbol
 * around it. A place that does not exist is looked for by the quoted evidence; if it is nowhere, the finding is `unplaced`.
 */
import type { OutlineSymbol } from "../../structure/index.ts";
import { plural, showText } from "../../base/text.ts";
import type { Finding } from "../types.ts";

export interface PlacedFile {
  readonly path: string;
  /** Before it was renamed. */
  readonly oldPath?: string | undefined;
  /** Its text in the reviewed version; absent where it is not known. */
  readonly text?: string | undefined;
  readonly symbols?: readonly OutlineSymbol[] | undefined;
}

export interface ReviewedFiles {
  readonly files: readonly PlacedFile[];
  /** The text of a file that is not part of the change; undefined where there is none. */
  textOf(path: string): string | undefined;
}

export const resolvePlaces = (findings: readonly Finding[], reviewed: ReviewedFiles): Finding[] => {
  const search = searchIn(reviewed.files);
  return findings.map((finding) => resolvePlace(finding, reviewed, search));
};

type EvidenceSearch = (
  finding: Finding,
  within?: string,
) => { path: string; line: number } | undefined;

const resolvePlace = (
  finding: Finding,
  reviewed: ReviewedFiles,
  search: EvidenceSearch,
): Finding => {
  const { path, line } = finding;
  if (path === undefined) return finding;
  const file = fileFor(path, reviewed.files);
  if (!file) {
    const text = reviewed.textOf(path);
    if (text !== undefined) return checkLine(finding, { path, text }, search);
    const found = search(finding);
    return found
      ? placeAt(finding, fileFor(found.path, reviewed.files) ?? found, found.line)
      : unplace(finding, `${showText(path, 200)} does not exist in what was reviewed`);
  }
  const known = file.path === path ? finding : { ...finding, path: file.path };
  return line === undefined ? known : checkLine(known, file, search);
};

const checkLine = (finding: Finding, file: PlacedFile, search: EvidenceSearch): Finding => {
  const { line } = finding;
  // A deleted or unread file has no lines to compare with.
  if (line === undefined || file.text === undefined) return finding;
  const count = lineCount(file.text);
  if (line <= count) return placeAt(finding, file, line);
  const found = search(finding, file.path) ?? search(finding);
  if (found && found.path === file.path) return placeAt(finding, file, found.line);
  if (found) return { ...finding, path: found.path, line: found.line };
  return unplace(finding, `${showText(file.path, 200)} has ${plural(count, "line")}, not ${line}`);
};

const placeAt = (finding: Finding, { path, symbols = [] }: PlacedFile, line: number): Finding => {
  const symbol = symbolAt(symbols, line);
  return { ...finding, path, line, ...(symbol !== undefined && { symbol }) };
};

const unplace = (
  { path: _path, line: _line, symbol: _symbol, ...finding }: Finding,
  unplaced: string,
): Finding => ({ ...finding, unplaced });

/** By its path, by the path it had, or by the one file whose path ends so. */
const fileFor = (path: string, files: readonly PlacedFile[]): PlacedFile | undefined => {
  const exact =
    files.find((file) => file.path === path) ?? files.find(({ oldPath }) => oldPath === path);
  if (exact) return exact;
  const ending = path.replace(/^(?:\.{1,2}\/)+|^[ab]\//, "");
  const near = files.filter((file) => file.path === ending || file.path.endsWith(`/${ending}`));
  return near.length === 1 ? near[0] : undefined;
};

const lineCount = (text: string): number => {
  const lines = text.split(/\r\n?|\n/);
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
};

export const symbolAt = (symbols: readonly OutlineSymbol[], line: number): string | undefined => {
  const around = symbols.find(({ range }) => range.start.line <= line && line <= range.end.line);
  return around && (symbolAt(around.children, line) ?? around.path);
};

/** The one line of the change that holds what the reviewer quotes; of several none is sure. */
const searchIn = (files: readonly PlacedFile[]): EvidenceSearch => {
  let index: readonly { path: string; lines: readonly string[] }[] | undefined;
  return ({ body = "" }, within) => {
    index ??= files.flatMap(({ path, text }) =>
      text === undefined ? [] : [{ path, lines: text.split(/\r\n?|\n/).map(squeeze) }],
    );
    for (const quote of quotesIn(body)) {
      const places = index
        .filter(({ path }) => within === undefined || path === within)
        .flatMap(({ path, lines }) =>
          lines.flatMap((line, at) => (line.includes(quote) ? [{ path, line: at + 1 }] : [])),
        );
      if (places.length === 1) return places[0];
    }
    return undefined;
  };
};

/** Longest first: the more of it is quoted, the surer it is. */
const quotesIn = (body: string): string[] =>
  [
    ...[...body.matchAll(/`([^`\n]{1,400})`/g)].map(([, code = ""]) => code),
    ...[...body.matchAll(/^[ \t]*(?:>|```\w*\n)?([^\n]{8,400})$/gm)]
      .map(([, line = ""]) => line)
      .filter((line) => /[;{}()=<>]/.test(line) && !/^\s*(?:[-*#]|\*\*)/.test(line)),
  ]
    .map(squeeze)
    .filter((quote) => quote.length >= quoteLengthMin)
    .toSorted((left, right) => right.length - left.length)
    .slice(0, quotesMax);

const squeeze = (text: string): string => text.replace(/\s+/gu, "");
const quoteLengthMin = 8;
const quotesMax = 12;
