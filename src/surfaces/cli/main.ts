import { type Environment, systemEnvironment } from "../../base/environment.ts";
import { systemClock } from "../../base/clock.ts";
import { errnoOf } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import type { LoopGuard } from "../../base/loop-guard.ts";
import { HeadgateError } from "../../errors.ts";
import type { Command } from "./command.ts";
import { reportFailure } from "./failure.ts";
import { runProgram } from "./program.ts";
import { whyNot } from "./read-bounded.ts";
import { askAtTerminal, confirmAtTerminal, type TerminalStreams } from "./confirm.ts";
import { readStandardInput, readStandardLines } from "./standard-input.ts";
import { shortOutput } from "./short-output.ts";
import { createOutput } from "./terminal-output.ts";

/**
 * The only place that knows this process: its arguments, streams, signals and exit code. Nothing calls
 * `process.exit`, so output is never cut and every resource is closed.
 */
export const main = async (): Promise<void> => {
  const surroundings = lookAround();
  const { environment } = surroundings;
  const stopping = new AbortController();
  const stop = () => stopping.abort(new HeadgateError("INTERRUPTED", "interrupted"));
  // Once each: a second Ctrl-C ends a command that does not listen, the hard way.
  const listen = () => void process.once("SIGINT", stop).once("SIGTERM", stop);
  const letGo = () => void process.removeListener("SIGINT", stop).removeListener("SIGTERM", stop);
  listen();

  const fail = (error: unknown, debug: boolean): void => {
    const options = { stdout, stderr, environment, json: false, quiet: false, noColour: false };
    const code = reportFailure(error, createOutput(options), { debug });
    // Clients take every other code of a hook for "go on" (docs/hooks.md).
    process.exitCode = process.argv[2] === "hook" ? 2 : code;
    isBroken = true;
    stopping.abort(error);
  };
  let isBroken = false;
  // A reader that went away (`headgate events | head`) is no error; what nobody reads need not be made.
  // Remarks that cannot be written are told to nobody; a result that cannot is a failure.
  const onStreamError = (isResult: boolean) => (error: Error) => {
    if (errnoOf(error) === "EPIPE") {
      stopping.abort(new HeadgateError("INTERRUPTED", "the reader of the output went away"));
      readerLeft = true;
    } else if (isResult && !isBroken) fail(unwritable(error), false);
  };
  let readerLeft = false;
  const stdout = shortOutput(1, () => process.stdout, onStreamError(true));
  const stderr = shortOutput(2, () => process.stderr, onStreamError(false));

  process.on("uncaughtException", (error) => fail(error, true));
  if ("problem" in surroundings) {
    fail(surroundings.problem, false);
    return letGo();
  }

  const done = new AbortController();
  let guard: LoopGuard | undefined;
  const startGuard = async (watched: Command["watched"]): Promise<void> => {
    // Starting a thread costs more than most commands take altogether.
    if (watched === undefined) await systemClock.sleep(limits.loopGuardAfterMs, done.signal);
    if (done.signal.aborted) return;
    const { startLoopGuard } = await import("../../base/loop-guard.ts");
    const takeUp = () => void (stopping.signal.aborted || listen());
    const endAfterMs = watched === "server" ? limits.serverStuckMs : undefined;
    if (!done.signal.aborted) guard = startLoopGuard({ letGo, takeUp, endAfterMs });
  };

  const streams = (): TerminalStreams => ({
    input: process.stdin,
    output: process.stderr,
    signal: stopping.signal,
  });
  // Without a word a command that waits for typing looks as if it hung.
  const readsInput = (): NodeJS.ReadStream => {
    if (process.stdin.isTTY) stderr.write("headgate: reads what you type here; Ctrl-D ends it\n");
    return process.stdin;
  };
  const code = await runProgram(process.argv.slice(2), {
    stdout,
    stderr,
    environment,
    signal: stopping.signal,
    guardLoop: (watched) => void startGuard(watched),
    confirm: (question) => confirmAtTerminal(question, streams()),
    ask: (question) => askAtTerminal(question, streams()),
    readLines: (lineBytesMax) => readStandardLines(readsInput(), lineBytesMax, stopping.signal),
    readInput: (bytesMax) => readStandardInput(readsInput(), bytesMax, stopping.signal),
  });
  if (!isBroken) process.exitCode = readerLeft && code === 130 ? 0 : code;
  done.abort();
  guard?.stop();
  letGo();
};

const lookAround = (): { readonly environment: Environment; readonly problem?: unknown } => {
  try {
    return { environment: systemEnvironment() };
  } catch (problem) {
    return { environment: systemEnvironment("/"), problem };
  }
};

const unwritable = (error: Error): HeadgateError =>
  new HeadgateError("OUTPUT_FAILED", `the output cannot be written: ${whyNot(error)}`, {
    cause: error,
  });
