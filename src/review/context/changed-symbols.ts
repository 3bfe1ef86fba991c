/** Who calls what the change touches, and whom the changed lines call: by name, as the text shows it. */
import { type Git, splitNul } from "../../git/index.ts";
import {
  type Analyser,
  languageOf,
  type Outline,
  type OutlineSymbol,
} from "../../structure/index.ts";
import { limits } from "../../base/limits.ts";
import { changedLines } from "../subject/changed-lines.ts";
import type { Subject } from "../subject/types.ts";
import type { ChangedSymbol } from "./types.ts";

/** Throws what git throws. */
export const readChangedSymbols = async (
  subject: Subject,
  { git, analyser }: { readonly git: Git; readonly analyser: Analyser },
): Promise<ChangedSymbol[]> => {
  const touched = await touchedSymbols(subject, analyser);
  const names = new Set(touched.flatMap(({ name, calls }) => [name, ...calls]));
  const wanted = [...names].filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(name));
  if (wanted.length === 0) return [];
  const own = new Map(subject.files.map(({ path, after }) => [path, after]));
  const found = await filesWith(git, subject.head, wanted.slice(0, namesMax));
  const families = new Set(touched.map(({ path }) => languageOf(path)));
  const near = found
    .filter((path) => families.has(languageOf(path)))
    .toSorted((a, b) => nearness(b, own) - nearness(a, own) || (a < b ? -1 : 1))
    .slice(0, filesMax);
  const outlines = new Map<string, Outline>();
  for (const path of near) {
    const text = own.get(path) ?? (await readText(git, subject.head, path));
    if (text === undefined || text.length > limits.reviewFileBytesMax) continue;
    outlines.set(path, (await analyser.outline(text, path)).outline);
  }
  return touched.map(({ path, symbol, name, calls }) => ({
    ...{ path, symbol },
    callers: findCallers(name, { path, symbol, outlines }),
    callees: calls.flatMap((one) => findDefinition(one, outlines) ?? []).slice(0, placesMax),
  }));
};

const namesMax = 80;
const filesMax = 60;
const symbolsMax = 30;
const placesMax = 8;

interface TouchedSymbol {
  readonly path: string;
  readonly symbol: string;
  readonly name: string;
  /** Names that its changed lines call. */
  readonly calls: readonly string[];
}

const touchedSymbols = async (subject: Subject, analyser: Analyser): Promise<TouchedSymbol[]> => {
  const lines = changedLines(subject);
  const touched: TouchedSymbol[] = [];
  for (const { path, after, language } of subject.files) {
    const changed = lines.get(path);
    if (!changed?.size || after === undefined || language === undefined) continue;
    if (touched.length >= symbolsMax) break;
    const { outline } = await analyser.outline(after, path);
    const bySymbol = new Map<OutlineSymbol, Set<string>>();
    for (const line of changed) {
      const symbol = innermost(outline, line);
      if (symbol && !bySymbol.has(symbol)) bySymbol.set(symbol, new Set());
    }
    for (const { kind, name, line } of outline.references) {
      if (!changed.has(line) || (kind !== "call" && kind !== "member-call")) continue;
      const symbol = innermost(outline, line);
      if (symbol) bySymbol.get(symbol)?.add(name);
    }
    for (const [{ path: symbol, name }, calls] of bySymbol) {
      if (touched.length < symbolsMax) touched.push({ path, symbol, name, calls: [...calls] });
    }
  }
  return touched;
};

const innermost = ({ symbols }: Outline, line: number): OutlineSymbol | undefined =>
  symbols
    .filter(({ range }) => range.start.line <= line && line <= range.end.line)
    .toSorted((a, b) => a.span.to - a.span.from - (b.span.to - b.span.from))[0];

const findCallers = (
  name: string,
  about: {
    readonly path: string;
    readonly symbol: string;
    readonly outlines: ReadonlyMap<string, Outline>;
  },
): string[] => {
  const { path, symbol, outlines } = about;
  const callers = [...outlines].flatMap(([file, { references }]) =>
    references
      .filter((one) => {
        const isCall = one.kind === "call" || one.kind === "member-call";
        return one.name === name && isCall && !(file === path && one.within === symbol);
      })
      .map(({ line, within }) => `${file}:${line}${within === "" ? "" : ` in ${within}`}`),
  );
  const more = callers.length - placesMax;
  return more > 0 ? [...callers.slice(0, placesMax), `and ${more} more`] : callers;
};

/** Undefined where the project has none by the name, or several: whose is meant is not known then. */
const findDefinition = (
  name: string,
  outlines: ReadonlyMap<string, Outline>,
): string | undefined => {
  const found = [...outlines].flatMap(([path, { symbols }]) =>
    symbols.filter((one) => one.name === name).map((symbol) => ({ path, symbol })),
  );
  const [only] = found;
  if (!only || found.length > 1) return undefined;
  return `${only.path}:${only.symbol.range.start.line} ${only.symbol.signature.slice(0, 200)}`;
};

/** Of a commit, else of the working tree with its new files. */
const filesWith = async (
  git: Git,
  head: string | undefined,
  names: readonly string[],
): Promise<string[]> => {
  const { stdout, code } = await git.run({
    args: [
      ...(["grep", "-l", "-z", "-I", "-w", "-F"] as const),
      ...(head === undefined ? ["--untracked"] : []),
      ...names.flatMap((name) => ["-e", name]),
    ],
    ...(head !== undefined && { revisions: [head] }),
    okCodes: [0, 1],
  });
  if (code === 1) return [];
  const from = head === undefined ? 0 : head.length + 1;
  return splitNul(stdout).map((path) => path.slice(from));
};

const readText = async (
  git: Git,
  head: string | undefined,
  path: string,
): Promise<string | undefined> => {
  const { stdout, code } = await git.run({
    args: ["cat-file", "blob"],
    revisions: [`${head ?? "HEAD"}:${path}`],
    okCodes: [0, 128],
  });
  return code === 0 ? stdout.toString("utf8") : undefined;
};

/** Changed files first, then those that share most of their folders with one. */
const nearness = (path: string, own: ReadonlyMap<string, unknown>): number => {
  if (own.has(path)) return 1000;
  const parts = path.split("/");
  let best = 0;
  for (const other of own.keys()) {
    const others = other.split("/");
    const shared = parts.findIndex((part, at) => part !== others[at]);
    best = Math.max(best, shared);
  }
  return best;
};
