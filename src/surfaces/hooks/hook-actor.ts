/**
 * Who acts in a hook's call: the client's session, and its process where it can be recognised, so that its
 * death frees what it holds. Identity comes from the payload, never from what an agent types.
 */
import type { Environment } from "../../base/environment.ts";
import { type ProcessTree, readProcessTree } from "../../base/process-tree.ts";
import { type Actor, actorFromEnvironment } from "../../claims/index.ts";
import type { HookCall } from "./types.ts";

export const actorName = ({ harness, session, agent }: HookCall): string =>
  `${harness}:${session}${agent === undefined ? "" : `/${agent}`}`;

/** `askedBy` is the process that started the hook, where this is another one. Throws ACTOR_INVALID. */
export const actorOfCall = (call: HookCall, environment: Environment, askedBy?: number): Actor => {
  const name = sessionVariables[call.harness];
  // As if the client had started us: only its own variables count, and those say what the payload says.
  const variables = name === undefined ? {} : { [name]: call.session };
  return actorFromEnvironment(
    { ...environment, variables },
    { as: actorName(call), ...(askedBy !== undefined && { readTree: () => treeBelow(askedBy) }) },
  );
};

const sessionVariables: Readonly<Record<string, string>> = {
  claude: "CLAUDE_CODE_SESSION_ID",
  codex: "CODEX_THREAD_ID",
  gemini: "GEMINI_SESSION_ID",
};

const treeBelow = (parent: number): ProcessTree | undefined => {
  const tree = readProcessTree();
  return tree && { ...tree, own: { ...tree.own, parent } };
};
