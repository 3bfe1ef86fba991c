/** What a killed run leaves behind. Called under the lock, so nobody is still using it. */
import { dirname, join } from "node:path";
import { errnoOf } from "../base/files.ts";
import { recoverState } from "../state/index.ts";
import { namesBelow } from "./agent-files.ts";
import type { Place } from "./place.ts";

/** The second name of an old file while a strict batch may still have to bring it back. */
export const secondName = (path: string): string => path.replace(/([^/\\]+)$/, ".$1.before");

/** Afterwards each file is the old or the new one, whole; those that are new are known by their marker. */
export const clearLeftOver = async ({ files, agentsDir }: Place): Promise<void> => {
  if (!files.stat(agentsDir)) return;
  const names = namesBelow(files, agentsDir);
  for (const name of names.filter((one) => /(^|\/)\.[^/]+\.md\.before$/.test(one))) {
    try {
      files.unlink(join(agentsDir, name));
    } catch (error) {
      // On a disk that cannot be written the steps themselves will say so.
      if (errnoOf(error) === undefined) throw error;
    }
  }
  const temporary = names.filter((name) => /(^|\/)\.[^/]+\.hg1l?-[^/]+\.tmp$/.test(name));
  const folders = new Set(temporary.map((name) => dirname(join(agentsDir, name))));
  if (folders.size > 0) await recoverState([...folders], { files });
};
