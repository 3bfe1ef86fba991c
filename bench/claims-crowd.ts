/** Many live claims as a large repository would have them, and the grant that is measured beside them. */
import * as fs from "node:fs";
import { join } from "node:path";
import { systemFiles } from "../src/base/files.ts";
import { ownIdentity } from "../src/base/process-identity.ts";
import {
  type Claims,
  FenceMark,
  openClaimsIn,
  parseActor,
  type TargetInput,
} from "../src/claims/index.ts";
import type { Store } from "../src/store/index.ts";
import type { Contender } from "./harness.ts";

/** Claims of a scope of its own in a store; the fence mark lies below `folder`. */
export const claimsInFolder =
  (folder: string) =>
  async (store: Store, name: string): Promise<Claims> => {
    const dir = join(folder, name);
    fs.mkdirSync(dir, { recursive: true });
    const fences = new FenceMark({
      files: systemFiles,
      dir,
      store: store.location,
      isShared: store.capabilities.shared,
      bootId: ownIdentity().bootId,
    });
    const scope = await store.scope({ key: `bench:${name}`, name });
    return openClaimsIn(
      { store, scope, fences },
      { actor: { ...parseActor("me"), process: ownIdentity() } },
    );
  };

/** As an editor names it, also before it exists. */
export const file = (path: string): TargetInput => ({ path, extent: "file" });

/** A mixture as a large repository would have it: files, folders, globs with and without a literal start. */
export const mixedTarget = (index: number): TargetInput => {
  const home = `packages/p${index % 211}/src/m${index % 1009}`;
  if (index % 100 < 60) return file(`${home}/file-${index}.ts`);
  if (index % 100 < 75) return `${home}/dir-${index}/**`;
  if (index % 100 < 90) return `${home}/area-${index}/**/*.{ts,tsx}`;
  if (index % 1000 < 997) return `${home}/x${index}-*.[jt]s`;
  return `**/generated-${index}.md`;
};

/** `from` of them are there already. */
export const fill = async (claims: Claims, count: number, from = 0): Promise<void> => {
  const others = claims.as("everybody else");
  for (let start = from; start < count; start += 64) {
    const targets = Array.from({ length: Math.min(64, count - start) }, (_, at) =>
      mixedTarget(start + at),
    );
    const result = await others.claim({ targets, ttlMs: 24 * 3_600_000 });
    if (!result.ok) throw new Error(`filling: ${JSON.stringify(result).slice(0, 300)}`);
    if ((start - from) % 6400 === 0) process.stderr.write(`\r${start} of ${count} claims`);
  }
  process.stderr.write("\r");
};

export const grantAndRelease = (name: string, claims: Claims): Contender => ({
  name,
  run: async (index) => {
    const result = await claims.claim({
      targets: [file(`work/area${index % 50}/file-${index}.ts`)],
    });
    if (!result.ok) throw new Error(JSON.stringify(result).slice(0, 300));
    await claims.release({ claims: [result.claims[0]!.id] });
  },
});
