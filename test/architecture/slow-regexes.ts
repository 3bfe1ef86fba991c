/**
 * Regular expressions that take more than linear time on some text (T-05). For each one in the sources, texts are made from
 * its own syntax: what leads to a quantifier without an end, a long run of what it repeats, something that does not fit
 * after it. The time of the processor decides; a run of a few thousand characters takes a linear one microseconds.
 */
import { lineOf, readSources, type SourceFile } from "./source-tree.ts";

export interface FoundRegex {
  /** Relative to src. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

export const findRegexes = (files: readonly SourceFile[] = readSources()): FoundRegex[] =>
  files.flatMap(({ path, text, nodes }) =>
    nodes.flatMap((node) => {
      const regex = node["regex"] as { pattern: string; flags: string } | undefined;
      if (node.type !== "Literal" || !regex) return [];
      const place = `${path}:${lineOf(text, node.start)}`;
      return [{ place, source: regex.pattern, flags: regex.flags }];
    }),
  );

export interface SlowRegex extends FoundRegex {
  /** The text that it is slow on, before repetition. */
  readonly on: string;
  readonly milliseconds: number;
}

/** Undefined: linear on every text that was made. */
export const findSlowText = (
  regex: FoundRegex,
  { length = 3000, slowMs = 3 }: { readonly length?: number; readonly slowMs?: number } = {},
): SlowRegex | undefined => {
  const flags = regex.flags.replace("g", "");
  const pattern = new RegExp(regex.source, flags);
  // Nested ones take for ever on long texts: short ones first.
  for (const times of [12, 18, 22, 60, 200, undefined]) {
    for (const { prefix, pump, suffix } of attackTexts(regex)) {
      const text = prefix + pump.repeat(times ?? Math.ceil(length / pump.length)) + suffix;
      const milliseconds = leastCost(() => {
        pattern.lastIndex = 0;
        return pattern.test(text);
      }, slowMs);
      if (milliseconds < slowMs) continue;
      return { ...regex, on: JSON.stringify([prefix, pump, suffix]), milliseconds };
    }
  }
  return undefined;
};

/** The least of a few: compiling and cleaning up are no work of the expression's. */
const leastCost = (work: () => unknown, slowMs: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 5 && least >= slowMs; tries += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
    if (least > 100 * slowMs) break;
  }
  return least;
};

interface AttackText {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

export const attackTexts = ({
  source,
  flags,
}: Pick<FoundRegex, "source" | "flags">): AttackText[] => {
  const { pumps, prefixes } = readPattern(source, flags.replaceAll(/[gy]/g, ""));
  const long = prefixes.filter((prefix) => prefix.length > 1 && prefix.length < 40);
  const texts: AttackText[] = [];
  for (const suffix of ["\u0001", "\n", ""]) {
    for (const pump of [...pumps, ...long]) {
      for (const prefix of ["", ...prefixes]) texts.push({ prefix, pump, suffix });
    }
  }
  return texts.slice(0, textsMax);
};

const textsMax = 900;

const candidates = [..." \t\na_A0-./\"'`(<[{=,:;\\#*@$é\u3000"];

/** Pumps: characters of all atoms. Prefixes: what leads to each quantifier without an end. */
const readPattern = (source: string, flags: string) => {
  const pumps = new Set<string>();
  const prefixes = new Set<string>();
  let at = 0;
  let hasOpenEnd = false;
  const samples = (atom: string): string[] => {
    const test = new RegExp(`^(?:${atom})$`, flags);
    const literal = /^\\?([^\\\w\s])$|^([\w\s])$/.exec(atom);
    const exact = literal ? [literal[1] ?? literal[2] ?? ""] : [];
    const more = /[[\\.]/.test(atom)
      ? [...atom.replaceAll(/\\./g, "")].filter((one) => test.test(one))
      : [];
    const found = [...exact, ...candidates.filter((one) => test.test(one)), ...more.slice(0, 4)];
    return [...new Set(found)].slice(0, 5);
  };
  const readAlternatives = (before: string): string => {
    let first: string | undefined;
    let text = readSequence(before);
    first ??= text;
    while (source[at] === "|") {
      at += 1;
      text = readSequence(before);
      first = first === "" ? text : first;
    }
    return first;
  };
  const readSequence = (before: string): string => {
    let text = "";
    while (at < source.length && source[at] !== "|" && source[at] !== ")") {
      const one = readTerm(before + text);
      text += one;
    }
    return text;
  };
  const readTerm = (before: string): string => {
    let sample = "";
    const start = at;
    const char = source[at] ?? "";
    if (char === "^" || char === "$") {
      at += 1;
      return "";
    }
    if (char === "(") {
      const look = /^\((?:\?(?:[:=!]|<[=!]|<\w+>|[ims-]+:))?/.exec(
        source.slice(at),
      ) as RegExpExecArray;
      at += look[0].length;
      sample = readAlternatives(before);
      at += 1;
      if (/^\(\?(?:<?[!=])/.test(look[0])) sample = "";
    } else {
      at += atomLength(source, at, flags);
      const atom = source.slice(start, at);
      if (/^\\[bB]$|^\\[1-9]|^\\k</.test(atom)) return "";
      const chars = samples(atom);
      for (const one of chars) pumps.add(one);
      sample = chars[0] ?? "";
    }
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at));
    if (!quantifier) return sample;
    at += quantifier[0].length;
    const [, least, comma, most] = quantifier;
    const isOpen =
      /^[*+]/.test(quantifier[0]) || (comma === "," && most === "") || Number(most) > 50;
    if (isOpen) {
      hasOpenEnd = true;
      prefixes.add(before);
      if (sample.length > 0 && sample.length < 40) pumps.add(sample);
    }
    const times = least === undefined ? (quantifier[0].startsWith("+") ? 1 : 0) : Number(least);
    return sample.repeat(Math.min(times, 40));
  };
  readAlternatives("");
  prefixes.delete("");
  // Without a quantifier that has no end every text takes the same few steps at each place.
  if (!hasOpenEnd) return { pumps: [], prefixes: [] };
  return { pumps: [...pumps].slice(0, 24), prefixes: [...prefixes].slice(0, 10) };
};

const atomLength = (source: string, at: number, flags: string): number => {
  const rest = source.slice(at);
  if (rest.startsWith("[")) {
    let end = 1;
    while (end < rest.length && rest[end] !== "]") end += rest[end] === "\\" ? 2 : 1;
    return end + 1;
  }
  if (!rest.startsWith("\\"))
    return /[uv]/.test(flags) ? String.fromCodePoint(rest.codePointAt(0) ?? 0).length : 1;
  return (
    /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c\w|k<\w+>|[1-9]\d*|.)/su.exec(
      rest,
    )?.[0].length ?? 1
  );
};
