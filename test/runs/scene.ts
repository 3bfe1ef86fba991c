import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Headgate, type HeadgateOptions, openHeadgate } from "../../src/index.ts";
import type { RunOptionsKept, RunRecord, Runs } from "../../src/runs/index.ts";
import { copyRepository, git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

export interface TaskText {
  readonly name: string;
  readonly files: string;
  /** What the agent of these tests does: shell lines. */
  readonly run?: string;
  readonly verify?: string;
}

export interface PlanText {
  readonly id: string;
  readonly after?: readonly string[];
  readonly writes?: readonly string[];
  /** Further lines of front matter. */
  readonly front?: readonly string[];
  readonly tasks: readonly TaskText[];
}

export const planText = ({ id, after = [], writes, front = [], tasks }: PlanText): string =>
  [
    "---",
    `plan: "${id}"`,
    `depends_on: [${after.map((one) => `"${one}"`).join(", ")}]`,
    ...(writes ? [`writes: [${writes.map((one) => `"${one}"`).join(", ")}]`] : []),
    ...front,
    "---",
    `# Plan ${id}`,
    "",
    ...tasks.flatMap((task) => [
      `## Task: ${task.name}`,
      `- files: ${task.files}`,
      ...(task.verify === undefined ? [] : [`- verify: \`${task.verify}\``]),
      "",
      ...(task.run ?? "").split("\n").map((line) => `RUN: ${line}`),
      "",
    ]),
  ].join("\n");

/** The agent of these tests: carries out the lines of its prompt that begin with RUN. */
export const scriptedAgent: readonly [string, ...string[]] = [
  "sh",
  "-c",
  "script=$(sed -n 's/^RUN: //p'); eval \"$script\"",
];

export const runOptions: RunOptionsKept = {
  exec: scriptedAgent,
  parallel: 4,
  timeoutMs: 300_000,
  onTimeout: "fail",
  retries: 0,
};

/** A repository with plans outside of it, so that only the runs change it. */
export const layOutPlans = (
  plans: readonly PlanText[],
  folder: string = temporaryFolder(),
): { root: string; plans: string } => {
  const root = copyRepository(join(folder, "repo"), "with a user", (template) => {
    makeRepository(template);
    git(template, "config", "user.name", "Ada");
    git(template, "config", "user.email", "ada@example.org");
  });
  for (const plan of plans) put(join(folder, "plans", `${plan.id}-PLAN.md`), planText(plan));
  return { root, plans: join(folder, "plans") };
};

export const openAt = async (
  root: string,
  options: Pick<HeadgateOptions, "actor" | "store" | "shared"> = {},
): Promise<Headgate> => {
  const headgate = await openHeadgate({
    ...{ repo: root, actor: "ada", shared: sharedParsers },
    ...options,
  });
  onTestFinished(() => headgate.close());
  return headgate;
};

export interface Scene {
  readonly root: string;
  readonly plans: string;
  readonly headgate: Headgate;
  readonly runs: Runs;
  readonly id: string;
  execute(options?: {
    readonly signal?: AbortSignal;
    readonly claimWaitMs?: number;
    readonly change?: Partial<RunOptionsKept>;
  }): Promise<RunRecord>;
  readonly told: string[];
}

export const startScene = async (
  plans: readonly PlanText[],
  options: Partial<RunOptionsKept> & {
    readonly own?: "branch" | "worktree";
    readonly prepare?: (root: string) => void;
  } = {},
): Promise<Scene> => {
  const place = layOutPlans(plans);
  const { own, prepare, ...more } = options;
  prepare?.(place.root);
  const headgate = await openAt(place.root);
  const { runs } = headgate;
  const run = await runs.create({
    source: place.plans,
    actor: "ada",
    options: { ...runOptions, ...more },
    ...(own && { own }),
  });
  const told: string[] = [];
  const execute: Scene["execute"] = async ({ signal, ...rest } = {}) => {
    const { run: end } = await runs.execute({
      run: run.id,
      signal: signal ?? new AbortController().signal,
      onProgress: ({ plan, what }) => told.push(`${plan ?? ""}: ${what}`),
      ...rest,
    });
    return end;
  };
  return { ...place, headgate, runs, id: run.id, execute, told };
};

/** What is committed, by path; and what is not, by its status. */
export const treeOf = (root: string, commit = "HEAD"): Record<string, string> => {
  const names = git(root, "ls-tree", "-r", "--name-only", commit).split("\n");
  return Object.fromEntries(names.map((name) => [name, git(root, "show", `${commit}:${name}`)]));
};

export const statusOf = (root: string): string => git(root, "status", "--porcelain");

export const read = (...path: string[]): string => readFileSync(join(...path), "utf8");

export const states = (run: RunRecord): Record<string, string> =>
  Object.fromEntries(run.plans.map(({ plan, state }) => [plan, state]));
