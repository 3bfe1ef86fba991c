/** The words of this room. Offsets are UTF-16 units of `SourceText.text`; only source-text.ts knows bytes. */

/** From (inclusive) and to (exclusive), in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Both counted from 1; a column counts UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type SymbolKind =
  | "class"
  | "interface"
  | "enum"
  | "struct"
  | "trait"
  | "impl"
  | "module"
  | "namespace"
  | "type"
  | "function"
  | "method"
  | "constructor"
  | "getter"
  | "setter"
  | "property"
  | "constant"
  | "variable"
  | "macro"
  | "key"
  | "element"
  | "rule";

export interface OutlineSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Names from the outside in, joined by dots: `AuthService.login`. A twin gets `~2`, `~3`… behind it. */
  readonly path: string;
  /** Everything that belongs to it: doc comment, decorators, attributes, the declaration, its own semicolon. */
  readonly span: Span;
  readonly range: Range;
  /** The declaration without doc comment and decorators. */
  readonly core: Span;
  readonly nameSpan: Span;
  /** What is between its braces, or its indented block; absent without a body. */
  readonly body?: Span;
  /** The declaration up to its body, white space made one blank: what callers rely on. */
  readonly signature: string;
  /**
   * Two symbols with equal keys in one scope are one definition written twice, in the language's own
   * sense (docs/languages.md). Absent where the language allows twins: overload signatures, `_`,
   * conditional definitions.
   */
  readonly key?: string;
  /** The block in which the key must be unique; the empty text is the file. */
  readonly scope: string;
  readonly isExported: boolean;
  readonly isPrivate: boolean;
  /** First line of the doc comment. */
  readonly doc?: string;
  readonly decorators: readonly string[];
  /** Names it extends or implements, as written. */
  readonly bases?: readonly string[];
  /** Of a function whose callers see just these; absent where something wraps or declares it otherwise. */
  readonly parameters?: readonly DeclaredParameter[];
  readonly children: readonly OutlineSymbol[];
}

export interface DeclaredParameter {
  readonly name: string;
  /** place: by position only; keyword: by name only; rest and keywords take all that is left. */
  readonly kind: "plain" | "place" | "keyword" | "rest" | "keywords";
  readonly isOptional?: true;
}

/** How a call is written between its parentheses. */
export interface GivenArguments {
  /** Those without a name. */
  readonly count: number;
  readonly keywords?: readonly string[];
  /** A spread: there may be any number. */
  readonly isOpen?: true;
}

export interface OutlineImport {
  /** The module as written, without quotes. */
  readonly from: string;
  /** What it is called there and here; `*` for everything. Empty for a bare import. */
  readonly names: readonly { readonly name: string; readonly as: string }[];
  readonly span: Span;
  readonly range: Range;
  /** The block it stands in; the empty text is the file. */
  readonly scope: string;
  readonly isTypeOnly?: boolean;
}

export interface OutlineExport {
  readonly name: string;
  /** A re-export's module. */
  readonly from?: string;
  readonly range: Range;
}

/** A part of a file with a title instead of a name: `describe("cart", …)`, `it("adds", …)`. */
export interface TitledBlock {
  /** Titles from the outside in. */
  readonly titles: readonly string[];
  readonly range: Range;
}

/** A use of a name that is defined elsewhere. */
export interface Reference {
  readonly name: string;
  readonly kind: "call" | "member-call" | "member" | "name";
  /** What stands before the dot, as written: `self`, `this`, `os.path`; absent without a dot. */
  readonly receiver?: string;
  /** Of calls, where the language's rules read them. */
  readonly given?: GivenArguments;
  readonly span: Span;
  readonly line: number;
  /** Path of the innermost symbol around it; empty at module level. */
  readonly within: string;
}

/** Something wrong with the source that was noticed on the way. */
export interface SourceProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export type CheckName = "outline" | "duplicates" | "syntax" | "calls" | "types";
/** live: judged; delta: only new problems count, by a parser that guesses; off: not looked at, and why. */
export type Coverage = Readonly<
  Record<
    CheckName,
    { readonly state: "live" | "delta" | "off"; readonly by?: string; readonly why?: string }
  >
>;

export interface Outline {
  readonly path: string;
  /** "text" when no language is known for it. */
  readonly language: string;
  readonly symbols: readonly OutlineSymbol[];
  readonly imports: readonly OutlineImport[];
  readonly exports: readonly OutlineExport[];
  readonly references: readonly Reference[];
  /** Test blocks, outer ones first; absent where there are none. */
  readonly tests?: readonly TitledBlock[];
  /** Where the structure parser lost its way; not the verdict on the syntax. */
  readonly problems: readonly SourceProblem[];
  /** Files that make names at run time (getattr, metaclasses, globals(), eval…) prove nothing about calls. */
  readonly isDynamic: boolean;
  readonly coverage: Coverage;
  /** Not analysed for want of time or room on this machine: nothing is known about the file. */
  readonly ranOut?: true;
  /** Not analysed because of what the file holds, though its language is known. */
  readonly unread?: UnreadSource;
}

/** Why a file of a known language could not be looked into: nul, died and slow hide its code, the others are what they are. */
export interface UnreadSource {
  readonly as: "nul" | "died" | "slow" | "large" | "binary" | "encrypted";
  readonly why: string;
}

/** What an independent parser says about the syntax of a whole file. */
export interface SyntaxVerdict {
  readonly state: "valid" | "invalid" | "not-checked";
  /** The parser, with its version. */
  readonly by: string;
  /** For not-checked: the reason. */
  readonly why?: string;
  readonly errors: readonly SyntaxError[];
  /** Not checked for want of time or room on this machine. */
  readonly ranOut?: true;
  readonly unread?: UnreadSource;
}

export interface SyntaxError extends SourceProblem {
  /** A short stable word from the parser or from us; may be empty. */
  readonly code: string;
}

/** A definition, import, export or key that stands twice in one scope. */
export interface Duplicate {
  readonly kind: "symbol" | "import" | "export" | "key";
  readonly name: string;
  readonly symbolKind?: SymbolKind;
  /** Path of the symbol around it; empty at module level. */
  readonly within: string;
  /** What both have in common; equal before and after an edit that did not touch them. */
  readonly key: string;
  readonly first: { readonly line: number; readonly span: Span; readonly path: string };
  readonly second: { readonly line: number; readonly span: Span; readonly path: string };
}

/** What changed between two versions of a file, in the words of its outline. */
export interface RegionDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Signature differs: callers may be concerned. */
  readonly resigned: readonly string[];
  readonly imports: boolean;
  /** Something outside of all symbols and imports. */
  readonly moduleLevel: boolean;
}
