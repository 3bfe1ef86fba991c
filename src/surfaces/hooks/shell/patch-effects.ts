/** Files that a patch in a here-document changes. */
import { readArguments, valueOf } from "./program-arguments.ts";
import type { Running } from "./run-program.ts";
import type { Word } from "./syntax-tree.ts";

/** Of a text that is no patch, or comes from elsewhere, nothing is certain. */
export const patchEffects = (by: string, words: readonly Word[], running: Running): void => {
  const { sink } = running;
  const text = by === "apply_patch" ? (words[0] ? textOf(words[0]) : running.input) : running.input;
  if (text === undefined) {
    sink.unsure(`${by} reads a patch from elsewhere`);
    return;
  }
  if (by === "apply_patch") envelope(by, text, running);
  else unified(by, text, words, running);
};

const textOf = ({ text, known }: Word): string | undefined => (known ? text : undefined);

const wordOf = (text: string): Word => ({ text, known: true, plain: false, tilde: false });

const envelope = (by: string, text: string, { sink, place }: Running): void => {
  let last: Word | undefined;
  for (const line of text.split("\n")) {
    const [, verb = "", name = ""] =
      /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line) ?? [];
    if (verb === "") continue;
    const word = wordOf(name.trim());
    if (verb === "Move to" && last) sink.file("delete", last, place, by);
    sink.file(verb === "Delete File" ? "delete" : "write", word, place, by);
    last = word;
  }
};

const unified = (by: string, text: string, words: readonly Word[], running: Running): void => {
  const { sink, place } = running;
  const args = readArguments(words, { valued: "pdioDzBFgrY", longValued: ["strip", "directory"] });
  const strip = valueOf(args, "-p", "--strip")?.text ?? (by === "patch" ? "" : "1");
  const odd = ["-d", "--directory", "-o", "-i", "-R", "--dry-run", "--check", "--stat", "--cached"];
  const hasOdd = odd.some((one) => args.flags.has(one) || args.values.has(one));
  const isUnsure = hasOdd || !/^[0-9]$/.test(strip) || args.operands.length > 0;
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith("+++ ") || !lines[index - 1]?.startsWith("--- ")) continue;
    const names = [lines[index - 1] ?? "", line].map((one) => one.slice(4).split("\t")[0] ?? "");
    const isGone = names[1] === "/dev/null";
    const name = (isGone ? names[0] : names[1]) ?? "";
    const stripped = name.split("/").slice(Number(strip)).join("/");
    if (stripped === "" || name.startsWith('"')) sink.unsure(`${by} with an unusual name`);
    else sink.file(isGone ? "delete" : "write", wordOf(stripped), place, by, { isUnsure });
  }
};
