/** By which process claims were granted: their grants in the log say so. */
import type { Claim } from "../claims/index.ts";
import type { Headgate } from "../compose.ts";
import type { Via } from "../store/index.ts";

export type SeenClaim<C extends Claim> = C & { readonly via?: Via };

/** One whose grant is further back than the newest thousand has none. */
export const withVias = async <C extends Claim>(
  { events }: Pick<Headgate, "events">,
  claims: readonly C[],
): Promise<SeenClaim<C>[]> => {
  if (claims.length === 0) return [];
  const { events: grants } = await events.page({ kind: "claim.granted", last: grantsMax });
  const vias = new Map(grants.map(({ subject, via }) => [subject, via]));
  return claims.map((claim) => {
    const via = vias.get(claim.id);
    return via === undefined ? claim : { ...claim, via };
  });
};

const grantsMax = 1000;

/** The name, and whose word it is where the system showed another session. */
export const actorWords = (actor: string, via: Via | undefined): string =>
  via?.saidBy === undefined ? actor : `${actor}, said by ${via.saidBy}`;
