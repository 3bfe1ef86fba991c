/** One call of a hook, from its name to its answer. */
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { readProcessTree } from "../../base/process-tree.ts";
import { showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import type { Analyser } from "../../structure/index.ts";
import type { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import {
  findGitAbove,
  type PersonAct,
  personSecretVariable,
  whyNoPerson,
} from "../../claims/index.ts";
import { commandLine } from "../../base/shell-word.ts";
import { askPerson } from "../ask-person.ts";
import { asHeadgateError } from "../as-headgate-error.ts";
import { fitReasons, type Stand } from "../fit-remedy.ts";
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
  // `withSetUp` says all there is to say.
  "post-checkout": async () => async () => passed(),
};

const acts: Record<GitHookName, string> = {
  "pre-commit": "git commit",
  "commit-msg": "git commit",
  "post-commit": "git commit",
  "pre-push": "git push",
  "reference-transaction": "change of a branch",
  "post-checkout": "git checkout",
};

/**
 * Throws what git, the store and the parsers throw; with HEADGATE_BYPASS of a person nothing is refused or thrown.
 * Of anybody else it changes nothing, and where something is refused the person hears of it.
 */
export const runGitHook = async (options: RunGitHookOptions): Promise<HookOutcome> => {
  const reason = options.environment.variables["HEADGATE_BYPASS"];
  if (!reason) return withSetUp(options, await runHook(options));
  const why = whyNoPersonActs(options, bypassAct(options, reason));
  if (why !== undefined) return runHook(options, { why, reason });
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

/** The first hook of a commit also says how the set-up is, and so does a checkout that changed a part of it. */
const withSetUp = async (
  { hook, headgate, environment }: RunGitHookOptions,
  { isRefused, lines }: HookOutcome,
): Promise<HookOutcome> => {
  if (hook !== "pre-commit" && hook !== "post-checkout") return { isRefused, lines };
  const setup = await import("../setup/index.ts");
  const { localDir, worktree } = headgate.repository;
  setup.renewHook(localDir);
  const differing = setup.differingIn(worktree).map(setup.differingText);
  const more =
    hook === "pre-commit"
      ? setup.takeUntold(localDir).map(setup.trustText)
      : setup.settingsProblems(headgate.repository, environment);
  const told = [...differing, ...more].map((text) => `headgate: note: ${text}`);
  return { isRefused, lines: [...told, ...lines] };
};

const reasonLengthMax = 500;

const runQuietly = async (options: RunGitHookOptions): Promise<HookOutcome> => {
  try {
    return await runHook(options, "bypassed");
  } catch (error) {
    return { isRefused: true, lines: [textOf(error)] };
  }
};

/** Of a command without the person that HEADGATE_BYPASS needs. */
interface Unproven {
  readonly why: string;
  readonly reason: string;
}

const whyNoPersonActs = (
  { headgate, environment, processTree }: RunGitHookOptions,
  wanted?: PersonAct,
): string | undefined =>
  whyNoPerson(environment, {
    stateFolder: headgate.repository.localDir,
    ...(processTree && { readTree: processTree }),
    within: findGitAbove((processTree ?? readProcessTree)()),
    ...(wanted && { wanted: { ...wanted, session: headgate.claims.actor.session } }),
  });

const bypassAct = (options: RunGitHookOptions, reason: string): PersonAct => ({
  what: "HEADGATE_BYPASS",
  line: bypassLine(options, reason),
});

const runHook = async (
  options: RunGitHookOptions,
  bypass?: "bypassed" | Unproven,
): Promise<HookOutcome> => {
  const { headgate, environment, hook, args, input, analyser } = options;
  const { processTree = readProcessTree } = options;
  const { git, gitDir } = openHookGit(headgate.repository, environment);
  const run = await hooks[hook]();
  return run({
    ...{ headgate, environment, git, gitDir, args, input },
    processTree: () => processTree(),
    isBypassed: bypass === "bypassed",
    ...(analyser && { analyser }),
    refuse: async (act, reasons) => {
      const [first] = reasons;
      if (!first || bypass === "bypassed") return refused(act, reasons);
      const told = fitReasons(reasons, readStand(options));
      const { id: actor } = headgate.claims.actor;
      await noteRefusal(headgate, { actor, tool: act, reason: first });
      if (bypass) {
        const asked = bypassAct(options, bypass.reason);
        const error = await askPerson(headgate, asked, bypass.why);
        return refused(act, [{ ...reasonFrom(error), path: first.path }, ...told]);
      }
      return refused(act, told, { isPerson: isShownWay(options) });
    },
  });
};

/** Git starts its hooks at the top; where the command was typed it says in a variable. */
const readStand = ({ headgate, environment }: RunGitHookOptions): Stand => {
  const { worktree: root, localDir } = headgate.repository;
  return {
    root,
    localDir,
    environment,
    cwd: join(root, environment.variables["GIT_PREFIX"] ?? ""),
  };
};

/** A look that uses no secret up. */
const isShownWay = (options: RunGitHookOptions): boolean => {
  const { [personSecretVariable]: _, ...variables } = options.environment.variables;
  const environment = { ...options.environment, variables };
  return whyNoPersonActs({ ...options, environment }) === undefined;
};

const reasonFrom = ({ code, message, remedy }: HeadgateError): Omit<Reason, "path"> => ({
  ...{ code, message, remedy },
});

/** The git command that was typed, as far as the system tells. */
const bypassLine = (
  { headgate, processTree = readProcessTree }: RunGitHookOptions,
  reason: string,
): string => {
  const git = findGitAbove(processTree());
  const words = git ? ["git", ...git.argv.slice(1)] : ["git"];
  const place = commandLine(["cd", headgate.repository.worktree]);
  return `${place} && HEADGATE_BYPASS=${commandLine([reason.slice(0, 100)])} ${commandLine(words)}`;
};

const textOf = (error: unknown): string => {
  const { code, message } = asHeadgateError(error);
  return `${showText(message)} [${code}]`;
};
