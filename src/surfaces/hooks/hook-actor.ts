/**
 * Who acts in a hook's call: the client's session, and its process where it can be recognised, so that its
 * death frees what it holds. Identity comes from the payload, never from what an agent types.
 */
import { processTreeBelow, readProcessTree } from "../../base/process-tree.ts";
import { type Actor, actorOfClient } from "../../claims/index.ts";
import type { HookCall } from "./types.ts";

export const actorName = ({ harness, session, agent }: HookCall): string =>
  `${harness}:${session}${agent === undefined ? "" : `/${agent}`}`;

/**
 * `askedBy` is the process that started the hook, where this is another one; null where it is not told.
 * Throws ACTOR_INVALID.
 */
export const actorOfCall = (call: HookCall, askedBy?: number | null): Actor =>
  actorOfClient(actorName(call), () => {
    if (askedBy === undefined) return readProcessTree();
    return askedBy === null ? undefined : processTreeBelow(askedBy);
  });
