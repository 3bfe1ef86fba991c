/**
 * Open ends at a commit (E-23): refused on the default branch, where others build on them; noted on other
 * branches, where tests come first and work is unfinished. The commit then says so in its message.
 */
import { oneLine } from "../../notices/index.ts";
import { configuredOpenEnds, type Reason } from "../../gate/index.ts";
import { defaultBranch } from "../../git/index.ts";
import type { HookContext } from "./hook-context.ts";

export interface SplitReasons {
  readonly reasons: readonly Reason[];
  /** Open ends that pass, as the trailers name them. */
  readonly open: readonly string[];
}

export const splitOpenEnds = async (
  context: Pick<HookContext, "git" | "headgate">,
  reasons: readonly Reason[],
): Promise<SplitReasons> => {
  const isOpen = ({ missing }: Reason): boolean => missing !== undefined;
  if (!reasons.some(isOpen) || (await ruleHere(context)) === "refuse") return { reasons, open: [] };
  return {
    reasons: reasons.filter((reason) => !isOpen(reason)),
    open: reasons.filter(isOpen).map(nameOpenEnd),
  };
};

const ruleHere = async ({ git, headgate }: Pick<HookContext, "git" | "headgate">) => {
  const { code, stdout } = await git.run({
    args: ["symbolic-ref", "--quiet", "HEAD"],
    okCodes: [0, 1],
  });
  const branch = code === 0 ? shortName(stdout.toString("utf8").trim()) : undefined;
  const main = shortName((await defaultBranch(git))?.ref ?? "");
  // Where no branch is known as the default one, this may be it.
  const otherwise = branch !== undefined && (main === "" || branch === main) ? "refuse" : "note";
  // A commit on no branch stops no one yet; settings for all branches count all the same.
  return configuredOpenEnds(headgate.config.commit.openEnds, otherwise)(branch ?? "HEAD");
};

const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "");

const nameOpenEnd = ({ code, path = "", line, missing = "" }: Reason): string =>
  oneLine(`${code} ${path}${line === undefined ? "" : `:${line}`} ${missing}`).slice(0, lengthMax);

const lengthMax = 200;
