import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../src/edit/diff.ts";
import { viewDiff } from "../../src/edit/diff-view.ts";
import type { FileChange } from "../../src/edit/types.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { cpuMs } from "../helpers/cpu-time.ts";
import { fiveChanges } from "./scene.ts";

const change = (before: string | null, after: string | null, path = "a.txt"): FileChange => ({
  path,
  kind: before === null ? "create" : after === null ? "delete" : "modify",
  before: before === null ? null : Buffer.from(before),
  after: after === null ? null : Buffer.from(after),
});

/** Lays the old files out, applies the diff with git, and reads the new ones. */
const applyWithGit = (changes: readonly FileChange[], diff: string): (string | null)[] => {
  const root = temporaryFolder();
  for (const { path, before } of changes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (before) writeFileSync(join(root, path), before);
  }
  execFileSync("git", ["apply", "--unsafe-paths", "-p1", "--whitespace=nowarn", "-"], {
    cwd: root,
    input: diff,
    env: { PATH: process.env["PATH"], GIT_CEILING_DIRECTORIES: dirname(root) },
  });
  return changes.map(({ path }) =>
    existsSync(join(root, path)) ? readFileSync(join(root, path), "latin1") : null,
  );
};

describe("unified diff", () => {
  it("E-10 names both sides, counts lines, and says where an end of line is missing", () => {
    expect(unifiedDiff([change("a\nb\nc\n", "a\nB\nc", "src/x.ts")])).toBe(
      `diff --git a/src/x.ts b/src/x.ts
--- a/src/x.ts
+++ b/src/x.ts
@@ -1,3 +1,3 @@
 a
-b
-c
+B
+c
\\ No newline at end of file
`,
    );
  });

  it("E-10 a new, a deleted, an empty and a binary file", () => {
    expect(unifiedDiff([change(null, "x\n")])).toBe(
      "diff --git a/a.txt b/a.txt\nnew file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n",
    );
    expect(unifiedDiff([{ ...change("x\n", null), modeBefore: 0o755 } as FileChange])).toBe(
      "diff --git a/a.txt b/a.txt\ndeleted file mode 100755\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
    );
    expect(unifiedDiff([{ ...change(null, ""), mode: 0o755 }])).toBe(
      "diff --git a/a.txt b/a.txt\nnew file mode 100755\n",
    );
    expect(unifiedDiff([change("a\0b", "a\0c")])).toBe(
      "diff --git a/a.txt b/a.txt\nBinary files a/a.txt and b/a.txt differ\n",
    );
    expect(unifiedDiff([change(null, "\0")])).toContain(
      "Binary files /dev/null and b/a.txt differ",
    );
  });

  it("E-10 a change of the mode, alone and with content; nothing for no change", () => {
    const modes = { modeBefore: 0o644, mode: 0o755 };
    expect(unifiedDiff([{ ...change("a\n", "a\n"), ...modes }])).toBe(
      "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n",
    );
    expect(unifiedDiff([{ ...change("a\n", "b\n"), ...modes }])).toContain(
      "old mode 100644\nnew mode 100755\n--- a/a.txt",
    );
    expect(unifiedDiff([change("a\n", "a\n")])).toBe("");
  });

  it("E-10 git applies it: five files, odd names, CRLF, a byte order mark, no last newline", () => {
    const changes = [
      ...fiveChanges().filter(({ path }) => path !== "src/data.bin"),
      change("\ufeffa\r\nb\r\n", "\ufeffa\r\nB\r\n", "crlf.txt"),
      change("x", "y", "no newline.txt"),
      change("ä\n", "ö\n", 'quo"te\\ä.txt'),
      change("-- x\n++ y\n", "-- z\n++ y\n", "sql.sql"),
    ];
    const found = applyWithGit(changes, unifiedDiff(changes));
    expect(found).toEqual(changes.map(({ after }) => after && after.toString("latin1")));
  });

  it("E-10 git applies whatever two texts give", () => {
    const line = fc.constantFrom("a\n", "b\n", "\n", "  c\n", "-\n", "+++ x\n", "é\r\n");
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "end", "a"))
      .map(([lines, end]) => lines.join("") + end);
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const one = change(before, after);
        expect(applyWithGit([one], unifiedDiff([one]))).toEqual([one.after!.toString("latin1")]);
      }),
      { numRuns: 60 },
    );
  });

  it("E-14 two large texts with nothing in common take no search, and git applies it", async () => {
    const text = (word: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join("");
    const same = "1\n2\n3\n4\n5\n";
    for (const one of [
      change(text("old"), text("new").slice(0, -1)),
      change(same + text("old") + same, same + text("new") + same),
      change(text("old"), ""),
    ]) {
      let diff = "";
      expect(await cpuMs(() => (diff = unifiedDiff([one])))).toBeLessThan(5_000);
      expect(diff.startsWith("diff --git") && diff.split("\n").length).toBeLessThan(40_020);
      expect(applyWithGit([one], diff)).toEqual([one.after!.toString("latin1")]);
    }
  });
});

describe("a diff to look at", () => {
  const diff = unifiedDiff([
    change("keep\nconst a = 1;\n", "keep\nconst a = 2;\n", "x.ts"),
    change("-- old\n", null, "q.sql"),
  ]);

  it("E-10 without wishes it is the plain one, and holds no colours", () => {
    expect(viewDiff(diff)).toBe(diff);
    expect(viewDiff(diff, { words: true })).not.toContain("\u001b");
    expect(viewDiff("")).toBe("");
  });

  it("E-10 colours only when asked, and they are all that is added", () => {
    const coloured = viewDiff(diff, { colour: true });
    expect(coloured).toContain("\u001b[31m-const a = 1;\u001b[39m");
    expect(coloured).toContain("\u001b[32m+const a = 2;\u001b[39m");
    // Inside a hunk this is a removed line, not a name.
    expect(coloured).toContain("\u001b[31m--- old\u001b[39m");
    // oxlint-disable-next-line no-control-regex -- colours are meant.
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(diff);
  });

  it("E-10 by words: what went and what came", () => {
    const words = viewDiff(diff, { words: true });
    expect(words).toContain(" const a = [-1-]{+2+};");
    expect(words).toContain(" keep\n");
  });

  it("C07 terminal escapes and reordering characters in the source become visible", () => {
    const evil = unifiedDiff([change("a\n", "\u001b[2Jb\u202e\u0007\n")]);
    for (const view of [{}, { words: true }, { colour: true }]) {
      const shown = viewDiff(evil, view);
      expect(shown).toContain("\\u001b[2Jb\\u202e\\u0007");
      expect(shown).not.toContain("\u001b[2J");
    }
  });
});

it("the mode that git applies is the one asked for", () => {
  const root = temporaryFolder();
  const diff = unifiedDiff([{ ...change(null, "#!/bin/sh\n", "run.sh"), mode: 0o755 }]);
  execFileSync("git", ["apply", "-"], {
    cwd: root,
    input: diff,
    env: { PATH: process.env["PATH"], GIT_CEILING_DIRECTORIES: dirname(root) },
  });
  expect(statSync(join(root, "run.sh")).mode & 0o111).not.toBe(0);
});
