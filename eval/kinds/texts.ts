/** Odd encodings must pass; text that stands for code must not. */
import { append, type Bench, callables, insertAt, type Maker, toAttempt } from "./make.ts";
import { fit } from "../profiles/index.ts";

type Odd = (text: string, bench: Bench) => Buffer | undefined;

const isScript = ({ language }: Bench): boolean =>
  ["javascript", "typescript", "tsx", "csharp"].includes(language);

const encodings: readonly (readonly [string, Odd])[] = [
  ["CRLF", (text) => Buffer.from(text.replaceAll("\n", "\r\n"))],
  ["mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["mark and CRLF", (text) => Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`)],
  ["no final newline", (text) => Buffer.from(text.replace(/\s+$/, ""))],
  [
    "Latin-1",
    (text, { language, profile }) => {
      if (/[^\0-\x7f]/.test(text)) return undefined;
      const cookie = language === "python" ? "# -*- coding: latin-1 -*-\n" : "";
      if (language === "go" || language === "rust" || text.startsWith("#!")) return undefined;
      return Buffer.from(`${cookie}${text}\n${profile.comment} Grüße, señor\n`, "latin1");
    },
  ],
  [
    "UTF-16",
    (text, bench) => (isScript(bench) ? Buffer.from(`\ufeff${text}`, "utf16le") : undefined),
  ],
  [
    "form feed",
    (text, { language, profile }) =>
      ["python", "c", "cpp", "java"].includes(language)
        ? Buffer.from(`${text}\n\f\n${profile.comment} second part\n`)
        : undefined,
  ],
  [
    "other scripts",
    (text, { profile }) => Buffer.from(`${text}\n${profile.comment} 漢字 🎉 עברית e\u0301\n`),
  ],
];

const encoding: Maker = (bench) => {
  const { source, random, profile } = bench;
  const [kind, encode] = random.pick(encodings)!;
  if (source.text.includes("?>") || (source.text.includes("\r") && kind.includes("CRLF"))) {
    return undefined;
  }
  const code = fit(profile.func(bench.fresh()), "", profile.unit);
  const now = encode(source.text, bench);
  const after = encode(append(source.text, code), bench);
  if (!now || !after) return undefined;
  return toAttempt(bench, { group: "encoding", kind, expect: "pass", now, after, excerpt: kind });
};

const lazy = [
  "... existing code ...",
  "… existing code …",
  "... rest of the code unchanged ...",
  "... rest of the implementation remains the same",
  "rest of the methods unchanged",
  "... (existing code) ...",
  "... other methods unchanged ...",
  "... remaining code ...",
  "... keep existing code ...",
  "... same as before ...",
  "... previous code ...",
  "[existing code remains the same]",
  "... unchanged ...",
  "The rest of the class remains the same",
];

const placeholder: Maker = (bench) => {
  const { source, random, profile, language } = bench;
  const one = random.pick(
    callables(bench).filter(({ body, to }) => body !== undefined && to - body > 80),
  );
  if (!one) return undefined;
  const words = random.pick(lazy)!;
  const comment = `${one.indent}${profile.unit}${profile.comment} ${words}`;
  const end =
    language === "python"
      ? ""
      : `\n${source.text.slice(source.text.lastIndexOf("\n", one.to - 1) + 1, one.to)}`;
  const keeps = language === "python" ? `\n${one.indent}${profile.unit}${profile.nothing}` : "";
  const after = `${source.text.slice(0, one.body)}${comment}${keeps}${end}${source.text.slice(one.to)}`;
  return toAttempt(bench, {
    group: "placeholder",
    kind: `placeholder "${words}"`,
    expect: "refuse",
    codes: ["LAZY_PLACEHOLDER", "SYNTAX_ERROR"],
    after,
    result: false,
    excerpt: comment,
  });
};

const markers: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(callables(bench));
  if (!one) return undefined;
  const text = source.text.slice(one.from, one.to);
  const code = `<<<<<<< HEAD\n${text}\n=======\n${text}\n>>>>>>> theirs`;
  return toAttempt(bench, {
    group: "placeholder",
    kind: "merge markers",
    expect: "refuse",
    codes: ["MERGE_MARKER", "SYNTAX_ERROR"],
    after: source.text.slice(0, one.from) + code + source.text.slice(one.to),
    result: false,
    excerpt: code.slice(0, 80),
  });
};

/** Comments that only sound like it. */
const honest = [
  "The rest of the arguments is passed on",
  "see the existing tests for more...",
  "rest of the line is a comment",
  "... and so on",
  "TODO: handle the remaining cases",
  "remaining bytes are padding",
  "the existing code relies on this order",
  "wait...",
  "keep this unchanged",
  "remaining items, see the same rule above",
  "the rest of this block runs only once",
  "e.g. a, b, c, ...",
];

const comment: Maker = (bench) => {
  const { source, random, profile } = bench;
  const one = random.pick(callables(bench).filter(({ body }) => body !== undefined));
  if (!one) return undefined;
  const words = random.pick(honest)!;
  const code = `${one.indent}${profile.unit}${profile.comment} ${words}\n`;
  return toAttempt(bench, {
    group: "placeholder",
    kind: "honest comment",
    expect: "pass",
    after: insertAt(source.text, one.body!, code),
    excerpt: code,
  });
};

export const encodingMakers: readonly Maker[] = [encoding];
export const placeholderMakers: readonly Maker[] = [placeholder, placeholder, markers, comment];
