/**
 * What looks like Headgate's state, brought into a tree: every name that the product opens as state, in every shape
 * that a file system knows, by every way that git or an archive has. One scene plants many names at once.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { hookScripts, shimText } from "../../src/base/hook-line.ts";
import { git } from "../helpers/git-repository.ts";
import { programPath } from "../helpers/program.ts";
import { runShim } from "../helpers/shim.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  environmentOf,
  gitAs,
  headgateAs,
  hookedRepository,
} from "../surfaces/git/hooked-repository.ts";

export const shapes = [
  ...(["file", "link to a file", "link to a folder", "folder", "bare", "huge", "fifo"] as const),
  "other owner",
] as const;
export const ways = [
  ...(["checkout", "switch", "merge", "pull", "rebase", "cherry-pick", "worktree"] as const),
  ...(["archive", "stash", "submodule"] as const),
] as const;

export interface Combination {
  readonly shape: (typeof shapes)[number];
  readonly way: (typeof ways)[number];
  readonly names: readonly string[];
}

export interface Scene {
  readonly victim: string;
  readonly attacker: string;
  /** Nothing may appear here. */
  readonly outside: string;
  readonly main: string;
}

export const newScene = async (): Promise<Scene> => {
  const victim = await hookedRepository();
  cpSync("doors/hook.sh", join(victim, ".git/headgate/hook"));
  put(join(victim, ".headgate/hook"), shimText);
  git(victim, "add", ".headgate");
  git(victim, "commit", "--quiet", "--message", "Hook");
  expect(headgateAs("ada", victim, "claim", "a.txt").code).toBe(0);
  const attacker = join(temporaryFolder(), "attacker");
  git(dirname(attacker), "clone", "--quiet", victim, attacker);
  const main = git(victim, "rev-parse", "HEAD");
  return { victim, attacker, outside: temporaryFolder(), main };
};

/** Names of earlier releases, and some that only a running server or a run opens. */
const known = [
  ...["runtime", "port", "token", "hook-header", "hook-mark", "socket-path", "hook", "store.db"],
  ...["server.lock", "server.log", "edits", "edits/open", "edits/blobs", "edits/key", "refusals"],
  ...["ring", "runs", "cache", "late", "unjudged", "installed.json", "fences.json", "worktrees"],
  ...["routing", "reviewers.lock", "watch.json", "launchers", "trust-codex", "person-secret"],
];

/** As the product's runs left them. */
export const keptNames = ({ victim }: Scene): string[] => [
  ...new Set([
    ...readdirSync(join(victim, ".git/headgate"), { recursive: true, encoding: "utf8" }),
    ...known,
  ]),
];

/** Every name below the state folder that runs of the product ask the system for, whether it is there or not. */
export const tracedNames = ({ victim }: Scene): string[] => {
  const log = join(temporaryFolder(), "trace");
  const run = `'${process.execPath}' '${programPath}'`;
  const script = [
    `${run} claim code.ts`,
    `${run} edit replace code.ts --old 'return 2' --new 'return 3' --yes`,
    `${run} status`,
    `${run} run list`,
    `${run} routing status`,
    `${run} reviewers`,
    `${run} profile`,
    `git commit --quiet --all --message Traced`,
    `echo '${editOf(victim)}' | sh -c '${hookScripts.git}' headgate claude`,
    `git reset --quiet --hard HEAD~1`,
  ].join("; ");
  const trace = ["-f", "-qq", "-s", "4000", "-e", "trace=%file", "-o", log, "sh", "-c", script];
  const { error } = spawnSync("strace", trace, { cwd: victim, env: environmentOf(victim) });
  if (error) throw error;
  const found = readFileSync(log, "utf8").matchAll(/\.git\/headgate\/([^"\s]+)"/g);
  const names = [...found].map(([, name = ""]) => name.replace(/\/$/, ""));
  // Temporary names and ids are made up anew each time.
  const steady = names.filter((name) => !/\.tmp|[0-9a-f]{16}|_[0-9a-z]{12}|\.\./.test(name));
  return [...new Set([...steady, ...keptNames({ victim } as Scene)])].toSorted();
};

/** Leaves in one scene, the folders above them in others: a name and what is below it cannot be planted at once. */
export const splitNames = (names: readonly string[]): readonly (readonly string[])[] => {
  const isAbove = (name: string, all: readonly string[]): boolean =>
    all.some((one) => one.startsWith(`${name}/`));
  const parts: string[][] = [];
  for (let left = [...names]; left.length > 0;) {
    const leaves = left.filter((name) => !isAbove(name, left));
    parts.push(leaves);
    left = left.filter((name) => !leaves.includes(name));
  }
  return parts;
};

const editOf = (folder: string): string =>
  JSON.stringify({
    ...{ session_id: "s", hook_event_name: "PreToolUse", tool_name: "Write", cwd: folder },
    tool_input: { file_path: join(folder, "b.txt"), content: "b\n" },
  });

/** Runs whatever it is asked to, and leaves a mark. */
const plant = ({ attacker, outside }: Scene, { names, shape }: Combination): void => {
  git(attacker, "checkout", "--quiet", "--force", "-B", "evil", "origin/main");
  git(attacker, "clean", "--quiet", "-ffdx");
  put(join(attacker, "tools/evil.sh"), `#!/bin/sh\n: >'${outside}/ran'\nexit 0\n`);
  put(join(attacker, "more.txt"), "more\n");
  const program = `/bin/sh\n/proc/self/cwd/tools/evil.sh\n`;
  const script = `: >'${outside}/ran'\nexit 0\n`;
  // In the old place, beside the settings, and in what git could take for a repository further down.
  for (const place of [".headgate/local", "deep/down/headgate"]) {
    for (const [index, name] of names.entries()) {
      const path = join(attacker, place, name);
      const text = name === "hook" ? script : program;
      mkdirSync(dirname(path), { recursive: true });
      if (shape === "file" || shape === "other owner") put(path, text);
      if (shape === "huge") put(path, text + "x".repeat(index % 10 === 0 ? 2_000_000 : 0));
      if (shape === "folder") put(join(path, "inner"), text);
      if (shape === "link to a file") symlinkSync(join(outside, "file"), path);
      if (shape === "link to a folder") symlinkSync(outside, path);
      if (shape === "bare") put(path, text);
      // No commit holds a FIFO; an archive does. The branch brings the folder.
      if (shape === "fifo") put(join(dirname(path), "near"), text);
    }
  }
  if (shape === "bare") {
    const monitor = `fsmonitor = "touch '${outside}/ran'; false"`;
    for (const place of [".headgate/local", ".headgate", "deep/down", "deep/down/headgate"]) {
      for (const one of ["HEAD", "objects/x", "refs/x"]) {
        put(join(attacker, place, one), "ref: refs/heads/x\n");
      }
      const config = `[core]\n\tbare = false\n\tworktree = .\n\t${monitor}\n`;
      put(join(attacker, place, "config"), config);
    }
  }
  git(attacker, "add", "--force", ".");
  git(attacker, "commit", "--quiet", "--message", "Evil");
};

const bring = ({ victim, attacker }: Scene, way: Combination["way"]): string => {
  const as = (...args: string[]) => gitAs("ada", victim, args);
  if (way === "archive") {
    const tar = execFileSync("git", ["archive", "evil"], { cwd: attacker, maxBuffer: 2 ** 28 });
    execFileSync("tar", ["-x", "--keep-directory-symlink"], { cwd: victim, input: tar });
    return victim;
  }
  if (way === "pull") as("pull", "--quiet", "--no-rebase", attacker, "evil");
  else as("fetch", "--quiet", attacker, "evil");
  if (way === "checkout") {
    as("branch", "evil", "FETCH_HEAD");
    as("checkout", "--quiet", "evil");
  }
  if (way === "switch") as("switch", "--quiet", "--detach", "FETCH_HEAD");
  if (way === "merge") as("merge", "--quiet", "--no-ff", "--no-edit", "FETCH_HEAD");
  if (way === "cherry-pick") as("cherry-pick", "FETCH_HEAD");
  if (way === "rebase") as("rebase", "--quiet", "FETCH_HEAD");
  if (way === "stash") {
    as("checkout", "FETCH_HEAD", "--", ".");
    as("stash", "push", "--quiet");
    as("stash", "pop", "--quiet");
  }
  if (way === "submodule") {
    const allowed = ["-c", "protocol.file.allow=always"];
    as(...allowed, "submodule", "--quiet", "add", "--force", "-b", "evil", attacker, "sub");
    as(...allowed, "submodule", "--quiet", "update", "--init", "--recursive");
    return join(victim, "sub");
  }
  if (way !== "worktree") return victim;
  const linked = join(temporaryFolder(), "linked");
  as("worktree", "add", "--quiet", "--detach", linked, "FETCH_HEAD");
  return linked;
};

/** Shapes that no commit can hold. */
const finishShape = (folder: string, { names, shape }: Combination): void => {
  for (const name of names) {
    const place = join(folder, ".headgate/local", name);
    if (shape === "fifo" && existsSync(dirname(place)) && !existsSync(place)) {
      execFileSync("mkfifo", [place]);
    }
    const isThere = lstatSync(place, { throwIfNoEntry: false })?.isFile();
    if (shape === "other owner" && isThere && process.getuid?.() === 0) {
      chownSync(place, 65_534, 65_534);
    }
  }
};

/**
 * Nothing runs, nothing outside changes, nothing planted is believed, and the user hears of what git tracks. The
 * answer is how many names were tried.
 */
export const attack = async (scene: Scene, combination: Combination): Promise<number> => {
  const { victim, outside } = scene;
  const { names, shape, way } = combination;
  const what = `${names.length} names as ${shape} by ${way}`;
  plant(scene, combination);
  const folder = bring(scene, way);
  finishShape(folder, combination);
  const input = editOf(folder);
  const hooked = await runShim(folder, { harness: ["claude"], input });
  const inner = join(folder, "deep/down");
  const below = existsSync(inner)
    ? await runShim(inner, { harness: ["codex"], input })
    : { code: 0, stderr: "" };
  const old = await runShim(folder, { harness: ["claude"], input, hook: ".headgate/hook" });
  const commit = gitAs("ada", folder, ["commit", "--quiet", "--allow-empty", "-m", "x"]);
  const status = headgateAs("ada", folder, "status");
  const said = [hooked, below, old, commit, status].map(({ stderr }) => stderr).join("");
  expect(existsSync(join(outside, "ran")), `${what}: ${said}`).toBe(false);
  expect(readdirSync(outside), what).toEqual([]);
  const isTracked = git(folder, "ls-files", "--", ".headgate/local") !== "";
  if (isTracked) {
    expect(status.stderr, what).toContain("[STATE_TRACKED]");
    // A submodule is a repository of its own, and not armed.
    if (way !== "submodule") expect(hooked.stderr, what).toContain("STATE_TRACKED");
    if (way !== "submodule") expect(commit.code, what).not.toBe(0);
  } else expect(status.code, what + status.stderr).toBe(0);
  clear(scene, folder, way);
  expect(headgateAs("ada", victim, "claims").stdout, what).toContain("a.txt");
  return names.length;
};

const clear = ({ victim, main }: Scene, folder: string, way: Combination["way"]): void => {
  const quiet = (...args: string[]) => git(victim, "-c", "core.hooksPath=/dev/null", ...args);
  if (way === "worktree") quiet("worktree", "remove", "--force", folder);
  for (const command of ["rebase", "merge", "cherry-pick"]) {
    gitAs("ada", victim, ["-c", "core.hooksPath=/dev/null", command, "--abort"]);
  }
  rmSync(join(victim, ".headgate/local"), { recursive: true, force: true });
  quiet("checkout", "--quiet", "--force", "main");
  quiet("reset", "--quiet", "--hard", main);
  if (way === "checkout") quiet("update-ref", "-d", "refs/heads/evil");
  for (const one of ["sub", ".git/modules", ".git/refs/stash"]) {
    rmSync(join(victim, one), { recursive: true, force: true });
  }
  quiet("clean", "--quiet", "-ffdx");
};
