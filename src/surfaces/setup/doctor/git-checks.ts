import { plural } from "../../../base/text.ts";
import type { GitHooksState } from "../../git/index.ts";
import { type Check, checksIn } from "./check.ts";

export const gitChecks = ({ folder, isShared, hooks, runner, notes }: GitHooksState): Check[] => {
  const { ok, warning, problem } = checksIn("git hooks");
  if (folder === undefined) return [];
  const bad = hooks.filter(({ state }) => state !== "installed" && state !== "absent");
  const absent = hooks.filter(({ state }) => state === "absent");
  const again = [...(isShared ? [] : ["Run `headgate init`."]), ...notes].join(" ");
  const checks = bad.map(({ hook, state }) => problem(`${hook} is ${state}`, again));
  if (absent.length === hooks.length) {
    return [...checks, warning("commits are not judged: there are no hooks of ours", again)];
  }
  for (const { hook } of absent) checks.push(problem(`${hook} is gone`, again));
  if (runner !== "installed") checks.push(problem(`the script they call is ${runner}`, again));
  return checks.length > 0 ? checks : [ok(`${plural(hooks.length, "hook")} in place`)];
};
