/** Outlines and syntax verdicts of file contents, remembered by content. Never throws on bad source. */
import { hash } from "node:crypto";
import { limits } from "../base/limits.ts";
import { binaryKind } from "./binary-formats.ts";
import { coverageOf, hasOwnJudge, notAnalysed } from "./coverage.ts";
import { languageOf, rulesOf } from "./languages/index.ts";
import { embeddedScript } from "./languages/embedded.ts";
import type { ModuleShape } from "./modules/module-shape.ts";
import { type HostLimits, type Parsed, ParserHost } from "./parser-host.ts";
import { SourceText } from "./source-text.ts";
import { notChecked } from "./syntax/verdict.ts";
import type { Outline, SyntaxVerdict, UnreadSource } from "./types.ts";
import type { FlatTree } from "./worker/flat-tree.ts";

export interface Analysed {
  readonly source: SourceText;
  readonly outline: Outline;
}

export type ParsedTree =
  | { readonly ok: true; readonly source: SourceText; readonly tree: FlatTree }
  | { readonly ok: false; readonly why: string; readonly ranOut?: true };

export type ModuleAnswer = ModuleShape | "ranOut" | undefined;

export class Analyser {
  readonly #host: ParserHost;
  /**
   * For the syntax, where that is another parser's: a server has both look at a file at the same time. A hook
   * by itself has one process do both, because starting a second one takes longer than the answer.
   */
  readonly #judges: ParserHost;
  readonly #outlines = new Remembered<Analysed>(({ outline }) => !outline.ranOut);
  readonly #modules = new Remembered<ModuleAnswer>((one) => one !== "ranOut");
  readonly #verdicts = new Remembered<SyntaxVerdict>(({ ranOut }) => !ranOut);

  constructor(limits?: HostLimits) {
    this.#host = new ParserHost(limits);
    this.#judges = new ParserHost(limits);
  }

  /** The structure of a file's content; `path` tells the language. */
  outline(content: string | Uint8Array, path: string): Promise<Analysed> {
    return this.#outlines.get(keyOf(content, path), content.length, () =>
      this.#outline(content, path),
    );
  }

  syntax(content: string | Uint8Array, path: string): Promise<SyntaxVerdict> {
    return this.#verdicts.get(keyOf(content, path), 1000, () => this.#syntax(content, path));
  }

  /** Imports and exports of a module; undefined where they are not known. */
  module(content: string | Uint8Array, path: string): Promise<ModuleAnswer> {
    return this.#modules.get(keyOf(content, path), content.length, () =>
      this.#module(content, path),
    );
  }

  /** The whole syntax tree, for whoever looks for patterns in code; not remembered, trees are large. */
  async tree(content: string | Uint8Array, path: string): Promise<ParsedTree> {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    const unread = reasonNotTo(content, source, language);
    if (unread) return { ok: false, why: unread.why };
    if (!rulesOf(language)) return { ok: false, why: `${language} has no tree` };
    const parsed = await this.#host.ask({ do: "tree", ...scriptOf(language, source) });
    return parsed.ok ? { ok: true, source, tree: parsed.value } : parsed;
  }

  close(): void {
    this.#host.close();
    this.#judges.close();
  }

  async #outline(content: string | Uint8Array, path: string): Promise<Analysed> {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    const why = reasonNotTo(content, source, language);
    if (why) {
      return { source, outline: notAnalysed(path, language, why.why, knownReason(why)) };
    }
    const part = scriptOf(language, source);
    const parsed = await this.#host.ask({ do: "outline", ...part });
    if (!parsed.ok) {
      const outline = notAnalysed(path, language, parsed.why, asDeath(parsed));
      return { source, outline: { ...outline, ...(parsed.ranOut && { ranOut: true }) } };
    }
    const { isProvenWrong = false, ...outline } = parsed.value;
    const coverage = coverageOf(language, isProvenWrong);
    return { source, outline: { ...outline, language, path, coverage } };
  }

  async #module(content: string | Uint8Array, path: string): Promise<ModuleAnswer> {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    if (reasonNotTo(content, source, language)) return undefined;
    const parsed = await this.#host.ask({ do: "module", ...scriptOf(language, source) });
    return parsed.ok ? (parsed.value ?? undefined) : parsed.ranOut ? "ranOut" : undefined;
  }

  async #syntax(content: string | Uint8Array, path: string): Promise<SyntaxVerdict> {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    const unread = reasonNotTo(content, source, language);
    if (unread) return { ...notChecked("", unread.why), ...withReason(knownReason(unread)) };
    const part = scriptOf(language, source);
    const { encoding, hasBom } = source;
    const host = hasOwnJudge(language) && this.#host.isAtWork ? this.#judges : this.#host;
    const parsed = await host.ask({ do: "syntax", path, encoding, hasBom, ...part });
    if (parsed.ok) return parsed.value;
    const { why, ranOut } = parsed;
    return { ...notChecked("", why), ...withReason(asDeath(parsed)), ...(ranOut && { ranOut }) };
  }
}

/** Parsers do not know the line break of old Macs; of equal length, so all places stay. */
const scriptOf = (language: string, source: SourceText): { language: string; text: string } => {
  const { language: own, text } = embeddedScript(language, source);
  return { language: own, text: text.replaceAll(/\r(?!\n)/g, "\n") };
};

/** Undefined where a parser is to look at it; without `as` nothing can be, whatever it holds. */
const reasonNotTo = (
  content: string | Uint8Array,
  source: SourceText,
  language: string,
): UnreadSource | { readonly as?: undefined; readonly why: string } | undefined => {
  if (language === "text") return { why: "no language is known for this file" };
  return unreadAs(content, source, language);
};

/** The part of the answer that needs no parser. */
export const lookUnread = (content: Uint8Array, path: string): UnreadSource | undefined => {
  const source = SourceText.of(content);
  const language = languageOf(path, source.text);
  return language === "text" ? undefined : unreadAs(content, source, language);
};

const unreadAs = (
  content: string | Uint8Array,
  { text, encoding }: SourceText,
  language: string,
): UnreadSource | undefined => {
  const hasNul = text.includes("\0");
  const kind =
    (hasNul || encoding === "latin1") && typeof content !== "string"
      ? binaryKind(Buffer.from(content.buffer, content.byteOffset, content.length), language)
      : undefined;
  if (kind === "binary") return { as: "binary", why: "it is a binary file" };
  if (kind === "encrypted") return { as: "encrypted", why: "it is encrypted" };
  if (hasNul) return { as: "nul", why: "it holds a NUL character" };
  if (content.length <= limits.structureBytesMax) return undefined;
  return { as: "large", why: `it is larger than ${limits.structureBytesMax / 1024 / 1024} MB` };
};

const knownReason = (reason: ReturnType<typeof reasonNotTo>): UnreadSource | undefined =>
  reason?.as === undefined ? undefined : reason;

/** The file was its parser's end; undefined where only time or room was missing. */
const asDeath = (parsed: Parsed<unknown>): UnreadSource | undefined =>
  parsed.ok || parsed.ranOut ? undefined : { as: parsed.isSlow ? "slow" : "died", why: parsed.why };

const withReason = (unread: UnreadSource | undefined) => unread && { unread };

const keyOf = (content: string | Uint8Array, path: string): string =>
  `${path.slice(path.lastIndexOf("/") + 1)} ${hash("sha256", content)}`;

/** The newest results, bounded by the size of what they were made from. */
class Remembered<T> {
  readonly #known = new Map<string, { readonly value: Promise<T>; readonly size: number }>();
  /** A question that was not answered is asked again. */
  readonly #isAnswer: (value: T) => boolean;
  #size = 0;

  constructor(isAnswer: (value: T) => boolean) {
    this.#isAnswer = isAnswer;
  }

  get(key: string, size: number, make: () => Promise<T>): Promise<T> {
    const found = this.#known.get(key);
    if (found) {
      this.#known.delete(key);
      this.#known.set(key, found);
      return found.value;
    }
    const value = make().then((made) => {
      if (!this.#isAnswer(made)) this.#forget(key);
      return made;
    });
    this.#known.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#known.keys()) {
      if (this.#size <= limits.outlineMemoryBytes || oldest === key) break;
      this.#forget(oldest);
    }
    return value;
  }

  #forget(key: string): void {
    this.#size -= this.#known.get(key)?.size ?? 0;
    this.#known.delete(key);
  }
}
