/**
 * `POST /git-hooks/:hook`, asked by the runner in the git directory. Its answer is the exit code, what to
 * print, the server's mark. Whatever cannot be answered here has no mark, and the runner then judges in a
 * process of its own.
 */
import type { Environment } from "../../base/environment.ts";
import { processTreeAt, processTreeBelow } from "../../base/process-tree.ts";
import {
  actorFromEnvironment,
  describeVia,
  lookAtProcess,
  proveHolder,
} from "../../claims/index.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import { askedVariables } from "./hook-script.ts";
import { runGitHook } from "./run-hook.ts";
import { hookNames } from "./types.ts";

export interface GitHookRouteDependencies {
  /** The worktree that a folder lies in; undefined: in none of this server's. */
  open(folder: string): Promise<Headgate | undefined>;
  readonly environment: Environment;
  readonly mark: string;
}

/** Undefined: there is no such hook, and the address is unknown. */
export const answerGitHookRequest = async (
  name: string,
  question: { readonly body: unknown; readonly pid: string | null },
  { open, environment, mark }: GitHookRouteDependencies,
): Promise<Response | undefined> => {
  const hook = hookNames.find((one) => one === name);
  if (hook === undefined) return undefined;
  const { cwd, variables, args, input } = readQuestion(question.body);
  const pid = /^[1-9]\d{0,9}$/.test(question.pid ?? "") ? Number(question.pid) : undefined;
  if (pid === undefined)
    throw new HeadgateError("USAGE", "X-Headgate-Pid must be a process number");
  const headgate = await open(cwd);
  if (!headgate) throw new HeadgateError("USAGE", "the hook runs outside of this repository");
  // Who acts is said by the surroundings of the hook, never by those of the server.
  const own = withoutAsked(environment);
  const surroundings = { ...own, cwd, variables: { ...own.variables, ...variables } };
  const processTree = () => processTreeBelow(pid);
  const options = { readTree: processTree, stateFolder: headgate.repository.localDir };
  const named = actorFromEnvironment(surroundings, options);
  const acting = lookAtProcess(surroundings, { ...options, readTree: () => processTreeAt(pid) });
  const via = describeVia(acting, named, { isGiven: true });
  const proof = proveHolder(named, surroundings, {
    stateFolder: headgate.repository.localDir,
    acting: () => acting,
  });
  const actor = { ...named, proof, ...(via && { via }) };
  const { isRefused, lines } = await runGitHook({
    headgate: { ...headgate, ...headgate.as(actor) },
    ...{ environment: surroundings, hook, args, input, processTree },
  });
  const text = [isRefused ? "2" : "0", ...lines, mark, ""].join("\n");
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } });
};

const withoutAsked = ({ variables, ...rest }: Environment): Environment => {
  const isOwn = ([name]: [string, unknown]) =>
    name !== "HEADGATE_BYPASS" && !(askedVariables as readonly string[]).includes(name);
  return { ...rest, variables: Object.fromEntries(Object.entries(variables).filter(isOwn)) };
};

interface Question {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly input: string;
}

const readQuestion = (body: unknown): Question => {
  const { surroundings, args, input } = (body ?? {}) as Record<string, unknown>;
  if (!isTexts(args) || !isTexts(input) || typeof surroundings !== "object") throw malformed();
  const { cwd, ...variables } = { ...surroundings } as Record<string, unknown>;
  const names = Object.keys(variables);
  const isKnown = names.every((name) => (askedVariables as readonly string[]).includes(name));
  if (!isText(cwd) || !isKnown || !isTexts(Object.values(variables))) throw malformed();
  return {
    cwd,
    variables: variables as Record<string, string>,
    args,
    input: input.map((line) => `${line}\n`).join(""),
  };
};

/** What was no UTF-8 names another file than was meant. */
const isText = (value: unknown): value is string =>
  typeof value === "string" && !value.includes("\uFFFD");

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

const malformed = (): HeadgateError =>
  new HeadgateError("USAGE", "the question of a git hook is malformed");
