/** One question to one program, from its private folder to its answer. */
import { showText } from "../../base/text.ts";
import { limits } from "../../base/limits.ts";
import type { GroupEnd } from "../../base/process-group.ts";
import { seconds, structuredIn, without } from "../answers.ts";
import { costOf } from "../cost.ts";
import { maskFor } from "../secrets.ts";
import type { Ports } from "../spec.ts";
import type { Prices, RunAnswer, RunProgress, RunRequest } from "../types.ts";
import { childEnvironment } from "./child-environment.ts";
import { makePrivateFolder, type PrivateFolder } from "./private-folder.ts";
import { type OutputRules, readOutput } from "./read-output.ts";

export interface Prepared {
  readonly argv: readonly [string, ...string[]];
  /** Undefined: standard input is closed from the start. */
  readonly input?: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly output: OutputRules;
}

export interface ProgramRun {
  readonly request: RunRequest;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  readonly onPrinted?: ((chunk: Uint8Array) => void) | undefined;
  /** Names of the user's variables that the program gets. */
  readonly pass: readonly string[];
  readonly ownHome: boolean;
  readonly model: string | undefined;
  readonly prices: Prices | undefined;
  /** A text: why it cannot be asked. */
  prepare(folder: PrivateFolder): Prepared | string;
  /** What it says on standard error about its failure, where that has a form. */
  readError?(stderr: string): string | undefined;
}

export const runProgram = async (run: ProgramRun, ports: Ports): Promise<RunAnswer> => {
  const { request } = run;
  if (Buffer.byteLength(request.prompt) > limits.runnerPromptBytesMax) {
    return without("failed", `the prompt is larger than ${limits.runnerPromptBytesMax} bytes`);
  }
  if (!ports.files.statFollowing(request.cwd)?.isDirectory()) {
    return without("failed", `there is no folder ${showText(request.cwd)}`);
  }
  const folder = makePrivateFolder(ports);
  try {
    for (const name of ["home", "tmp"]) folder.makeFolder(name);
    const prepared = run.prepare(folder);
    if (typeof prepared === "string") return without("failed", prepared);
    return await ask(run, prepared, folder, ports);
  } finally {
    folder.remove();
  }
};

const ask = async (
  run: ProgramRun,
  prepared: Prepared,
  folder: PrivateFolder,
  { environment, processes }: Ports,
): Promise<RunAnswer> => {
  const { request } = run;
  let characters = 0;
  const end = await processes.runGroup(prepared.argv, {
    cwd: prepared.cwd,
    env: childEnvironment(environment, {
      folder: run.ownHome ? undefined : folder,
      pass: run.pass,
      set: { ...prepared.env, ...request.env },
    }),
    ...(prepared.input !== undefined && { input: prepared.input }),
    timeoutMs: request.timeoutMs,
    outputBytesMax: limits.runnerOutputBytesMax,
    stderrTailBytes: limits.runnerStderrTailBytes,
    signal: run.signal,
    onOutput: (chunk) => {
      characters += chunk.length;
      run.onProgress?.({ characters });
    },
    ...(run.onPrinted && { onPrinted: run.onPrinted }),
  });
  return readEnd(run, prepared, end, maskFor(environment.variables));
};

const readEnd = (
  run: ProgramRun,
  prepared: Prepared,
  end: GroupEnd,
  mask: ReturnType<typeof maskFor>,
): RunAnswer => {
  const stderrTail = mask.hide(end.stderrTail).trim();
  const base = { ...(stderrTail !== "" && { stderrTail }) };
  if (end.ended === "not-started") {
    return without("failed", `${showText(prepared.argv[0])} could not be started: ${end.why}`);
  }
  const read = readOutput(end.stdout.toString("utf8"), prepared.output);
  // What was used until it was ended is paid for all the same.
  const { usage } = read;
  const costUsd = costOf(read.costUsd, usage, run.prices);
  const model = read.model ?? run.model;
  const paid = { usage, ...(costUsd !== undefined && { costUsd }), ...(model && { model }) };
  if (end.ended === "timeout") {
    const problem = `did not finish in ${seconds(run.request.timeoutMs)}; it and all it started were ended`;
    return without("timeout", problem, { ...base, ...paid });
  }
  if (end.ended === "cancelled") return without("cancelled", "cancelled", { ...base, ...paid });
  if (end.ended === "output-limit") {
    const problem = `printed more than ${limits.runnerOutputBytesMax} bytes and was ended`;
    return without("failed", problem, { ...base, ...paid });
  }
  if (end.ended === "signal") {
    return without("failed", `was ended by ${end.signal}`, { ...base, ...paid });
  }
  const exit = end.code ?? -1;
  const problem = problemOf(run, read, exit, stderrTail);
  if (problem !== undefined) {
    return without("failed", mask.hide(problem), { ...base, ...paid, exit });
  }
  const structured =
    read.structured ?? (run.request.schema === undefined ? undefined : structuredIn(read.text));
  return {
    ended: "answer",
    ...base,
    ...paid,
    text: mask.hideKnown(read.text),
    ...(structured !== undefined && { structured: mask.hideIn(structured) }),
    truncated: read.truncated,
    exit,
    tries: 1,
  };
};

/** A program that ends well and says that it failed has failed; so has one that says nothing usable. */
const problemOf = (
  run: ProgramRun,
  read: ReturnType<typeof readOutput>,
  exit: number,
  stderrTail: string,
): string | undefined => {
  const said = run.readError?.(stderrTail) ?? stderrTail.split("\n").at(-1) ?? "";
  if (read.error !== undefined) return read.error || read.text || said || "it says that it failed";
  if (exit !== 0) {
    const why = said || read.text;
    return `ended with exit code ${exit}${why === "" ? "" : `: ${why}`}`;
  }
  if (read.malformed !== undefined) return read.malformed;
  return read.text === "" && read.structured === undefined ? "it gave no answer" : undefined;
};
