/** Outlines and syntax verdicts of file contents, remembered by content. Never throws on bad source. */
import { hash } from "node:crypto";
import { limits } from "../base/limits.ts";
import { coverageOf, hasOwnJudge, notAnalysed } from "./coverage.ts";
import { languageOf, rulesOf } from "./languages/index.ts";
import { embeddedScript } from "./languages/embedded.ts";
import type { ModuleShape } from "./modules/module-shape.ts";
import { ParserHost } from "./parser-host.ts";
import { SourceText } from "./source-text.ts";
import type { Outline, SyntaxVerdict } from "./types.ts";
import type { FlatTree } from "./worker/flat-tree.ts";

export interface Analysed {
  readonly source: SourceText;
  readonly outline: Outline;
}

export type ParsedTree =
  | { readonly ok: true; readonly source: SourceText; readonly tree: FlatTree }
  | { readonly ok: false; readonly why: string; readonly ranOut?: true };

export class Analyser {
  readonly #host = new ParserHost();
  /**
   * For the syntax, where that is another parser's: a server has both look at a file at the same time. A hook
   * by itself has one process do both, because starting a second one takes longer than the answer.
   */
  readonly #judges = new ParserHost();
  readonly #outlines = new Remembered<Analysed>(({ outline }) => !outline.ranOut);
  readonly #modules = new Remembered<ModuleShape | "ranOut" | undefined>((one) => one !== "ranOut");
  readonly #verdicts = new Remembered<SyntaxVerdict>(({ ranOut }) => !ranOut);

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
  module(content: string | Uint8Array, path: string): Promise<ModuleShape | "ranOut" | undefined> {
    return this.#modules.get(keyOf(content, path), content.length, () =>
      this.#module(content, path),
    );
  }

  /** The whole syntax tree, for whoever looks for patterns in code; not remembered, trees are large. */
  async tree(content: string | Uint8Array, path: string): Promise<ParsedTree> {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    const why = reasonNotTo(content, source, language);
    if (why !== undefined) return { ok: false, why };
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
    if (why !== undefined) return { source, outline: notAnalysed(path, language, why) };
    const part = scriptOf(language, source);
    const parsed = await this.#host.ask({ do: "outline", ...part });
    if (!parsed.ok) {
      const outline = notAnalysed(path, language, parsed.why);
      return { source, outline: { ...outline, ...(parsed.ranOut && { ranOut: true }) } };
    }
    const { isProvenWrong = false, ...outline } = parsed.value;
    const coverage = coverageOf(language, isProvenWrong);
    return { source, outline: { ...outline, language, path, coverage } };
  }

  async #module(content: string | Uint8Array, path: string) {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    if (reasonNotTo(content, source, language) !== undefined) return undefined;
    const parsed = await this.#host.ask({ do: "module", ...scriptOf(language, source) });
    return parsed.ok ? (parsed.value ?? undefined) : parsed.ranOut ? "ranOut" : undefined;
  }

  async #syntax(content: string | Uint8Array, path: string): Promise<SyntaxVerdict> {
    const source = SourceText.of(content);
    const language = languageOf(path, source.text);
    const why = reasonNotTo(content, source, language);
    if (why !== undefined) return { state: "not-checked", by: "", why, errors: [] };
    const part = scriptOf(language, source);
    const { encoding, hasBom } = source;
    const host = hasOwnJudge(language) && this.#host.isAtWork ? this.#judges : this.#host;
    const parsed = await host.ask({ do: "syntax", path, encoding, hasBom, ...part });
    if (parsed.ok) return parsed.value;
    const { why: reason, ranOut } = parsed;
    return {
      ...{ state: "not-checked", by: "", why: reason, errors: [] },
      ...(ranOut && { ranOut }),
    };
  }
}

/** Parsers do not know the line break of old Macs; of equal length, so all places stay. */
const scriptOf = (language: string, source: SourceText): { language: string; text: string } => {
  const { language: own, text } = embeddedScript(language, source);
  return { language: own, text: text.replaceAll(/\r(?!\n)/g, "\n") };
};

const reasonNotTo = (
  content: string | Uint8Array,
  source: SourceText,
  language: string,
): string | undefined => {
  if (language === "text") return "no language is known for this file";
  if (content.length > limits.structureBytesMax) {
    return `it is larger than ${limits.structureBytesMax / 1024 / 1024} MB`;
  }
  return source.text.includes("\0") ? "it is a binary file" : undefined;
};

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
