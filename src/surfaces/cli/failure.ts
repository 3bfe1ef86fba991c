import { showText } from "../../base/text.ts";
import { exitCodes, type HeadgateError } from "../../errors.ts";
import { asHeadgateError } from "../as-headgate-error.ts";
import type { ExitCode } from "./command.ts";
import type { TerminalOutput } from "./terminal-output.ts";

/**
 * Shows a failure once and gives its exit code. A known error is one line and what to do about it;
 * anything else is a defect of ours and is shown as INTERNAL. `words` is the command whose help explains it.
 */
export const reportFailure = (
  error: unknown,
  output: TerminalOutput,
  { debug, words }: { readonly debug: boolean; readonly words?: string },
): ExitCode => {
  const known = asHeadgateError(error);
  if (output.json) output.object({ ...known.toJSON(), remedy: remedyOf(known, words) });
  else {
    const style = output.failureStyle;
    output.failure(`${style.red("headgate:")} ${showText(known.message, messageLengthMax)}`);
    output.failure(`  → ${remedyOf(known, words)} ${style.dim(`[${known.code}]`)}`);
  }
  if (debug) for (const line of stackLines(error)) output.failure(`    ${line}`);
  return exitCodes[known.entry.kind];
};

// Messages name paths, which may be long; they are still one line.
const messageLengthMax = 2000;

const remedyOf = (error: HeadgateError, words: string | undefined): string => {
  const { help = words && `${words} --help` } = error.data;
  return error.code === "USAGE" && typeof help === "string" ? `See \`${help}\`.` : error.remedy;
};

const stackLines = (error: unknown): string[] => {
  const lines: string[] = [];
  for (let at: unknown = error; at instanceof Error && lines.length < 200; at = at.cause) {
    if (lines.length > 0) lines.push("caused by:");
    lines.push(...(at.stack ?? at.message).split("\n").map((line) => showText(line)));
  }
  return lines;
};
