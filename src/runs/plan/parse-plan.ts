/** One plan from its text: strict, with every problem named by line, so that a file is mended in one go. */
import { limits } from "../../base/limits.ts";
import { nearestName, showText } from "../../base/text.ts";
import type { Plan, PlanProblem, Task, TimeoutPolicy } from "../types.ts";
import { parseSpan } from "./span.ts";
import { type PlanPart, splitPlans, type TaskPart } from "./plan-text.ts";
import { writeProblem } from "./write-set.ts";

export interface ParsedPlans {
  readonly plans: readonly Plan[];
  readonly problems: readonly PlanProblem[];
}

export type ParsePlans = (text: string, file: string) => ParsedPlans;

/** Loads what reading needs; the reader itself then answers at once. */
export const loadPlanParser = async (): Promise<ParsePlans> => {
  const yaml = await import("yaml");
  const readYaml: ReadYaml = (text) => {
    const document = yaml.parseDocument(text, { uniqueKeys: true });
    const [error] = document.errors;
    if (error) {
      const line = error.linePos?.[0]?.line;
      return { problem: error.message.split("\n")[0] ?? "not YAML", ...(line && { line }) };
    }
    try {
      return { value: document.toJS({ maxAliasCount: 0 }) as unknown };
    } catch (cause) {
      return { problem: cause instanceof Error ? cause.message : "not YAML" };
    }
  };
  return (text, file) => {
    if (Buffer.byteLength(text) > limits.runPlanBytesMax) {
      return one({ level: "error", file, message: `larger than ${limits.runPlanBytesMax} bytes` });
    }
    const { plans } = splitPlans(text);
    if (plans.length === 0) {
      const message =
        'no plan in it: a plan begins with "---", a line "plan: \\"01\\"" and "---" again (headgate run new shows one)';
      return one({ level: "error", file, line: 1, message });
    }
    const parsed = plans.map((part) => new PlanReader(file, readYaml).read(part));
    return {
      plans: parsed.flatMap(({ plan }) => plan ?? []),
      problems: parsed.flatMap(({ problems }) => problems),
    };
  };
};

const one = (problem: PlanProblem): ParsedPlans => ({ plans: [], problems: [problem] });

type ReadYaml = (text: string) => { value?: unknown; problem?: string; line?: number };

const frontKeys = [
  "plan",
  "depends_on",
  "agent",
  "timeout",
  "on_timeout",
  "retries",
  "writes",
] as const;
/** Written by other tools about the same things, or about nothing that matters here. */
const spellings: Readonly<Record<string, (typeof frontKeys)[number]>> = {
  dependsOn: "depends_on",
  "depends-on": "depends_on",
  onTimeout: "on_timeout",
  "on-timeout": "on_timeout",
};
const timeoutPolicies: readonly TimeoutPolicy[] = ["extend", "skip", "fail"];

class PlanReader {
  readonly #file: string;
  readonly #readYaml: ReadYaml;
  readonly #problems: PlanProblem[] = [];
  #plan: string | undefined;

  constructor(file: string, readYaml: ReadYaml) {
    this.#file = file;
    this.#readYaml = readYaml;
  }

  read(part: PlanPart): { readonly plan?: Plan; readonly problems: readonly PlanProblem[] } {
    const front = this.#front(part);
    for (const { line, message } of part.problems) this.#error(line, message);
    const tasks = part.tasks.map((task) => this.#task(task));
    if (tasks.length === 0) {
      this.#error(part.frontLine, 'the plan has no task: write "## Task: what to do"');
    }
    const id = this.#plan;
    // With errors as well: what is wrong between plans is told together with what is wrong in them.
    if (id === undefined) return { problems: this.#problems };
    const files = [...new Set(tasks.flatMap((task) => task.files))];
    const plan: Plan = {
      id,
      title: part.title || `Plan ${id}`,
      dependsOn: front.dependsOn,
      writes: front.writes ?? files,
      ...front.more,
      text: part.text,
      tasks,
      file: this.#file,
      line: part.frontLine,
    };
    return { plan, problems: this.#problems };
  }

  #front(part: PlanPart) {
    const { frontLine: line } = part;
    const more: {
      agent?: string;
      timeoutMs?: number;
      onTimeout?: TimeoutPolicy;
      retries?: number;
    } = {};
    const result = { dependsOn: [] as string[], writes: undefined as string[] | undefined, more };
    const read = this.#readYaml(part.front);
    if (read.problem !== undefined || !isRecord(read.value)) {
      const why = read.problem ?? "it is not a list of keys";
      this.#error(line + (read.line ?? 0), `the front matter cannot be read: ${why}`);
      return result;
    }
    const values = this.#keys(read.value, part);
    const at = (key: string): number => lineOf(part, key);
    this.#plan = this.#planId(values["plan"], at("plan"));
    const depends = values["depends_on"];
    if (depends !== undefined && depends !== null) {
      result.dependsOn = this.#list(depends, "depends_on", at("depends_on")).flatMap(
        (one) =>
          planId(one) ?? this.#error(at("depends_on"), `depends_on: "${showText(one)}" is no plan`),
      );
    }
    if (values["writes"] !== undefined) {
      const listed = this.#list(values["writes"], "writes", at("writes"));
      result.writes = this.#paths(listed, "writes", at("writes"));
    }
    const { agent, timeout, on_timeout: policy, retries } = values;
    if (agent !== undefined) {
      if (typeof agent === "string" && /^[\w.-]{1,64}$/.test(agent)) more.agent = agent;
      else this.#error(at("agent"), "agent: the name of a runner, such as claude");
    }
    if (timeout !== undefined) {
      const ms = parseSpan(String(timeout));
      if (ms !== undefined && ms >= 1000 && ms <= limits.runTimeoutMsMax) more.timeoutMs = ms;
      else
        this.#error(
          at("timeout"),
          `timeout: a time such as 90s, 15m or 2h, not "${showText(String(timeout))}"`,
        );
    }
    if (policy !== undefined) {
      const found = timeoutPolicies.find((known) => known === policy);
      if (found) more.onTimeout = found;
      else this.#error(at("on_timeout"), "on_timeout: one of extend, skip, fail");
    }
    if (retries !== undefined) {
      const count = typeof retries === "number" ? retries : Number.NaN;
      if (Number.isInteger(count) && count >= 0 && count <= limits.runRetriesMax)
        more.retries = count;
      else this.#error(at("retries"), `retries: a number from 0 to ${limits.runRetriesMax}`);
    }
    return result;
  }

  #keys(value: Readonly<Record<string, unknown>>, part: PlanPart): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const [given, content] of Object.entries(value)) {
      const key = spellings[given] ?? given;
      if (!frontKeys.includes(key as (typeof frontKeys)[number])) {
        const near = nearestName(given, frontKeys);
        const hint =
          near === undefined ? `known are ${frontKeys.join(", ")}` : `did you mean "${near}"?`;
        this.#error(lineOf(part, given), `unknown key "${showText(given)}"; ${hint}`);
      } else if (key in found) {
        this.#error(lineOf(part, given), `"${key}" is written twice, in two spellings`);
      } else found[key] = content;
    }
    return found;
  }

  #planId(value: unknown, line: number): string | undefined {
    const id =
      typeof value === "string" || typeof value === "number" ? planId(String(value)) : undefined;
    if (id === undefined) this.#error(line, 'plan: a number or a short name, such as "01"');
    return id;
  }

  #list(value: unknown, key: string, line: number): string[] {
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    const texts = items
      .filter((one) => typeof one === "string" || typeof one === "number")
      .map(String);
    if (texts.length < items.length) this.#error(line, `${key}: a list of texts`);
    return texts
      .flatMap((text) => (Array.isArray(value) ? [text] : text.split(",")))
      .map((one) => one.trim())
      .filter((one) => one !== "");
  }

  #paths(paths: readonly string[], key: string, line: number): string[] {
    if (paths.length > limits.claimTargetsMax) {
      this.#error(line, `${key}: at most ${limits.claimTargetsMax}; use a folder or a pattern`);
    }
    return paths.flatMap((path) => {
      const problem = writeProblem(path);
      if (problem === undefined) return [path.replace(/^\.\//, "")];
      return this.#error(line, `${key}: "${showText(path)}" ${problem}`);
    });
  }

  #task(part: TaskPart): Task {
    const { line, keys } = part;
    const name = keys["name"]?.value || part.name;
    if (name === "") this.#error(line, 'the task has no name: "## Task: what to do"');
    if (Buffer.byteLength(name) > limits.runTaskNameBytesMax)
      this.#error(line, "the task's name is too long");
    const given = keys["files"];
    if (given === undefined) {
      this.#error(
        line,
        'the task names no files: "- files: src/a.ts, src/b.ts", or "- files: none"',
      );
    }
    const listed = splitFiles(given?.value ?? "");
    const files = /^\(?none\)?$/i.test(given?.value.trim() ?? "")
      ? []
      : this.#paths(listed, "files", given?.line ?? line);
    if (given && listed.length === 0) this.#error(given.line, "files: name at least one, or none");
    const verify = uncode(keys["verify"]?.value ?? "");
    if (verify === "") {
      const message = `task "${showText(name)}" has no verify command: nothing proves that it is done`;
      this.#problem({ level: "warning", line, message });
    }
    if (verify.includes("\0")) this.#error(line, "verify: holds a NUL character");
    const action = [keys["action"]?.value ?? "", part.text]
      .filter((one) => one !== "")
      .join("\n\n");
    const done = keys["done"]?.value;
    return {
      name,
      files,
      action,
      ...(verify !== "" && { verify }),
      ...(done && { done }),
      line,
    };
  }

  #error(line: number, message: string): [] {
    this.#problem({ level: "error", line, message });
    return [];
  }

  #problem(problem: Omit<PlanProblem, "file" | "plan">): void {
    const about = this.#plan === undefined ? {} : { plan: this.#plan };
    this.#problems.push({ ...problem, file: this.#file, ...about });
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Of a key of the front matter, in whichever spelling; of its first line where it cannot be found. */
const lineOf = ({ front, frontLine }: PlanPart, key: string): number => {
  const names = [key, ...Object.keys(spellings).filter((one) => spellings[one] === key)];
  const at = front.split("\n").findIndex((line) => names.some((name) => startsKey(line, name)));
  return frontLine + at + 1;
};

const startsKey = (line: string, name: string): boolean =>
  [name, `"${name}"`, `'${name}'`].some(
    (one) => line.startsWith(one) && /^\s*:/.test(line.slice(one.length)),
  );

/** `1`, `01` and `001` are one plan. */
export const planId = (text: string): string | undefined => {
  const name = text.trim();
  if (/^\d{1,4}$/.test(name)) return String(Number(name)).padStart(2, "0");
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name) ? name : undefined;
};

const splitFiles = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((one) => uncode(one.replace(/^\s*[-*]\s+/, "")))
    .filter((one) => one !== "");

/** Without the marks of code around it. */
const uncode = (text: string): string => {
  const trimmed = text.trim();
  const block = /^```[^\n]*\n([^]*?)\n?```$/.exec(trimmed);
  if (block) return (block[1] ?? "").trim();
  const [ticks = ""] = /^`*/.exec(trimmed) ?? [];
  const [end = ""] = /(?<!`)`*$/.exec(trimmed) ?? [];
  const count = Math.min(ticks.length, end.length, Math.floor(trimmed.length / 2));
  return count === 0 ? trimmed : trimmed.slice(count, -count).trim();
};
