/** The git commands that a file runs, as words: shell commands, lists of arguments, command texts. */
import type { Node } from "./node.ts";
import type { SourceFile } from "./source-file.ts";
import { builtText, literalOf } from "./texts.ts";

export interface GitCommand {
  readonly node: Node;
  /** From the verb on; what is not known beforehand is `?`. */
  readonly words: readonly string[];
}

/** A script that makes its own repository, or its own copy of one, loses nothing of anybody's. */
export const isOwnRepository = (text: string): boolean =>
  /\bgit['", ]+(-C\s+\S+\s+)?(init|clone)\b|mktemp -d|mkdtemp|git['", ]+worktree['", ]+add/.test(
    text,
  );

export const gitCommands = function* (file: SourceFile): Generator<GitCommand> {
  for (const call of file.calls) {
    const words =
      file.family === "bash"
        ? shellWords(call.name, call.args)
        : runs.test(call.name)
          ? listedWords(call.args)
          : undefined;
    const cut = words && verbOn(words);
    if (cut && cut.length > 0) yield { node: call.node, words: cut };
  }
};

/** What starts a program; a text that is only shown is no command. */
const runs =
  /^(\w*(run|exec|spawn|system|popen|call|check_output|check_call|command|shell|getoutput|execa|git|sh)\w*|\$|Cmd|x|sync)$/i;

const shellWords = (name: string, args: readonly Node[]): readonly string[] | undefined =>
  name === "git" ? args.map(wordOf) : undefined;

/** `run("git", "add", …)`, `run(["git", "add", …])`, `run("git", ["add", …])`, `run("git add …")`. */
const listedWords = (args: readonly Node[]): readonly string[] | undefined => {
  const flat = args.flatMap((arg) => (/^(list|array|tuple)$/.test(arg.kind) ? arg.named : [arg]));
  const at = flat.findIndex((arg) => literalOf(arg) === "git");
  if (at >= 0 && at <= 1) return flat.slice(at + 1).map(wordOf);
  const text = literalOf(flat[0]) ?? builtText(flat[0])?.fixed.join("?");
  if (!text?.startsWith("git ")) return undefined;
  return /^[^;&|\n]*/.exec(text)?.[0].trim().split(/\s+/).slice(1);
};

const wordOf = (node: Node): string =>
  node.kind === "word"
    ? node.text
    : (literalOf(node) ??
      (/^[-\w./*:]+$/.test(node.text) ? (node.kind === "identifier" ? "?" : node.text) : "?"));

const verbOn = (words: readonly string[]): readonly string[] => {
  let at = 0;
  while (words[at]?.startsWith("-")) at += /^-[Cc]$/.test(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
};
