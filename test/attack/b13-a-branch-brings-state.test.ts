import { execFileSync } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/ids.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { git } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { countRounds } from "../helpers/rounds.ts";
import { drawing } from "../helpers/seed.ts";
import { runShim } from "../helpers/shim.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  environmentOf,
  gitAs,
  headgateAs,
  hookedRepository,
  read,
  twoFunctions,
  write,
} from "../surfaces/git/hooked-repository.ts";

/** Everything that the product keeps, as its own runs left it, and what earlier releases kept. */
const namesIn = (victim: string): string[] => [
  ...new Set([
    ...readdirSync(join(victim, ".git/headgate"), { recursive: true, encoding: "utf8" }),
    ...["runtime", "port", "token", "hook-header", "hook-mark", "socket-path"],
    ...["server.lock", "server.log"],
    ...["store.db", "edits", "edits/open", "refusals", "ring", "runs", "cache", "late", "unjudged"],
    ...["installed.json", "fences.json", "worktrees", "routing", "reviewers.lock", "watch.json"],
  ]),
];

const shapes = [
  ...(["file", "link to a file", "link to a folder", "folder", "bare", "huge", "fifo"] as const),
];
const ways = [
  ...(["switch", "merge", "pull", "rebase", "cherry-pick", "worktree", "archive"] as const),
  ...(["stash", "submodule"] as const),
];

interface Scene {
  readonly victim: string;
  readonly attacker: string;
  /** Nothing may appear here. */
  readonly outside: string;
}

const headgateInside = (folder: string, ...args: string[]) =>
  runInside(args, { cwd: folder, env: environmentOf(folder, "ada") });

const newScene = async (): Promise<Scene> => {
  const victim = await hookedRepository();
  cpSync("doors/hook.sh", join(victim, ".headgate/hook"));
  git(victim, "add", ".headgate");
  git(victim, "commit", "--quiet", "--message", "Hook");
  expect(headgateAs("ada", victim, "claim", "a.txt").code).toBe(0);
  const attacker = join(temporaryFolder(), "attacker");
  git(dirname(attacker), "clone", "--quiet", victim, attacker);
  return { victim, attacker, outside: temporaryFolder() };
};

/** Runs whatever it is asked to, and leaves a mark. */
const plant = ({ attacker, outside }: Scene, name: string, shape: (typeof shapes)[number]) => {
  git(attacker, "checkout", "--quiet", "-B", "evil", "origin/main");
  rmSync(join(attacker, ".headgate/local"), { recursive: true, force: true });
  put(join(attacker, "tools/evil.sh"), `#!/bin/sh\n: >'${outside}/ran'\nexit 0\n`);
  put(join(attacker, "more.txt"), "more\n");
  const lines = "/bin/sh\n/proc/self/cwd/tools/evil.sh\n";
  const path = join(attacker, ".headgate/local", name);
  mkdirSync(dirname(path), { recursive: true });
  if (shape === "file") put(path, lines);
  if (shape === "huge") put(path, lines + "x".repeat(2_000_000));
  if (shape === "folder") put(join(path, "inner"), lines);
  if (shape === "link to a file") symlinkSync(join(outside, "file"), path);
  if (shape === "link to a folder") symlinkSync(outside, path);
  if (shape === "bare") {
    const local = join(attacker, ".headgate/local");
    for (const one of ["HEAD", "objects/x", "refs/x"]) put(join(local, one), "ref: refs/heads/x\n");
    const monitor = `fsmonitor = "touch '${outside}/ran'; false"`;
    put(join(local, "config"), `[core]\n\tbare = false\n\tworktree = .\n\t${monitor}\n`);
    put(join(local, "runtime"), lines);
  }
  // No commit holds a FIFO; an archive does. The branch brings the rest.
  if (shape === "fifo") put(join(dirname(path), "near"), lines);
  git(attacker, "add", "--force", ".");
  git(attacker, "commit", "--quiet", "--message", "Evil");
};

const bring = ({ victim, attacker }: Scene, way: (typeof ways)[number]): string => {
  const as = (...args: string[]) => gitAs("ada", victim, args);
  if (way === "archive") {
    const tar = execFileSync("git", ["archive", "evil"], { cwd: attacker, maxBuffer: 2 ** 26 });
    execFileSync("tar", ["-x", "--keep-directory-symlink"], { cwd: victim, input: tar });
    return victim;
  }
  if (way === "pull") as("pull", "--quiet", "--no-rebase", attacker, "evil");
  else as("fetch", "--quiet", attacker, "evil");
  if (way === "switch") as("switch", "--quiet", "--detach", "FETCH_HEAD");
  if (way === "merge") as("merge", "--quiet", "--no-edit", "FETCH_HEAD");
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

describe("B13 T-01 a branch, a pull or an archive brings what looks like state", () => {
  it("T-01 runs nothing, writes nothing outside, believes nothing, and says so", async () => {
    await drawing(async (seed) => {
      const scene = await newScene();
      const { victim, outside } = scene;
      const main = git(victim, "rev-parse", "HEAD");
      const names = namesIn(victim);
      const count = countRounds("hostile branches", 500, 8);
      let at = seed;
      const draw = <T>(list: readonly T[]): T => {
        at = (Math.imul(at, 1_103_515_245) + 12_345) >>> 0;
        return list[(at >>> 8) % list.length] as T;
      };
      for (let round = 0; round < count; round += 1) {
        // The plain attack first, then anything.
        const [name, shape, way] =
          round === 0
            ? (["runtime", "file", "switch"] as const)
            : [draw(names), draw(shapes), draw(ways)];
        const what = `${name} as ${shape} by ${way}`;
        plant(scene, name, shape);
        const folder = bring(scene, way);
        const place = join(folder, ".headgate/local", name);
        if (shape === "fifo" && existsSync(dirname(place)) && !existsSync(place)) {
          execFileSync("mkfifo", [place]);
        }
        const edit = JSON.stringify({
          ...{ session_id: "s", hook_event_name: "PreToolUse", tool_name: "Write", cwd: folder },
          tool_input: { file_path: join(folder, "b.txt"), content: "b\n" },
        });
        const hooked = await runShim(folder, { harness: ["claude"], input: edit });
        const commit = gitAs("ada", folder, ["commit", "--quiet", "--allow-empty", "-m", "x"]);
        const status = headgateAs("ada", folder, "status");
        const isTracked =
          git(way === "submodule" ? folder : victim, "ls-files", "--", ".headgate/local") !== "";
        if (isTracked) expect(status.stderr, what).toContain("[STATE_TRACKED]");
        else expect(status.code, what + status.stderr).toBe(0);
        expect(existsSync(join(outside, "ran")), `${what}: ${commit.stderr}${hooked.stderr}`).toBe(
          false,
        );
        expect(readdirSync(outside), what).toEqual([]);
        if (way === "worktree") gitAs("ada", victim, ["worktree", "remove", "--force", folder]);
        for (const args of [
          ["rebase", "--abort"],
          ["merge", "--abort"],
        ])
          gitAs("ada", victim, args);
        git(victim, "-c", "core.hooksPath=/dev/null", "checkout", "--quiet", "--force", "main");
        git(victim, "-c", "core.hooksPath=/dev/null", "reset", "--quiet", "--hard", main);
        rmSync(join(victim, ".headgate/local"), { recursive: true, force: true });
        for (const one of ["sub", ".git/modules", ".git/refs/stash"]) {
          rmSync(join(victim, one), { recursive: true, force: true });
        }
        git(victim, "clean", "--quiet", "-ffdx");
        expect(headgateAs("ada", victim, "claims").stdout, what).toContain("a.txt");
      }
    });
  });

  it("T-01 ci and the commit name files that somebody tracks there", async () => {
    const folder = await hookedRepository();
    write(folder, ".headgate/local/runtime", "x\n");
    git(folder, "add", "--force", ".headgate/local");
    const refused = gitAs("ada", folder, ["commit", "-m", "Evil"]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/STATE_TRACKED|PATH_OWN/);
  });

  it("T-01 init moves the state of an earlier release once, and keeps claims and originals", async () => {
    const folder = await hookedRepository();
    expect(headgateAs("ada", folder, "init", "--yes", "--client", "claude").code).toBe(0);
    expect(headgateAs("ada", folder, "claim", "a.txt").code).toBe(0);
    // As it was left by the release before.
    mkdirSync(join(folder, ".headgate"), { recursive: true });
    cpSync(join(folder, ".git/headgate"), join(folder, ".headgate/local"), { recursive: true });
    rmSync(join(folder, ".git/headgate"), { recursive: true });
    const told = headgateAs("ada", folder, "claims");
    expect(told.stderr).toContain("headgate init");
    expect(told.stderr).toContain("[STATE_IN_TREE]");
    // Work goes on meanwhile, and says so.
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 3"));
    const commit = gitAs("ada", folder, ["commit", "-am", "Go on"]);
    expect(commit.code).toBe(0);
    expect(headgateAs("ada", folder, "init", "--yes", "--client", "claude").code).toBe(0);
    expect(existsSync(join(folder, ".headgate/local"))).toBe(false);
    expect(headgateAs("ada", folder, "claims").stdout).toContain("a.txt");
    expect(headgateAs("ada", folder, "uninstall", "--yes").code).toBe(0);
    expect(existsSync(join(folder, ".claude/settings.json"))).toBe(false);
    expect(read(folder, ".git/headgate/.gitignore")).toBe("*\n");
  });

  it("T-01 a copied .git whose state folder has links in it writes nothing where they lead", async () => {
    const folder = await hookedRepository();
    const outside = temporaryFolder();
    const state = join(folder, ".git/headgate");
    for (const name of ["edits", "refusals", "ring", "runs", "late", "edits/blobs", "edits/open"]) {
      rmSync(join(state, "edits"), { recursive: true, force: true });
      mkdirSync(dirname(join(state, name)), { recursive: true });
      rmSync(join(state, name), { recursive: true, force: true });
      symlinkSync(outside, join(state, name));
      const edit = await headgateInside(folder, "edit", "delete", "a.txt", "--yes");
      expect(edit.stderr, name).toContain(`headgate/${name} is a link`);
      expect(edit.code, name).not.toBe(0);
      expect(readdirSync(outside), name).toEqual([]);
      rmSync(join(state, name));
    }
    expect(headgateAs("ada", folder, "status").code).toBe(0);
  });

  it("T-01 a forged record of an edit is not carried out, with or without the code of another key", async () => {
    const folder = await hookedRepository();
    let number = 1;
    /** Any edit recovers what others left first. */
    const edit = () => {
      const [before, after] = [`return ${number}`, `return ${(number += 1)}`];
      const args = ["replace", "code.ts", "--old", before, "--new", after, "--nth", "1", "--yes"];
      return headgateInside(folder, "edit", ...args);
    };
    write(folder, "code.ts", "export const one = () => {\n  return 1;\n};\n");
    expect((await edit()).stderr).toBe("");
    const edits = join(folder, ".git/headgate/edits");
    const hook = "#!/bin/sh\n";
    const hash = createHash("sha256").update(hook).digest("hex");
    put(join(edits, "blobs", hash), hook);
    for (const path of [".git/hooks/post-checkout", "../outside.txt", "plain.txt"]) {
      const id = newId("edit");
      const record = {
        ...{ version: 1, id, atMs: 1, actor: "ada", reason: "", isVerified: false, folders: [] },
        // A process that is long dead on this machine.
        process: { ...ownIdentity(), pid: 2 ** 22 - 7, startTime: "1" },
        files: [
          { path, kind: "modify", before: hash, after: null, beforeMode: 0o755, afterMode: null },
        ],
      };
      const text = JSON.stringify(record);
      const code = createHmac("sha256", "another key").update(text).digest("hex");
      for (const forged of [text, JSON.stringify({ code, record: text })]) {
        const place = join(edits, "open", `${id}.returning.json`);
        put(place, forged);
        expect((await edit()).code, path).toBe(0);
        expect(existsSync(join(folder, path)), path).toBe(false);
        rmSync(place);
      }
    }
  });

  it("T-01 what lies in the tree of a clone that was never set up is left alone", async () => {
    const folder = await hookedRepository();
    rmSync(join(folder, ".git/headgate"), { recursive: true });
    rmSync(join(folder, ".git/headgate-hook"));
    write(folder, ".headgate/local/store.db", "planted");
    expect(headgateAs("ada", folder, "init", "--yes", "--client", "claude").code).toBe(0);
    expect(readFileSync(join(folder, ".headgate/local/store.db"), "utf8")).toBe("planted");
    expect(headgateAs("ada", folder, "claims").code).toBe(0);
  });
});
