/**
 * An agent that is any program: the prompt on standard input, the repository as working directory.
 * Not the exec runner of `runners`: that one fills placeholders in and hands over a few named variables in a
 * private home, as suits a configured reviewer. Behind `--exec` stands what somebody typed: every word of it
 * counts as it is, it runs in their own environment, and one that says nothing has still done its work.
 */
import type { Environment } from "../../base/environment.ts";
import { limits } from "../../base/limits.ts";
import { systemProcessGroups } from "../../base/process-group.ts";
import { showText } from "../../base/text.ts";
import type { Runner } from "../../runners/index.ts";
import { userEnvironment } from "../../git/index.ts";

export const execAgent = (
  argv: readonly [string, ...string[]],
  environment: Environment,
): Runner => ({
  name: argv[0],
  family: "unknown",
  run: async (request, { signal, onProgress, onPrinted }) => {
    let characters = 0;
    const end = await systemProcessGroups.runGroup(argv, {
      cwd: request.cwd,
      env: { ...userEnvironment(environment), ...request.env },
      input: request.prompt,
      timeoutMs: request.timeoutMs,
      outputBytesMax: limits.runAgentOutputBytesMax,
      stderrTailBytes: limits.runnerStderrTailBytes,
      signal,
      onOutput: (chunk) => {
        characters += chunk.length;
        onProgress?.({ characters });
      },
      ...(onPrinted && { onPrinted }),
    });
    const { stderrTail } = end;
    const answer = {
      text: end.stdout.toString("utf8"),
      usage: { inputTokens: 0, outputTokens: 0 },
      stderrTail,
      truncated: end.ended === "output-limit",
      tries: 1,
      ...(end.code !== undefined && { exit: end.code }),
    };
    if (end.ended === "timeout" || end.ended === "cancelled")
      return { ...answer, ended: end.ended };
    if (end.ended === "exit" && end.code === 0) return { ...answer, ended: "answer" };
    const last = stderrTail.trim().split("\n").at(-1) ?? "";
    const how =
      end.ended === "not-started"
        ? `cannot be started (${end.why ?? "?"}): ${showText(argv[0])}`
        : end.ended === "output-limit"
          ? `said more than ${limits.runAgentOutputBytesMax} bytes`
          : end.ended === "signal"
            ? `was ended by ${end.signal}`
            : `ended with exit code ${end.code}`;
    const problem = `the agent ${how}${last === "" ? "" : `: ${showText(last, 300)}`}`;
    return { ...answer, ended: "failed", problem, retryable: end.ended === "signal" };
  },
});
