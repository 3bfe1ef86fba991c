/** One call of a hook, from its name to its answer. */
import type { Environment } from "../../base/environment.ts";
import { readProcessTree } from "../../base/process-tree.ts";
import { showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import type { Analyser } from "../../structure/index.ts";
import { asHeadgateError } from "../as-headgate-error.ts";
import { noteRefusal } from "../note-refusal.ts";
import type { HookContext } from "./hook-context.ts";
import { openHookGit } from "./hook-git.ts";
import { type HookOutcome, passed, refused } from "./refusal.ts";
import type { GitHookName } from "./types.ts";

export interface RunGitHookOptions {
  readonly headgate: Headgate;
  readonly environment: Environment;
  readonly hook: GitHookName;
  readonly args: readonly string[];
  readonly input: string;
  /** Of the process that asks, where that is another one. */
  readonly processTree?: HookContext["processTree"];
  readonly analyser?: Analyser;
}

const hooks: Record<GitHookName, () => Promise<(context: HookContext) => Promise<HookOutcome>>> = {
  "pre-commit": async () => (await import("./pre-commit.ts")).preCommit,
  "commit-msg": async () => (await import("./commit-message.ts")).commitMessage,
  "post-commit": async () => (await import("./post-commit.ts")).postCommit,
  "pre-push": async () => (await import("./fences.ts")).prePush,
  "reference-transaction": async () => (await import("./fences.ts")).referenceTransaction,
};

const acts: Record<GitHookName, string> = {
  "pre-commit": "git commit",
  "commit-msg": "git commit",
  "post-commit": "git commit",
  "pre-push": "git push",
  "reference-transaction": "change of a branch",
};

/** Throws what git, the store and the parsers throw; with HEADGATE_BYPASS nothing is refused or thrown. */
export const runGitHook = async (options: RunGitHookOptions): Promise<HookOutcome> => {
  const reason = options.environment.variables["HEADGATE_BYPASS"];
  if (!reason) return runHook(options);
  const outcome = await runQuietly(options);
  // A commit is judged on every call; of the others only what would have been stopped is worth a line.
  if (!outcome.isRefused && options.hook !== "pre-commit") return outcome;
  try {
    const { headgate, hook } = options;
    await headgate.events.append({
      kind: "gate.bypassed",
      actor: headgate.claims.actor.id,
      data: { reason: reason.slice(0, reasonLengthMax), tool: acts[hook] },
    });
  } catch (error) {
    return passed(`headgate: the bypass could not be recorded: ${textOf(error)}`);
  }
  return passed(`headgate: passed by HEADGATE_BYPASS (${showText(reason)})`);
};

const reasonLengthMax = 500;

const runQuietly = async (options: RunGitHookOptions): Promise<HookOutcome> => {
  try {
    return await runHook(options);
  } catch (error) {
    return { isRefused: true, lines: [textOf(error)] };
  }
};

const runHook = async (options: RunGitHookOptions): Promise<HookOutcome> => {
  const { headgate, environment, hook, args, input, analyser } = options;
  const { processTree = readProcessTree } = options;
  const { git, gitDir } = openHookGit(headgate.repository, environment);
  const run = await hooks[hook]();
  return run({
    ...{ headgate, environment, git, gitDir, args, input },
    processTree: () => processTree(),
    ...(analyser && { analyser }),
    refuse: async (act, reasons) => {
      const [first] = reasons;
      if (first && !environment.variables["HEADGATE_BYPASS"]) {
        const { id: actor } = headgate.claims.actor;
        await noteRefusal(headgate, { actor, tool: act, reason: first });
      }
      return refused(act, reasons);
    },
  });
};

const textOf = (error: unknown): string => {
  const { code, message } = asHeadgateError(error);
  return `${showText(message)} [${code}]`;
};
