import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { type Ended, run } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const source = `import os


class A:
    def f(self):
        return 1

    def g(self):
        return 2
`;

/** One test of every command calls it `by` a process of its own. */
const scene = (files: Record<string, string> = { "a.py": source }, by = runInside) => {
  const cwd = makeRepository(join(temporaryFolder(), "repo"));
  for (const [path, text] of Object.entries(files)) put(join(cwd, path), text);
  return {
    cwd,
    call: (args: readonly string[], input = ""): Promise<Ended> => by(args, { cwd, input }),
    text: (path = "a.py") => readFileSync(join(cwd, path), "utf8"),
  };
};
const json = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, unknown>;

describe("headgate outline", () => {
  it("E-01 has the shape that other programs rely on", async () => {
    const { call } = scene({ "a.py": source }, run);
    const ended = await call(["outline", "a.py", "--json"]);
    expect(ended.code).toBe(0);
    expect(json(ended)).toMatchObject({
      path: "a.py",
      language: "python",
      symbols: [
        {
          name: "A",
          kind: "class",
          path: "A",
          range: { start: { line: 4, column: 1 }, end: { line: 9, column: 17 } },
          children: [
            { name: "f", kind: "method", path: "A.f", children: [] },
            { name: "g", kind: "method", path: "A.g" },
          ],
        },
      ],
      imports: [{ from: "os" }],
      exports: [{ name: "A" }],
      problems: [],
    });
  });

  it("E-01 shows people lines, kinds and which checks are made", async () => {
    const { call } = scene();
    const { stdout } = await call(["outline", "a.py"]);
    expect(stdout).toMatch(/4–9 {2}class A\n {2}5–6 {4}method f/);
    expect(stdout).toContain("syntax by ruff");
    const other = await call(["outline", "--stdin-path", "x.unknown"], "anything");
    expect(other.stdout).toContain("structure not analysed");
  });

  it("E-05 a missing file is one clear line", async () => {
    const { call } = scene();
    const { code, stderr } = await call(["outline", "nope.py"]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^headgate: cannot read nope\.py: no such file\n/);
  });
});

describe("headgate judge", () => {
  const duplicate = `${source}\n    def f(self):\n        return 3\n`;

  it("E-02 answers allow or deny with reasons, and changes nothing", async () => {
    const { call, text } = scene({ "a.py": source }, run);
    const good = await call(
      ["judge", "--json"],
      JSON.stringify({ writes: [{ path: "a.py", after: `${source}\nx = 1\n` }] }),
    );
    expect([good.code, json(good)["verdict"]]).toEqual([0, "allow"]);
    const bad = await call(
      ["judge", "--json"],
      JSON.stringify({ writes: [{ path: "a.py", after: duplicate }] }),
    );
    expect(bad.code).toBe(1);
    expect(json(bad)).toMatchObject({
      verdict: "deny",
      reasons: [{ code: "DUPLICATE_SYMBOL", path: "a.py", line: 11, symbol: "A.f" }],
      notes: [],
    });
    expect(text()).toBe(source);
  });

  it("E-13 replays many proposals against trees of their own, in order", async () => {
    const { call } = scene({});
    const lines = [
      { files: { "a.py": source }, writes: [{ path: "a.py", after: duplicate }] },
      { files: { "a.py": source }, writes: [{ path: "a.py", after: source }] },
      { writes: "nonsense" },
      { files: {}, writes: [{ path: "b.py", after: "def f(:\n" }] },
    ];
    const ended = await call(
      ["judge", "--jsonl"],
      lines.map((one) => JSON.stringify(one)).join("\n"),
    );
    // The nonsense has its error in its place, and the end says that not all were judged.
    expect(ended.code).toBe(2);
    const verdicts = ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(verdicts.map((one) => one["verdict"] ?? one["error"])).toEqual([
      "deny",
      "allow",
      { code: "USAGE", message: expect.stringContaining("writes") },
      "deny",
    ]);
  });

  it("C-15 somebody else's claim is a reason, with who and since when", async () => {
    const { call } = scene();
    await call(["claim", "a.py#A.f", "--as", "bob", "--reason", "mine"]);
    const change = (text: string) => JSON.stringify({ writes: [{ path: "a.py", after: text }] });
    const blocked = await call(
      ["judge", "--json"],
      change(source.replace("return 1", "return 11")),
    );
    expect(json(blocked)).toMatchObject({
      verdict: "deny",
      reasons: [
        {
          code: "CLAIM_CONFLICT",
          path: "a.py",
          symbol: "A.f",
          message: expect.stringContaining("bob: mine"),
        },
      ],
    });
    const free = await call(["judge", "--json"], change(source.replace("return 2", "return 22")));
    expect(json(free)).toMatchObject({ verdict: "allow" });
  });
});

describe("headgate edit", () => {
  it("E-10 nothing is written without approval, and a dry run writes nothing", async () => {
    const { call, text } = scene();
    const asked = await call(["edit", "add", "a.py", "--into", "A", "--code", "def h(self): pass"]);
    expect([asked.code, text()]).toEqual([2, source]);
    expect(asked.stderr).toContain("add --yes");
    expect(asked.stdout).toContain("+    def h(self): pass");
    const dry = await call([
      "edit",
      "add",
      "a.py",
      "--into",
      "A",
      "--code",
      "def h(self): pass",
      "--dry-run",
    ]);
    expect([dry.code, text()]).toEqual([0, source]);
  });

  it("E-11 E-03 adds, modifies, renames, removes, and undo restores every byte", async () => {
    const { call, text } = scene();
    expect(
      (await call(["edit", "add", "a.py", "--into", "A", "-y"], "def h(self):\n    return 3\n"))
        .code,
    ).toBe(0);
    expect(text()).toBe(`${source}\n    def h(self):\n        return 3\n`);
    const after = text();
    expect(
      (await call(["edit", "modify", "a.py", "A.h", "-y"], "def h(self):\n    return 33\n")).code,
    ).toBe(0);
    expect((await call(["edit", "rename", "a.py", "A.h", "k", "-y"])).code).toBe(0);
    expect(text()).toContain("def k(self):\n        return 33\n");
    expect((await call(["undo", "-y"])).code).toBe(0);
    const { stdout } = await call(["history", "--json"]);
    const edits = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; state: string });
    expect(edits.map(({ state }) => state)).toEqual(["applied", "undone", "applied", "applied"]);
    expect((await call(["undo", edits[2]!.id, "-y"])).code).toBe(0);
    expect(text()).toBe(after);
    expect((await call(["edit", "remove", "a.py", "A.h", "-y"])).code).toBe(0);
    expect(text()).toBe(source);
  });

  it("E-02 E-05 what exists is refused, and a missing symbol names the nearest ones", async () => {
    const { call, text } = scene();
    const twice = await call([
      "edit",
      "add",
      "a.py",
      "--into",
      "A",
      "--code",
      "def f(self): return 9",
      "-y",
      "--json",
    ]);
    expect([twice.code, json(twice)["code"]]).toEqual([1, "DUPLICATE_SYMBOL"]);
    const missing = await call([
      "edit",
      "modify",
      "a.py",
      "A.ff",
      "--code",
      "def ff(self): pass",
      "-y",
    ]);
    expect(missing.code).toBe(4);
    expect(missing.stderr).toMatch(/A\.f/);
    expect(text()).toBe(source);
  });

  it("E-04 E-14 nothing outside the repository is read or shown, and paths are meant from where one is", async () => {
    const { call, cwd, text } = scene();
    put(join(cwd, "../secret.txt"), "secret\n");
    const outside = await call([
      "edit",
      "replace",
      "../secret.txt",
      "--old",
      "secret",
      "--new",
      "x",
      "-y",
    ]);
    expect(outside.code).toBe(1);
    expect(outside.stdout + outside.stderr).not.toMatch(/secret\n|-secret/);
    put(join(cwd, "sub/b.py"), "x = 1\n");
    const inside = ["edit", "replace", "b.py", "--old", "x = 1", "--new", "x = 2", "-y"];
    expect((await runInside(inside, { cwd: join(cwd, "sub") })).code).toBe(0);
    expect(text("sub/b.py")).toBe("x = 2\n");
  });

  it("E-02 what was insisted on is kept with the edit", async () => {
    const { call, text } = scene();
    const args = ["edit", "add", "a.py", "--into", "A", "--code", "def f(self): return 9", "-y"];
    expect((await call([...args, "--allow", "DUPLICATE_SYMBOL"])).code).toBe(2);
    const reason = ["--reason", "shown in the docs"];
    expect((await call([...args, "--allow", "DUPLICATE_SYMBOL", ...reason])).code).toBe(0);
    expect(text()).toMatch(/def f[^]*def f/);
    expect((await call(["history"])).stdout).toContain(
      "allowed DUPLICATE_SYMBOL: shown in the docs",
    );
  });

  it("E-15 a verify command that fails takes the edit back", async () => {
    const { call, text } = scene({ "a.py": source }, run);
    const args = [
      "edit",
      "add",
      "a.py",
      "--into",
      "A",
      "--code",
      "def h(self): pass",
      "-y",
      "--json",
    ];
    const failed = await call([...args, "--verify", "sh -c 'echo no good; exit 3'"]);
    expect([failed.code, json(failed)["code"], text()]).toEqual([1, "EDIT_VERIFY_FAILED", source]);
    expect(failed.stdout).toContain("no good");
    const fine = await call([...args, "--verify", "grep -q 'def h' a.py"]);
    expect([fine.code, text() === source]).toEqual([0, false]);
  });

  it("E-11 apply takes a patch or operations over many files, all or none", async () => {
    const { call, text } = scene({ "a.py": source, "b.py": "x = 1\n" }, run);
    const operations = [
      { do: "replace", file: "b.py", old: "x = 1", new: "x = 2" },
      { do: "modify", file: "a.py", symbol: "A.f", code: "def f(self)\n    return 1\n" },
    ];
    const broken = await call(["apply", "-y", "--json"], JSON.stringify({ operations }));
    expect(broken.code).not.toBe(0);
    expect([text(), text("b.py")]).toEqual([source, "x = 1\n"]);
    const unknown = await call(["apply", "-y"], JSON.stringify({ operations: [{ do: "fly" }] }));
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('unknown "do" "fly"'),
    ]);
    const patch = "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-x = 1\n+x = 3\n";
    expect((await call(["apply", "-y"], patch)).code).toBe(0);
    expect(text("b.py")).toBe("x = 3\n");
  });

  it("E-07 a whole file is not written over by somebody whose view is old", async () => {
    const { call, cwd, text } = scene();
    expect((await call(["edit", "write", "a.py", "--code", "x = 1\n", "-y"])).code).toBe(0);
    put(join(cwd, "a.py"), "x = 2\n");
    const stale = await call(["edit", "write", "a.py", "--code", "x = 3\n", "-y", "--json"]);
    expect([stale.code, json(stale)["code"], text()]).toEqual([1, "STALE_VIEW", "x = 2\n"]);
  });

  it("E-14 CRLF, BOM and a missing last line break stay as they are", async () => {
    const odd = `\ufeff${source.replaceAll("\n", "\r\n").replace(/\r\n$/, "")}`;
    const { call, text } = scene({ "a.py": odd });
    expect(
      (await call(["edit", "add", "a.py", "--into", "A", "-y"], "def h(self):\n    return 3\n"))
        .code,
    ).toBe(0);
    expect(text().startsWith(odd)).toBe(true);
    expect(text()).not.toMatch(/[^\r]\n/);
    expect((await call(["edit", "remove", "a.py", "A.h", "-y"])).code).toBe(0);
    expect(text()).toBe(odd);
  });
});

describe("headgate mine", () => {
  it("E-05 a range that git does not know is the user's mistake, and said so", async () => {
    const { call } = scene();
    const { code, stderr } = await call(["mine", "nope..HEAD"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^headgate: git knows no commits called nope\.\.HEAD here; write a range/,
    );
  });

  it("E-13 lists what the gate would have refused in the history", async () => {
    const { call, cwd } = scene({ "a.py": source }, run);
    git(cwd, "add", ".");
    git(cwd, "commit", "-qm", "two");
    put(join(cwd, "a.py"), `${source}\n    def f(self):\n        return 3\n`);
    git(cwd, "commit", "-qam", "three");
    const { stdout, code } = await call(["mine", "--json"]);
    expect(code).toBe(0);
    const [found, { summary }] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)) as [object, { summary: object }];
    expect(found).toMatchObject({ path: "a.py", reasons: [{ code: "DUPLICATE_SYMBOL" }] });
    expect(summary).toMatchObject({ commits: 3, edits: 3, refused: 1 });
  });

  it("says what it looked for and what to do next where nothing would have been refused", async () => {
    const { call, cwd } = scene({ "a.py": source }, run);
    git(cwd, "add", ".");
    git(cwd, "commit", "-qm", "two");
    const { stdout } = await call(["mine"]);
    expect(stdout).toMatch(/ 0 would have been refused\nLooked for: second definitions, /);
    expect(stdout).toContain("See it refuse: headgate demo.");
    expect((await call(["mine", "HEAD..HEAD"])).stdout).toContain(
      "Name another: headgate mine RANGE",
    );
    put(join(cwd, "notes.txt"), "a\n");
    git(cwd, "add", ".");
    git(cwd, "commit", "-qm", "three");
    expect((await call(["mine", "HEAD~1..HEAD"])).stdout).toContain(
      "headgate help docs/languages.md",
    );
  });
});
