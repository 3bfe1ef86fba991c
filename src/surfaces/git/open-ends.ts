/**
 * Open ends at a commit (E-23): refused on the default branch, where others build on them; noted on other
 * branches, where tests come first and work is unfinished. The commit then says so in its message: pre-commit
 * leaves them in a file beside the index that git commits, so that no other commit can take them.
 */
import { resolve } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { removeFile, writeInPlace } from "../../base/open-file.ts";
import { readContent } from "../../state/index.ts";
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

/** As the hook's lines name it (hook-script.ts). */
export const openEnding = ".headgate-open";

const noteFile = ({ environment: { cwd, variables } }: HookContext): string | undefined =>
  variables["GIT_INDEX_FILE"] ? resolve(cwd, variables["GIT_INDEX_FILE"]) + openEnding : undefined;

/** For the message of this very commit; none: those of an earlier try go. */
export const noteOpenEnds = (context: HookContext, open: readonly string[]): void => {
  const file = noteFile(context);
  if (file === undefined) return;
  if (open.length === 0) removeFile(systemFiles, file);
  else writeInPlace(systemFiles, file, { text: open.join("\n"), mode: 0o600 });
};

/** Once: the message has them then. */
export const takeOpenEnds = (context: HookContext): readonly string[] => {
  const file = noteFile(context);
  const text = file && readContent(file, systemFiles)?.toString("utf8");
  if (!file || !text) return [];
  removeFile(systemFiles, file);
  return text.split("\n");
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
