import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { atFileEnd, temporaryFolder } from "./temporary-folder.ts";

/** Runs the real git for a test's set-up, without the machine's own settings. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: "1",
      // Else every commit starts a process that looks for garbage, and leaves it behind.
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "gc.auto",
      GIT_CONFIG_VALUE_0: "0",
      GIT_CONFIG_KEY_1: "maintenance.auto",
      GIT_CONFIG_VALUE_1: "false",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.org",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.org",
    },
  }).trim();

/** Made once for a test file, and copied from then on. */
const templates = new Map<string, string>();

/**
 * What `make` makes of an empty folder with git: a copy costs a fifth of the processes that a repository with
 * one commit takes. The time and inode of every file are new, so git has to look at them once.
 */
export const copyRepository = (
  folder: string,
  name: string,
  make: (folder: string) => void,
): string => {
  let template = templates.get(name);
  if (template === undefined) {
    // Its mode is copied, too, and that of a temporary folder is another than of an ordinary one.
    template = join(temporaryFolder(atFileEnd), "repository");
    mkdirSync(template);
    templates.set(name, template);
    atFileEnd(() => void templates.delete(name));
    make(template);
  }
  cpSync(template, folder, { recursive: true });
  if (existsSync(join(folder, ".git/index"))) git(folder, "update-index", "-q", "--refresh");
  return folder;
};

/** A repository without a commit. */
export const initRepository = (folder: string): string =>
  copyRepository(folder, "empty", (template) =>
    git(template, "init", "--quiet", "--initial-branch=main"),
  );

/** A repository with one commit that holds `a.txt`. */
export const makeRepository = (folder: string): string =>
  copyRepository(folder, "one commit", (template) => {
    git(template, "init", "--quiet", "--initial-branch=main");
    writeFileSync(join(template, "a.txt"), "one\n");
    git(template, "add", ".");
    git(template, "commit", "--quiet", "--message", "One");
  });
