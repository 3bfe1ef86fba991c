/** Programs that write, move and delete files that their words name. */
import { posix } from "node:path";
import { editInPlaceByPerl, editInPlaceBySed } from "./in-place.ts";
import { patchEffects } from "./patch-effects.ts";
import {
  type ArgumentRules,
  type Arguments,
  hasFlag,
  part,
  readArguments,
  valueOf,
} from "./program-arguments.ts";
import type { Running } from "./run-program.ts";
import type { Word } from "./syntax-tree.ts";

export type Program = (words: readonly Word[], running: Running) => void;

const withArguments =
  (rules: ArgumentRules, run: (args: Arguments, running: Running) => void): Program =>
  (words, running) =>
    run(readArguments(words, rules), running);

/** Every operand is written. */
const writesAll = (by: string, rules: ArgumentRules = {}): Program =>
  withArguments(rules, ({ operands }, { sink, place }) => {
    for (const word of operands) if (word.text !== "-") sink.write(word, place, by);
  });

const remove = withArguments({}, (args, { sink, place }) => {
  const isTree = hasFlag(args, "-r", "-R", "--recursive");
  const isUnsure = hasFlag(args, "-i", "-I", "--interactive");
  for (const word of args.operands) {
    sink.file("delete", word, place, "rm", { isUnsure, ...(isTree && { isTree }) });
  }
});

/** Sources and where they go: the last operand, or what `-t` says. */
const copyTargets = (args: Arguments) => {
  const folder = valueOf(args, "-t", "--target-directory");
  const sources = folder ? args.operands : args.operands.slice(0, -1);
  const target = folder ?? args.operands.at(-1);
  const isFolder = folder !== undefined || sources.length > 1;
  return { sources, target, isFolder, isNoFolder: hasFlag(args, "-T", "--no-target-directory") };
};

const inFolder = (folder: Word, source: Word): Word => ({
  ...folder,
  text: `${folder.text}/${posix.basename(source.text)}`,
  known: folder.known && source.known,
  ...(folder.known && !source.known && { stem: folder.text }),
});

const mayNotWrite = (args: Arguments): boolean =>
  hasFlag(args, "-n", "-u", "-i", "--no-clobber", "--update", "--interactive");

const copy = (by: string, rules: ArgumentRules): Program =>
  withArguments(rules, (args, { sink, place }) => {
    if (by === "install" && hasFlag(args, "-d", "--directory")) return;
    const { sources, target, isFolder, isNoFolder } = copyTargets(args);
    if (target === undefined) return;
    // Which files of a tree are written is for the disk to say.
    const isDeep = by !== "ln" && hasFlag(args, "-r", "-R", "-a", "--recursive", "--archive");
    const isUnsure = isDeep || mayNotWrite(args) || sources.some(({ known }) => !known);
    // Without -f a link is made only where nothing is.
    const keeps =
      by === "ln" && !hasFlag(args, "-f", "--force") ? ({ keepsContent: true } as const) : {};
    for (const source of sources) {
      if (isFolder) sink.write(inFolder(target, source), place, by, { isUnsure, ...keeps });
      else {
        const into = isNoFolder ? {} : { into: posix.basename(source.text) };
        sink.write(target, place, by, { isUnsure, ...into, ...keeps });
      }
    }
    // `ln path` makes a link of that name here.
    if (by === "ln" && sources.length === 0) {
      sink.write({ ...target, text: posix.basename(target.text), tilde: false }, place, by, keeps);
    }
  });

const move = withArguments({ valued: "tS" }, (args, { sink, place }) => {
  const { sources, target, isFolder, isNoFolder } = copyTargets(args);
  if (target === undefined) return;
  const isUnsure = mayNotWrite(args);
  for (const source of sources) {
    if (isFolder) sink.move(source, inFolder(target, source), place, { by: "mv", isUnsure });
    else {
      const into = isNoFolder ? {} : { into: posix.basename(source.text) };
      sink.move(source, target, place, { by: "mv", isUnsure, ...into });
    }
  }
});

const touch = withArguments(
  { valued: "rdt", longValued: ["reference", "date", "time"] },
  (args, { sink, place }) => {
    if (hasFlag(args, "-c", "--no-create")) return;
    for (const word of args.operands) sink.write(word, place, "touch", { keepsContent: true });
  },
);

/** `chmod -x file`: the mode looks like an option. */
const changeMode =
  (by: string): Program =>
  (words, { sink, place }) => {
    const isMode = ({ text }: Word) => /^-[rwxXstugo,=+-]+$/.test(text) && !/^-R$/.test(text);
    const isTree = words.some(({ text }) => /^-[a-zA-Z]*R|^--recursive$/.test(text));
    const named = words.filter((word) => isMode(word) || !word.text.startsWith("-"));
    const hasReference = words.some(({ text }) => text.startsWith("--reference"));
    for (const word of hasReference ? named : named.slice(1)) {
      sink.write(word, place, by, { keepsContent: true, ...(isTree && { isTree }) });
    }
  };

const dd: Program = (words, { sink, place }) => {
  for (const word of words) {
    if (word.text.startsWith("of=")) sink.write(part(word, 3), place, "dd of=");
  }
};

const curlValued = "AbcCdDeEFHKmoPQrtTuUwxXyYz";

const download = (by: string, valued: string, names: readonly string[]): Program =>
  withArguments({ valued, longValued: ["output", "output-document"] }, (args, running) => {
    const { sink, place } = running;
    const target = valueOf(args, ...names);
    const isNamed = by === "curl" && !hasFlag(args, "-O", "--remote-name", "-J", "--output-dir");
    if (target === undefined && !isNamed) sink.unsure(`${by} names the file itself`);
    if (target === undefined || target.text === "-") return;
    sink.write(target, place, by, { isUnsure: hasFlag(args, "--output-dir") });
  });

const sort = withArguments(
  { valued: "ktoST", longValued: ["output", "key"] },
  (args, { sink, place }) => {
    const target = valueOf(args, "-o", "--output");
    if (target) sink.write(target, place, "sort -o");
  },
);

/** A patch for a program: which files are in it is written there. */
const patch =
  (by: string): Program =>
  (words, running) =>
    patchEffects(by, words, running);

const truncating: ArgumentRules = { valued: "sr", longValued: ["size", "reference"] };
const copying: ArgumentRules = { valued: "tS", longValued: ["target-directory", "suffix"] };
const installing: ArgumentRules = {
  valued: "tSmog",
  longValued: ["target-directory", "suffix", "mode", "owner", "group"],
};

export const writingPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["tee", writesAll("tee")],
  ["sponge", writesAll("sponge")],
  ["truncate", writesAll("truncate", truncating)],
  ["rm", remove],
  ["unlink", remove],
  ["cp", copy("cp", copying)],
  ["ln", copy("ln", copying)],
  ["install", copy("install", installing)],
  ["mv", move],
  ["touch", touch],
  ["chmod", changeMode("chmod")],
  ["chown", changeMode("chown")],
  ["chgrp", changeMode("chgrp")],
  ["dd", dd],
  ["sed", editInPlaceBySed],
  ["gsed", editInPlaceBySed],
  ["perl", editInPlaceByPerl],
  ["ruby", editInPlaceByPerl],
  ["curl", download("curl", curlValued, ["-o", "--output"])],
  ["wget", download("wget", "OoaPiUeQwtT", ["-O", "--output-document"])],
  ["sort", sort],
  ["patch", patch("patch")],
  ["apply_patch", patch("apply_patch")],
  ["applypatch", patch("apply_patch")],
]);
