import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseActor } from "../../../../src/claims/index.ts";
import { openHeadgate } from "../../../../src/index.ts";
import { git } from "../../../helpers/git-repository.ts";
import { put } from "../../../helpers/temporary-folder.ts";
import { ada, bob, twoAgents } from "./two-agents.ts";

const codes = (reasons: readonly { code: string; path: string }[]) =>
  reasons.map(({ code, path }) => `${code} ${path}`);

describe("a command that writes what somebody else holds", () => {
  it("B12 is refused for every way of writing that is certain, and says who holds it", async () => {
    const { judge, hold } = await twoAgents();
    await hold(["src/a.ts"]);
    for (const command of [
      "echo hi > src/a.ts",
      "cat > src/a.ts <<'EOF'\nhello\nEOF",
      "echo hi | tee -a src/a.ts",
      "sed -i 's/1/2/' src/a.ts",
      "perl -pi -e 's/1/2/' src/a.ts",
      "cp src/b.ts src/a.ts",
      "cp src/b.ts docs/../src/a.ts",
      "mv src/a.ts src/c.ts",
      "mv src/b.ts src/a.ts",
      "rm src/a.ts",
      "rm -rf src",
      "cd src && rm a.ts",
      "bash -c 'echo hi > src/a.ts'",
      "ls && echo hi > ./src//a.ts",
      "truncate -s 0 src/a.ts",
      "git rm -f src/a.ts",
    ]) {
      const [reason] = await judge(command);
      expect(reason, command).toMatchObject({ code: "CLAIM_CONFLICT" });
      expect(reason?.message, command).toContain(bob);
      expect(reason?.message, command).toContain("mending");
    }
  });

  it("B12 passes where it is not certain, reads only, or leads elsewhere", async () => {
    const { judge, hold, root } = await twoAgents();
    await hold(["src/a.ts", "nowhere/a.ts", "missing/src/a.ts"]);
    for (const command of [
      "cat src/a.ts",
      "echo hi > $FILE",
      "echo hi > src/*.ts",
      "node build.js",
      "echo hi > src/b.ts",
      "cd nowhere; echo hi > a.ts",
      "cd missing; echo hi > src/a.ts",
      "rm src/missing.ts",
      "touch src/a.ts",
      "chmod +x src/a.ts",
      "cp src/a.ts /tmp/headgate-elsewhere.ts",
      `cp src/b.ts ${join(root, "..", "outside.ts")}`,
      "echo hi > 'src/a.ts",
      "rm src",
    ]) {
      expect(codes(await judge(command)), command).toEqual([]);
    }
  });

  it("B12 passes for the holder itself and for a symbol of another file", async () => {
    const { judge, hold } = await twoAgents();
    await hold(["src/a.ts"], ada);
    await hold(["src/b.ts#b"]);
    expect(codes(await judge("echo hi > src/a.ts"))).toEqual([]);
    expect(codes(await judge("echo hi > src/b.ts"))).toEqual(["CLAIM_CONFLICT src/b.ts"]);
  });

  it("B12 follows links and folders as the system does", async () => {
    const { judge, hold, root } = await twoAgents();
    await hold(["src/a.ts", "empty/b.ts"]);
    symlinkSync("src/a.ts", join(root, "link.ts"));
    expect(codes(await judge("echo hi > link.ts"))).toEqual(["CLAIM_CONFLICT src/a.ts"]);
    expect(codes(await judge("rm link.ts"))).toEqual([]);
    expect(codes(await judge("cp src/b.ts empty"))).toEqual(["CLAIM_CONFLICT empty/b.ts"]);
    expect(codes(await judge("cp -T src/b.ts src/a.ts"))).toEqual(["CLAIM_CONFLICT src/a.ts"]);
  });

  it("a command that only reads opens no store", async () => {
    const { judge, root } = await twoAgents();
    const closed = () => {
      throw new Error("asked");
    };
    const claims = { actor: { id: ada, session: ada }, check: closed, list: closed };
    expect(await judge("ls -la && git status && cat src/a.ts | grep x", { claims })).toEqual([]);
    expect(existsSync(join(root, ".headgate"))).toBe(false);
  });
});

describe("files that no command writes", () => {
  it("B05 git's, Headgate's and those that arm the hooks are refused, whoever holds what", async () => {
    const { judge, root } = await twoAgents();
    put(join(root, ".claude/settings.json"), "{}");
    for (const [command, code] of [
      ["echo > .git/config", "PATH_GIT"],
      ["rm -rf .git", "PATH_GIT"],
      ["sed -i 's/a/b/' .headgate/hook", "PATH_OWN"],
      ["chmod -x .headgate/hook", "PATH_OWN"],
      ["rm -rf .headgate/local", undefined],
      ["echo '{}' > .claude/settings.json", "PATH_PROTECTED"],
      ["mv .claude/settings.json /tmp/x.json", "PATH_PROTECTED"],
      ["rm -r .claude", "PATH_PROTECTED"],
      ["echo '{}' > .Claude/Settings.json", "PATH_PROTECTED"],
      ["rm -rf .", "PATH_PROTECTED"],
      ["cd src && rm -rf ../..", "PATH_PROTECTED"],
      [`rm -rf ${root}`, "PATH_PROTECTED"],
    ] as const) {
      const [reason] = await judge(command);
      expect(reason?.code, command).toBe(code);
    }
  });

  it("B08 git without its hooks is refused where they are ours, in every worktree", async () => {
    const { judge, root } = await twoAgents();
    const tree = join(root, "../tree");
    git(root, "worktree", "add", "--quiet", "-b", "other", tree);
    const commands = [
      "git commit --no-verify -m x",
      "git commit -nm x",
      "git push --no-verify",
      "git -c core.hooksPath=/dev/null commit -m x",
      "git config core.hooksPath /tmp/x",
      "HUSKY=0 git commit -m x",
      "export LEFTHOOK=0 && git commit -m x",
      "env LEFTHOOK=false git push",
      `cd ${tree} && git commit -n -m x`,
    ];
    for (const command of commands) {
      const isSetting = command.startsWith("git config");
      const expected = isSetting ? [{ code: "PERSON_NEEDED" }] : [];
      expect(await judge(command), command).toMatchObject(expected);
    }
    put(join(root, ".git/headgate-hook"), "");
    const context = { worktrees: [root, tree] };
    for (const command of commands) {
      const [reason] = await judge(command, context);
      expect(reason?.code, command).toBe("HOOKS_SKIPPED");
    }
    for (const command of [
      ...["git commit -m -n", "git push -n", "git commit -m '--no-verify'"],
      ...["HUSKY=2 git commit -m x", "LEFTHOOK=1 git push", "HUSKY=0 git status"],
    ]) {
      expect(await judge(command, context), command).toEqual([]);
    }
  });

  it("T-07 B08 hooks are skipped in many spellings, and none depends on words that are decided later", async () => {
    const { judge, root } = await twoAgents();
    put(join(root, ".git/headgate-hook"), "");
    put(join(root, "sub/x.txt"), "x");
    for (const command of [
      `git commit --no-verify -m "$(cat <<'EOF'\nAdd it\nEOF\n)"`,
      'git commit -n -m "$(date)"',
      "git commit --no-verify -m $MSG",
      "GIT_AUTHOR_DATE=2020-01-01 git commit --no-verify -m y",
      "git commit --no-veri -m x",
      "for f in a b; do git commit --no-verify -m $f; done",
      "f() { git commit -n -m x; }; f",
      "cd sub && git commit -n -m x",
      "cd missing; git commit -n -m x",
      'cd "$(git rev-parse --show-toplevel)" && git commit --no-verify -m x',
      'git -C "$PWD" commit -n -m x',
      "git --git-dir=.git commit -n -m x",
      "eval 'git commit -n -m x'",
      "find . -name '*.ts' -exec git commit --no-verify -m x {} \\;",
      "echo a | xargs -I{} git commit -n -m {}",
      "git rebase -x 'git commit --amend --no-verify' HEAD~1",
      "git rebase --exec='git commit --amend --no-verify' main",
      "git submodule foreach 'git commit --no-verify -m x'",
      "git bisect run git commit --no-verify -m x",
      "git config alias.ci 'commit --no-verify'",
      "git config --global alias.ci 'commit -n'",
      "git -c alias.ci='commit --no-verify' ci -m x",
      "git -c alias.ci='-c core.hooksPath=/dev/null commit' ci -m x",
      "GIT_CONFIG_GLOBAL=/tmp/other git commit -m x",
    ]) {
      const [reason] = await judge(command);
      expect(reason?.code, command).toMatch(/^(?:HOOKS_SKIPPED|PERSON_NEEDED)$/);
    }
    for (const command of [
      'd=$(mktemp -d) && cd "$d" && git init -q && git commit --no-verify --allow-empty -m x',
      "git init fixture && git -C fixture commit --no-verify -m x",
      "git commit -m 'never use --no-verify'",
      `git commit -m "$(cat <<'EOF'\nno --no-verify\nEOF\n)"`,
      "git commit -m x -- --no-verify",
      "git config alias.ci 'commit -v'",
      "GIT_CONFIG_GLOBAL=/dev/null git commit -m x",
      "GIT_CONFIG_GLOBAL=/tmp/other npm test",
      "git rebase -x 'npm test' HEAD~3",
      "git submodule foreach 'git pull'",
      "git bisect run npm test",
      "find . -name '*.pyc' -exec rm {} +",
      "find . -name '*.ts' | xargs git add",
      'eval "$(ssh-agent -s)"',
    ]) {
      expect(await judge(command), command).toEqual([]);
    }
  });

  it("D6 a linked worktree may be removed, unless another session has uncommitted lines in it", async () => {
    const { judge, hold, root, headgate } = await twoAgents();
    const tree = join(root, "../tree");
    git(root, "worktree", "add", "--quiet", "-b", "other", tree);
    const there = await openHeadgate({ repo: tree, actor: ada });
    onTestFinished(() => there.close());
    const linesIn = async (one: string) => (one === tree ? there.lines : headgate.lines);
    const context = { worktrees: [root, tree], linesIn };
    await hold(["src/a.ts"]);
    const removals = ["git worktree remove ../tree", "rm -rf ../tree", `rm -r ${tree}/`];
    for (const command of removals)
      expect(codes(await judge(command, context)), command).toEqual([]);
    for (const [command, more] of [
      ["rm -rf ..", {}],
      [`rm -rf ${root}`, {}],
      ["mv ../tree ../elsewhere", {}],
      ["rm -rf ../tree", { root: tree }],
      ["rm -rf ../tree", { cwd: join(tree, "src") }],
      [`git worktree remove --force ${root}`, {}],
    ] as const) {
      const absolute = command.replace("../tree", tree);
      expect(codes(await judge(absolute, { ...context, ...more })), command).toContain(
        "PATH_PROTECTED .",
      );
    }
    const by = { actor: parseActor(bob), kind: "edit" } as const;
    const [before, after] = ["export const a = 1;\n", "export const a = 1;\nexport const c = 1;\n"];
    const content = { before: Buffer.from(before), after: Buffer.from(after) };
    await there.lines.ask([{ path: "src/a.ts", ...content }], by);
    writeFileSync(join(tree, "src/a.ts"), after);
    await there.lines.note(["src/a.ts"], by);
    for (const command of removals) {
      expect(codes(await judge(command, context)), command).toEqual(["LINES_HELD src/a.ts"]);
    }
  });

  it("B05 patterns of the configuration protect against commands, too", async () => {
    const { judge } = await twoAgents();
    const protectedBy = (path: string) => (path.startsWith("docs/") ? "docs/**" : undefined);
    expect(codes(await judge("echo > docs/x.md", { protectedBy }))).toEqual([
      "PATH_PROTECTED docs/x.md",
    ]);
    expect(codes(await judge("echo > src/b.ts", { protectedBy }))).toEqual([]);
  });
});

describe("git commands and other actors' uncommitted work", () => {
  const losing = [
    "git reset --hard",
    "git checkout -f",
    "git checkout -- src/a.ts",
    "git checkout src/a.ts",
    "git checkout .",
    "git checkout HEAD -- src",
    "git checkout other",
    "git restore src/a.ts",
    "git restore .",
    "git stash",
    "git stash push -- src",
    "git switch other",
    "git switch -f other",
    "git rebase other",
    "git merge other",
    "git pull",
    "git cherry-pick other",
    "cd docs && git reset --hard",
    "git -C src checkout -- a.ts",
    "bash -lc 'npm test && git stash'",
  ];

  it("B12 what would take it away is refused while it is dirty and claimed", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["src/a.ts"]);
    change("src/a.ts");
    for (const command of losing) {
      const [reason] = await judge(command);
      expect(reason, command).toMatchObject({ code: "CLAIM_CONFLICT", path: "src/a.ts" });
      expect(reason?.message, command).toContain(bob);
      expect(reason?.remedy, command).toMatch(/own/);
    }
  });

  it("B12 the same commands pass when nothing of others is dirty", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["src/a.ts"]);
    change("src/b.ts");
    for (const command of losing) expect(codes(await judge(command)), command).toEqual([]);
  });

  it("B12 the same commands pass when the dirty file is nobody's or one's own", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["src/a.ts"], ada);
    await hold(["docs/x.md"]);
    change("src/a.ts");
    change("src/b.ts");
    for (const command of losing) expect(codes(await judge(command)), command).toEqual([]);
  });

  it("N-01 lines of another session are not taken away, however old they are; own ones are one's own", async () => {
    const { judge, write, headgate } = await twoAgents();
    await write("src/b.ts", ada);
    await write("src/b.ts", `${ada}/helper`);
    for (const command of losing) expect(codes(await judge(command)), command).toEqual([]);
    await write("src/a.ts");
    // Nothing holds them: the record alone says whose they are.
    expect((await headgate.claims.list()).claims).toEqual([]);
    for (const command of losing) {
      const [reason] = await judge(command);
      expect(reason, command).toMatchObject({ code: "LINES_HELD", path: "src/a.ts" });
      expect(reason?.message, command).toContain(bob);
    }
    expect(codes(await judge("git restore src/b.ts && git stash push -- src/b.ts docs"))).toEqual(
      [],
    );
  });

  it("N-01 lines of a session that has ended are kept from what would lose them, with the line that adopts them", async () => {
    const { judge, write, end, root } = await twoAgents();
    await write("src/a.ts");
    await end();
    const [reason] = await judge("git reset --hard");
    expect(reason).toMatchObject({ code: "LINES_HELD", path: "src/a.ts" });
    expect(reason?.message).toContain("gone");
    expect(reason?.remedy).toContain(`headgate commit --with ${bob}`);
    expect(codes(await judge("git stash; git clean -fd"))).toEqual(["LINES_HELD src/a.ts"]);
    expect(codes(await judge("git rebase --abort"))).toEqual(["LINES_HELD src/a.ts"]);
    // Git itself stops where these would write over them.
    for (const command of ["git pull", "git merge other", "git switch other", "git checkout other"])
      expect(codes(await judge(command)), command).toEqual([]);
    git(root, "checkout", "--quiet", "--", "src/a.ts");
    expect(codes(await judge("git reset --hard"))).toEqual([]);
  });

  it("N-10 adding and committing pass, whoever else works there: the commit holds own lines only", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["src/a.ts"]);
    await hold(["src/b.ts"], ada);
    change("src/a.ts");
    change("src/b.ts");
    for (const command of [
      "git add -A",
      "git add .",
      "git add -u",
      "git commit -am x",
      "git add src",
      "git commit -m x -- src/b.ts",
      "cd docs && git add .",
    ]) {
      expect(codes(await judge(command)), command).toEqual([]);
    }
  });

  it("B12 a file in which both work is one's own, too, when it is committed", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["src/a.ts#a"]);
    await hold(["src/a.ts#c"], ada);
    change("src/a.ts");
    expect(codes(await judge("git add src/a.ts"))).toEqual([]);
    expect(codes(await judge("git checkout -- src/a.ts"))).toEqual(["CLAIM_CONFLICT src/a.ts"]);
  });

  it("B12 clean takes only what git does not know, stash what it knows", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["new.ts"]);
    change("new.ts");
    expect(codes(await judge("git clean -fd"))).toEqual(["CLAIM_CONFLICT new.ts"]);
    expect(codes(await judge("git clean -fd docs"))).toEqual([]);
    expect(codes(await judge("git clean -nd"))).toEqual([]);
    expect(codes(await judge("git stash"))).toEqual([]);
    expect(codes(await judge("git stash -u"))).toEqual(["CLAIM_CONFLICT new.ts"]);
  });

  it("B12 staged work counts", async () => {
    const { judge, hold, change, root } = await twoAgents();
    await hold(["src/a.ts"]);
    change("src/a.ts");
    git(root, "add", "src/a.ts");
    expect(codes(await judge("git reset --hard"))).toEqual(["CLAIM_CONFLICT src/a.ts"]);
  });

  it.each(["index", "head", "stash", "worktree"])(
    "B12 whoever holds @git/%s is not disturbed",
    async (part) => {
      const { judge, hold } = await twoAgents();
      await hold([`@git/${part}`]);
      const found = codes(await judge("git reset --hard; git stash"));
      expect(found).toEqual([`CLAIM_CONFLICT @git/${part}`]);
      expect(codes(await judge("git log; git diff"))).toEqual([]);
      const isIndex = part === "index" || part === "head";
      expect((await judge("git commit -m x")).length).toBe(isIndex ? 1 : 0);
    },
  );

  it("B12 another repository inside or outside is not judged by our claims", async () => {
    const { judge, hold, change, root } = await twoAgents();
    await hold(["src/a.ts", "sub/a.txt"]);
    change("src/a.ts");
    const inside = join(root, "sub");
    put(join(inside, "a.txt"), "x");
    git(inside, "init", "--quiet");
    expect(codes(await judge("cd sub && git reset --hard"))).toEqual([]);
    expect(codes(await judge("git -C /tmp reset --hard"))).toEqual([]);
    expect(codes(await judge("git --git-dir=/tmp/x reset --hard"))).toEqual([]);
  });

  it("A15 nothing that the repository configures is run by looking", async () => {
    const { judge, hold, change, root } = await twoAgents();
    await hold(["src/a.ts"]);
    change("src/a.ts");
    const mark = join(root, "..", "mark");
    for (const key of ["core.fsmonitor", "filter.evil.clean", "diff.external"]) {
      git(root, "config", key, `touch ${mark}; cat`);
    }
    writeFileSync(join(root, ".gitattributes"), "* filter=evil\n");
    expect(codes(await judge("git stash"))).toEqual(["CLAIM_CONFLICT src/a.ts"]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe("PowerShell", () => {
  it("B12 the usual cmdlets and git are recognised", async () => {
    const { judge, hold, change } = await twoAgents();
    await hold(["src/a.ts"]);
    change("src/a.ts");
    for (const command of [
      "Set-Content -Path src\\a.ts -Value 'x'",
      "'x' | Out-File src/a.ts",
      "Remove-Item src/a.ts -Force",
      "Remove-Item -Recurse -Force src",
      "echo x > src/a.ts",
      "Move-Item src/a.ts src/c.ts",
      "Copy-Item src/b.ts -Destination src/a.ts",
      "cd src; rm a.ts",
      "git reset --hard",
    ]) {
      const [found] = codes(await judge(command, { shell: "powershell" }));
      expect(found, command).toMatch(/^CLAIM_CONFLICT src/);
    }
    for (const command of [
      "Get-Content src/a.ts",
      "Set-Content $path 'x'",
      "Remove-Item src/a.ts -WhatIf",
      "if ($x) { rm src/a.ts }",
    ]) {
      expect(codes(await judge(command, { shell: "powershell" })), command).toEqual([]);
    }
  });
});

describe("limits", () => {
  it("B12 the last of many git commands in one line counts like the first", async () => {
    const { judge, write } = await twoAgents();
    await write("src/a.ts");
    const restore = "git checkout -- src/a.ts";
    const same = Array.from({ length: 80 }, () => "git checkout -- docs/x.md").join("; ");
    expect(await judge(`${same}; ${restore}`)).toMatchObject([
      { code: "LINES_HELD", path: "src/a.ts" },
    ]);
    const many = Array.from({ length: 80 }, (_, at) => `git checkout -- no-${at}.md`).join("; ");
    expect(await judge(`${many}; ${restore}`)).toMatchObject([{ code: "INPUT_TOO_LARGE" }]);
  });

  it("B06 a command over a limit is refused, before anything is opened", async () => {
    const { judge } = await twoAgents();
    const [reason] = await judge(`${"true;".repeat(501)} echo hi > src/a.ts`);
    expect(reason).toMatchObject({ code: "INPUT_TOO_LARGE" });
    expect(reason?.remedy).toMatch(/in parts/);
  });

  it("B06 a write behind many harmless commands is seen", async () => {
    const { judge, hold } = await twoAgents();
    await hold(["src/a.ts"]);
    const [reason] = await judge(`${"true;".repeat(400)} echo hi > src/a.ts`);
    expect(reason).toMatchObject({ code: "CLAIM_CONFLICT", path: "src/a.ts" });
  });
});

it("T-07 settings in which Headgate is called less are not brought back from an older commit; others of them are", async () => {
  const { root, judge } = await twoAgents();
  const settings = ".claude/settings.json";
  const hookLine = { type: "command", command: 'sh ".git/headgate/hook" claude' };
  const entry = (matcher: string) => [{ matcher, hooks: [hookLine] }];
  const commit = (hooks: object, model: string): string => {
    put(join(root, settings), JSON.stringify({ model, hooks }));
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Settings");
    return git(root, "rev-parse", "HEAD");
  };
  const none = commit({}, "one");
  const older = commit({ PreToolUse: entry("Edit") }, "one");
  const other = commit({ PreToolUse: entry("Edit|Write") }, "one");
  const now = { PreToolUse: entry("Edit|Write"), PostToolUse: entry("Edit") };
  const same = commit(now, "one");
  commit(now, "two");
  for (const command of [
    `git checkout ${older} -- ${settings}`,
    `git checkout ${other} ${settings}`,
    `git checkout ${none} -- .claude`,
    `git checkout ${none} .`,
    `git checkout ${older} -- :/`,
    `git restore --source=${older} ${settings}`,
    `git restore -s HEAD~4 -SW .claude/`,
    `cd .claude && git checkout HEAD~2 settings.json`,
    `git restore --source ${none}~1 .claude`,
  ]) {
    const [reason] = await judge(command);
    expect(reason, command).toMatchObject({ code: "PATH_PROTECTED", path: settings });
    expect(reason?.message, command).toMatch(/^git .*would switch Headgate's hooks off$/);
  }
  for (const command of [
    `git checkout ${same} -- ${settings}`,
    `git checkout ${older} -- src docs`,
    `git checkout -- ${settings}`,
    `git restore ${settings}`,
    `git checkout ${older}`,
    `git restore --staged --source ${older} ${settings}`,
    `git checkout $OLD -- ${settings}`,
  ]) {
    expect(await judge(command), command).toEqual([]);
  }
  // Renewed, and not committed yet: the index has the older ones.
  put(join(root, settings), JSON.stringify({ hooks: { ...now, Stop: entry("") } }));
  expect(codes(await judge("git checkout ."))).toEqual([`PATH_PROTECTED ${settings}`]);
  expect(codes(await judge(`git restore ${settings}`))).toEqual([`PATH_PROTECTED ${settings}`]);
});
