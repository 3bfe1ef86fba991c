/**
 * Who acts (C-02, C-03). An id is any text and is never taken apart for anything but showing, grouping
 * by session and naming the client: quotes, `$()` and line breaks come back as they were given.
 */
import { userInfo } from "node:os";
import type { Environment } from "../../base/environment.ts";
import { errnoOf } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { type ProcessTree, readProcessTree } from "../../base/process-tree.ts";
import { hasBidiControl, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { type ActingOptions, lookAtProcess } from "./acting-process.ts";
import { findHarness, isHarnessName } from "./actor-harness.ts";
import { isNameGiven } from "./launcher.ts";
import type { Actor } from "../types.ts";

/** `alice`, `alice/tests`, `claude:SESSION`, `claude:SESSION/agent`. Throws ACTOR_INVALID. */
export const parseActor = (id: string): Actor => {
  const problem = problemOf(id);
  if (problem !== undefined) {
    throw new HeadgateError("ACTOR_INVALID", `an actor's name ${problem}: "${showText(id)}"`);
  }
  const [session = id] = id.split("/", 1);
  const [harness = ""] = session.split(":", 1);
  return {
    id,
    session,
    ...(session.length > harness.length && isHarnessName(harness) && { harness }),
  };
};

export interface ActorOptions extends ActingOptions {
  /** Given by the user (`--as`); stands before everything that variables say. */
  readonly as?: string;
  readonly loginName?: () => string | undefined;
}

/**
 * Inside an agent's session that session, or a sub-agent of it that was named. Outside of one `--as`, else
 * HEADGATE_ACTOR, else the user: a name that was given has no process there, because others may act under it as
 * well. Throws ACTOR_INVALID, and ACTOR_NOT_YOURS where `--as` names another than the session.
 */
export const actorFromEnvironment = (
  environment: Environment,
  options: ActorOptions = {},
): Actor => {
  const { as, stateFolder, loginName = systemLoginName } = options;
  const given = as ?? (environment.variables["HEADGATE_ACTOR"] || undefined);
  const name = given === undefined ? undefined : parseActor(given);
  const { session: found, agent, above } = lookAtProcess(environment, options);
  const user = () => userActor(environment, loginName);
  if (agent === undefined) return name ?? user();
  const client = found?.process;
  const own = found ? parseActor(`${found.harness}:${found.session}`) : user();
  if (name && (name.session === own.session || isNameGiven(name.id, above, stateFolder))) {
    return name.session === own.session && client ? { ...name, process: client } : name;
  }
  if (as !== undefined) {
    throw new HeadgateError(
      "ACTOR_NOT_YOURS",
      `an agent works here (${showText(agent)}); it cannot act as ${showText(as)}`,
      { data: { actor: own.id, as } },
    );
  }
  return { ...own, ...(client && { process: client }) };
};

/**
 * The session of a client that says who it is (its hook, not a variable), with its process where one is
 * found above `readTree`'s own. Throws ACTOR_INVALID.
 */
export const actorOfClient = (
  id: string,
  readTree: () => ProcessTree | undefined = readProcessTree,
): Actor => {
  const actor = parseActor(id);
  const { harness, session } = actor;
  if (harness === undefined || !isHarnessName(harness)) return actor;
  const sign = { harness, session: session.slice(harness.length + 1) };
  const client = findHarness([sign], readTree)?.process;
  return { ...actor, ...(client && { process: client }) };
};

const problemOf = (id: string): string | undefined => {
  if (id === "") return "must not be empty";
  if (Buffer.byteLength(id) > limits.actorBytesMax) {
    return `is longer than ${limits.actorBytesMax} bytes`;
  }
  if (id.includes("\0")) return "holds a NUL character";
  if (!id.isWellFormed()) return "holds half of a surrogate pair";
  if (hasBidiControl(id)) return "holds a character that reorders text";
  const [session = "", ...agents] = id.split("/");
  if (session === "" || agents.includes("")) return "has an empty part beside a slash";
  if (session.endsWith(":") && isHarnessName(session.slice(0, -1))) return "lacks the session";
  return undefined;
};

/** The user, as the system names them. */
export const userActor = (
  environment: Environment,
  loginName: () => string | undefined = systemLoginName,
): Actor => {
  const { USER, LOGNAME, USERNAME } = environment.variables;
  for (const name of [loginName(), USER, LOGNAME, USERNAME]) {
    if (name && !name.includes("/") && problemOf(`user:${name}`) === undefined) {
      return parseActor(`user:${name}`);
    }
  }
  return parseActor("user:unknown");
};

/** From the system, not from a variable: the same person in every shell. */
const systemLoginName = (): string | undefined => {
  try {
    return userInfo().username;
  } catch (error) {
    // The user number has no entry, as in many containers.
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
