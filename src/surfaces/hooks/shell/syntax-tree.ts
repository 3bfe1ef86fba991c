/** A command line as far as it matters here: which programs with which words, and where output goes. */

export interface Word {
  /** The text after quotes are taken away; with `known` exactly what the program gets. */
  readonly text: string;
  /** No variable, pattern, substitution or brace decides anything about it. */
  readonly known: boolean;
  /** Nothing of it is quoted: it may be a reserved word. */
  readonly plain: boolean;
  /** It begins with an unquoted `~`. */
  readonly tilde: boolean;
  /** Of a pattern: the folder before it, `.git/hooks` of `.git/hooks/*`. */
  readonly stem?: string;
}

/** `NAME=value`; a value of which nothing is known is `$`, because it is something. */
export const assigned = ({ text, known }: Word): string =>
  !known && text.endsWith("=") ? `${text}$` : text;

export interface Redirect {
  readonly operator: string;
  readonly target: Word;
  /** Of a here-document: exactly what the program reads, if that is known. */
  readonly body?: string;
  /** What the text of a here-document runs. */
  readonly inner?: readonly CommandList[];
}

export interface SimpleCommand {
  readonly kind: "simple";
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** What `$( )`, backquotes and `<( )` in it run. */
  readonly inner: readonly CommandList[];
  /** The variables that are set before the program's name, or alone: `NAME=value`. */
  readonly assigns: readonly string[];
}

/** Anything that holds other commands. */
export interface CompoundCommand {
  readonly kind: "subshell" | "group" | "branch" | "loop" | "function";
  readonly lists: readonly CommandList[];
  readonly redirects: readonly Redirect[];
  /** Of a function. */
  readonly name?: string;
}

export type Command = SimpleCommand | CompoundCommand;

/** Commands joined by `&&` and `||`; `operator` stands before the pipeline. */
export interface Chain {
  readonly parts: readonly {
    readonly operator: "" | "&&" | "||";
    readonly pipeline: readonly Command[];
  }[];
  readonly isBackground: boolean;
}

export type CommandList = readonly Chain[];
