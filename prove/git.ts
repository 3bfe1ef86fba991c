/** Git without this machine's settings, without hooks of templates, and without housekeeping in the background. */
import { execFileSync } from "node:child_process";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";

const settings = [
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["core.quotePath", "false"],
  ["advice.detachedHead", "false"],
] as const;

export const gitEnvironment: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
};

/** The harness's own identity; every agent has another one. */
const harness = { name: "Proving Ground", email: "prove@example.org" };

export const identity = ({ name, email }: typeof harness): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: email,
});

/** A folder that does not exist: no settings, and none of a history that is checked out. */
const noHome = join(tmpdir(), "headgate-prove-no-home");

/** Output as it is. Throws with git's own words. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
    env: { PATH: process.env["PATH"], HOME: noHome, ...gitEnvironment, ...identity(harness) },
  });

export interface ChangedFile {
  readonly path: string;
  /** Null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

interface RawChange {
  readonly path: string;
  readonly modes: readonly [string, string];
  readonly blobs: readonly [string, string];
}

/** Files that differ between two commits; renames are a deletion and an addition. */
export const listChanges = (repo: string, from: string, to: string): RawChange[] => {
  const words = git(repo, "diff-tree", "-r", "-z", "--no-renames", from, to).split("\0");
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [oldMode = "", newMode = "", oldBlob = "", newBlob = ""] = (words[at] ?? "")
      .slice(1)
      .split(" ");
    changes.push({
      path: words[at + 1] ?? "",
      modes: [oldMode, newMode],
      blobs: [oldBlob, newBlob],
    });
  }
  return changes;
};

export const readChange = (repo: string, change: RawChange): ChangedFile => {
  const [before, after] = change.blobs.map((blob) =>
    /^0+$/.test(blob) ? null : git(repo, "cat-file", "blob", blob),
  );
  return { path: change.path, before: before ?? null, after: after ?? null };
};
