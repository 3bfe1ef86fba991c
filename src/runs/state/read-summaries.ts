/**
 * What files say about a run when the store does not: summaries with their own status each, the history of
 * agents, checkpoints. Keys are read in both spellings (agent_id, agentId). Nothing is guessed: what a file
 * does not say is in `unknown`.
 */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { parseJsonText, readContent } from "../../state/index.ts";
import { planId } from "../plan/parse-plan.ts";
import type { AgentRecord, AgentStatus, TaskState } from "../types.ts";
import type { SummaryStatus } from "./run-texts.ts";

export interface ReadSummary {
  readonly plan: string;
  readonly status: SummaryStatus;
  readonly title?: string;
  readonly agents: readonly string[];
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly tasks: readonly {
    readonly name: string;
    readonly state: TaskState;
    readonly commit?: string;
  }[];
}

export interface ReadFiles {
  readonly summaries: readonly ReadSummary[];
  readonly agents: readonly AgentRecord[];
  readonly issues: readonly string[];
  readonly unknown: readonly string[];
}

export const readRunFolder = async (dir: string, files: Files): Promise<ReadFiles> => {
  const unknown: string[] = [];
  const yaml = await import("yaml");
  const summaries = summaryNames(dir, files, unknown).flatMap((name) => {
    const text = readText(join(dir, "summaries", name), files, unknown);
    const summary = text === undefined ? undefined : readSummary(name, text, yaml.parse);
    if (summary && "problem" in summary) unknown.push(`summaries/${name}: ${summary.problem}`);
    return summary && !("problem" in summary) ? [summary] : [];
  });
  return {
    summaries,
    agents: readHistory(dir, files, summaries, unknown),
    issues: readIssues(dir, files),
    unknown,
  };
};

const summaryNames = (dir: string, files: Files, unknown: string[]): string[] => {
  const folder = join(dir, "summaries");
  if (!files.statFollowing(folder)?.isDirectory()) {
    unknown.push("there is no folder summaries: no plan's end is known");
    return [];
  }
  const names = files.list(folder).map(({ name }) => name);
  const found = names.filter((name) => /^[A-Za-z0-9][\w.-]*-SUMMARY\.md$/.test(name)).toSorted();
  if (found.length === 0) unknown.push("the folder summaries is empty: no plan's end is known");
  return found.slice(0, limits.runPlansMax);
};

const readText = (path: string, files: Files, unknown: string[]): string | undefined => {
  try {
    return readContent(path, files)?.toString("utf8");
  } catch (error) {
    if (!HeadgateError.isInstance(error)) throw error;
    unknown.push(`${showText(path)}: ${error.message}`);
    return undefined;
  }
};

/** Words that mean the same. */
const statuses: Readonly<Record<string, SummaryStatus>> = {
  completed: "completed",
  complete: "completed",
  done: "completed",
  success: "completed",
  failed: "failed",
  failure: "failed",
  error: "failed",
  partial: "partial",
  incomplete: "partial",
  "needs-decision": "partial",
  "needs-action": "partial",
  paused: "partial",
  skipped: "skipped",
  timeout: "timeout",
  "timed out": "timeout",
};

const readSummary = (
  name: string,
  text: string,
  parse: (text: string) => unknown,
): ReadSummary | { readonly problem: string } => {
  const front = /^---[ \t]*\n([^]*?)\n---[ \t]*(?:\n|$)/.exec(text);
  let meta: Keys = {};
  try {
    const value = front && parse(front[1] ?? "");
    if (isRecord(value)) meta = value;
  } catch {
    return { problem: "its front matter cannot be read" };
  }
  const plan = planId(name.replace(/-SUMMARY\.md$/, ""));
  const written =
    pick(meta, "status") ?? /^[^\w\n]*status[^\w\n:]*:\W*([a-z][a-z -]*[a-z])/im.exec(text)?.[1];
  const status =
    statuses[
      String(written ?? "")
        .toLowerCase()
        .trim()
    ];
  if (plan === undefined) return { problem: "its name is not that of a plan" };
  if (status === undefined) {
    const said =
      written === undefined
        ? "it does not say its status"
        : `its status "${showText(String(written))}" is not known`;
    return { problem: `${said}; the plan is taken as not begun` };
  }
  const title = /^#[ \t]+(?:Plan[ \t]+[^\s:]+:[ \t]*)?(\S.*)$/m.exec(text)?.[1]?.trimEnd();
  const [started, ended] = [timeOf(pick(meta, "started_at")), timeOf(pick(meta, "ended_at"))];
  const ids = [pick(meta, "agents"), pick(meta, "agent_id")]
    .flat()
    .filter((one) => typeof one === "string");
  return {
    plan,
    status,
    ...(title !== undefined && { title }),
    agents: ids,
    ...(started !== undefined && { startedAt: started }),
    ...(ended !== undefined && { endedAt: ended }),
    tasks: [pick(meta, "tasks") ?? []].flat().flatMap(readTask),
  };
};

const taskStates: readonly TaskState[] = [
  "pending",
  "done",
  "skipped",
  "failed",
  "timeout",
  "needs-decision",
  "needs-action",
];

const readTask = (value: unknown): ReadSummary["tasks"] => {
  if (!isRecord(value)) return [];
  const given = String(pick(value, "status") ?? "");
  const state =
    taskStates.find((one) => one === given) ?? (given === "completed" ? "done" : "pending");
  const commit = pick(value, "commit");
  return [
    {
      name: String(value["name"] ?? "task"),
      state,
      ...(typeof commit === "string" && /^[0-9a-f]{7,64}$/.test(commit) && { commit }),
    },
  ];
};

const readHistory = (
  dir: string,
  files: Files,
  summaries: readonly ReadSummary[],
  unknown: string[],
): readonly AgentRecord[] => {
  const text = readText(join(dir, "agent-history.json"), files, unknown);
  const parsed = text === undefined ? undefined : parseJsonText(text);
  if (text === undefined)
    unknown.push("agent-history.json is missing: agents are known from summaries only");
  else if (parsed && !parsed.ok) unknown.push(`agent-history.json: ${parsed.problem.message}`);
  const value = parsed?.ok ? parsed.value : undefined;
  const entries =
    isRecord(value) && Array.isArray(value["entries"]) ? (value["entries"] as unknown[]) : [];
  const found = entries.flatMap((entry, index) => readAgent(entry, index, unknown));
  const ids = new Set(found.map((agent) => agent.agent_id));
  const fromSummaries = summaries.flatMap((summary) =>
    summary.agents
      .filter((id) => !ids.has(id))
      .map((id): AgentRecord => {
        if (summary.startedAt === undefined) unknown.push(`when the agent ${showText(id)} began`);
        return {
          ...{ agent_id: id, plan: summary.plan, task: 0, status: agentStatus(summary.status) },
          started_at: summary.startedAt ?? epoch,
          ...(summary.endedAt !== undefined && { ended_at: summary.endedAt }),
          ...{ input_tokens: 0, output_tokens: 0 },
        };
      }),
  );
  return [...found, ...fromSummaries].slice(-limits.runHistoryMax);
};

/** Stands for a time that no file tells. */
const epoch = "1970-01-01T00:00:00.000Z";

const readAgent = (entry: unknown, index: number, unknown: string[]): AgentRecord[] => {
  if (!isRecord(entry)) return [];
  const id = pick(entry, "agent_id");
  const plan = planId(String(pick(entry, "plan") ?? ""));
  if (typeof id !== "string" || id === "" || plan === undefined) {
    unknown.push(
      `agent-history.json, entry ${index + 1}: ${typeof id === "string" ? "its plan" : "its agent"}`,
    );
    return [];
  }
  const [started, ended] = [timeOf(pick(entry, "started_at")), timeOf(pick(entry, "ended_at"))];
  if (started === undefined) unknown.push(`when the agent ${showText(id)} began`);
  return [
    {
      ...{ agent_id: id, plan, task: Number(pick(entry, "task") ?? 0) || 0 },
      status: agentStatus(String(pick(entry, "status") ?? "")),
      started_at: started ?? epoch,
      ...(ended !== undefined && { ended_at: ended }),
      ...{ input_tokens: 0, output_tokens: 0 },
    },
  ];
};

const agentStatus = (word: string): AgentStatus => {
  const known: readonly AgentStatus[] = ["completed", "failed", "timeout", "cancelled", "lost"];
  // One that is said to be running has long ended.
  return known.find((one) => one === word) ?? "lost";
};

const readIssues = (dir: string, files: Files): string[] => {
  const text = readText(join(dir, "ISSUES.md"), files, []);
  const items = (text ?? "").split("\n").flatMap((line) => /^[-*]\s+(\S.*)$/.exec(line)?.[1] ?? []);
  return items.slice(0, 100).map((item) => item.slice(0, limits.runNoteLengthMax));
};

type Keys = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** By its name here, or as JavaScript would spell it. */
const pick = (keys: Keys, name: string): unknown =>
  keys[name] ?? keys[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];

const timeOf = (value: unknown): string | undefined => {
  const ms =
    value instanceof Date
      ? value.getTime()
      : typeof value === "string"
        ? Date.parse(value)
        : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};
