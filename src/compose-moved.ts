/**
 * The store in a repository's own folder belongs to the repository wherever that is seen: moved, or mounted
 * under a second path (G17). A copy has a file of its own, and is another scope.
 */
import { join, resolve } from "node:path";
import { systemFiles } from "./base/files.ts";
import type { Repository } from "./git/index.ts";

/** Of another scope of the same store; undefined where the store is not in the repository's own folder. */
export const placeKnower = (
  { kind, localDir }: Repository,
  storePath: string | undefined,
): ((key: string) => "moved" | "here" | undefined) | undefined => {
  const own = join(localDir, "store.db");
  if (kind !== "git" || storePath === undefined || resolve(storePath) !== own) return undefined;
  return (key) => {
    if (!key.startsWith("path:")) return undefined;
    const other = systemFiles.statFollowing(
      join(key.slice("path:".length), "headgate", "store.db"),
    );
    if (other === undefined) return "moved";
    const here = systemFiles.statFollowing(own);
    return here && here.ino === other.ino && here.dev === other.dev ? "here" : undefined;
  };
};
