/**
 * Looks for what is half done, without any code of the product: names of scratch files, records of work under
 * way, temporaries and locks, by what the pages of docs/ say about them.
 */
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";

/** Paths of everything that is in between; empty: nothing. */
export const findInBetween = (folder: string): string[] => {
  const work = join(folder, ".git/headgate/edits");
  const records = ["open", "done"].flatMap((name) =>
    existsSync(join(work, name))
      ? readdirSync(join(work, name)).map((one) => join(work, name, one))
      : [],
  );
  const others = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) =>
      /^\.headgate-|\.hg1l?-.*\.tmp$|^(?:index|HEAD)\.lock$|^headgate-index-/.test(name),
    )
    .map(({ parentPath, name }) => join(parentPath, name));
  return [...new Set([...records, ...others])].map((path) => relative(folder, path)).toSorted();
};
