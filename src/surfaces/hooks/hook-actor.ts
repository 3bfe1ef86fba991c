/**
 * Who acts in a hook's call: the client's session, and its process where it can be recognised, so that its
 * death frees what it holds. Identity comes from the payload, never from what an agent types.
 */
import { type ProcessTree, readProcessTree } from "../../base/process-tree.ts";
import { type Actor, actorOfClient } from "../../claims/index.ts";
import type { HookCall } from "./types.ts";

export const actorName = ({ harness, session, agent }: HookCall): string =>
  `${harness}:${session}${agent === undefined ? "" : `/${agent}`}`;

/** `askedBy` is the process that started the hook, where this is another one. Throws ACTOR_INVALID. */
export const actorOfCall = (call: HookCall, askedBy?: number): Actor =>
  actorOfClient(
    actorName(call),
    askedBy === undefined ? readProcessTree : () => treeBelow(askedBy),
  );

const treeBelow = (parent: number): ProcessTree | undefined => {
  const tree = readProcessTree();
  return tree && { ...tree, own: { ...tree.own, parent } };
};
