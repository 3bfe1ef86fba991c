/** Who else holds files that have changed. */
import { limits } from "../../../base/limits.ts";
import { type Blocker, type Claims, escapePath } from "../../../claims/index.ts";
import { HeadgateError } from "../../../errors.ts";

type Checking = Pick<Claims, "check">;

/** By path; the dead hold nothing. */
export const findHolders = async (
  paths: readonly string[],
  root: string,
  claims: Checking,
): Promise<Map<string, string[]>> => {
  const holders = new Map<string, string[]>();
  for (let from = 0; from < paths.length; from += limits.claimTargetsMax) {
    const part = paths.slice(from, from + limits.claimTargetsMax);
    const byTarget = new Map(part.map((path) => [escapePath(path), path]));
    for (const { blocks, actor, liveness, id } of await blockersOf(part, root, claims)) {
      // One who waits for a file has not changed it.
      if (liveness.state === "dead" || id.startsWith("wa_")) continue;
      for (const target of blocks) {
        const path = byTarget.get(target);
        if (path === undefined) continue;
        const known = holders.get(path) ?? [];
        if (!known.includes(actor)) holders.set(path, [...known, actor]);
      }
    }
  }
  return holders;
};

/** A name that cannot be claimed is held by nobody, and must not hide the others. */
const blockersOf = async (
  paths: readonly string[],
  root: string,
  claims: Checking,
): Promise<readonly Blocker[]> => {
  try {
    const targets = paths.map((path) => ({ path: `${root}/${path}`, extent: "file" as const }));
    return (await claims.check(targets)).blockers;
  } catch (error) {
    if (!HeadgateError.isInstance(error) || !/^(?:TARGET|PATH)_/.test(error.code)) throw error;
    if (paths.length === 1) return [];
    const middle = paths.length >> 1;
    const left = await blockersOf(paths.slice(0, middle), root, claims);
    return [...left, ...(await blockersOf(paths.slice(middle), root, claims))];
  }
};
