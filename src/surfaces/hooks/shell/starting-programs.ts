/**
 * Programs that start others, or write below a folder that they name: what is for a person, without hooks, or in a
 * guarded folder is seen in them; what else they do is decided later.
 */
import { readArguments, valueOf } from "./program-arguments.ts";
import type { Running } from "./run-program.ts";
import type { Word } from "./syntax-tree.ts";

type Starting = (words: readonly Word[], running: Running) => void;

/** A word that the program puts in. */
export const laterWord: Word = { text: "{}", known: false, plain: false, tilde: false };

/** All files in git's own folder are git's. */
const find: Starting = (words, { sink, place, runWords }) => {
  const start = words.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = start < 0 ? words : words.slice(0, start);
  for (let index = 0; index < words.length; index += 1) {
    const { text } = words[index] as Word;
    const isRun = /^-(?:exec|execdir|ok|okdir)$/.test(text);
    if (!isRun && !/^-(?:delete|fprint|fls)/.test(text)) continue;
    for (const root of roots) {
      if (/(?:^|\/)\.git(?:\/|$)/.test(root.text)) sink.inside(root, place, `find ${text}`);
    }
    if (!isRun) continue;
    const found = words.findIndex((word, at) => at > index && /^[;+]$/.test(word.text));
    const end = found < 0 ? words.length : found;
    const inside = words.slice(index + 1, end);
    runWords(
      inside.map((word) => (word.text.includes("{}") ? laterWord : word)),
      { ...place, isUnsure: true },
    );
    index = end;
  }
};

const evaluate: Starting = (words, { runText, place }) => {
  const isKnown = words.every(({ known, tilde }) => known && !tilde);
  if (isKnown) runText(words.map(({ text }) => text).join(" "), place);
};

const script: Starting = (words, { runText, place }) => {
  const args = readArguments(words, { valued: "cEIBOTmo", longValued: ["command"] });
  const line = valueOf(args, "-c", "--command");
  if (line?.known === true) runText(line.text, { ...place, isUnsure: true });
};

/** Lines for a new window, or typed into one. */
const tmux: Starting = (words, { runText, place }) => {
  for (const { text, known } of words) {
    if (known && /\s/.test(text) && !text.includes("#{")) {
      runText(text, { ...place, cwd: undefined, isUnsure: true });
    }
  }
};

/** An archive, or the copy of a folder. */
const unpack =
  (by: string, valued: string, ...names: readonly string[]): Starting =>
  (words, { sink, place }) => {
    const args = readArguments(words, { valued, longValued: ["directory", "file"] });
    const folder = valueOf(args, ...names);
    if (folder) sink.inside(folder, place, by);
  };

const synchronize: Starting = (words, { sink, place }) => {
  const { operands } = readArguments(words, { valued: "efBTM", longValued: ["exclude"] });
  const target = operands.at(-1);
  if (target && operands.length > 1) sink.inside(target, place, "rsync");
};

export const starting: ReadonlyMap<string, Starting> = new Map<string, Starting>([
  ["find", find],
  ["eval", evaluate],
  ["script", script],
  ["tmux", tmux],
  ["tar", unpack("tar", "CfTX", "-C", "--directory")],
  ["bsdtar", unpack("bsdtar", "CfTX", "-C", "--directory")],
  ["unzip", unpack("unzip", "dx", "-d")],
  ["rsync", synchronize],
]);
