import { isId } from "../../base/ids.ts";
import { showText } from "../../base/text.ts";
import type { Blocker, Claims } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";

/** Claims of others on exactly the targets among `names`; ids among them are left out. */
export const claimsOfOthers = async (
  claims: Claims,
  names: readonly string[],
): Promise<Blocker[]> => {
  const targets = names.filter((name) => !isId("claim", name));
  if (targets.length === 0) return [];
  const { blockers } = await claims.check(targets);
  // `blocks` names what was asked for in the spelling in which claims are kept.
  return blockers.filter(({ target, blocks }) => blocks.includes(target));
};

/** Throws CLAIM_NOT_HELD when one of the targets is held by others only. */
export const refuseTargetsOfOthers = async (
  claims: Claims,
  names: readonly string[],
): Promise<void> => {
  const others = await claimsOfOthers(claims, names);
  if (others.length === 0) return;
  const { claims: own } = await claims.list({ actor: claims.actor.id });
  const other = others.find(({ target }) => !own.some((claim) => claim.target === target));
  if (other === undefined) return;
  throw new HeadgateError(
    "CLAIM_NOT_HELD",
    `${showText(other.target)} is held by ${showText(other.actor)} (${other.id}), not by ${showText(claims.actor.id)}`,
    { data: { claim: other.id, target: other.target, holder: other.actor } },
  );
};
