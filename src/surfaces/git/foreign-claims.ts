/**
 * Who else holds what a commit changes. A session and its sub-agents commit as one: git does not tell
 * which of them typed the command. Whoever waits for something holds nothing, and neither do the dead.
 */
import { limits } from "../../base/limits.ts";
import { type Blocker, type Claims, parseActor, type TargetInput } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";

export type ForeignClaims = Pick<Claims, "actor" | "check" | "list">;

/**
 * Sessions of others that hold something now, so that they are still at work here. Mostly there are
 * none, and then nothing else needs to be asked.
 */
export const foreignSessions = async (claims: ForeignClaims): Promise<ReadonlySet<string>> => {
  const { claims: all } = await claims.list();
  // Under a name that was only said, the claims of that name may be another's.
  const isSaid = claims.actor.proof?.isShown === false;
  const foreign = all.filter(
    (claim) => isForeign(claim, claims) || (isSaid && claim.actor === claims.actor.id),
  );
  return new Set(foreign.map(({ actor }) => parseActor(actor).session));
};

const isForeign = (
  { actor, id, liveness }: Pick<Blocker, "actor" | "id" | "liveness">,
  { actor: own }: ForeignClaims,
): boolean =>
  id.startsWith("cl_") && liveness.state !== "dead" && parseActor(actor).session !== own.session;

export const foreignBlockers = async (
  claims: ForeignClaims,
  targets: readonly TargetInput[],
): Promise<Blocker[]> => {
  const found = new Map<string, Blocker>();
  for (let start = 0; start < targets.length; start += limits.claimTargetsMax) {
    const part = targets.slice(start, start + limits.claimTargetsMax);
    for (const blocker of await checkPart(claims, part)) {
      // A claim of its own name is in its way only where it has neither the session nor the secret.
      if (!isForeign(blocker, claims) && blocker.actor !== claims.actor.id) continue;
      const known = found.get(blocker.id);
      const blocks = [...(known?.blocks ?? []), ...blocker.blocks];
      found.set(blocker.id, { ...blocker, blocks });
    }
  }
  return [...found.values()];
};

/** A path that cannot be claimed (a link that leads out of the repository) is held by nobody. */
const checkPart = async (
  claims: ForeignClaims,
  targets: readonly TargetInput[],
): Promise<readonly Blocker[]> => {
  try {
    return (await claims.check(targets, { mode: "edit" })).blockers;
  } catch (error) {
    const isTarget = HeadgateError.isInstance(error) && /^(?:TARGET|PATH)_/.test(error.code);
    if (!isTarget) throw error;
    if (targets.length === 1) return [];
    const each = await Promise.all(targets.map((target) => checkPart(claims, [target])));
    return each.flat();
  }
};
