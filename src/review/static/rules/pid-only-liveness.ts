import type { StaticRule } from "../rule.ts";

export const pidOnlyLiveness: StaticRule = {
  name: "pid-only-liveness",
  severity: "P2",
  kind: "concurrency",
  languages: ["python", "script", "go", "bash"],
  needs: /kill|Signal\(0\)/i,
  skipsTests: true,
  why: "Process numbers are used again: after a crash or a restart the number in the file belongs to a stranger, and the dead owner looks alive for ever. Signal 0 may also fail with EPERM although the process lives.",
  fix: "Record the start time (or boot id and start time) beside the number and compare both; or hold a lock that the system releases when the process ends.",
  *check(file) {
    if (
      /start_?time|lstart|create_?time|startedAt|\/proc\/[^\n]{0,30}stat|flock|\bps -|comm=/i.test(
        file.text,
      )
    )
      return;
    if (!/pid_?file|\.pid\b|lock|pid_?path/i.test(file.text)) return;
    for (const call of file.calls) {
      const zero =
        file.family === "bash"
          ? call.name === "kill" && call.args.some(({ text }) => text === "-0")
          : (/^(kill|Kill)$/.test(call.name) &&
              call.args[1]?.text.replace(/^syscall\.Signal\(0\)$/, "0") === "0") ||
            (call.name === "Signal" &&
              /^(syscall|unix)\.Signal\((0|0x0)\)$/.test(call.args[0]?.text ?? ""));
      if (!zero) continue;
      const whose = call.args.map(({ text }) => text).join(" ") + call.receiver;
      // One's own child keeps its number until it is waited for.
      if (/\$!|child|\bproc(ess)?\.pid|self\.pid|worker/i.test(whose)) continue;
      if (file.family === "bash" && !isReadFromFile(whose, file.text)) continue;
      // Waiting for the end of what was just signalled.
      if (call.node.around("for_statement", "while_statement", "c_style_for_statement")) continue;
      yield { node: call.node, title: "a process is taken for alive by its number alone" };
    }
  },
};

const isReadFromFile = (words: string, text: string): boolean => {
  const name = /\$\{?(\w+)/.exec(words)?.[1];
  if (name === undefined) return /\$\((cat|<)/.test(words);
  return new RegExp(`\\b${name}=["']?(\\$\\((cat|<|head)|\`cat)`).test(text);
};
