/**
 * Adding to JSON text without moving a byte that is there. Written by hand, because jsonc-parser's own
 * insertion formats the lines it touches anew.
 */
import type { Node } from "jsonc-parser";
import { splice } from "./text-content.ts";

export interface NewMember {
  /** Absent for an item of a list. */
  readonly key?: string;
  /** The value's text, whose further lines begin with `indent`. */
  readonly write: (indent: string) => string;
}

/** The text with the member behind the last one of `parent`, in the form of its neighbours. */
export const insertMember = (
  text: string,
  parent: Node,
  eol: string,
  member: NewMember,
): string => {
  const last = parent.children?.at(-1);
  const end = parent.offset + parent.length;
  const isMultiline = text.slice(parent.offset, last?.offset ?? end).includes("\n");
  const outer = lineIndent(text, parent.offset);
  const indent = last && isMultiline ? lineIndent(text, last.offset) : outer + indentUnit(text);
  const name = member.key === undefined ? "" : `${JSON.stringify(member.key)}: `;
  const written = name + member.write(isMultiline ? indent : outer);
  const at = last ? last.offset + last.length : parent.offset + 1;
  const lead = isMultiline ? eol + indent : last ? " " : "";
  return splice(text, { start: at, end: at }, `${last ? "," : ""}${lead}${written}`);
};

/** The file's own unit of indentation: the white space before its first indented key. */
export const indentUnit = (text: string): string => {
  const indent = /\n([ \t]+)["{[\]}]/.exec(text)?.[1] ?? "  ";
  return indent.startsWith("\t") ? "\t" : indent;
};

export const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
