/** GET /api/claims: a window of the tree of claims, folded as the reader has it. */
import type { Context } from "hono";
import { limits } from "../../../base/limits.ts";
import type { Claim } from "../../../claims/index.ts";
import { HeadgateError } from "../../../errors.ts";
import { wholeNumber } from "../query.ts";
import { type BareRow, claimTree, type Folding } from "./claim-tree.ts";
import type { ApiContext, App } from "./context.ts";
import type { Picture } from "./overviews.ts";
import type { LifeState, TreeAnswer, TreeRow } from "./shapes.ts";

export const addClaims = (app: App, { overviews }: ApiContext): void => {
  let last: Cached | undefined;
  app.get("/api/claims", async (context) => {
    const query = readQuery(context);
    const [{ actors }, claims] = await Promise.all([overviews.get(), overviews.claims()]);
    const key = JSON.stringify([query.filter, query.actor, query.fold, [...query.except]]);
    // Scrolling asks for other parts of the same tree.
    if (last?.all !== claims || last.key !== key)
      last = { all: claims, key, ...build(claims, query) };
    return context.json(windowOf(last, actors, query));
  });
};

interface Query extends Folding {
  readonly offset: number;
  readonly limit: number;
  readonly filter: string;
  readonly actor: string;
}

interface Cached {
  readonly all: readonly Claim[];
  readonly key: string;
  readonly rows: readonly BareRow<Claim>[];
  readonly claims: number;
}

const readQuery = (context: Context): Query => {
  const { offset, limit, filter = "", actor = "", fold = "open", except } = context.req.query();
  if (fold !== "open" && fold !== "closed") {
    throw new HeadgateError("USAGE", 'fold is "open" or "closed"');
  }
  return {
    offset: wholeNumber(offset, "offset") ?? 0,
    limit: wholeNumber(limit, "limit", { min: 1, max: limits.dashboardRowsMax }) ?? 100,
    filter: filter.slice(0, 200).toLowerCase(),
    actor: actor.slice(0, limits.actorBytesMax),
    fold,
    except: new Set(except?.split(",").slice(0, exceptMax)),
  };
};

/** Rows that a person folded by hand. */
const exceptMax = 500;

const build = (all: readonly Claim[], query: Query) => {
  const { filter, actor } = query;
  const claims = all.filter(
    (claim) =>
      (actor === "" || claim.actor === actor) &&
      (filter === "" ||
        claim.target.toLowerCase().includes(filter) ||
        claim.actor.toLowerCase().includes(filter)),
  );
  return { rows: claimTree(claims, query), claims: claims.length };
};

const windowOf = (
  { rows, claims }: Cached,
  actors: Picture["actors"],
  { offset, limit }: Query,
): TreeAnswer => {
  const life = new Map(actors.map(({ id, liveness }) => [id, liveness.state]));
  const shown = rows.slice(offset, offset + limit).map((row): TreeRow => {
    const { claim, ...rest } = row;
    return claim ? { ...rest, claim: viewOf(claim, life) } : rest;
  });
  return { rows: shown, offset, total: rows.length, claims };
};

const viewOf = (claim: Claim, life: ReadonlyMap<string, LifeState>) => {
  const { id, target, mode, actor, fence, grantedAt, expiresAt, reason } = claim;
  const state = life.get(actor) ?? "unknown";
  return { id, target, mode, actor, fence, grantedAt, expiresAt, reason, life: state };
};
