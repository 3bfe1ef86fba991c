import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import type { HookPlace } from "../../helpers/hook-place.ts";
import { hookPlace } from "../../helpers/hook-place.ts";
import { git } from "../../helpers/git-repository.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { lineSpans } from "../../../src/lines/index.ts";
import { readRefusal } from "../../../src/surfaces/kept-refusals.ts";
import type { TextEdit, ToolUse } from "../../../src/surfaces/hooks/types.ts";

const source = `class A:
    def f(self):
        return 1

    def g(self):
        return 2
`;
const twice = "        return 2\n\n    def f(self):\n        return 3\n";

const edit = (file: string, old: string, fresh: string, more: Partial<TextEdit> = {}): ToolUse => ({
  kind: "replace",
  file,
  edits: [{ old, new: fresh, all: false, ...more }],
  exact: true,
  name: "Edit",
});
const write = (file: string, content: string): ToolUse => ({
  kind: "write",
  file,
  content,
  name: "Write",
});
const patch = (folder: string, ...lines: string[]): ToolUse => ({
  kind: "patch",
  folder,
  patch: ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n"),
  name: "apply_patch",
});
const pass = { kind: "pass" };
const refused = (code: string) => expect.objectContaining({ kind: "refuse", code });

const claimed = async ({ headgate }: HookPlace): Promise<string[]> =>
  (await headgate.claims.list()).claims.map(({ target, actor }) => `${actor} ${target}`).toSorted();

describe("before a tool writes", () => {
  it("a legal edit passes in silence, and what it changes is claimed for the session", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    expect(await place.before(edit(file, "return 1", "return 7"))).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 a.py#A.f"]);
    expect(readFileSync(file, "utf8")).toBe(source);
  });

  it.each([
    ["a duplicate method", edit("a.py", "        return 2\n", twice), "DUPLICATE_SYMBOL"],
    ["broken syntax", edit("a.py", "def f(self):", "def f(self:"), "SYNTAX_ERROR"],
    ["a whole file that is broken", write("a.py", "def f(:\n"), "SYNTAX_ERROR"],
    [
      "a placeholder",
      write("a.py", "class A:\n    # ... existing code ...\n    pass\n"),
      "LAZY_PLACEHOLDER",
    ],
    ["git's own files", write(".git/config", "[core]\n"), "PATH_GIT"],
    ["Headgate's own files", write(".headgate/local/token", "x"), "PATH_OWN"],
  ])("%s is refused before the client's tool runs", async (_, tool, code) => {
    const place = await hookPlace();
    place.file("a.py", source);
    const named = { ...tool, file: join(place.root, "file" in tool ? tool.file : "") } as ToolUse;
    const decision = await place.before(named);
    expect(decision).toEqual(refused(code));
    const [event] = await place.events("gate.refused");
    expect(event).toMatchObject({ actor: "claude:s1", data: { code, tool: tool.name } });
    expect(await claimed(place)).toEqual([]);
  });

  it("E-25 E-26 what was said, lost characters and keys are refused; the key is kept nowhere", async () => {
    const place = await hookPlace();
    const file = place.file("a.sh", "set -e\necho 'José'\necho b\n");
    const key = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
    const fence = "`".repeat(3);
    const said = write(file, `${fence}sh\nset -e\necho a\n${fence}\n`);
    expect(await place.before(said)).toEqual(refused("FILE_WRAPPED"));
    expect(await place.before(edit(file, "José", "Jos\ufffd"))).toEqual(refused("ODD_CHARACTER"));
    const decision = await place.before(edit(file, "echo b", `token=${key}`));
    expect(decision).toEqual(refused("SECRET_FOUND"));
    const events = await place.events("gate.refused");
    const { kept } = events.at(-1)!.data as { kept: string };
    const change = readRefusal(place.headgate.repository.localDir, kept);
    expect(change!.after.join("\n")).toContain("token=[secret]");
    expect(JSON.stringify([decision, events, change])).not.toContain(key);
  });

  it("E-20 fewer tests are allowed, and the agent hears of it once the edit is made", async () => {
    const place = await hookPlace();
    const file = place.file("test_a.py", "def test_a():\n    assert f()\n    assert g()\n");
    const fewer = edit(file, "    assert g()\n", "");
    expect(await place.before(fewer, { toolUseId: "u1" })).toEqual(pass);
    expect(await place.after(fewer, { toolUseId: "u1" })).toMatchObject({
      kind: "tell",
      text: expect.stringContaining("TESTS_FEWER"),
    });
  });

  it("edits of one call apply one after the other", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const edits = [
      { old: "def g", new: "def h", all: false },
      { old: "def h(self)", new: "def f(self)", all: false },
    ];
    expect(await place.before({ ...edit(file, "", ""), edits } as ToolUse)).toEqual(
      refused("DUPLICATE_SYMBOL"),
    );
  });

  it("what an exact client will not find is left to its own tool; nothing is claimed", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    expect(await place.before(edit(file, "return 9", "return 7"))).toEqual(pass);
    expect(await place.before(edit(file, "return", "yield"))).toEqual(pass);
    expect(await claimed(place)).toEqual([]);
  });

  it("all occurrences are replaced where that is asked for", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    expect(await place.before(edit(file, "def g", "def f", { all: true }))).toEqual(
      refused("DUPLICATE_SYMBOL"),
    );
    expect(await place.before(edit(file, "return", "yield", { all: true }))).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 a.py#A.f", "claude:s1 a.py#A.g"]);
  });

  it("a client that searches loosely is judged by the file: held as a whole, refused under a claim", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const loose = { ...edit(file, "return  1", "return 7"), exact: false } as ToolUse;
    await place.headgate.as("claude:s2").claims.claim({ targets: ["a.py#A.g"] });
    expect(await place.before(loose)).toEqual(refused("CLAIM_CONFLICT"));
    await place.headgate.as("claude:s2").claims.release({ all: true });
    expect(await place.before(loose)).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 a.py"]);
  });

  it("files with Windows line ends are edited as the client sees them", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source.replaceAll("\n", "\r\n"));
    expect(await place.before(edit(file, "        return 2\n", twice))).toEqual(
      refused("DUPLICATE_SYMBOL"),
    );
    const two = "return 1\n\n    def g(self):\n        return 2";
    expect(await place.before(edit(file, two, two.replace("1", "7")))).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 a.py#A.f"]);
  });

  it("curly quotes in a file are found by straight ones, as Claude Code finds them", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", `${source}\nname = "\u201cx\u201d"\n`);
    const tool = edit(file, 'name = ""x""\n', "def broken(:\n");
    expect(await place.before(tool)).toEqual(refused("SYNTAX_ERROR"));
  });

  it("an empty old text makes a new file, and is judged as one", async () => {
    const place = await hookPlace();
    const file = join(place.root, "new.py");
    expect(await place.before(edit(file, "", "def f(:\n"))).toEqual(refused("SYNTAX_ERROR"));
    expect(await place.before(edit(file, "", "x = 1\n"))).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 new.py"]);
  });

  it("N-08 another session's uncommitted lines refuse an edit of them, and of nothing else", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const other = { harness: "codex", session: "s2" } as const;
    expect(await place.before(edit(file, "return 1", "return 7"))).toEqual(pass);
    const decision = await place.before(edit(file, "return 1", "return 8"), other);
    expect(decision).toEqual(refused("LINES_HELD"));
    expect(decision).toMatchObject({
      text: expect.stringMatching(
        /^Headgate refused this Edit: LINES_HELD a\.py#A\.f\n.*claude:s1/s,
      ),
    });
    expect(await place.before(edit(file, "return 2", "return 8"), other)).toEqual(pass);
  });

  it("N-08 an edit of such lines waits a moment for their commit, and then passes", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const tool = edit(file, "return 1", "return 7");
    expect(await place.before(tool)).toEqual(pass);
    place.file("a.py", source.replace("return 1", "return 7"));
    await place.after(tool);
    let waits = 0;
    const sleep: Clock["sleep"] = async (ms, signal) => {
      if (signal) return systemClock.sleep(ms, signal);
      waits += 1;
      await place.headgate.lines.committed(new Map([["a.py", readFileSync(file)]]), (known) => [
        new Set(known.weave.edits.map(({ id }) => id)),
      ]);
    };
    const other = place.call(edit(file, "return 7", "return 8"), { session: "s2" });
    expect(await place.ask(other, { clock: { ...systemClock, sleep } })).toEqual(pass);
    expect(waits).toBe(1);
  });

  it("N-08 nobody waits for an edit that failed", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const tool = edit(file, "return 1", "return 7");
    expect(await place.before(tool, { toolUseId: "one" })).toEqual(pass);
    await place.after(tool, { toolUseId: "one", event: "tool-failed" });
    const other = { harness: "codex", session: "s2" } as const;
    expect(await place.before(edit(file, "return 1", "return 8"), other)).toEqual(pass);
  });

  it("N-01 writes that were allowed without a note, because hooks were late, never get another's name", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    git(place.root, "add", ".");
    git(place.root, "commit", "--quiet", "--message", "Source");
    const noted = edit(file, "return 2", "return 6");
    expect(await place.before(noted, { toolUseId: "one" })).toEqual(pass);
    writeFileSync(file, source.replace("return 2", "return 6"));
    await place.after(noted, { toolUseId: "one" });
    // Two sessions write without a word before it.
    const now = source.replace("return 2", "return 6").replace("return 1", "return 7");
    writeFileSync(file, `${now}\n\ndef other():\n    return 8\n`);
    await place.after(edit(file, "return 1", "return 7"), { session: "s2", toolUseId: "two" });
    const record = await place.headgate.lines.record("a.py");
    const spans = lineSpans(record!.weave).map(({ edit: by }) => by.actor);
    expect(spans).toEqual(["claude:s2", "claude:s1", ""]);
  });

  it("N-10 a git command that failed gives its turn back, whatever the client calls that", async () => {
    const place = await hookPlace();
    const { judgeShell } = await import("../../../src/surfaces/hooks/shell/index.ts");
    const command = "git add -A && git commit -m x";
    const tool = { kind: "shell", command, shell: "posix", name: "Bash" } as const;
    const turns = async () =>
      (await place.headgate.claims.list()).claims.filter(({ target }) =>
        target.includes("git-turn"),
      );
    for (const event of ["tool-failed", "after-tool"] as const) {
      const more = { toolUseId: event, harness: "gemini" } as const;
      expect(await place.ask(place.call(tool, more), { judgeShell })).toEqual(pass);
      expect(await turns()).toMatchObject([{ actor: "gemini:s1" }]);
      await place.after(tool, { ...more, event });
      expect(await turns()).toEqual([]);
    }
  });

  it("N-08 sub-agents of one session do not wait for each other, those of another do", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    expect(await place.before(edit(file, "return 1", "return 7"), { agent: "one" })).toEqual(pass);
    expect(await place.before(edit(file, "return 1", "return 8"), { agent: "two" })).toEqual(pass);
    const other = { session: "s2", agent: "one" };
    expect(await place.before(edit(file, "return 1", "return 8"), other)).toEqual(
      refused("LINES_HELD"),
    );
    expect(await place.before(edit(file, "return 2", "return 8"))).toEqual(pass);
    expect(await place.before(edit(file, "return 2", "return 9"), { agent: "two" })).toEqual(pass);
  });

  it("a whole file is refused when it changed since the agent saw it, an edit is not", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    await place.after({ kind: "read", file, name: "Read" });
    writeFileSync(file, source.replace("return 2", "return 5"));
    expect(await place.before(write(file, "x = 1\n"))).toEqual(refused("STALE_VIEW"));
    expect(await place.before(edit(file, "return 1", "return 7"))).toEqual(pass);
    await place.after({ kind: "read", file, name: "Read" });
    expect(await place.before(write(file, source))).toEqual(pass);
  });

  it("an edit in a file that others changed does not make their change seen", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const tool = edit(file, "return 1", "return 7");
    await place.after({ kind: "read", file, name: "Read" });
    writeFileSync(file, source.replace("return 1", "return 7"));
    await place.after(tool);
    expect(await place.before(write(file, source))).toEqual(pass);
    writeFileSync(file, source.replace("return 2", "return 5"));
    writeFileSync(file, readFileSync(file, "utf8").replace("return 1", "return 7"));
    await place.after(tool);
    expect(await place.before(write(file, source))).toEqual(refused("STALE_VIEW"));
  });

  it("deleting and moving are judged and claimed like writing", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const to = join(place.root, "b.py");
    await place.before(edit(file, "return 1", "return 7"), { session: "s2" });
    expect(await place.before({ kind: "delete", file, name: "Delete" })).toEqual(
      refused("LINES_HELD"),
    );
    expect(await place.before({ kind: "move", file, to, name: "Move" })).toEqual(
      refused("LINES_HELD"),
    );
    await place.ask({ harness: "claude", session: "s2", event: "session-end", cwd: place.root });
    expect(await place.before({ kind: "move", file, to, name: "Move" })).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 a.py", "claude:s1 b.py"]);
  });

  it("a notebook's cell is judged as it will be", async () => {
    const place = await hookPlace();
    const cells = [{ cell_type: "code", id: "c1", metadata: {}, outputs: [], source: ["x = 1\n"] }];
    const file = place.file(
      "n.ipynb",
      JSON.stringify({ cells, nbformat: 4, nbformat_minor: 5, metadata: {} }),
    );
    const cell = (id: string, text: string): ToolUse => ({
      kind: "notebook",
      file,
      cell: { mode: "replace", id, source: text },
      name: "NotebookEdit",
    });
    expect(await place.before(cell("c1", "x = 2"))).toEqual(pass);
    expect(await place.before(cell("cell-0", "x = 3"), { session: "s2" })).toEqual(
      refused("LINES_HELD"),
    );
  });

  it("a tool that writes in a way we do not know holds its files as wholes", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    const tool: ToolUse = { kind: "unknown-write", files: [file], name: "insert_edit_into_file" };
    expect(await place.before(tool, { harness: "vscode" })).toEqual(pass);
    expect(await claimed(place)).toEqual(["vscode:s1 a.py"]);
    // It is not known which lines it writes: nobody has to wait for it.
    expect(await place.before(edit(file, "return 1", "return 7"))).toEqual(pass);
    const own: ToolUse = { ...tool, files: [join(place.root, ".git/config")] };
    expect(await place.before(own)).toEqual(refused("PATH_GIT"));
  });
});

describe("patches", () => {
  it("all files of an envelope are judged together, relative to the client's folder", async () => {
    const place = await hookPlace();
    place.file("src/a.py", source);
    place.file("src/old.py", "y = 1\n");
    const good = patch(
      join(place.root, "src"),
      "*** Add File: new.py",
      "+x = 1",
      "*** Update File: a.py",
      "@@ class A:",
      "     def f(self):",
      "-        return 1",
      "+        return 7",
      "*** Delete File: old.py",
    );
    expect(await place.before(good, { harness: "codex" })).toEqual(pass);
    expect(await claimed(place)).toEqual([
      "codex:s1 src/a.py#A.f",
      "codex:s1 src/new.py",
      "codex:s1 src/old.py",
    ]);
    const bad = patch(
      join(place.root, "src"),
      "*** Add File: other.py",
      "+x = 1",
      "*** Update File: a.py",
      "@@",
      "-        return 2",
      "+        return 2",
      "+    def f(self):",
      "+        return 3",
    );
    expect(await place.before(bad, { harness: "codex" })).toEqual(refused("DUPLICATE_SYMBOL"));
  });

  it("a move takes its claims on both names", async () => {
    const place = await hookPlace();
    place.file("a.py", source);
    const tool = patch(
      place.root,
      "*** Update File: a.py",
      "*** Move to: b.py",
      "@@",
      "-        return 1",
      "+        return 7",
    );
    expect(await place.before(tool)).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 a.py", "claude:s1 b.py"]);
  });

  it.each([
    [
      "the first of several places",
      ["@@", "-        pass", "+        return 1", "+    def f(self): pass"],
    ],
    ["blanks at the ends of lines", ["@@", "-    def f(self):  ", "+    def f(self:"]],
    ["another indentation", ["@@", "-  def g(self):", "+    def f(self):"]],
    ["typographic signs", ["@@", '-        """it\u2019s"""', "+    def f(self): pass"]],
  ])("%s: what the client's looser search will find is judged", async (_, lines) => {
    const place = await hookPlace();
    place.file(
      "a.py",
      'class A:\n    def f(self):\n        pass\n    def g(self):\n        pass\n        """it\'s"""\n',
    );
    const decision = await place.before(patch(place.root, "*** Update File: a.py", ...lines), {
      harness: "codex",
    });
    expect(decision.kind).toBe("refuse");
    expect(["DUPLICATE_SYMBOL", "SYNTAX_ERROR"]).toContain((decision as { code: string }).code);
  });

  it("adding a file that is there writes over it: refused when it changed since it was seen", async () => {
    const place = await hookPlace();
    const file = place.file("a.py", source);
    await place.after({ kind: "read", file, name: "Read" });
    writeFileSync(file, "x = 1\n");
    expect(await place.before(patch(place.root, "*** Add File: a.py", "+y = 1"))).toEqual(
      refused("STALE_VIEW"),
    );
  });

  it("a patch that fits nowhere is still judged by the files it names", async () => {
    const place = await hookPlace();
    place.file("a.py", source);
    await place.headgate.as("claude:s2").claims.claim({ targets: ["a.py"] });
    const tool = patch(place.root, "*** Update File: a.py", "@@", "-nothing like this", "+x");
    expect(await place.before(tool)).toEqual(refused("CLAIM_CONFLICT"));
    expect(
      await place.before(patch(place.root, "*** Update File: .git/config", "@@", "-a", "+b")),
    ).toEqual(refused("PATH_GIT"));
  });
});

describe("where a file lies", () => {
  it("files outside the repository are the client's business", async () => {
    const place = await hookPlace();
    const outside = put(join(temporaryFolder(), "a.py"), source);
    expect(await place.before(write(outside, "def f(:\n"))).toEqual(pass);
    expect(await claimed(place)).toEqual([]);
  });

  it("a link inside the repository that leads outside is refused", async () => {
    const place = await hookPlace();
    const outside = temporaryFolder();
    put(join(outside, "a.py"), source);
    symlinkSync(join(outside, "a.py"), join(place.root, "link.py"));
    symlinkSync(outside, join(place.root, "folder"));
    for (const name of ["link.py", "folder/a.py", "folder/new.py"]) {
      expect(await place.before(write(join(place.root, name), "x = 1\n"))).toEqual(
        refused("PATH_LINK"),
      );
    }
    const tool = edit(join(place.root, "link.py"), "return 1", "return 7");
    expect(await place.before(tool)).toEqual(refused("PATH_LINK"));
  });

  it("a link from outside into the repository is what it leads to", async () => {
    const place = await hookPlace();
    place.file("src/a.py", source);
    const outside = temporaryFolder();
    symlinkSync(place.root, join(outside, "repo"));
    symlinkSync(join(place.root, "src/a.py"), join(outside, "a.py"));
    for (const name of ["repo/src/a.py", "a.py"]) {
      expect(await place.before(write(join(outside, name), "def f(:\n"))).toEqual(
        refused("SYNTAX_ERROR"),
      );
    }
    expect(await place.before(write(join(outside, "repo/src/new/b.py"), "x = 1\n"))).toEqual(pass);
    expect(await claimed(place)).toEqual(["claude:s1 src/new/b.py"]);
  });

  it("going up behind a link leads to two places and is refused", async () => {
    const place = await hookPlace();
    const outside = temporaryFolder();
    mkdirSync(join(outside, "sub"));
    symlinkSync(join(outside, "sub"), join(place.root, "link"));
    const decision = await place.before(patch(place.root, "*** Add File: link/../x.py", "+x = 1"));
    expect(decision.kind).toBe("refuse");
  });

  it("a file in another worktree is judged there", async () => {
    const place = await hookPlace();
    place.file("a.py", source);
    git(place.root, "add", ".");
    git(place.root, "commit", "--quiet", "--message", "One");
    const linked = join(place.root, "../linked");
    git(place.root, "worktree", "add", "--quiet", linked);
    const again = await hookPlace(place.root);
    const file = join(linked, "a.py");
    writeFileSync(file, source.replace("return 1", "return 'there'"));
    expect(await again.before(edit(file, "        return 2\n", twice))).toEqual(
      refused("DUPLICATE_SYMBOL"),
    );
    expect(await again.before(edit(file, "return 'there'", "return 8"))).toEqual(pass);
  });
});
