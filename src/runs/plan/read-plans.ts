/** Plans from a folder of `NN-PLAN.md` files, or from one Markdown file with one plan or several. */
import { basename, join } from "node:path";
import type { Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { Plan, PlanProblem } from "../types.ts";
import { checkPlans } from "./check-plans.ts";
import { loadPlanParser } from "./parse-plan.ts";

export interface PlanSet {
  /** In the order of their names. */
  readonly plans: readonly Plan[];
  readonly problems: readonly PlanProblem[];
  /** The texts as they were read, by file name. */
  readonly sources: Readonly<Record<string, string>>;
}

export const planFileName = /^[A-Za-z0-9][A-Za-z0-9._-]*-PLAN\.md$/;

/** Throws FILE_ABSENT when there is nothing at the path; what is wrong in the files is in `problems`. */
export const readPlans = async (path: string, files: Files): Promise<PlanSet> => {
  const stat = files.statFollowing(path);
  if (!stat) {
    throw new HeadgateError(
      "PLANS_ABSENT",
      `no plans at ${showText(path)}: name a folder of NN-PLAN.md files`,
    );
  }
  const names = stat.isDirectory() ? planFiles(path, files) : [path];
  if (names.length === 0) {
    const hint = "name them 01-PLAN.md, 02-PLAN.md …";
    throw new HeadgateError("PLANS_ABSENT", `no NN-PLAN.md in ${showText(path)}: ${hint}`);
  }
  const sources: Record<string, string> = {};
  for (const name of names) {
    const size = files.statFollowing(name)?.size ?? 0;
    const text = size > limits.runPlanBytesMax ? undefined : files.readFile(name).toString("utf8");
    sources[basename(name)] = text ?? " ".repeat(limits.runPlanBytesMax + 1);
  }
  return parseSources(sources);
};

/** The same from texts that were read before. */
export const parseSources = async (sources: Readonly<Record<string, string>>): Promise<PlanSet> => {
  const parse = await loadPlanParser();
  const plans: Plan[] = [];
  const problems: PlanProblem[] = [];
  for (const [file, text] of Object.entries(sources)) {
    const parsed = parse(text, file);
    plans.push(...parsed.plans);
    problems.push(...parsed.problems, ...nameProblems(file, parsed.plans));
  }
  const sorted = plans.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return { plans: sorted, problems: [...problems, ...checkPlans(sorted)], sources };
};

const planFiles = (folder: string, files: Files): string[] =>
  files
    .list(folder)
    .map(({ name }) => name)
    .filter((name) => planFileName.test(name))
    .toSorted()
    .slice(0, limits.runPlansMax + 1)
    .map((name) => join(folder, name));

/** `02-PLAN.md` that holds plan 03 was copied and half changed. */
const nameProblems = (file: string, plans: readonly Plan[]): PlanProblem[] => {
  const number = /^(\d{1,4})-PLAN\.md$/.exec(file)?.[1];
  const [plan] = plans;
  if (number === undefined || plans.length !== 1 || !plan) return [];
  const expected = String(Number(number)).padStart(2, "0");
  if (plan.id === expected) return [];
  const message = `the file's name says plan ${expected}, its front matter says ${plan.id}`;
  return [{ level: "error", file, line: plan.line, plan: plan.id, message }];
};
