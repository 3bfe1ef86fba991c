/** One file's change as text, for the rules that need no parser: they hold also where a judgement ran out of time. */
import { languageOf, scan, SourceText } from "../../structure/index.ts";

export interface TextChange {
  readonly path: string;
  readonly language: string;
  /** "code" in a language that is known or has a well-known ending. */
  readonly kind: "code" | "markup" | "data" | "prose" | "other";
  readonly before: TextSide | undefined;
  readonly after: TextSide | undefined;
}

export interface TextSide {
  readonly text: string;
  readonly hasBom: boolean;
  readonly bytes: number;
  readonly lines: readonly string[];
  /** The text with all comments and strings made empty space of the same length. */
  readonly code: string;
  /** The same with everything but comments. */
  readonly comments: string;
}

export interface ChangedBytes {
  readonly path: string;
  readonly beforeBytes: Buffer | undefined;
  readonly afterBytes: Buffer | undefined;
  /** As it was decoded for the outline; the same object comes again with the same content. */
  readonly before?: { readonly source: SourceText } | undefined;
  readonly after?: { readonly source: SourceText } | undefined;
}

/** Made once for each object that is given: several rules and the counts ask for the same. */
export const textChange = (changed: ChangedBytes): TextChange => {
  const known = made.get(changed);
  if (known) return known;
  const change = makeChange(changed);
  made.set(changed, change);
  return change;
};

const made = new WeakMap<ChangedBytes, TextChange>();

const makeChange = ({ path, beforeBytes, afterBytes, ...read }: ChangedBytes): TextChange => {
  const before = read.before?.source ?? (beforeBytes && SourceText.of(beforeBytes));
  const after = read.after?.source ?? (afterBytes && SourceText.of(afterBytes));
  const known = languageOf(path, (after ?? before)?.text ?? "");
  // A script without an ending that lost its first line, to a fence or a sentence, is still a script.
  const language = known === "text" ? languageOf(path, before?.text) : known;
  return {
    path,
    language,
    kind: kindFor(path, language),
    before: before && sideFor(before, beforeBytes, language),
    after: after && sideFor(after, afterBytes, language),
  };
};

/** Kept with the decoded text: what is there now is judged against again and again. */
const sideFor = (source: SourceText, bytes: Buffer | undefined, language: string): TextSide => {
  const known = sides.get(source);
  if (known?.language === language) return known.side;
  const side = makeSide(source, bytes, language);
  sides.set(source, { language, side });
  return side;
};

const sides = new WeakMap<SourceText, { readonly language: string; readonly side: TextSide }>();

const makeSide = (
  { text, hasBom }: SourceText,
  bytes: Buffer | undefined,
  language: string,
): TextSide => {
  let lines: readonly string[] | undefined;
  let parts: Pick<TextSide, "code" | "comments"> | undefined;
  const split = () => (parts ??= splitParts(text, language));
  return {
    text,
    hasBom,
    bytes: bytes?.length ?? 0,
    get lines() {
      return (lines ??= text.split(/\r\n|\r|\n/));
    },
    get code() {
      return split().code;
    },
    get comments() {
      return split().comments;
    },
  };
};

const splitParts = (text: string, language: string): Pick<TextSide, "code" | "comments"> => {
  const { texts, comments } = scan(text, language);
  const spans = [
    ...texts.map((span) => ({ ...span, isComment: false })),
    ...comments.map((span) => ({ ...span, isComment: true })),
  ].toSorted((left, right) => left.from - right.from);
  const [code, said]: string[][] = [[], []];
  let at = 0;
  for (const { from, to, isComment } of spans) {
    if (to <= at) continue;
    const start = Math.max(from, at);
    code?.push(text.slice(at, start), emptied(text.slice(start, to)));
    said?.push(
      emptied(text.slice(at, start)),
      isComment ? text.slice(start, to) : emptied(text.slice(start, to)),
    );
    at = to;
  }
  code?.push(text.slice(at));
  said?.push(emptied(text.slice(at)));
  return { code: code?.join("") ?? "", comments: said?.join("") ?? "" };
};

const emptied = (text: string): string => text.replaceAll(/[^\r\n]/g, " ");

const kindFor = (path: string, language: string): TextChange["kind"] => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (
    /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org|tex|ipynb|[qr]md|lhs|litcoffee|typ)$/.test(name)
  ) {
    return "prose";
  }
  if (["json", "jsonc", "yaml", "toml"].includes(language)) return "data";
  if (["html", "vue", "svelte"].includes(language)) return "markup";
  return language !== "text" || codeName.test(name) ? "code" : "other";
};

/** Written in a language that has no grammar here. */
const codeName =
  /\.(?:dart|zig|nim|hs|ml|mli|fs|fsx|jl|r|pl|pm|m|mm|groovy|gradle|proto|graphql|gql|tf|hcl|vim|ps1|psm1|bat|cmd|cmake|clj|cljs|erl|hrl|coffee|sol|v|sv|vhd|vhdl|asm|s|f90|pas|tcl|awk|zsh|fish|scss|sass|less|styl|gd|cr|d|adb|ads|cl|cu|glsl|hlsl|wgsl|metal|nix|rego|prisma|bzl|bazel)$|^(?:dockerfile|makefile|gnumakefile|cmakelists\.txt|jenkinsfile|justfile)$/;
