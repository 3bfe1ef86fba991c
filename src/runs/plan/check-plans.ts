/** What is wrong between plans: names, dependencies, circles, write-sets. */
import { limits } from "../../base/limits.ts";
import { nearestName, showText } from "../../base/text.ts";
import type { Plan, PlanProblem } from "../types.ts";
import { commonWrites, isWithin } from "./write-set.ts";

export const checkPlans = (plans: readonly Plan[]): PlanProblem[] => {
  const tasks = plans.reduce((count, plan) => count + plan.tasks.length, 0);
  const [first] = plans;
  if (first && (plans.length > limits.runPlansMax || tasks > limits.runTasksMax)) {
    const message = `a run has at most ${limits.runPlansMax} plans and ${limits.runTasksMax} tasks`;
    return [{ level: "error", file: first.file, message }];
  }
  return [
    ...repeatedNames(plans),
    ...missingDependencies(plans),
    ...circles(plans),
    ...filesOutside(plans),
    ...overlaps(plans),
  ];
};

const about = (plan: Plan, level: PlanProblem["level"], message: string): PlanProblem => ({
  level,
  file: plan.file,
  line: plan.line,
  plan: plan.id,
  message,
});

const repeatedNames = (plans: readonly Plan[]): PlanProblem[] => {
  const known = new Map<string, Plan>();
  return plans.flatMap((plan) => {
    const other = known.get(plan.id);
    known.set(plan.id, plan);
    if (!other) return [];
    return [about(plan, "error", `plan ${plan.id} exists twice: ${other.file}:${other.line} too`)];
  });
};

const missingDependencies = (plans: readonly Plan[]): PlanProblem[] => {
  const names = plans.map(({ id }) => id);
  return plans.flatMap((plan) =>
    plan.dependsOn
      .filter((one) => !names.includes(one))
      .map((one) => {
        const near = /^\d+$/.test(one) ? undefined : nearestName(one, names);
        const hint = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
        return about(
          plan,
          "error",
          `depends on plan ${showText(one)}, which does not exist; ${hint}`,
        );
      }),
  );
};

const circles = (plans: readonly Plan[]): PlanProblem[] => {
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  const state = new Map<string, "open" | "done">();
  const found: PlanProblem[] = [];
  const visit = (plan: Plan, way: readonly string[]): void => {
    if (state.get(plan.id) === "done") return;
    if (state.get(plan.id) === "open") {
      const circle = [...way.slice(way.indexOf(plan.id)), plan.id].join(" → ");
      found.push(about(plan, "error", `the plans wait for each other in a circle: ${circle}`));
      return;
    }
    state.set(plan.id, "open");
    for (const one of plan.dependsOn) {
      const next = byId.get(one);
      if (next) visit(next, [...way, plan.id]);
    }
    state.set(plan.id, "done");
  };
  for (const plan of plans) visit(plan, []);
  return found;
};

const filesOutside = (plans: readonly Plan[]): PlanProblem[] =>
  plans.flatMap((plan) =>
    plan.tasks.flatMap((task) =>
      task.files
        .filter((file) => !plan.writes.includes(file) && !isWithin(file, plan.writes))
        .map((file) => ({
          ...about(
            plan,
            "error",
            `task "${showText(task.name)}" writes ${showText(file)}, which is not in the plan's writes`,
          ),
          line: task.line,
        })),
    ),
  );

/** Plans that nothing keeps apart and that write the same: they run one after the other. */
const overlaps = (plans: readonly Plan[]): PlanProblem[] => {
  const before = ancestors(plans);
  return plans.flatMap((plan, index) =>
    plans.slice(index + 1).flatMap((other) => {
      if (before.get(plan.id)?.has(other.id) || before.get(other.id)?.has(plan.id)) return [];
      const common = commonWrites(plan.writes, other.writes);
      if (!common) return [];
      const [a, b] = common;
      const what =
        a === b
          ? `both write ${showText(a)}`
          : `write what overlaps, ${showText(a)} and ${showText(b)}`;
      const message = `plans ${plan.id} and ${other.id} ${what}: they will run one after the other, ${plan.id} first; say depends_on if the order matters`;
      return [about(other, "warning", message)];
    }),
  );
};

/** All plans that must be over before a plan begins. */
export const ancestors = (plans: readonly Plan[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  const found = new Map<string, Set<string>>();
  const visit = (id: string): Set<string> => {
    const known = found.get(id);
    if (known) return known;
    const own = new Set<string>();
    found.set(id, own);
    for (const one of byId.get(id)?.dependsOn ?? []) {
      own.add(one);
      for (const further of visit(one)) own.add(further);
    }
    return own;
  };
  for (const { id } of plans) visit(id);
  return found;
};
