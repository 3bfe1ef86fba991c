/** The user's hooks and signature, as `git commit` would use them. */
import { join } from "node:path";
import type { Files } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import type { WritingGit } from "../writing-git.ts";

export interface CommitHooks {
  /** Whether the user signs commits. Throws GIT_FAILED where the setting makes no sense to git. */
  readonly signs: boolean;
  has(name: string): boolean;
  /** Why it refused; undefined when it passed or does not exist. */
  run(
    name: string,
    args?: readonly string[],
    more?: { readonly index?: string; readonly timeoutMs?: number },
  ): Promise<HookRefusal | undefined>;
}

export interface HookRefusal {
  readonly hook: string;
  readonly reason: string;
  /** The end of what it wrote. */
  readonly lines: readonly string[];
}

export const openHooks = async (git: WritingGit, files: Files): Promise<CommitHooks> => {
  let facts = known.get(git);
  if (!facts) {
    facts = readFacts(git);
    known.set(git, facts);
  }
  const { folder, isConfigured, signs } = await facts;
  const has = (name: string): boolean => {
    if (isConfigured) return true;
    const stat = files.statFollowing(join(folder, name));
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  };
  return {
    signs,
    has,
    run: async (name, args = [], { index, timeoutMs = limits.commitHookMs } = {}) => {
      if (!has(name)) return undefined;
      const { code, lines } = await git.ask({
        args: [
          "hook",
          "run",
          "--ignore-missing",
          name,
          ...(args.length > 0 ? ["--", ...args] : []),
        ],
        ...(index !== undefined && { index }),
        timeoutMs,
      });
      if (code === 0) return undefined;
      const words = lines.length === 0 ? `exit code ${code}` : lines.join("\n");
      return { hook: name, reason: `the ${name} hook refused the commit: ${words}`, lines };
    },
  };
};

/** After the commit; it can refuse nothing any more. */
export const runPostCommit = async (git: WritingGit, files: Files): Promise<void> => {
  await (await openHooks(git, files)).run("post-commit");
};

interface HookFacts {
  readonly folder: string;
  /** Newer versions of git know hooks by their settings, too: then git is asked for each. */
  readonly isConfigured: boolean;
  readonly signs: boolean;
}

const known = new WeakMap<WritingGit, Promise<HookFacts>>();

const readFacts = async (git: WritingGit): Promise<HookFacts> => {
  const [folder, configured, signs] = await Promise.all([
    git.run({ args: ["rev-parse", "--path-format=absolute", "--git-path", "hooks"] }),
    git.ask({ args: ["config", "--name-only", "--get-regexp", "^hook\\."] }),
    // Git's own reading: a key without a value is true, and there are more words for it than one knows.
    git.ask({ args: ["config", "--type=bool", "--get", "commit.gpgSign"] }),
  ]);
  // Code 1 is "not set"; a value that git cannot read stops `git commit`, and so it stops us.
  if (signs.code > 1) await git.run({ args: ["config", "--type=bool", "--get", "commit.gpgSign"] });
  return {
    folder,
    isConfigured: configured.code === 0,
    signs: signs.code === 0 && signs.stdout.trim() === "true",
  };
};
