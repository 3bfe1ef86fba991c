/** Targets that name nothing in the working tree: claimed all the same, because work may begin with a claim. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { type Claim, parseTarget } from "../../claims/index.ts";
import type { Headgate } from "../../compose.ts";
import type { OutlineSymbol } from "../../structure/index.ts";

export const notThereYet = async (
  headgate: Pick<Headgate, "repository" | "structure">,
  claims: readonly Claim[],
): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const { target } of claims.slice(0, lookedAtMax)) {
    if (!(await isThere(headgate, target))) missing.push(target);
  }
  return missing;
};

const lookedAtMax = 50;

const isThere = async (
  { repository, structure }: Pick<Headgate, "repository" | "structure">,
  text: string,
): Promise<boolean> => {
  const { kind, shape } = parseTarget(text);
  if ((kind !== "paths" && kind !== "symbol") || shape.pattern) return true;
  const file = join(repository.worktree, shape.prefix);
  const stat = systemFiles.stat(file);
  if (stat === undefined) return false;
  const name = shape.symbol.join(".");
  // Other parts than symbols are named by what is in them: lines, imports, keys.
  if (kind === "paths" || !/^[\p{L}\p{N}_$.]+$/u.test(name)) return true;
  if (!stat.isFile() || stat.size > limits.editFileBytesMax) return true;
  const { outline } = await structure.outline(systemFiles.readFile(file), shape.prefix);
  // Of a language that is not known nothing can be said.
  if (outline.symbols.length === 0) return true;
  const has = ({ path, children = [] }: OutlineSymbol): boolean =>
    path === name || path.endsWith(`.${name}`) || children.some(has);
  return outline.symbols.some(has);
};
