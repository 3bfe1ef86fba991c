/**
 * The built program inside this process: everything but main.ts, which knows the real streams, signals and
 * exit code. For tests of what a command does; a process of its own costs ten times as much. Tests of the
 * process itself use program.ts, and so does one test of every command.
 */
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { systemEnvironment } from "../../src/base/environment.ts";
import type { SharedParts } from "../../src/compose-editing.ts";
import type * as Gate from "../../src/gate/index.ts";
import type { Analyser } from "../../src/structure/index.ts";
import type { runProgram as RunProgram } from "../../src/surfaces/cli/program.ts";
import type * as StandardInput from "../../src/surfaces/cli/standard-input.ts";
import { cleanEnvironment, type Ended, type StartOptions, withoutProgress } from "./program.ts";

// By Node's own loader: vitest would read and rewrite every file of the build again for every test file.
const load = createRequire(import.meta.url);
const built = resolve(import.meta.dirname, "../../dist/surfaces/cli");
const { runProgram } = load(join(built, "program.js")) as {
  readonly runProgram: typeof RunProgram;
};
const { Analyser: BuiltAnalyser } = load(join(built, "../../structure/index.js")) as {
  readonly Analyser: typeof Analyser;
};
const { newNamesShelf } = load(join(built, "../../gate/index.js")) as typeof Gate;
const { readStandardInput, readStandardLines } = load(
  join(built, "standard-input.js"),
) as typeof StandardInput;

/** The parsers of this process, as in shared-parsers.ts, but of the build. */
let analyser: Analyser | undefined;
const shared = async (): Promise<SharedParts> => ({
  analyser: (analyser ??= new BuiltAnalyser()),
  shelf: newNamesShelf(),
});

export interface InsideOptions extends Omit<StartOptions, "nodeArgs"> {
  readonly input?: string;
  readonly signal?: AbortSignal;
}

/** What `run` of program.ts gives, without a process: no terminal, nobody to ask. */
export const runInside = async (
  args: readonly string[],
  { cwd, env = {}, input = "", signal = new AbortController().signal }: InsideOptions,
): Promise<Ended> => {
  const variables = { ...cleanEnvironment(join(cwd, "..", "no-home")), ...env };
  const text = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write: (chunk: string) => void (text[name] += chunk),
  });
  const stdin = Readable.from([Buffer.from(input)]) as unknown as NodeJS.ReadStream;
  const code = await runProgram(args, {
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    environment: {
      ...systemEnvironment(),
      ...{ cwd, variables, home: variables["HOME"] ?? "", temporary: tmpdir() },
    },
    signal,
    shared,
    confirm: async () => undefined,
    ask: async () => undefined,
    readInput: (bytesMax) => readStandardInput(stdin, bytesMax, signal),
    readLines: (lineBytesMax) => readStandardLines(stdin, lineBytesMax, signal),
  });
  return { code, signal: null, stdout: text.stdout, stderr: withoutProgress(text.stderr) };
};
