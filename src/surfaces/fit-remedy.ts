/** Fits remedies to the folder and the program of their reader, so that they can be typed as they are. */
import { resolve } from "node:path";
import type { Environment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import { commandLine } from "../base/shell-word.ts";
import { calledAs, shortPath } from "./called-as.ts";

export interface Stand {
  /** The worktree from which the remedy's paths start. */
  readonly root: string;
  readonly localDir: string;
  /** Where the reader types. */
  readonly cwd: string;
  readonly environment: Environment;
}

export const fitRemedy = (remedy: string, stand: Stand): string => {
  if (!remedy.includes("headgate ")) return remedy;
  const called = calledAs(stand, stand.environment) ?? "headgate";
  const { root, cwd } = stand;
  const there = isAt(stand) ? "" : ` ${commandLine(["--repo", shortPath(root, cwd)])}`;
  return remedy.replaceAll(
    /(?<![\w./'-])headgate ([a-z]+)/g,
    (_, verb: string) => `${called}${takesPaths.has(verb) ? there : ""} ${verb}`,
  );
};

/** For a verdict's reasons or notes. */
export const fitReasons = <R extends { readonly remedy: string }>(
  reasons: readonly R[],
  stand: Stand,
): readonly R[] =>
  reasons.map((reason) => ({ ...reason, remedy: fitRemedy(reason.remedy, stand) }));

const isAt = ({ root, cwd }: Stand): boolean => {
  const here = resolve(cwd);
  if (here === root) return true;
  return systemFiles.stat(here) !== undefined && systemFiles.realPath(here) === root;
};

/** Relative to where they are typed. */
const takesPaths = new Set([
  ...["ask", "blame", "check", "claim", "commit", "diff", "edit"],
  ...["judge", "outline", "release", "undo", "wait"],
]);
