/** Where branches part, and which one is the main branch. */
import { HeadgateError } from "../errors.ts";
import type { Git } from "./reading-git.ts";
import { commitOf, emptyTree } from "./changes.ts";

export const shallowRemedy =
  "this is a shallow clone: fetch the history (git fetch --unshallow, or fetch-depth: 0)";

export const isShallow = async (git: Git): Promise<boolean> => {
  const { stdout } = await git.run({ args: ["rev-parse", "--is-shallow-repository"] });
  return stdout.toString("latin1").trim() === "true";
};

/** The commit that two have in common; the empty tree when their histories never met. Throws USAGE in a shallow clone. */
export const partedAt = async (git: Git, one: string, other: string): Promise<string> => {
  const { code, stdout } = await git.run({
    args: ["merge-base"],
    revisions: [one, other],
    okCodes: [0, 1],
  });
  if (code === 0) return stdout.toString("latin1").trim();
  if (await isShallow(git)) throw new HeadgateError("USAGE", `no common commit; ${shallowRemedy}`);
  // Histories that never met: everything is new.
  return emptyTree(git);
};

/** What the remote calls its main branch, else the usual names. */
export const defaultBranch = async (
  git: Git,
): Promise<{ readonly ref: string; readonly commit: string } | undefined> => {
  const { code, stdout } = await git.run({
    args: ["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"],
    okCodes: [0, 1],
  });
  const told = code === 0 ? [stdout.toString("utf8").trim()] : [];
  const names = ["origin/main", "origin/master"].map((name) => `refs/remotes/${name}`);
  const local = ["main", "master"].map((name) => `refs/heads/${name}`);
  for (const ref of [...told, ...names, ...local]) {
    const commit = await commitOf(git, ref);
    if (commit !== undefined) return { ref, commit };
  }
  return undefined;
};
