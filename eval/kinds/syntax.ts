/** Sixteen ways to break a body. Whether the result is really wrong, the oracle says. */
import type { Profile } from "../profiles/index.ts";
import type { Random } from "../random.ts";
import type { Member } from "../types.ts";
import { append, callables, insertAt, type Maker, rename, toAttempt } from "./make.ts";

interface Broken {
  /** The member, line by line. */
  readonly lines: readonly string[];
  /** Index of the first line of its body. */
  readonly body: number;
  readonly indent: string;
  readonly profile: Profile;
  readonly random: Random;
  readonly language: string;
}

type Break = (broken: Broken) => readonly string[] | undefined;

const withLine = (lines: readonly string[], at: number, line: string): string[] =>
  lines.map((old, index) => (index === at ? line : old));

/** A line of those that match, changed. */
const change =
  (matches: RegExp, by: (line: string, broken: Broken) => string): Break =>
  (broken) => {
    const fitting = [...broken.lines.keys()].filter((at) => matches.test(broken.lines[at]!));
    const at = broken.random.pick(fitting);
    return at === undefined ? undefined : withLine(broken.lines, at, by(broken.lines[at]!, broken));
  };

const dropLast = (line: string, sign: RegExp): string => {
  const found = [...line.matchAll(new RegExp(sign, "g"))].at(-1);
  return found ? line.slice(0, found.index) + line.slice(found.index + found[0].length) : line;
};

const isIndented = ({ language }: Broken): boolean => language === "python";

const insertInBody = (broken: Broken, code: string): string[] => {
  const at = broken.body + broken.random.below(Math.max(1, broken.lines.length - broken.body));
  const indent = /^\s*/.exec(broken.lines[at] ?? "")![0] || broken.indent + broken.profile.unit;
  const fitted = code.split("\n").map((line) => indent + line);
  return [...broken.lines.slice(0, at), ...fitted, ...broken.lines.slice(at)];
};

const breaks: readonly (readonly [string, Break])[] = [
  ["unclosed bracket", change(/[)\]}]/, (line) => dropLast(line, /[)\]}]/))],
  [
    "missing colon",
    (broken) =>
      isIndented(broken)
        ? change(/:\s*$/, (line) => line.replace(/:\s*$/, ""))(broken)
        : change(/[{;]\s*$/, (line) => line.replace(/\{\s*$/, ""))(broken),
  ],
  [
    "wrong indentation",
    (broken) =>
      broken.lines.map((line, at) => (at >= broken.body ? broken.indent + line.trimStart() : line)),
  ],
  ["empty body", ({ lines, body }) => lines.slice(0, body)],
  ["stray else", (broken) => insertInBody(broken, broken.profile.strayElse)],
  [
    "duplicated keyword",
    (broken) => {
      const word = broken.random.pick(broken.profile.keywords)!;
      return change(new RegExp(`\\b${word}\\b`), (line) => line.replace(word, `${word} ${word}`))(
        broken,
      );
    },
  ],
  [
    "truncated",
    ({ lines, random }) => {
      const text = lines.join("\n");
      return text.slice(0, Math.floor(text.length * (0.3 + 0.65 * random.next()))).split("\n");
    },
  ],
  ["unterminated string", change(/["'`]/, (line) => dropLast(line, /["'`]/))],
  [
    "bad dedent",
    (broken) =>
      isIndented(broken)
        ? change(/^\s{5,}\S/, (line) => line.slice(1 + broken.random.below(2)))(broken)
        : broken.lines.slice(0, -1),
  ],
  [
    "extra closing bracket",
    (broken) => {
      const sign = broken.random.pick([")", "]", "}"])!;
      return change(/\S/, (line) => `${line}${sign}`)(broken);
    },
  ],
  [
    "missing operand",
    change(/(?:[=+*/%-]|==|&&|\|\||\band|\bor|\bin) [\w"'.()[\]]+/, (line) =>
      line.replace(/((?:[=+*/%-]|==|&&|\|\||\band|\bor|\bin)) [\w"'.()[\]]+/, "$1 "),
    ),
  ],
  [
    "duplicate argument",
    change(/\((?:[^()]*[ ,(&*$])?\w+\)/, (line) =>
      line.replace(/([$&*]*\w+)\)/, (_all, name: string) => `${name}, ${name})`),
    ),
  ],
  [
    "half of a statement",
    change(/\S{4,}.*\S{4,}/, (line, { random }) => {
      const start = line.search(/\S/);
      return line.slice(0, start + 2 + random.below(Math.max(1, line.length - start - 3)));
    }),
  ],
  [
    "tab mix",
    change(/^ {8}/, (line, { random }) =>
      random.pick([
        line.replace(/^ {8}/, "\t"),
        line.replace(/^ {4}/, "\t"),
        line.replace(/^ {8}/, "    \t"),
        `\t${line}`,
      ])!,
    ),
  ],
  [
    "misplaced decorator",
    (broken) => insertInBody(broken, broken.random.pick(broken.profile.misplaced)!),
  ],
];

const isFit = (one: Member): boolean => one.body !== undefined && one.to - one.from < 4000;

const brokenBody: Maker = (bench) => {
  const { source, random, profile, language } = bench;
  const one = random.pick(callables(bench).filter(isFit));
  const [kind, break_] = random.pick(breaks)!;
  if (!one) return undefined;
  // Half of them as a new member under a new name, half in place of the old one.
  const isNew = random.next() < 0.5 && one.isPlain && one.name !== "constructor";
  const text = isNew ? rename(bench, one, bench.fresh()) : source.text.slice(one.from, one.to);
  const shift = text.length - (one.to - one.from);
  const head = text.slice(0, one.body! - one.from + (one.nameFrom < one.body! ? shift : 0));
  const lines = text.split("\n");
  const body = Math.min(head.split("\n").length - 1, lines.length - 1);
  const broken = break_({ lines, body, indent: one.indent, profile, random, language });
  const code = broken?.join("\n");
  if (code === undefined || code === text) return undefined;
  const after = isNew
    ? insertAt(source.text, one.to, `\n\n${code}`)
    : source.text.slice(0, one.from) + code + source.text.slice(one.to);
  return toAttempt(bench, {
    group: "syntax",
    kind,
    expect: "oracle",
    codes: ["SYNTAX_ERROR"],
    after,
    excerpt: code,
  });
};

/** return, break, await and the like where they cannot be. */
const outside: Maker = (bench) => {
  const { source, random, profile } = bench;
  const code = random.pick(profile.outside)!;
  const one = random.pick(callables(bench).filter(isFit));
  const isInside = one && random.next() < 0.5;
  const indented = isInside ? `${one.indent}${profile.unit}${code}\n` : code;
  return toAttempt(bench, {
    group: "syntax",
    kind: "return/break/await outside",
    expect: "oracle",
    codes: ["SYNTAX_ERROR"],
    after: isInside ? insertAt(source.text, one.body!, indented) : append(source.text, code),
    excerpt: indented,
  });
};

/** Words of a template language in a comment make no template of a program. */
const besideMarks: Maker = (bench) => {
  const { source, profile, random } = bench;
  const one = random.pick(callables(bench).filter(isFit));
  if (!one || source.text.includes("?>")) return undefined;
  const words = random.pick([
    "{% if ready %}",
    "<%= value %>",
    "{{ value }}",
    "${value}",
    "<?= $x",
  ])!;
  const mark = `\n${profile.comment} as in ${words}\n`;
  const code = source.text.slice(one.from, one.body);
  const after = source.text.slice(0, one.body) + source.text.slice(one.to);
  return toAttempt(bench, {
    group: "syntax",
    kind: `empty body, ${words} in a comment`,
    expect: "oracle",
    codes: ["SYNTAX_ERROR"],
    now: Buffer.from(source.text + mark),
    after: after + mark,
    excerpt: `${code}${mark}`,
  });
};

export const syntaxMakers: readonly Maker[] = [
  ...Array.from({ length: 15 }, () => brokenBody),
  outside,
  besideMarks,
];
