/** Goes through a parsed command line in order, keeping track of where its commands run. */
import type { EffectSink, Place } from "./effect-sink.ts";
import { parsePosix } from "./parse-posix.ts";
import { type Running, runProgram } from "./run-program.ts";
import type { Chain, Command, CommandList, Redirect, SimpleCommand, Word } from "./syntax-tree.ts";
import { type Budget, shellLimits, TooMuch } from "./text-cursor.ts";

export interface Trace {
  readonly sink: EffectSink;
  readonly budget: Budget;
  readonly depth: number;
}

/** Answers where the next command runs. */
export const traceList = (list: CommandList, place: Place, trace: Trace): Place => {
  let current = place;
  for (const chain of list) current = traceChain(chain, current, trace);
  return current;
};

const traceChain = (chain: Chain, start: Place, trace: Trace): Place => {
  let current = start;
  let isLost = false;
  let isSure = true;
  for (const { operator, pipeline } of chain.parts) {
    const isOther = operator === "||";
    // Behind `||` the `cd` before has failed, or something after it.
    const here = isOther && current !== start ? lost(current) : current;
    const after = tracePipeline(pipeline, here, trace);
    if (after !== here) {
      if (isOther || !isSure) isLost = true;
      if (!isOther) current = after;
    }
    isSure &&= pipeline.every(isAlwaysFine);
  }
  if (chain.isBackground) return start;
  return isLost ? lost(current) : current;
};

const lost = (place: Place): Place =>
  place.cwd === undefined ? place : { ...place, cwd: undefined };

/** Fails so rarely that what comes behind `&&` runs. */
const isAlwaysFine = (command: Command): boolean =>
  command.kind === "simple" && fine.has(command.words[0]?.text ?? ":");
const fine = new Set([
  "cd",
  "pushd",
  "mkdir",
  "echo",
  "printf",
  "true",
  ":",
  "set",
  "export",
  "pwd",
]);

const tracePipeline = (pipeline: readonly Command[], place: Place, trace: Trace): Place => {
  const [only] = pipeline;
  if (only && pipeline.length === 1) return traceCommand(only, place, trace);
  let hasMoved = false;
  for (const [index, command] of pipeline.entries()) {
    const after = traceCommand(command, place, trace, index > 0);
    if (after !== place) hasMoved = true;
  }
  // Which part of a pipe runs in the shell itself differs between shells.
  return hasMoved ? lost(place) : place;
};

const traceCommand = (command: Command, place: Place, trace: Trace, isPiped = false): Place => {
  if (command.kind === "simple") return traceSimple(command, place, trace, isPiped);
  traceRedirects(command.redirects, place, trace);
  const { lists, kind } = command;
  switch (kind) {
    case "subshell":
      traceAll(lists, place, trace);
      return place;
    case "group":
      return traceAll(lists, place, trace);
    case "function": {
      if (command.name !== undefined) trace.sink.functions.add(command.name);
      trace.sink.unsure("a function");
      traceAll(lists, { ...place, cwd: undefined, isUnsure: true }, trace);
      return place;
    }
    case "branch":
    case "loop": {
      let here = kind === "loop" ? ({ ...place, isLoop: true } as const) : place;
      const start = here;
      for (const list of lists) {
        if (traceList(list, here, trace) !== here) here = lost(start);
      }
      return here === start ? place : lost(place);
    }
  }
};

const traceAll = (lists: readonly CommandList[], place: Place, trace: Trace): Place => {
  let current = place;
  for (const list of lists) current = traceList(list, current, trace);
  return current;
};

const traceSimple = (
  command: SimpleCommand,
  place: Place,
  trace: Trace,
  isPiped: boolean,
): Place => {
  const { sink } = trace;
  for (const list of command.inner) traceList(list, place, trace);
  traceRedirects(command.redirects, place, trace);
  for (const text of command.assigns) sink.variable(text, place);
  if (command.words.length === 0) return place;
  const here = command.redirects.findLast(({ operator }) => operator.startsWith("<<"));
  const input = here ?? command.redirects.find(({ operator }) => operator.startsWith("<"));
  const running = runningIn(place, trace, isPiped || input !== undefined);
  const text = here?.body === undefined ? {} : { input: here.body };
  return runProgram(command.words, { ...running, ...text });
};

const runningIn = (place: Place, trace: Trace, hasInput: boolean): Running => {
  const deeper = { ...trace, depth: trace.depth + 1 };
  return {
    ...{ sink: trace.sink, place, hasInput },
    runText: (text, where) => {
      traceList(parsePosix(text, trace.budget, deeper.depth), where, deeper);
    },
    runWords: (words, where) => {
      if (deeper.depth > shellLimits.depthMax) {
        throw new TooMuch("its parts are nested too deeply");
      }
      runProgram(words, runningIn(where, deeper, true));
    },
  };
};

const opening = new Set([">", ">>", ">|", "&>", "&>>", "<>", ">&"]);

const traceRedirects = (redirects: readonly Redirect[], place: Place, trace: Trace): void => {
  for (const { operator, target, inner = [] } of redirects) {
    for (const list of inner) traceList(list, place, trace);
    if (!opening.has(operator)) continue;
    if (operator === ">&" && isHandle(target)) continue;
    // Opened for both, a file is made, but what it holds changes only if the program writes.
    trace.sink.write(target, place, operator, operator === "<>" ? { keepsContent: true } : {});
  }
};

const isHandle = ({ text, known }: Word): boolean => known && /^(?:\d+-?|-)$/.test(text);
