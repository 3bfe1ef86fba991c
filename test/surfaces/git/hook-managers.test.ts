import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { installPinned } from "../../helpers/pinned-tools.ts";
import { snapshot } from "../../helpers/setup-place.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import {
  type Done,
  environmentOf,
  eventsOf,
  gitAs,
  headgateAs,
  read,
  write,
} from "./hooked-repository.ts";

let tools = "";
beforeAll(async () => {
  tools = await installPinned("hook-managers", "hook-managers");
});

interface Manager {
  readonly name: "husky" | "lefthook";
  /** Its own hooks, as a person writes them: a line in `ran.txt`, a failure on demand, git's input kept. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly install: readonly string[];
  /** By force, where there is such a thing. */
  readonly again: readonly string[];
  /** Its second installation throws our lines away. */
  readonly forgets: boolean;
}

const husky: Manager = {
  name: "husky",
  scripts: {
    ".husky/pre-commit": "echo theirs >>ran.txt\n[ ! -e stop ]\n",
    ".husky/pre-push": "cat >>pushed.txt\n",
  },
  install: [],
  again: [],
  forgets: false,
};

const lefthook: Manager = {
  name: "lefthook",
  scripts: {
    "lefthook.yml": `pre-commit:
  commands:
    theirs:
      run: echo theirs >>ran.txt; [ ! -e stop ]
pre-push:
  commands:
    theirs:
      use_stdin: true
      run: cat >>pushed.txt
`,
  },
  install: ["install"],
  again: ["install", "--force"],
  forgets: true,
};

const run = ({ name }: Manager, cwd: string, args: readonly string[]): void => {
  const script = join(tools, "node_modules/.bin", name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd,
    env: environmentOf(cwd),
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
};

const install = (manager: Manager, folder: string): void => {
  for (const [path, text] of Object.entries(manager.scripts)) write(folder, path, text);
  run(manager, folder, manager.install);
};

const newRepository = (): string => {
  const folder = makeRepository(join(temporaryFolder(), "repo"));
  write(folder, ".git/info/exclude", "ran.txt\npushed.txt\nstop\n.headgate/\n.husky/\n");
  return folder;
};

const headgate = (folder: string, ...args: string[]): Done => {
  const done = headgateAs("ada", folder, ...args);
  expect(done.code, done.stdout + done.stderr).toBe(0);
  return done;
};

const init = (folder: string): Done => headgate(folder, "init", "--yes");

/** What doctor finds wrong with git's hooks, each with what to do. */
const complaints = (folder: string): string[] => {
  const { stdout } = headgateAs("ada", folder, "doctor", "--json");
  const { checks } = JSON.parse(stdout) as {
    checks: { group: string; state: string; text: string; remedy?: string }[];
  };
  const ours = checks.filter(({ group }) => group === "git hooks");
  expect(ours.length, stdout).toBeGreaterThan(0);
  return ours
    .filter(({ state }) => state !== "ok")
    .map(({ state, text, remedy }) => `${state}: ${text} → ${remedy}`);
};

const commit = (folder: string, path: string, text: string): Done => {
  write(folder, path, text);
  git(folder, "add", path);
  const done = gitAs("ada", folder, ["commit", "--quiet", "--message", path]);
  git(folder, "reset", "--quiet");
  return done;
};

const ran = (folder: string): number =>
  existsSync(join(folder, "ran.txt")) ? read(folder, "ran.txt").split("theirs\n").length - 1 : 0;

let round = 0;

/** Both judge every commit: ours what is claimed and broken, theirs what it likes; and a push reaches both. */
const expectBoth = (folder: string): void => {
  round += 1;
  const [legal, claimed] = [`legal${round}.ts`, `claimed${round}.ts`];
  const before = ran(folder);
  const passed = commit(folder, legal, `export const a${round} = 1;\n`);
  expect(passed, passed.stderr).toMatchObject({ code: 0 });
  expect(ran(folder), "their hook ran").toBe(before + 1);
  expect(eventsOf(folder, "commit.made").at(-1)).toMatchObject({ actor: "ada" });
  expect(eventsOf(folder, "commit.unjudged")).toEqual([]);

  const broken = commit(folder, `broken${round}.ts`, "export const = ;\n");
  expect(broken.stderr).toMatch(/Headgate refused this git commit: SYNTAX_\w+ broken/);
  expect(broken.code).not.toBe(0);
  expect(headgateAs("bob", folder, "claim", claimed).code).toBe(0);
  const conflict = commit(folder, claimed, "export {};\n");
  expect(conflict.stderr).toContain(`CLAIM_CONFLICT ${claimed}`);
  expect(conflict.code).not.toBe(0);
  expect(headgateAs("bob", folder, "release", "--all").code).toBe(0);

  write(folder, "stop", "");
  expect(commit(folder, `stopped${round}.ts`, "export {};\n").code, "theirs refuses").not.toBe(0);
  rmSync(join(folder, "stop"));
  expect(git(folder, "log", "-1", "--format=%s")).toBe(legal);

  const remote = join(folder, "..", `remote${round}.git`);
  git(folder, "init", "--quiet", "--bare", remote);
  rmSync(join(folder, "pushed.txt"), { force: true });
  const pushed = gitAs("ada", folder, ["push", "--quiet", remote, "main"]);
  expect(pushed, pushed.stderr).toMatchObject({ code: 0 });
  const head = git(folder, "rev-parse", "HEAD");
  expect(read(folder, "pushed.txt").trim()).toBe(
    `refs/heads/main ${head} refs/heads/main ${"0".repeat(40)}`,
  );
};

/** What decides about hooks, with every file's bytes and mode. */
const hookFiles = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(snapshot(folder)).filter(([path]) =>
      /^(?:\.git\/(?:hooks|config|headgate)|\.husky|lefthook)/.test(path),
    ),
  );

describe.each([husky, lefthook])("the real $name", (manager) => {
  it("there before init: both run, and uninstall brings back every byte", () => {
    const folder = newRepository();
    install(manager, folder);
    const before = snapshot(folder);
    const said = init(folder).stdout;
    expect(said.includes("lefthook-local.yml")).toBe(manager.name === "lefthook");
    headgate(folder, "uninstall", "--yes", "--purge");
    expect(snapshot(folder)).toEqual(before);
    init(folder);
    expect(complaints(folder)).toEqual([]);
    expect(headgate(folder, "init", "--yes").stdout).toContain("nothing to change");
    expectBoth(folder);
  });

  it("comes after init: doctor says that ours is out of the way, init repairs, uninstall leaves only theirs", () => {
    const control = newRepository();
    install(manager, control);
    const folder = newRepository();
    init(folder);
    install(manager, folder);
    const found = complaints(folder);
    expect(found[0]).toMatch(/^problem: pre-commit is displaced → Run `headgate init`\./);
    init(folder);
    expect(complaints(folder)).toEqual([]);
    expectBoth(folder);
    headgate(folder, "uninstall", "--yes", "--purge");
    expect(hookFiles(folder)).toEqual(hookFiles(control));
  });

  it("installed again: ours stays, or doctor says what to do and that is enough", () => {
    const folder = newRepository();
    install(manager, folder);
    const before = hookFiles(folder);
    init(folder);
    run(manager, folder, manager.again);
    const found = complaints(folder);
    if (manager.forgets) {
      expect(found[0]).toMatch(/^problem: pre-commit is gone → Run `headgate init`\./);
      init(folder);
    }
    expect(complaints(folder)).toEqual([]);
    expectBoth(folder);
    run(manager, folder, manager.again);
    headgate(folder, "uninstall", "--yes", "--purge");
    expect(hookFiles(folder)).toEqual(before);
  });

  it("a hook that was there before both comes back under the name that the manager would have given it", () => {
    const perl = '#!/usr/bin/perl\nopen(my $out, ">>", "perl.txt");\nprint $out "ran\\n";\n';
    const [control, folder] = [newRepository(), newRepository()];
    for (const place of [control, folder]) {
      write(place, ".git/hooks/pre-commit", perl);
      spawnSync("chmod", ["+x", join(place, ".git/hooks/pre-commit")]);
    }
    install(manager, control);
    init(folder);
    install(manager, folder);
    init(folder);
    headgate(folder, "uninstall", "--yes", "--purge");
    expect(hookFiles(folder)).toEqual(hookFiles(control));
  });
});

describe("the real lefthook", () => {
  it("what init advises for lefthook-local.yml outlasts every installation", () => {
    const folder = newRepository();
    install(lefthook, folder);
    const { stdout } = init(folder);
    const [, advice = ""] = /add to lefthook-local\.yml:\n((?:.+\n)+)/.exec(stdout) ?? [];
    expect(advice).toContain("headgate-hook");
    write(folder, "lefthook-local.yml", advice);
    run(lefthook, folder, ["install", "--force"]);
    // What lefthook writes for pre-push has no lines of ours: the advice is about commits.
    expect(complaints(folder).join("\n")).toMatch(/^problem: pre-push is gone[^\n]*$/);
    init(folder);
    expect(read(folder, ".git/hooks/pre-commit")).not.toContain(">>> headgate");
    expect(complaints(folder)).toEqual([]);
    expectBoth(folder);
    run(lefthook, folder, ["install", "--force"]);
    expect(commit(folder, "broken.ts", "export const = ;\n").stderr).toContain("SYNTAX_");
  });
});

describe("the real husky", () => {
  it("gone again: git's own folder is used, and uninstall finds our lines in its scripts as well", () => {
    const folder = newRepository();
    install(husky, folder);
    const scripts = Object.keys(husky.scripts).map((path) => read(folder, path));
    init(folder);
    git(folder, "config", "--unset", "core.hooksPath");
    expect(complaints(folder)).toHaveLength(1);
    init(folder);
    expect(commit(folder, "broken.ts", "export const = ;\n").stderr).toContain("SYNTAX_");
    headgate(folder, "uninstall", "--yes", "--purge");
    expect(Object.keys(husky.scripts).map((path) => read(folder, path))).toEqual(scripts);
    expect(
      readdirSync(join(folder, ".git/hooks")).filter((name) => !name.endsWith("sample")),
    ).toEqual([]);
    expect(readdirSync(join(folder, ".husky")).toSorted()).toEqual(["_", "pre-commit", "pre-push"]);
  });
});
