/**
 * Whether a person acts. The proof is a channel that agents do not have: a controlling terminal without an agent
 * client or an agent's variables above it. Where there is no terminal (CI, containers) it is a secret for one use,
 * which the CI system gives to one step; a person has registered its hash before. docs/security.md says what this
 * does not keep out.
 */
import { join } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { writeInPlace } from "../../base/open-file.ts";
import { readSurroundings, type ProcessSurroundings } from "../../base/process-surroundings.ts";
import {
  ancestorsOf,
  type ProcessTree,
  readProcessTree,
  type RunningProcess,
} from "../../base/process-tree.ts";
import { sha256 } from "../../base/sha256.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { type ActingOptions, type ActingProcess, lookAtProcess } from "./acting-process.ts";
import { harnessVariables } from "./actor-harness.ts";

export const personSecretVariable = "HEADGATE_PERSON_SECRET";

export interface PersonOptions extends ActingOptions {
  /** The secret counts for all that this process does, as for the hooks of one git command. */
  readonly within?: RunningProcess | undefined;
  /** The act itself: a person may have approved it on the dashboard. */
  readonly wanted?: WantedAct | undefined;
  /** Only an approval of this very line counts. */
  readonly isExact?: boolean;
  readonly files?: Files;
  readonly clock?: Pick<Clock, "wallMs">;
}

/** An act that is a person's, as an agent or a script wants it. */
export interface WantedAct extends PersonAct {
  /** The session that asked. */
  readonly session: string;
}

/** Undefined: a person acts. Otherwise why that is not proven, in words that teach no other way. */
export const whyNoPerson = (
  environment: Pick<Environment, "variables">,
  options: PersonOptions = {},
): string | undefined => {
  const acting = lookAtProcess(environment, options);
  if (acting.agent !== undefined) {
    return useApproval(options) ? undefined : `an agent works here (${showText(acting.agent)})`;
  }
  const { surroundings = readSurroundings() } = options;
  if (isAtTerminal(acting, surroundings)) return undefined;
  if (useSecret(environment, options) || useApproval(options)) return undefined;
  return "there is no terminal here";
};

export const isAtTerminal = (
  { own, launcher }: ActingProcess,
  surroundings: ProcessSurroundings,
): boolean =>
  launcher?.isPerson === true || (own !== undefined && surroundings.hasTerminal(own.pid));

export interface PersonAct {
  /** "uninstall", "transfer --force". */
  readonly what: string;
  /** For the person to type. */
  readonly line: string;
}

export const personNeeded = (act: PersonAct, why: string): HeadgateError =>
  new HeadgateError(
    "PERSON_NEEDED",
    `${act.what} is for a person, and ${why}; for the person to type: ${showText(act.line, 500)}`,
    { data: { what: act.what, line: act.line } },
  );

/**
 * A client that a person has started with this variable, at a terminal. One that was set for its children only, as
 * a client's settings do, or by an agent that started this client, is not the person's word.
 */
export const startedByPerson = (
  variable: string,
  environment: Pick<Environment, "variables">,
  options: PersonOptions = {},
): boolean => {
  const { readTree = readProcessTree, surroundings = readSurroundings() } = options;
  const acting = lookAtProcess(environment, options);
  const client = acting.session?.process;
  if (!client) return acting.agent === undefined && isAtTerminal(acting, surroundings);
  const tree = readTree();
  const own = tree?.find(client.pid);
  if (!tree || !own || own.startTime !== client.startTime) return false;
  const variables = surroundings.startVariables([own.pid], [...harnessVariables, variable]);
  const started = variables.get(own.pid) ?? {};
  if (!started[variable]) return false;
  const above = { ...options, readTree: (): ProcessTree => ({ ...tree, own }) };
  const starter = lookAtProcess({ variables: started }, above);
  return starter.agent === undefined && isAtTerminal(starter, surroundings);
};

/** The git command that runs these hooks: the outermost git above, of those without another program between. */
export const findGitAbove = (tree: ProcessTree | undefined): RunningProcess | undefined => {
  let found: RunningProcess | undefined;
  for (const one of tree ? ancestorsOf(tree) : []) {
    if (one.name === "git") found = one;
    else if (found && !shells.has(one.name)) break;
  }
  return found;
};

const shells = new Set(["sh", "dash", "bash", "pre-commit", "headgate-hook"]);

const folder = "person";

/** Only the hash is kept, for one use. */
export const registerSecret = (
  secret: string,
  stateFolder: string,
  files: Files = systemFiles,
): void => {
  if (secret.length < limits.personSecretLengthMin) {
    throw new HeadgateError(
      "USAGE",
      `a secret for one use has at least ${limits.personSecretLengthMin} characters`,
    );
  }
  keepForOneUse(hashName(secret), stateFolder, files);
};

/** A person allows this act once, to the session that wanted it: the same command passes. Without a line: any. */
export const approveAct = (act: WantedAct, stateFolder: string, files: Files = systemFiles): void =>
  keepForOneUse(approvalName(act), stateFolder, files);

const approvalName = ({ session, what, line }: WantedAct): string =>
  sha256(`headgate approved:${JSON.stringify([session, what, line])}`);

const keepForOneUse = (name: string, stateFolder: string, files: Files): void => {
  const dir = join(stateFolder, folder);
  try {
    files.makeDirectory(dir, 0o700);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  writeInPlace(files, join(dir, name), { text: "", mode: 0o600 });
};

const hashName = (secret: string): string => sha256(`headgate person:${secret}`);

const useSecret = (
  { variables }: Pick<Environment, "variables">,
  options: PersonOptions,
): boolean => {
  const secret = variables[personSecretVariable];
  return Boolean(secret) && useOnce(hashName(secret ?? ""), options);
};

/** Of this very line, or of whatever does this: the hook of a tool has seen the line already. */
export const useApproval = (options: PersonOptions): boolean => {
  const { wanted, stateFolder, files = systemFiles, clock = systemClock, isExact } = options;
  if (!wanted || stateFolder === undefined) return false;
  return [wanted, ...(isExact ? [] : [{ ...wanted, line: "" }])].some((act) => {
    const name = approvalName(act);
    const kept = files.stat(join(stateFolder, folder, name));
    // One that was not used for long says nothing about what is wanted now.
    const isOld = kept && clock.wallMs() - kept.mtimeMs > limits.personApprovalMs;
    return !isOld && useOnce(name, options);
  });
};

/** True once. The first to rename it has it, and the git command it was used for keeps it. */
const useOnce = (
  name: string,
  { stateFolder, within, files = systemFiles }: PersonOptions,
): boolean => {
  if (stateFolder === undefined) return false;
  const path = join(stateFolder, folder, name);
  const used = within && `${path}.${within.pid}-${within.startTime}`;
  if (used !== undefined && files.stat(used)?.isFile()) return true;
  try {
    if (used === undefined) files.unlink(path);
    else files.rename(path, used);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return false;
    throw error;
  }
};
