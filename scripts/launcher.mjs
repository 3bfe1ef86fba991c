// The launcher of docs/decisions/who-acts.md: tests, benchmarks and proofs play many actors and persons, whatever
// has started them. What they start finds this process above it and looks no further for an agent client.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** As in src/claims/actors/actor-harness.ts; a test compares them. */
export const agentVariables = [
  ...["CLAUDE_CODE_SESSION_ID", "CLAUDECODE", "CLAUDE_PID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID"],
  ...["GEMINI_CLI", "OPENCODE", "CURSOR_AGENT", "COPILOT_AGENT", "AI_AGENT", "COPILOT_CLI"],
  ...["COPILOT_AGENT_SESSION_ID", "QWEN_CODE", "QWEN_CODE_SESSION_ID"],
  ...["CODEX_SANDBOX", "AUGMENT_AGENT", "AMP_CURRENT_THREAD_ID", "ANTIGRAVITY_AGENT"],
];

/** Changes the variables that children get. One that was started by a launcher stays below it. */
export const becomeLauncher = (variables = process.env) => {
  for (const name of ["HEADGATE_ACTOR", ...agentVariables]) delete variables[name];
  const start = variables.HEADGATE_LAUNCHER ? undefined : startTime();
  if (start !== undefined) variables.HEADGATE_LAUNCHER = `${process.pid}:${start}:person`;
};

/** As the system tells it; undefined where it does not. */
const startTime = () => {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync("/proc/self/stat", "utf8");
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    }
    const argv = ["-o", "lstart=", "-p", String(process.pid)];
    const text = execFileSync("/bin/ps", argv, {
      env: { LC_ALL: "C", TZ: "UTC0" },
      encoding: "utf8",
    });
    return String(Date.parse(`${text.trim()} UTC`) / 1000);
  } catch {
    return undefined;
  }
};
