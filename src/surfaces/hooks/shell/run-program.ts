/** What a program does with its words. Programs that are not known here may do anything. */
import { posix } from "node:path";
import type { EffectSink, Place } from "./effect-sink.ts";
import { runGit } from "./git-effects.ts";
import { readArguments } from "./program-arguments.ts";
import { isReader } from "./reading-programs.ts";
import { isClient, marks, readDatabase, readHeadgate } from "./personal-uses.ts";
import { laterWord, starting } from "./starting-programs.ts";
import { assigned, type Word } from "./syntax-tree.ts";
import { writingPrograms } from "./writing-programs.ts";

export interface Running {
  readonly sink: EffectSink;
  readonly place: Place;
  /** Its standard input is a file, a pipe or a text. */
  readonly hasInput: boolean;
  /** The text it reads, where that is known. */
  readonly input?: string;
  /** Goes through a command line that the program runs. */
  readonly runText: (text: string, place: Place) => void;
  /** The same for words. */
  readonly runWords: (words: readonly Word[], place: Place) => void;
}

/** Answers where the next command runs. */
export const runProgram = (words: readonly Word[], running: Running): Place => {
  const { sink, place } = running;
  const [program, ...rest] = words;
  if (program === undefined) return place;
  if (readHeadgate(words, running)) return place;
  const name = nameOf(program);
  if (name === undefined || sink.functions.has(name)) {
    sink.unsure(`runs ${program.text === "" ? "something" : program.text}`);
    return place;
  }
  if (movers.has(name)) return runMover(name, rest, running);
  const wrapper = wrappers[name];
  if (wrapper) {
    const inside = wrapper(rest, running);
    if (inside === undefined || inside.length === 0) return place;
    // Only `command cd` and `builtin cd` reach the shell itself.
    const after = runProgram(inside, running);
    return name === "command" || name === "builtin" ? after : place;
  }
  if (shells.has(name)) runShell(name, rest, running);
  else if (name === "git") runGit(rest, running);
  else if (writingPrograms.has(name)) writingPrograms.get(name)?.(rest, running);
  else if (!isReader(name, rest)) sink.unsure(`runs ${name}`);
  starting.get(name)?.(rest, running);
  // Its text may change the folder.
  if (name === "eval") return { ...place, cwd: undefined };
  if (name === "sqlite3") readDatabase(rest, running);
  if (name === "unset") forgetMarks(rest, running);
  if (/^(?:export|declare|typeset|readonly|local)$/.test(name)) {
    for (const word of rest) sink.variable(assigned(word), place);
  }
  return place;
};

/** A program by its name alone, or from where systems keep theirs. */
const nameOf = ({ text, known }: Word): string | undefined => {
  if (!known || text === "") return undefined;
  if (!text.includes("/")) return text;
  return /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/([^/]+)$/.exec(text)?.[1];
};

const forgetMarks = (words: readonly Word[], { sink, place }: Running): void => {
  for (const { text } of words) {
    if (marks.has(text)) sink.person({ kind: "mark", by: text }, place);
  }
};

const movers = new Set(["cd", "chdir", "pushd", "popd"]);

const runMover = (name: string, words: readonly Word[], { sink, place }: Running): Place => {
  const operands = words.filter(({ text }) => !/^-[LPe@]+$/.test(text) && text !== "--");
  const [word] = operands;
  const nowhere = { ...place, cwd: undefined };
  if (name === "popd" || operands.length > 1 || word === undefined) return nowhere;
  const { path, certain } = sink.locate(word, place);
  const isAgainElsewhere = place.isLoop === true && !posix.isAbsolute(word.text);
  if (!certain || /^[-+]/.test(word.text) || isAgainElsewhere) return nowhere;
  return { ...place, cwd: path, folder: path };
};

type Wrapper = (words: readonly Word[], running: Running) => readonly Word[] | undefined;

const withoutVariables = (words: readonly Word[], { sink, place }: Running): readonly Word[] => {
  const start = words.findIndex(({ text }) => !/^[A-Za-z_]\w*=/.test(text));
  const variables = start < 0 ? words : words.slice(0, start);
  for (const word of variables) sink.variable(assigned(word), place);
  return start < 0 ? [] : words.slice(start);
};

/** The command behind the options of a program that runs another one. */
const behindOptions =
  (valued: string, longValued: readonly string[] = [], skipped = 0): Wrapper =>
  (words, running) => {
    const { operands, flags, values } = readArguments(words, {
      valued,
      longValued,
      stopsAtOperand: true,
    });
    const elsewhere = ["-C", "--chdir", "-D", "-S", "--split-string", "-R"];
    if (elsewhere.some((one) => values.has(one) || (flags.has(one) && one.startsWith("--")))) {
      running.sink.unsure("runs a program elsewhere");
      return undefined;
    }
    return withoutVariables(operands.slice(skipped), running);
  };

const wrappers: Readonly<Record<string, Wrapper>> = {
  __proto__: null as never,
  sudo: behindOptions("ugprtTUhCDR", ["user", "group", "prompt", "chdir", "chroot", "host"]),
  doas: behindOptions("uC"),
  env: (words, running) => {
    const inside = behindOptions("uCS", ["unset", "chdir", "split-string"])(words, running);
    const names = words.flatMap(({ text }, index) => {
      if (text === "-u" || text === "--unset") return words[index + 1]?.text ?? [];
      return /^(?:-u|--unset=)(\w+)$/.exec(text)?.[1] ?? [];
    });
    if (isClient(inside?.[0])) return inside;
    forgetMarks(
      names.map((text) => ({ text, known: true, plain: true, tilde: false })),
      running,
    );
    return inside;
  },
  nohup: behindOptions(""),
  setsid: behindOptions(""),
  screen: behindOptions("ScthpXT"),
  "systemd-run": behindOptions("puEMH", [
    ...["property", "unit", "setenv", "uid", "gid", "description", "slice", "machine", "host"],
    ...["working-directory", "on-active", "on-calendar", "service-type", "nice"],
  ]),
  builtin: behindOptions(""),
  exec: behindOptions("a"),
  time: behindOptions("of"),
  nice: behindOptions("n", ["adjustment"]),
  ionice: behindOptions("cnp"),
  stdbuf: behindOptions("ioe", ["input", "output", "error"]),
  timeout: behindOptions("ks", ["kill-after", "signal"], 1),
  chronic: behindOptions(""),
  command: (words) => (/^-[vV]$/.test(words[0]?.text ?? "") ? [] : words.filter(isNoOption)),
  xargs: (words, running) => {
    const { operands } = readArguments(words, {
      valued: "IiLnPsEda",
      longValued: ["max-args", "max-procs", "delimiter", "arg-file", "replace"],
      stopsAtOperand: true,
    });
    const [program, ...rest] = operands;
    if (program === undefined || isReader(program.text, rest)) return [];
    running.sink.unsure(`xargs runs ${program.text}`);
    running.runWords([...operands, laterWord], { ...running.place, isUnsure: true });
    return undefined;
  },
};

const isNoOption = ({ text }: Word, index: number): boolean => index > 0 || !/^-p$|^--$/.test(text);

const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash"]);

const runShell = (name: string, words: readonly Word[], running: Running): void => {
  const { sink, place } = running;
  let hasCommand = false;
  let index = 0;
  for (; index < words.length; index += 1) {
    const { text } = words[index] as Word;
    if (!/^[-+]./.test(text)) break;
    if (text === "--version" || text === "--help") return;
    if (text === "--") {
      index += 1;
      break;
    }
    if (text.startsWith("--")) continue;
    if (text.includes("c")) hasCommand = true;
    if (/[oO]$/.test(text)) index += 1;
  }
  const word = words[index];
  if (hasCommand && word?.known === true && !word.tilde) running.runText(word.text, place);
  else if (word === undefined && running.input !== undefined) running.runText(running.input, place);
  else {
    if (word === undefined && !running.hasInput && !hasCommand) {
      sink.person({ kind: "shell", by: name }, place);
    }
    sink.unsure(`${name} runs commands from elsewhere`);
  }
};
