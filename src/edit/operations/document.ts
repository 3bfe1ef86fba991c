/** One file as an operation sees it: text, outline and the file's own habits. */
import { HeadgateError } from "../../errors.ts";
import {
  type Analyser,
  type Outline,
  rulesOf,
  scan,
  type Scanned,
  SourceText,
} from "../../structure/index.ts";
import { fitCode, indentUnit } from "./fit-code.ts";

type Rules = NonNullable<ReturnType<typeof rulesOf>>;

export class Document {
  readonly path: string;
  readonly source: SourceText;
  readonly outline: Outline;
  readonly rules: Rules;
  #scanned: Scanned | undefined;

  private constructor(path: string, source: SourceText, outline: Outline, rules: Rules) {
    this.path = path;
    this.source = source;
    this.outline = outline;
    this.rules = rules;
  }

  /** Refuses files without a structure: operations on symbols have nothing to hold on to there. */
  static async open(content: Buffer, path: string, analyser: Analyser): Promise<Document> {
    const source = SourceText.of(content);
    const { outline } = await analyser.outline(parsable(content, source), path);
    const rules = rulesOf(outline.language);
    if (!rules || outline.coverage.outline.state === "off") {
      const why =
        outline.coverage.outline.why ?? `${outline.language} is not a programming language`;
      throw new HeadgateError("STRUCTURE_ABSENT", `${path} has no structure to edit by: ${why}.`, {
        data: { path, language: outline.language },
      });
    }
    return new Document(path, source, outline, rules);
  }

  get text(): string {
    return this.source.text;
  }

  get language(): string {
    return this.outline.language;
  }

  get lineEnding(): string {
    return this.source.lineEnding;
  }

  get scanned(): Scanned {
    this.#scanned ??= scan(this.text, this.language);
    return this.#scanned;
  }

  get unit(): string {
    return (
      indentUnit(this.text, this.scanned, this.rules.block) ?? usualUnits[this.language] ?? "    "
    );
  }

  lineOf(offset: number): number {
    return this.source.position(offset).line;
  }

  /** `like`: code whose indentation counts before the file's. */
  fit(code: string, indent: string, like = ""): string {
    const { language, lineEnding } = this;
    const unit = indentUnit(like, scan(like, language), this.rules.block) ?? this.unit;
    return fitCode(code, { language, block: this.rules.block, indent, unit, lineEnding });
  }
}

/** Grammars do not know a carriage return alone as the end of a line; in its place all offsets stay. */
const parsable = (content: Buffer, { text }: SourceText): string | Buffer =>
  /\r(?!\n)/.test(text) ? text.replaceAll(/\r(?!\n)/g, "\n") : content;

const usualUnits: Readonly<Record<string, string>> = {
  go: "\t",
  typescript: "  ",
  tsx: "  ",
  javascript: "  ",
  ruby: "  ",
  scala: "  ",
  elixir: "  ",
  bash: "  ",
  lua: "  ",
};
