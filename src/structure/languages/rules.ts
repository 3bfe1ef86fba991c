/**
 * What a language must say about itself so that its files have an outline. The tree is walked by the
 * grammar's own node names (`descendantsOfType`, which runs inside the parser); everything else is in
 * outline/. Rules hold no state and see one node at a time.
 */
import type { Node } from "web-tree-sitter";
import type { DeclaredParameter, GivenArguments, SymbolKind } from "../types.ts";

/** A definition as a language's rules see it. */
export interface Found {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly nameNode: Node;
  /** The declaration itself; default: the node that was looked at. */
  readonly core?: Node;
  /** The outermost node that belongs to it: export statement, decorated definition, template head. */
  readonly outer?: Node;
  readonly body?: Node | null;
  /** Tells it apart from legal twins in the same scope; undefined when the language allows this twin. */
  readonly key?: string | undefined;
  /** The block in which the key is unique; default: the nearest enclosing node of `scopeTypes`. */
  readonly scope?: Node;
  readonly isExported?: boolean;
  readonly isPrivate?: boolean;
  readonly decorators?: readonly string[];
  readonly bases?: readonly string[];
  readonly parameters?: readonly DeclaredParameter[] | undefined;
  /** Put before its path: a Go receiver, a Rust impl's type. */
  readonly container?: string;
}

export interface FoundImport {
  readonly from: string;
  readonly names: readonly { readonly name: string; readonly as: string }[];
  readonly isTypeOnly?: boolean;
}

export interface FoundReference {
  readonly name: string;
  readonly kind: "call" | "member-call" | "member" | "name";
  readonly receiver?: string;
  readonly given?: GivenArguments | undefined;
  readonly at: Node;
}

export interface LanguageRules {
  /** Also shown to people: "python", "typescript". */
  readonly id: string;
  readonly title: string;
  /** File in grammars/, without its ending. */
  readonly grammar: string;
  /** full: duplicates are refused; outline: structure is shown, duplicates are a note at most. */
  readonly level: "full" | "outline";
  readonly commentTypes: readonly string[];
  /** Nodes directly before a definition that belong to it besides comments: attributes, annotations. */
  readonly attachedTypes?: readonly string[];
  /** Nodes that open a scope for keys. The root is one always. */
  readonly scopeTypes: readonly string[];
  readonly definitions: Readonly<
    Record<string, (node: Node) => Found | readonly Found[] | undefined>
  >;
  readonly imports: Readonly<
    Record<string, (node: Node) => FoundImport | readonly FoundImport[] | undefined>
  >;
  /** Where a file has no such text, only these of its `imports` can find anything. */
  readonly loads?: { readonly text: RegExp; readonly otherwise: readonly string[] };
  /** Names that a node makes visible outside, beyond `isExported` of its definitions. */
  readonly exports?: Readonly<
    Record<string, (node: Node) => readonly { readonly name: string; readonly from?: string }[]>
  >;
  readonly references?: Readonly<Record<string, (node: Node) => FoundReference | undefined>>;
  /** The title of a test block; undefined: it is none. */
  readonly tests?: Readonly<Record<string, (node: Node) => string | undefined>>;
  /** A file without such text has no test block. */
  readonly testsIn?: RegExp;
  /** Duplicate imports are an error or a useless repetition here. */
  readonly importKey?: (
    found: FoundImport,
    name: { readonly name: string; readonly as: string },
  ) => string | undefined;
  /** An import without names is not repeated either; `importKey` is asked with an empty one. */
  readonly importsOnce?: boolean;
  /** The text to read when the grammar lost its way in the file's own; as long, and nothing in it moved. */
  readonly secondReading?: (text: string) => string;
  /** What the grammar takes although the language does not, by node type; a text says what is wrong. */
  readonly mistakes?: Readonly<Record<string, (node: Node) => string | undefined>>;
  /** The file makes names at run time, so nothing can be said about missing ones. */
  readonly dynamic?: RegExp;
  /** A line that parts a file into branches of which only one counts, where the grammar does not show them. */
  readonly branches?: RegExp;
  /**
   * A later definition takes the name over, which is meant where the first one is used before. Lines that begin so
   * are definitions themselves.
   */
  readonly takesOver?: RegExp;
  /** How a body is opened, for insertion into an empty one and for indentation. */
  readonly block: "indent" | "braces" | "end";
  /** Line comment's beginning, for looking at placeholders. */
  readonly lineComment?: string;
}

/** Text of a field's node, or undefined. */
export const fieldText = (node: Node, field: string): string | undefined =>
  node.childForFieldName(field)?.text;

/** White space made one blank, so that layout does not tell two texts apart. */
export const squeeze = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
