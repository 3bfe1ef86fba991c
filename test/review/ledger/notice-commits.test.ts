import { execFileSync } from "node:child_process";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGit, type Git } from "../../../src/git/reading-git.ts";
import { openLedger, type Outcome } from "../../../src/review/index.ts";
import { backends, openScope } from "../../helpers/store-backends.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { hold, wholeFiles } from "./scene.ts";

const code = [
  "function save(path) {",
  "  const a = 1;",
  "  write(path, a);",
  "  return a;",
  "}",
  "",
].join("\n");
const torn = { title: "The state is not written atomically", path: "src/a.js", line: 3 };

const open = async () => {
  const root = makeRepository(join(temporaryFolder(), "app"));
  const commit = (files: Readonly<Record<string, string | null>>): string => {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) rmSync(join(root, path));
      else put(join(root, path), text);
    }
    git(root, "add", "--all");
    git(root, "commit", "--quiet", "--allow-empty", "--message", "x");
    return git(root, "rev-parse", "HEAD");
  };
  const there = await openScope(await backends[0]!.place());
  const outcomes: Outcome[] = [];
  const ledger = openLedger({
    place: { open: async () => there, look: async () => there },
    actor: "alice",
    onOutcome: async (_tx, _scope, outcome) => {
      outcomes.push(outcome);
    },
  });
  const reviewed = (more: { readonly head?: string; readonly base?: string }, text = code) =>
    hold(ledger, { subject: { ...wholeFiles({ "src/a.js": text }), ...more }, said: [torn] });
  const notice = () => ledger.noticeCommits(createGit({ cwd: root }));
  return { root, commit, there, ledger, outcomes, reviewed, notice };
};

describe("later commits", () => {
  it("V-04 a commit that changes the cited line addresses the finding, once", async () => {
    const { commit, reviewed, notice, ledger, outcomes, there } = await open();
    const head = commit({ "src/a.js": code });
    await reviewed({ head });
    expect(await notice()).toEqual({ addressed: [], followed: 1 });
    // Lines above, a rename, other indentation, another file: none of them changes the line.
    const moved = `// header\n// more\n${code.replaceAll("  ", "\t")}`;
    commit({ "src/a.js": `// header\n// more\n${code}` });
    commit({ "src/a.js": null, "src/moved.js": `// header\n// more\n${code}` });
    commit({ "src/moved.js": moved });
    commit({ "b.txt": "other" });
    expect((await notice()).addressed).toEqual([]);
    const fix = commit({ "src/moved.js": moved.replace("write(path, a)", "writeAtomic(path, a)") });
    commit({ "src/moved.js": "gone\n" });
    const [found] = await ledger.findings();
    expect(await notice()).toEqual({ addressed: [{ id: found!.id, commit: fix }], followed: 1 });
    expect(await notice()).toEqual({ addressed: [], followed: 0 });
    expect((await ledger.findings())[0]).toMatchObject({ addressedBy: fix, state: "new" });
    expect(outcomes).toEqual([
      expect.objectContaining({
        reviewer: "fd-one",
        outcome: "addressed",
        change: fix,
        finding: found!.id,
      }),
    ]);
    const { events } = await there.store.readEvents({ scope: there.scope, kind: "finding.*" });
    expect(events).toMatchObject([
      { kind: "finding.addressed", subject: found!.id, data: { commit: fix } },
    ]);
  });

  it("V-04 a deleted file counts; what was dismissed does not", async () => {
    const { commit, reviewed, notice, ledger } = await open();
    const head = commit({ "src/a.js": code });
    await reviewed({ head });
    const [found] = await ledger.findings();
    await ledger.dismiss(found!.id, { reason: "wrong" });
    const gone = commit({ "src/a.js": null });
    expect(await notice()).toEqual({ addressed: [], followed: 0 });
    await ledger.accept(found!.id);
    expect((await notice()).addressed).toEqual([{ id: found!.id, commit: gone }]);
  });

  it("V-04 of a working tree: first the commit that has the line, then the one that changes it", async () => {
    const { root, commit, reviewed, notice } = await open();
    const base = commit({ "src/a.js": "function other() {}\n" });
    await reviewed({ base });
    commit({ "src/a.js": "function other() { return 1; }\n" });
    expect((await notice()).addressed).toEqual([]);
    commit({ "src/a.js": `// moved down\n${code}` });
    expect((await notice()).addressed).toEqual([]);
    renameSync(join(root, "a.txt"), join(root, "c.txt"));
    const fix = commit({
      "src/a.js": `// moved down\n${code.replace("write(path, a)", "sync(path)")}`,
    });
    expect((await notice()).addressed).toMatchObject([{ commit: fix }]);
  });

  it("V-04 a merge counts as one change, and commits that are not there are left alone", async () => {
    const { root, commit, reviewed, notice } = await open();
    const head = commit({ "src/a.js": code });
    git(root, "switch", "--quiet", "--create", "side");
    commit({ "src/a.js": code.replace("write(path, a)", "sync(path)") });
    git(root, "switch", "--quiet", "main");
    commit({ "b.txt": "b" });
    git(root, "merge", "--quiet", "--no-ff", "--message", "merge", "side");
    await reviewed({ head: "f".repeat(40) });
    expect((await notice()).addressed).toEqual([]);
    await reviewed({ head });
    const merge = git(root, "rev-parse", "HEAD");
    expect((await notice()).addressed).toMatchObject([{ commit: merge }]);
  });

  it("V-04 many findings in one file cost one question to git for each commit", async () => {
    const { root, commit, ledger } = await open();
    const lines = Array.from({ length: 300 }, (_, at) => `step${at}();`);
    const head = commit({ "src/a.js": `${lines.join("\n")}\n` });
    await hold(ledger, {
      subject: { ...wholeFiles({ "src/a.js": lines.join("\n") }), head },
      said: lines.map((_, at) => ({
        ...{ title: `Step ${at} fails`, path: "src/a.js", line: at + 1, rule: `r${at}` },
        // Neighbours in nearly the same words would else be one problem now and then.
        kind: `kind-${at}`,
      })),
    });
    const fix = commit({
      "src/a.js": `// above\n${lines.join("\n").replace("step7()", "go()")}\n`,
    });
    const real = createGit({ cwd: root });
    let calls = 0;
    const counted: Git = {
      run: (call) => {
        calls += 1;
        return real.run(call);
      },
    };
    expect((await ledger.noticeCommits(counted)).addressed).toMatchObject([{ commit: fix }]);
    expect(calls).toBeLessThan(10);
  });

  it("V-04 after more commits than are followed, no other line is taken for the cited one", async () => {
    const { root, commit, reviewed, notice } = await open();
    const head = commit({ "src/a.js": code });
    await reviewed({ head });
    // The cited line moves down, then 500 empty commits, then another line 3 is changed.
    const lower = (word: string): string => `// 1\n// 2\n// ${word}\n${code}`;
    const moved = commit({ "src/a.js": lower("3") });
    const empty = Array.from({ length: 500 }, (_, at) => {
      const from = at === 0 ? `from ${moved}\n` : "";
      return `commit refs/heads/long\ncommitter a <a@b.c> ${2e9 + at} +0000\ndata 1\nx\n${from}\n`;
    });
    execFileSync("git", ["fast-import", "--quiet"], { cwd: root, input: empty.join("") });
    git(root, "reset", "--quiet", "--hard", "refs/heads/long");
    commit({ "src/a.js": lower("three") });
    expect((await notice()).addressed).toEqual([]);
  });
});
