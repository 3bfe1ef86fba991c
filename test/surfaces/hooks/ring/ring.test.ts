import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../../src/base/clock.ts";
import { findRepository } from "../../../../src/git/repository.ts";
import { openHeadgate } from "../../../../src/index.ts";
import { contentHash } from "../../../../src/state/index.ts";
import {
  openRing,
  ringLimits,
  type RingContext,
} from "../../../../src/surfaces/hooks/ring/index.ts";
import { UnjudgedWrites } from "../../../../src/surfaces/unjudged/index.ts";
import { git, makeRepository } from "../../../helpers/git-repository.ts";
import { sharedParsers } from "../../../helpers/shared-parsers.ts";
import { put, temporaryFolder } from "../../../helpers/temporary-folder.ts";

/** Whose time does not run out, however busy the machine is. */
const patient: Clock = {
  ...systemClock,
  monoMs: () => 0,
  sleep: (_, signal) =>
    new Promise((resolve) => {
      signal?.addEventListener("abort", () => resolve());
    }),
};
/** Whose time is over at once. */
const hurried: Clock = { ...patient, sleep: async () => {} };

const ada = "claude:ada";
const bob = "codex:bob";

const open = async (folder = makeRepository(join(temporaryFolder(), "repo"))) => {
  put(join(folder, "src/a.ts"), "export const a = 1;\nexport function f() {\n  return 1;\n}\n");
  put(join(folder, "src/b.ts"), "export const b = 1;\n");
  const isGit = existsSync(join(folder, ".git"));
  if (isGit) {
    git(folder, "add", ".");
    git(folder, "commit", "--quiet", "--message", "Two");
  }
  const headgate = await openHeadgate({ repo: folder, actor: ada, shared: sharedParsers });
  onTestFinished(() => headgate.close());
  const { localDir, kind } = await findRepository(folder);
  const ringOf = (actor: string, more: Partial<RingContext> = {}) => {
    const claims = headgate.claims.as(actor);
    return openRing({
      root: folder,
      kind,
      localDir,
      claims,
      judge: (proposal) => headgate.gate.judge(proposal),
      emit: (event) => headgate.events.append(event),
      events: headgate.events,
      clock: patient,
      ...more,
    });
  };
  return {
    root: folder,
    localDir,
    headgate,
    ringOf,
    /** Runs a real command between the two looks, each with a ring of its own, as two processes have. */
    run: async (command: string, actor = ada, more: Partial<RingContext> = {}) => {
      const call = { tool: "Bash", toolUseId: "t1" };
      await ringOf(actor, more).before(call);
      execFileSync("bash", ["-c", command], {
        cwd: folder,
        stdio: "pipe",
        env: { ...process.env, HOME: folder, ...author },
      });
      return ringOf(actor, more).after(call);
    },
    ungated: async () => (await headgate.events.page({ kind: "write.ungated" })).events,
  };
};

const author = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

const pathsOf = (report: { ungated: readonly { path: string }[] }) =>
  report.ungated.map(({ path }) => path).toSorted();

describe("writes around the gate", () => {
  it.each([
    ["cat > src/a.ts <<'EOF'\nexport const a = 2;\nEOF", ["src/a.ts"]],
    ["echo // >> src/a.ts; echo // | tee -a src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["sed -i s/1/2/ src/a.ts", ["src/a.ts"]],
    ["python3 -c \"open('new.txt','w').write('x')\"", ["new.txt"]],
    ["node -e \"require('fs').writeFileSync('src/b.ts','x')\"", ["src/b.ts"]],
    ["rm src/a.ts", ["src/a.ts"]],
    ["mv src/a.ts src/c.ts", ["src/a.ts", "src/c.ts"]],
    ["git mv src lib", ["lib/a.ts", "lib/b.ts", "src/a.ts", "src/b.ts"]],
    ["mkdir lib && mv src lib", ["lib/src/a.ts", "lib/src/b.ts", "src/a.ts", "src/b.ts"]],
    ["printf -- '--- a/a.txt\\n+++ b/a.txt\\n@@ -1 +1 @@\\n-one\\n+two\\n' | git apply", ["a.txt"]],
    ["f=src/a.ts; echo 1 > $f", ["src/a.ts"]],
    ["ln -s a.ts src/link.ts", ["src/link.ts"]],
  ])("B12 %s is noticed, attributed and told", async (command, expected) => {
    const { run, ungated } = await open();
    const report = await run(command);
    expect(report).toMatchObject({ compared: true });
    expect(pathsOf(report)).toEqual(expected);
    for (const path of expected) expect(report.text).toContain(path);
    const [event] = await ungated();
    expect(event).toMatchObject({
      actor: ada,
      data: { paths: expect.arrayContaining(expected), count: expected.length, tool: "Bash" },
    });
  });

  it.each([
    "cat src/a.ts",
    "touch src/a.ts",
    "echo x > ../outside.txt",
    "mkdir folder",
    "cp src/a.ts x && rm x",
    "git status",
    "chmod +x src/b.ts",
    "chmod -R +x .",
  ])("B12 %s changes nothing and is not told", async (command) => {
    const { run, ungated } = await open();
    const report = await run(command);
    expect(report).toEqual({ compared: true, ungated: [] });
    expect(await ungated()).toEqual([]);
  });

  it("B12 work that was dirty before counts only when it changes again", async () => {
    const { run, root } = await open();
    writeFileSync(join(root, "src/a.ts"), "mine\n");
    writeFileSync(join(root, "draft.md"), "mine\n");
    expect(pathsOf(await run("ls"))).toEqual([]);
    expect(pathsOf(await run("cp src/a.ts x; cat x > src/a.ts; rm x"))).toEqual([]);
    expect(pathsOf(await run("echo more >> draft.md"))).toEqual(["draft.md"]);
    expect(pathsOf(await run("rm draft.md"))).toEqual(["draft.md"]);
  });

  it("B12 what the gate has let pass is not told, whoever wrote it; other content is", async () => {
    const { run, root, ringOf } = await open();
    const text = "export const b = 2;\n";
    await ringOf(bob).admitted([{ path: "src/b.ts", hash: contentHash(text) }]);
    expect(pathsOf(await run(`printf 'export const b = 2;\\n' > src/b.ts`))).toEqual([]);
    expect(readFileSync(join(root, "src/b.ts"), "utf8")).toBe(text);
    expect(pathsOf(await run("echo x >> src/b.ts"))).toEqual(["src/b.ts"]);
    await ringOf(ada).admitted([{ path: "src/b.ts", hash: null }]);
    expect(pathsOf(await run("rm src/b.ts"))).toEqual([]);
  });

  it("B12 what is edited through Headgate while a command runs is not told", async () => {
    const { headgate, root, ringOf } = await open();
    const call = { tool: "Bash" };
    await ringOf(ada).before(call);
    const operation = {
      do: "create",
      file: "made.ts",
      content: "export const made = 1;\n",
    } as const;
    const result = await headgate.edit.edit({ operations: [operation] });
    expect(result).toMatchObject({ ok: true });
    writeFileSync(join(root, "src/b.ts"), "export const b = 9;\n");
    expect(pathsOf(await ringOf(ada).after(call))).toEqual(["src/b.ts"]);
  });

  it("B12 the project's own settings of Headgate are watched", async () => {
    const { run } = await open();
    expect(pathsOf(await run("mkdir -p .headgate; echo '{}' > .headgate/config.jsonc"))).toEqual([
      ".headgate/config.jsonc",
    ]);
  });

  it("B12 what git itself brings is no write of a program, but holders hear of it", async () => {
    const { run, root, headgate, ringOf } = await open();
    writeFileSync(join(root, "src/a.ts"), "mine\n");
    const put = await run("git checkout -- src/a.ts");
    expect(put.ungated).toMatchObject([{ path: "src/a.ts", byGit: true }]);
    expect(put.text).toMatch(/changed by git: src\/a.ts/);
    git(root, "checkout", "--quiet", "-b", "other");
    writeFileSync(join(root, "src/b.ts"), "export const b = 3;\n");
    git(root, "commit", "--quiet", "--all", "--message", "Three");
    const moved = { from: git(root, "rev-parse", "HEAD"), by: [ada] };
    const report = await run("git checkout --quiet main");
    expect(report).toEqual({ compared: true, ungated: [], moved });
    await headgate.claims.as(bob).claim({ targets: ["src/b.ts"] });
    const merged = await run("git merge --quiet other");
    expect(merged.ungated).toMatchObject([{ path: "src/b.ts", byGit: true, holders: [bob] }]);
    expect(await ringOf(bob).takeMessages()).toHaveLength(1);
  });

  it("B12 a commit of what was dirty is no write", async () => {
    const { run, root } = await open();
    writeFileSync(join(root, "src/a.ts"), "mine\n");
    for (const command of ["git commit --quiet -am x", "git reset --quiet --soft HEAD~1"]) {
      const moved = { from: git(root, "rev-parse", "HEAD"), by: [ada] };
      expect(await run(command)).toEqual({ compared: true, ungated: [], moved });
    }
  });

  it("B12 it says who holds the file, and the holder hears of it once", async () => {
    const { run, headgate, ringOf } = await open();
    await headgate.claims.as(bob).claim({ targets: ["src/a.ts#f"], reason: "mending" });
    const report = await run("echo // >> src/a.ts");
    expect(report.ungated).toMatchObject([{ path: "src/a.ts", holders: [bob] }]);
    expect(report.text).toContain(`src/a.ts is claimed by ${bob}`);
    expect(await ringOf(ada).takeMessages()).toEqual([]);
    const [message, ...more] = await ringOf(bob).takeMessages();
    expect(message).toMatch(/src\/a\.ts, claimed by you.*Bash of claude:ada.*Read it again/s);
    expect(more).toEqual([]);
    expect(await ringOf(bob).takeMessages()).toEqual([]);
  });

  it("B12 it says what the gate would have refused", async () => {
    const { run } = await open();
    const broken = await run("echo 'export function g( {' >> src/a.ts");
    expect(broken.ungated[0]?.problems[0]?.code).toMatch(/SYNTAX/);
    expect(broken.text).toMatch(/The gate would have refused src\/a\.ts: \S*SYNTAX/);
    const again = await run(
      "git checkout -q src/a.ts; printf 'export function f() {\\n  return 2;\\n}\\n' >> src/a.ts",
    );
    expect(again.ungated[0]?.problems[0]?.code).toMatch(/DUPLICATE/);
  });

  it("B12 G13 a judgement that runs out of time is not judged, which is said and kept; it is judged later, and the writer hears of it", async () => {
    const { run, ringOf, localDir } = await open();
    const late = await run("echo 'export function g( {' >> src/a.ts", ada, { clock: hurried });
    expect(late.ungated).toMatchObject([
      { path: "src/a.ts", problems: [], notJudged: "judging took longer than 3 s" },
    ]);
    expect(late.text).toContain("Not judged: src/a.ts (judging took longer than 3 s).");
    expect(late.text).not.toContain("no problems");
    const register = new UnjudgedWrites({ localDir });
    expect(register.waiting()).toMatchObject([{ path: "src/a.ts", actor: ada, tool: "Bash" }]);
    await ringOf(ada, { clock: hurried }).settle();
    expect(register.waiting()).toHaveLength(1);
    await ringOf(bob).settle();
    expect(register.waiting()).toEqual([]);
    const said = await ringOf(ada).takeMessages();
    expect(said).toHaveLength(2);
    expect(said[0]).toContain("It is still not judged");
    expect(said[1]).toMatch(
      /^Headgate: src\/a\.ts, .*the gate would have refused it: SYNTAX_ERROR/,
    );
  });

  it("B12 G13 a judgement that fails is not judged either, with the reason", async () => {
    const { run } = await open();
    const judge = async (): Promise<never> => {
      throw new Error("the disk is on fire");
    };
    const report = await run("echo 'export function g( {' >> src/a.ts", ada, { judge });
    expect(report.text).toContain("Not judged: src/a.ts (the disk is on fire).");
  });

  it("B12 G13 of more files than are judged at once the rest is said not to be judged, and does not wait", async () => {
    const { run, localDir } = await open();
    const report = await run("for n in $(seq 100 121); do echo '{' > $n.json; done");
    const unknown = report.ungated.filter(({ notJudged }) => notJudged !== undefined);
    expect(unknown).toHaveLength(2);
    expect(report.text).toMatch(/Not judged: \d+\.json, \d+\.json \(20 files are judged at once/);
    expect(new UnjudgedWrites({ localDir }).waiting()).toEqual([]);
  });

  it("B12 two sessions at once: each write is told once, and the text says that others were at work", async () => {
    const { root, ringOf, ungated } = await open();
    const call = { tool: "Bash" };
    await ringOf(ada).before(call);
    await ringOf(bob).before(call);
    writeFileSync(join(root, "src/a.ts"), "whose?\n");
    const first = await ringOf(bob).after(call);
    expect(first.text).toContain(`Tools of ${ada} ran at the same time`);
    expect(pathsOf(await ringOf(ada).after(call))).toEqual([]);
    expect((await ungated()).map(({ actor }) => actor)).toEqual([bob]);
  });

  it("B12 the same content written around the gate again is told again", async () => {
    const { run } = await open();
    expect(pathsOf(await run("echo x > once"))).toEqual(["once"]);
    expect(pathsOf(await run("rm once"))).toEqual(["once"]);
    expect(pathsOf(await run("echo x > once"))).toEqual(["once"]);
  });

  it("C07 names with escapes and line breaks are shown, not obeyed", async () => {
    const { run } = await open();
    const report = await run("printf x > $'evil\\n\\e[31mname'");
    expect(report.ungated).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex -- that none is there is the point.
    expect(report.text).not.toMatch(/\u001b/);
    expect(report.text).toContain("evil\\n\\u001b[31mname");
  });
});

describe("bounds of the ring", () => {
  it("B12 without a look before there is no comparison, and a second end finds none", async () => {
    const { ringOf, root, ungated } = await open();
    const call = { tool: "Bash", toolUseId: "t9" };
    writeFileSync(join(root, "src/a.ts"), "x\n");
    expect(await ringOf(ada).after(call)).toMatchObject({
      compared: false,
      text: expect.stringContaining("nothing was noted before the tool ran"),
    });
    await ringOf(ada).before(call);
    writeFileSync(join(root, "src/a.ts"), "y\n");
    expect(pathsOf(await ringOf(ada).after(call))).toEqual(["src/a.ts"]);
    const again = await ringOf(ada).after(call);
    expect(again).toMatchObject({ compared: false, ungated: [] });
    // A session reads each reason once.
    expect(again.text).toBeUndefined();
    expect((await ringOf(bob).after(call)).text).toBeDefined();
    expect(await ungated()).toHaveLength(1);
  });

  it("B12 too many uncommitted files: not compared, which is recorded", async () => {
    const { run, root, headgate } = await open();
    mkdirSync(join(root, "many"));
    for (let index = 0; index <= ringLimits.filesMax; index += 1) {
      writeFileSync(join(root, "many", `${index}`), "");
    }
    const report = await run("echo x > src/a.ts");
    expect(report).toMatchObject({ compared: false, ungated: [] });
    expect(report.notCompared).toMatch(/5001 uncommitted files; 5000 are watched/);
    const { events } = await headgate.events.page({ kind: "ring.skipped" });
    expect(events).toMatchObject([{ actor: ada, data: { tool: "Bash" } }]);
  });

  it("B12 a look that takes too long ends as not compared", async () => {
    const { run, root } = await open();
    for (let index = 0; index < 20; index += 1) writeFileSync(join(root, `f${index}`), "");
    let time = 0;
    const clock = { ...systemClock, monoMs: () => (time += 1_000) };
    const report = await run("echo x > src/a.ts", ada, { clock });
    expect(report.notCompared).toMatch(/longer than/);
  });

  it("B12 large files are known by size and time", async () => {
    const { run } = await open();
    const size = ringLimits.hashedFileBytesMax + 1;
    const report = await run(`truncate -s ${size} big.bin`);
    expect(report.ungated).toMatchObject([{ path: "big.bin", after: "" }]);
    expect(pathsOf(await run("true"))).toEqual([]);
    expect(pathsOf(await run("printf x >> big.bin"))).toEqual(["big.bin"]);
  });

  it("B12 a folder without git is walked; a large one is said not to be watched", async () => {
    const { run, root } = await open(temporaryFolder());
    expect(pathsOf(await run("echo x > src/a.ts; rm src/b.ts; echo > c"))).toEqual([
      ...["c", "src/a.ts", "src/b.ts"],
    ]);
    expect(pathsOf(await run("cat c"))).toEqual([]);
    for (let index = 0; index <= ringLimits.filesMax; index += 1) {
      writeFileSync(join(root, `f${index}`), "");
    }
    const report = await run("echo y > c");
    expect(report.notCompared).toMatch(/not watched/);
  });

  it("B12 damaged files of its own are as if they were not there", async () => {
    const { ringOf, localDir, root } = await open();
    const call = { tool: "Bash" };
    await ringOf(ada).before(call);
    const folder = join(localDir, "ring/open");
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
    writeFileSync(join(root, "src/a.ts"), "x\n");
    expect(await ringOf(ada).after(call)).toMatchObject({ compared: false });
  });

  it("B12 what it keeps is bounded and for the owner only", async () => {
    const { ringOf, localDir } = await open();
    await ringOf(ada).before({ tool: "Bash" });
    await ringOf(ada).admitted([{ path: "src/a.ts", hash: contentHash("x") }]);
    const folder = join(localDir, "ring/open");
    for (let index = 0; index < ringLimits.snapshotsMax + 50; index += 1) {
      const name = `${index.toString(16).padStart(32, "0")}.json`;
      writeFileSync(join(folder, name), "{}");
    }
    await ringOf(ada).before({ tool: "Bash" });
    for (let index = 0; index < 10_000; index += 1) {
      await ringOf(ada).admitted([{ path: `src/${index}.ts`, hash: contentHash("x") }]);
    }
    const count = (place: string) =>
      readdirSync(place).filter((name) => name.endsWith(".json")).length;
    expect(count(folder)).toBeLessThanOrEqual(ringLimits.snapshotsMax + 1);
    expect(statSync(folder).mode & 0o077).toBe(0);
    for (const name of ["passed.log", "passed.log.old"]) {
      const { size, mode } = statSync(join(localDir, "ring", name));
      expect(size).toBeLessThan(ringLimits.passedBytesMax + 1000);
      expect(mode & 0o077).toBe(0);
    }
  });

  it("B12 what passed is known in every process, also after a line that a crash has cut", async () => {
    const { ringOf, localDir, root } = await open();
    const [call, hash] = [{ tool: "Bash" }, contentHash("x\n")];
    await ringOf(ada).before(call);
    await ringOf(ada).admitted([{ path: "src/a.ts", hash }]);
    appendFileSync(join(localDir, "ring/passed.log"), '["cut');
    await ringOf(ada).admitted([{ path: "src/b.ts", hash }]);
    for (const name of ["a", "b", "c"]) writeFileSync(join(root, `src/${name}.ts`), "x\n");
    expect(pathsOf(await ringOf(ada).after(call))).toEqual(["src/c.ts"]);
  });

  it("B12 what passed long ago and was not written then is told when it is written", async () => {
    const { ringOf, root } = await open();
    const [call, hash] = [{ tool: "Bash" }, contentHash("x\n")];
    const earlier = (ms: number) => ({
      clock: { ...systemClock, wallMs: () => systemClock.wallMs() - ms },
    });
    const limit = ringLimits.admissionMs;
    await ringOf(ada, earlier(limit + 60_000)).admitted([{ path: "src/a.ts", hash }]);
    await ringOf(ada, earlier(limit / 2)).admitted([{ path: "src/b.ts", hash }]);
    await ringOf(ada).before(call);
    for (const name of ["a", "b"]) writeFileSync(join(root, `src/${name}.ts`), "x\n");
    expect(pathsOf(await ringOf(ada).after(call))).toEqual(["src/a.ts"]);
  });

  it("A15 nothing that the repository configures is run by looking", async () => {
    const { run, root } = await open();
    const mark = join(root, "..", "mark");
    for (const key of ["core.fsmonitor", "filter.evil.clean", "diff.external", "core.pager"]) {
      git(root, "config", key, `touch ${mark}; cat`);
    }
    writeFileSync(join(root, ".git/info/attributes"), "* filter=evil\n");
    expect(pathsOf(await run("echo x > src/a.ts"))).toEqual(["src/a.ts"]);
    expect(existsSync(mark)).toBe(false);
  });

  it("B12 no commit yet, and a linked worktree, are watched as well", async () => {
    const bare = temporaryFolder();
    git(bare, "init", "--quiet");
    const headgate = await openHeadgate({ repo: bare, actor: ada });
    onTestFinished(() => headgate.close());
    const { localDir } = await findRepository(bare);
    const ring = openRing({
      ...{ root: bare, kind: "git", localDir, claims: headgate.claims },
      emit: (event) => headgate.events.append(event),
    });
    await ring.before({ tool: "Bash" });
    writeFileSync(join(bare, "first.txt"), "x");
    expect(pathsOf(await ring.after({ tool: "Bash" }))).toEqual(["first.txt"]);

    const { root, ringOf } = await open();
    const other = join(root, "..", "linked");
    git(root, "worktree", "add", "--quiet", other);
    await ringOf(ada, { root: other }).before({ tool: "Bash" });
    writeFileSync(join(other, "a.txt"), "x");
    expect(pathsOf(await ringOf(ada, { root: other }).after({ tool: "Bash" }))).toEqual(["a.txt"]);
  });
});
