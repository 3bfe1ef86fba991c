import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  gitHooksState,
  hookNames,
  installGitHooks,
  uninstallGitHooks,
} from "../../../src/surfaces/git/index.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import {
  arm,
  environmentFor,
  environmentOf,
  gitAs,
  headgateAs,
  hookedRepository,
  install,
  read,
  repositoryOf,
  write,
} from "./hooked-repository.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const hook = (folder: string, path: string, text: string, mode = 0o755): void => {
  write(folder, path, text);
  chmodSync(join(folder, path), mode);
};

const uninstall = async (folder: string) =>
  uninstallGitHooks(await repositoryOf(folder), { environment: environmentFor(folder) });

const stateOf = async (folder: string) =>
  gitHooksState(await repositoryOf(folder), { environment: environmentFor(folder) });

/** Every file below, with mode, content or target. */
const snapshot = (folder: string): Record<string, string> => {
  const found: Record<string, string> = {};
  const visit = (at: string): void => {
    for (const { name } of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = join(at, name);
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) visit(path);
      else if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(folder, path))}`;
      else found[path] = `${stat.mode.toString(8)} ${readFileSync(join(folder, path), "base64")}`;
    }
  };
  if (existsSync(folder)) visit(".");
  return found;
};

const commit = (folder: string, name = "b.txt") => {
  write(folder, name, `${Math.random()}\n`);
  git(folder, "add", name);
  return gitAs("ada", folder, ["commit", "--quiet", "--message", "More"]);
};

const perl = `#!/usr/bin/perl
use File::Basename;
open(my $out, ">>", "ran.txt");
print $out basename($0) . " @ARGV\\n";
exit 0;
`;

describe("installing beside what is there", () => {
  it("a dry run tells everything and changes nothing; twice is once", async () => {
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    arm(folder);
    const before = snapshot(join(folder, ".git"));
    const repository = await repositoryOf(folder);
    const plan = await installGitHooks(repository, {
      dryRun: true,
      environment: environmentFor(folder),
    });
    expect(plan.changes.map(({ file }) => file.slice(folder.length))).toEqual([
      "/.git/headgate-hook",
      ...hookNames.map((name) => `/.git/hooks/${name}`),
    ]);
    expect(snapshot(join(folder, ".git"))).toEqual(before);
    expect((await install(folder)).changes).toHaveLength(7);
    expect((await install(folder)).changes).toEqual([]);
    expect(new Set((await stateOf(folder)).hooks.map(({ state }) => state))).toEqual(
      new Set(["installed"]),
    );
    await uninstall(folder);
    expect(snapshot(join(folder, ".git"))).toEqual(before);
  });

  it("a shell hook that fails still fails, gets its arguments, and comes back byte for byte", async () => {
    const own = '#!/usr/bin/env bash\nset -eu\necho "own $# ${0##*/}" >>ran.txt\n[ ! -e stop ]\n';
    let before = {};
    const folder = await hookedRepository((place) => {
      hook(place, ".git/hooks/pre-commit", own);
      hook(place, ".git/hooks/commit-msg", "#!/bin/sh\nexit 0\n");
      before = snapshot(join(place, ".git/hooks"));
    });
    expect(commit(folder).code).toBe(0);
    expect(read(folder, "ran.txt")).toBe("own 0 pre-commit\n");
    write(folder, "stop", "");
    expect(commit(folder).code).toBe(1);
    rmSync(join(folder, "stop"));
    headgateAs("bob", folder, "claim", "b.txt");
    rmSync(join(folder, "ran.txt"));
    expect(commit(folder).stderr).toContain("CLAIM_CONFLICT b.txt");
    expect(existsSync(join(folder, "ran.txt"))).toBe(false);
    await uninstall(folder);
    expect(snapshot(join(folder, ".git/hooks"))).toEqual(before);
    expect(existsSync(join(folder, ".git/headgate-hook"))).toBe(false);
  });

  it("a hook that is no shell script is moved aside, run under its own name, and brought back", async () => {
    let before = {};
    const folder = await hookedRepository((place) => {
      hook(place, ".git/hooks/pre-commit", perl);
      hook(place, "scripts/check.sh", "#!/bin/sh\necho linked >>ran.txt\n");
      symlinkSync("../../scripts/check.sh", join(place, ".git/hooks/post-commit"));
      before = snapshot(join(place, ".git/hooks"));
    });
    expect(commit(folder).code).toBe(0);
    expect(read(folder, "ran.txt")).toBe("pre-commit \nlinked\n");
    expect((await install(folder)).changes).toEqual([]);
    await uninstall(folder);
    expect(snapshot(join(folder, ".git/hooks"))).toEqual(before);
  });

  it("a hook that is switched off stays off, and doctor can tell", async () => {
    const folder = await hookedRepository((place) =>
      hook(place, ".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n", 0o644),
    );
    expect(commit(folder).code).toBe(0);
    const { hooks } = await stateOf(folder);
    expect(hooks.find((one) => one.hook === "pre-commit")?.state).toBe("disabled");
  });

  it("what git tells on standard input reaches the hook behind ours, unchanged", async () => {
    const own =
      '#!/bin/sh\nwhile read -r line; do echo "[$line]" >>"$OLDPWD_LOG"; done\necho "$#" >>"$OLDPWD_LOG"\n';
    const folder = await hookedRepository((place) => {
      hook(place, ".git/hooks/pre-push", own);
      hook(place, ".git/hooks/reference-transaction", own);
    });
    const remote = join(folder, "../remote.git");
    git(folder, "init", "--quiet", "--bare", remote);
    const log = join(folder, "../log.txt");
    writeFileSync(log, "");
    const pushed = gitAs("ada", folder, ["push", "--quiet", remote, "main"], { OLDPWD_LOG: log });
    expect(pushed).toMatchObject({ code: 0 });
    const head = git(folder, "rev-parse", "HEAD");
    expect(readFileSync(log, "utf8")).toBe(
      `[refs/heads/main ${head} refs/heads/main ${"0".repeat(40)}]\n2\n`,
    );
    writeFileSync(log, "");
    // Nothing to push: no line at all.
    gitAs("ada", folder, ["push", "--quiet", remote, "main"], { OLDPWD_LOG: log });
    expect(readFileSync(log, "utf8")).toBe("2\n");
    writeFileSync(log, "");
    gitAs("ada", folder, ["branch", "new"], { OLDPWD_LOG: log });
    const line = `[${"0".repeat(40)} ${head} refs/heads/new]`;
    expect(readFileSync(log, "utf8")).toBe(`${line}\n1\n${line}\n1\n`);
  });

  it("husky: our lines go into the scripts people write, whatever husky generates", async () => {
    const generated =
      '#!/usr/bin/env sh\nn=$(basename "$0")\ns=$(dirname "$(dirname "$0")")/$n\n[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\n';
    let before = {};
    const folder = await hookedRepository((place) => {
      git(place, "config", "core.hooksPath", ".husky/_");
      for (const name of ["pre-commit", "post-commit", "pre-push"])
        hook(place, `.husky/_/${name}`, generated);
      write(place, ".husky/pre-commit", "echo own >>ran.txt\n");
      write(place, ".husky/_/.gitignore", "*\n");
      before = snapshot(join(place, ".husky"));
    });
    const { manager, hooks } = await stateOf(folder);
    expect(manager).toBe("husky");
    expect(hooks.map(({ file, state }) => [file.slice(folder.length + 1), state])).toEqual([
      [".husky/pre-commit", "installed"],
      [".husky/commit-msg", "installed"],
      [".husky/post-commit", "installed"],
      [".husky/pre-push", "installed"],
      [".husky/_/reference-transaction", "installed"],
      [".husky/post-checkout", "installed"],
    ]);
    headgateAs("bob", folder, "claim", "b.txt");
    expect(commit(folder).stderr).toContain("CLAIM_CONFLICT b.txt");
    expect(commit(folder, "c.txt").stderr).toContain("CLAIM_CONFLICT b.txt");
    git(folder, "reset", "--quiet");
    expect(commit(folder, "c.txt").code).toBe(0);
    expect(read(folder, "ran.txt")).toBe("own\n");
    await uninstall(folder);
    expect(snapshot(join(folder, ".husky"))).toEqual(before);
  });

  it("a clone without Headgate runs tracked hooks with our lines as if they were not there", async () => {
    const folder = await hookedRepository((place) => {
      git(place, "config", "core.hooksPath", ".githooks");
      hook(place, ".githooks/pre-commit", "#!/bin/sh\necho own >>ran.txt\n");
    });
    expect((await stateOf(folder)).manager).toBe("custom");
    git(folder, "add", "--all");
    expect(gitAs("ada", folder, ["commit", "--quiet", "-m", "Hooks"]).stderr).toBe("");
    const clone = join(folder, "../clone");
    git(folder, "clone", "--quiet", folder, clone);
    git(clone, "config", "core.hooksPath", ".githooks");
    expect(commit(clone)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(stateFolder(clone))).toBe(false);
  });

  it("hooks that all repositories share are left alone, with the lines to add", async () => {
    const shared = join(temporaryFolder(), "shared");
    mkdirSync(shared);
    hook(shared, "pre-commit", "#!/bin/sh\nexit 0\n");
    const before = snapshot(shared);
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    git(folder, "config", "core.hooksPath", shared);
    const { changes, notes } = await install(folder);
    expect(changes).toEqual([]);
    expect(notes.join()).toContain('headgate-hook" pre-commit');
    expect(snapshot(shared)).toEqual(before);
  });

  it("T-01 hooks behind a link that leads out of the repository are left alone", async () => {
    const outside = join(temporaryFolder(), "outside");
    mkdirSync(outside);
    const folder = makeRepository(join(temporaryFolder(), "repo"));
    rmSync(join(folder, ".git/hooks"), { recursive: true, force: true });
    symlinkSync(outside, join(folder, ".git/hooks"));
    const { changes, notes } = await install(folder);
    expect(changes).toEqual([]);
    expect(notes.join()).toContain("leads out of this repository");
    expect(readdirSync(outside)).toEqual([]);
  });

  it("knows lefthook and the pre-commit framework, and when they have set our hook aside", async () => {
    const folder = await hookedRepository((place) => {
      write(place, "lefthook.yml", "pre-commit: {}\n");
    });
    const state = await stateOf(folder);
    expect(state.manager).toBe("lefthook");
    expect(state.notes.join()).toContain("lefthook-local.yml");
    rmSync(join(folder, "lefthook.yml"));
    const file = join(folder, ".git/hooks/pre-commit");
    execFileSync("mv", [file, `${file}.legacy`]);
    hook(
      folder,
      ".git/hooks/pre-commit",
      `#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\nPRE_COMMIT_RUNNING_LEGACY=1 "$0.legacy" || exit 1\necho framework >>ran.txt\n`,
    );
    expect(await stateOf(folder)).toMatchObject({ manager: "pre-commit" });
    expect((await stateOf(folder)).hooks[0]!.state).toBe("displaced");
    // Moved aside it still works, and once only.
    headgateAs("bob", folder, "claim", "b.txt");
    expect(commit(folder).stderr).toContain("CLAIM_CONFLICT b.txt");
    git(folder, "reset", "--quiet");
    expect(commit(folder, "c.txt").code).toBe(0);
    expect(read(folder, "ran.txt")).toBe("framework\n");
  });
});

describe("B08 G13 the runner", () => {
  it("T-04 refuses a commit when the program is gone, but not a person's bypass; other hooks only warn", async () => {
    const folder = await hookedRepository();
    write(folder, ".git/headgate/runtime", `${process.execPath}\n/nowhere/headgate.js\n`);
    const refused = commit(folder);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("headgate doctor");
    expect(refused.stderr).not.toContain("BYPASS");
    const words = ["commit", "--quiet", "-m", "x"];
    const HEADGATE_BYPASS = "gone";
    expect(gitAs("ada", folder, words, { HEADGATE_BYPASS })).toMatchObject({ code: 1 });
    const atTerminal = (env: Record<string, string>) => {
      const bridge = `import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))`;
      const argv = ["-c", bridge, "git", ...words];
      const all = { ...environmentOf(folder), HEADGATE_BYPASS, ...env };
      return spawnSync("python3", argv, { cwd: folder, env: all, encoding: "utf8" });
    };
    expect(atTerminal({ CLAUDECODE: "1" })).toMatchObject({ status: 1 });
    const passed = atTerminal({});
    expect(passed, passed.stdout).toMatchObject({ status: 0 });
    expect(passed.stdout.split("\n").filter((line) => line.includes("not found"))).toHaveLength(3);
    rmSync(stateFolder(folder), { recursive: true });
    expect(commit(folder)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("refuses when the program breaks, and when the store is damaged", async () => {
    const folder = await hookedRepository();
    const broken = join(folder, "../broken.js");
    writeFileSync(broken, "throw new Error('broken');\n");
    write(folder, ".git/headgate/runtime", `${process.execPath}\n${broken}\n`);
    const { code, stderr } = commit(folder);
    expect(code).toBe(1);
    expect(stderr).toContain("could not judge (headgate doctor)");
    arm(folder);
    write(
      folder,
      ".git/headgate/store.db",
      "this is no database, however long it may be\n".repeat(50),
    );
    expect(commit(folder).stderr).toContain("could not judge (headgate doctor)");
  });

  it("runs nothing that a relative path or the environment names", async () => {
    const folder = await hookedRepository();
    const evil = join(folder, "evil.cjs");
    writeFileSync(
      evil,
      `require("fs").writeFileSync(${JSON.stringify(join(folder, "../ran"))}, "")`,
    );
    write(folder, "headgate", `#!/bin/sh\nexec "${process.execPath}" evil.cjs\n`);
    chmodSync(join(folder, "headgate"), 0o755);
    write(folder, "d.txt", "d\n");
    git(folder, "add", "d.txt");
    const args = ["commit", "--quiet", "-m", "x"];
    const env = { NODE_OPTIONS: `--require ${evil}`, PATH: `.:${process.env["PATH"]}` };
    expect(gitAs("ada", folder, args, env).code).toBe(0);
    write(folder, ".git/headgate/runtime", "node\nevil.cjs\n");
    write(folder, "d.txt", "e\n");
    git(folder, "add", "d.txt");
    expect(gitAs("ada", folder, args, env).stderr).toContain("not found");
    expect(existsSync(join(folder, "../ran"))).toBe(false);
  });

  it("A16 is not led to another repository by GIT_DIR", async () => {
    const folder = await hookedRepository();
    const other = makeRepository(join(temporaryFolder(), "other"));
    write(folder, "d.txt", "d\n");
    git(folder, "add", "d.txt");
    const { code, stderr } = gitAs("ada", folder, [
      ...[`--git-dir=${other}/.git`, `--work-tree=${folder}`],
      ...["-c", `core.hooksPath=${folder}/.git/hooks`, "commit", "-m", "x", "--allow-empty"],
    ]);
    expect(stderr).not.toContain("could not judge");
    expect(code).toBe(0);
    // The other repository is not armed; as soon as it is, the two must agree.
    write(other, ".git/headgate-hook", read(folder, ".git/headgate-hook"));
    arm(other);
    const again = gitAs("ada", folder, [
      ...[`--git-dir=${other}/.git`, `--work-tree=${folder}`],
      ...["-c", `core.hooksPath=${folder}/.git/hooks`, "commit", "-m", "x", "--allow-empty"],
    ]);
    expect(again.stderr).toContain("git works on");
    expect(again.code).toBe(1);
    expect(statSync(join(folder, ".git/headgate-hook")).mode & 0o111).not.toBe(0);
  });
});
