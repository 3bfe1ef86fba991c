import { relative } from "node:path";
import { plural, showText } from "../../base/text.ts";
import type { CorruptFinding, Decision, StateReport, TemporaryFinding } from "../../state/index.ts";
import type { Output } from "./output.ts";

/** The stable JSON of `state check` and `state recover`. */
export const reportObject = (report: StateReport) => ({
  clean: report.isClean && report.failures.length === 0,
  temporaries: report.temporaries.map((one) => ({
    path: one.path,
    target: one.target,
    owner: one.owner,
    ageMs: one.ageMs,
    bytes: one.bytes,
    complete: one.isComplete,
    valid: one.isComplete && one.problem === null,
    problem: one.problem,
    decision: one.decision,
  })),
  corrupt: report.corrupt,
  failures: report.failures.map(({ path, error }) => ({
    path,
    code: error.code,
    message: error.message,
  })),
});

export interface Wording {
  readonly cwd: string;
  /** The decisions were carried out. */
  readonly isDone: boolean;
  readonly hasReasons: boolean;
}

export const printReport = (report: StateReport, output: Output, wording: Wording): void => {
  const { style } = output;
  const show = (path: string): string => showText(relative(wording.cwd, path) || path, 1024);
  const verb = (action: string): string => (wording.isDone ? (past[action] ?? action) : action);
  // Why something was left alone is always said: it is what the reader has to decide about.
  const because = ({ action, reason }: Decision): string =>
    wording.hasReasons || action === "leave" ? `: ${showText(reason)}` : "";
  for (const one of report.corrupt) {
    const { decision, problem } = one;
    output.line(
      `${style.red("corrupt")}    ${show(one.path)}${place(one)}: ${showText(problem.message)}`,
    );
    const kept = one.quarantine === undefined ? "" : ` as ${show(one.quarantine)}`;
    output.line(`           ${verb(decision.action)}${kept}${because(decision)}`);
  }
  for (const one of report.temporaries) {
    output.line(`${style.yellow("temporary")}  ${show(one.path)}`);
    output.line(`           ${describe(one)}`);
    output.line(`           ${verb(one.decision.action)}${because(one.decision)}`);
  }
  for (const { path, error } of report.failures) {
    output.line(
      `${style.red("failed")}     ${show(path)}: ${showText(error.message)} [${error.code}]`,
    );
  }
};

const past: Readonly<Record<string, string>> = {
  promote: "promoted",
  discard: "discarded",
  leave: "left",
  quarantine: "set aside",
};

const place = ({ problem }: CorruptFinding): string =>
  problem.line === undefined ? "" : `:${problem.line}:${problem.column ?? 1}`;

const describe = (one: TemporaryFinding): string => {
  if (one.owner.pid === 0)
    return `${plural(one.bytes, "byte")}, ${age(one.ageMs)} old, made by another program`;
  const whole = one.isComplete ? "complete" : "incomplete";
  const valid = one.problem ? `, not valid (${showText(one.problem.message)})` : "";
  const { pid, state } = one.owner;
  return `${plural(one.bytes, "byte")}, ${whole}${valid}, ${age(one.ageMs)} old, process ${pid} ${state}`;
};

const age = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / 86_400)} days`;
};
