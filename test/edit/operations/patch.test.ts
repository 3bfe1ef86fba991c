import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planning } from "./planning.ts";

const { changes, edited, refused } = planning();
const file = "a.py";
const patch = (text: string) => ({ do: "patch", patch: text }) as const;
const unified = (...hunks: string[]) => patch(`--- a/${file}\n+++ b/${file}\n${hunks.join("")}`);
const envelope = (...lines: string[]) =>
  patch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));

const source =
  "class A:\n    def run(self):\n        x = 1\n\n\nclass B:\n    def run(self):\n        x = 1\n";

describe("E-11 unified diffs", () => {
  it("E-11 apply at their line, and at another when only one place fits", async () => {
    const hunk = "@@ -7,2 +7,2 @@\n     def run(self):\n-        x = 1\n+        x = 2\n";
    const expected = source.replace(/x = 1\n$/, "x = 2\n");
    expect(await edited(file, source, unified(hunk))).toBe(expected);
    const moved =
      "@@ -1,3 +1,3 @@\n class B:\n     def run(self):\n-        x = 1\n+        x = 2\n";
    expect(await edited(file, source, unified(moved))).toBe(expected);
  });

  it("E-05 are refused when several places fit, and when none does", async () => {
    const hunk = "@@ -4,2 +4,2 @@\n     def run(self):\n-        x = 1\n+        x = 2\n";
    const several = await refused(file, source, unified(hunk));
    expect(several).toMatchObject({ code: "PATCH_MISMATCH", data: { lines: [2, 7] } });
    const tabs = "@@ -2,2 +2,2 @@\n \tdef run(self):\n-        x = 1\n+        x = 2\n";
    const none = await refused(file, source, unified(tabs));
    expect(none.code).toBe("PATCH_MISMATCH");
    expect(none.data["mismatch"]).toMatchObject({ kind: "tab-or-space", line: 2 });
    const wrongCount = "@@ -2,5 +2,2 @@\n     def run(self):\n-        x = 1\n";
    expect((await refused(file, source, unified(wrongCount))).code).toBe("PATCH_MISMATCH");
    expect((await refused(file, source, patch("hello"))).code).toBe("PATCH_MISMATCH");
  });

  it("E-05 say when they are applied already", async () => {
    const hunk = "@@ -2,2 +2,2 @@\n     def run(self):\n-        x = 1\n+        y = 234\n";
    const done = source.replaceAll("x = 1", "y = 234");
    expect((await refused(file, done, unified(hunk))).code).toBe("ALREADY_APPLIED");
  });

  it("E-11 a hunk that only adds goes where it says, under the heading it names", async () => {
    const hunk = (heading: string) => `@@ -7,0 +8,1 @@${heading}\n+        y = 1\n`;
    const expected = source.replace(/( {8}x = 1\n)$/, "        y = 1\n$1");
    expect(await edited(file, source, unified(hunk("")))).toBe(expected);
    expect(await edited(file, source, unified(hunk(" class B:")))).toBe(expected);
    expect((await refused(file, source, unified(hunk(" class C:")))).code).toBe("PATCH_MISMATCH");
    expect(await edited(file, "a\n", unified("@@ -0,0 +1 @@\n+z\n"))).toBe("z\na\n");
  });

  it("E-03 keep line endings, and a missing final newline unless they say otherwise", async () => {
    const hunk = "@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n";
    expect(await edited(file, "a\r\nb\r\n", unified(hunk))).toBe("a\r\nc\r\nd\r\n");
    expect(await edited(file, "a\nb", unified(hunk))).toBe("a\nc\nd");
    const closing = "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n";
    expect(await edited(file, "a\nb", unified(closing))).toBe("a\nc\n");
    const opening = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n";
    expect(await edited(file, "a\nb\n", unified(opening))).toBe("a\nc");
  });

  it("E-11 create, delete and rename files", async () => {
    const text = [
      "diff --git a/n.sh b/n.sh\nnew file mode 100755\n--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1 @@\n+echo\n",
      "diff --git a/d.txt b/d.txt\ndeleted file mode 100644\n--- a/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n",
      "diff --git a/r.txt b/s.txt\nsimilarity index 90%\nrename from r.txt\nrename to s.txt\n--- a/r.txt\n+++ b/s.txt\n@@ -1,2 +1,2 @@\n r\n-1\n+2\n",
    ].join("");
    const plan = await changes({ "d.txt": "d\n", "r.txt": "r\n1\n" }, [patch(text)]);
    expect(
      plan.map(({ path, kind, after, mode }) => [path, kind, after?.toString(), mode]),
    ).toEqual([
      ["n.sh", "create", "echo\n", 0o755],
      ["d.txt", "delete", undefined, undefined],
      ["r.txt", "delete", undefined, undefined],
      ["s.txt", "create", "r\n2\n", undefined],
    ]);
    const other = await refused(
      "d.txt",
      "d\nmore\n",
      patch("--- a/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n"),
    );
    expect(other.code).toBe("PATCH_MISMATCH");
  });

  it("E-11 made from two texts lead from one to the other, also with other lines above", async () => {
    const line = fc.constantFrom("a", "b", "c", "  d", "", "é");
    const lines = fc.array(line, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lines, lines, fc.nat(3), async (before, after, above) => {
        const [old, fresh] = [before, after].map((all) =>
          all.map((one) => `${one}\n`).join(""),
        ) as [string, string];
        fc.pre(old !== "" && fresh !== "" && old !== fresh);
        const text = createTwoFilesPatch(`a/${file}`, `b/${file}`, old, fresh);
        expect(await edited(file, old, patch(text))).toBe(fresh);
        const shifted = `${"above\n".repeat(above)}${old}`;
        try {
          const result = await edited(file, shifted, patch(text));
          if (above > 0) expect(result.startsWith("above\n")).toBe(true);
        } catch (error) {
          expect(["PATCH_MISMATCH", "ALREADY_APPLIED"]).toContain((error as { code: string }).code);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("E-11 patches in an envelope", () => {
  it("E-11 add, update, move and delete several files", async () => {
    const plan = await changes({ [file]: source, "old.txt": "1\n2\n", "gone.txt": "x" }, [
      envelope(
        "*** Add File: new.txt",
        "+one",
        "+",
        `*** Update File: ${file}`,
        "@@ class B:",
        "     def run(self):",
        "-        x = 1",
        "+        x = 2",
        "*** Update File: old.txt",
        "*** Move to: fresh.txt",
        "@@",
        " 1",
        "-2",
        "+3",
        "*** Delete File: gone.txt",
      ),
    ]);
    expect(plan.map(({ path, after }) => [path, after?.toString()])).toEqual([
      ["new.txt", "one\n\n"],
      [file, source.replace(/x = 1\n$/, "x = 2\n")],
      ["old.txt", undefined],
      ["fresh.txt", "1\n3\n"],
      ["gone.txt", undefined],
    ]);
  });

  it("E-11 a hunk that only adds honours its context instead of going to the end", async () => {
    const lines = [
      `*** Update File: ${file}`,
      "@@ class A:",
      "@@ def run(self):",
      "+        y = 1",
    ];
    const several = await refused(file, source, envelope(...lines));
    expect(several).toMatchObject({ code: "PATCH_MISMATCH", data: { lines: [2, 7] } });
    expect(
      await edited(
        file,
        source,
        envelope(`*** Update File: ${file}`, "@@ class B:", "@@ def run(self):", "+        y = 1"),
      ),
    ).toBe(source.replace(/( {8}x = 1\n)$/, "        y = 1\n$1"));
    const nowhere = await refused(
      file,
      source,
      envelope(`*** Update File: ${file}`, "@@", "+y = 1"),
    );
    expect(nowhere.message).toContain("does not say where");
    expect(
      await edited(
        file,
        source,
        envelope(`*** Update File: ${file}`, "@@", "+y = 1", "*** End of File"),
      ),
    ).toBe(`${source}y = 1\n`);
  });

  it("E-05 never matches loosely: a wrong indentation is refused, not written", async () => {
    const error = await refused(
      file,
      source,
      envelope(`*** Update File: ${file}`, "@@ class A:", " def run(self):", "-x = 1", "+x = 2"),
    );
    expect(error.code).toBe("PATCH_MISMATCH");
    expect(error.data["mismatch"]).toMatchObject({ kind: "indentation" });
  });

  it.each([
    ["*** Begin Patch\n*** Update File: a.py\n@@\n x", "End Patch"],
    ["*** Begin Patch\n*** Change File: a.py\n*** End Patch", "line 2"],
    ["*** Begin Patch\n*** End Patch", "names no file"],
    ["*** Begin Patch\n*** Add File: b\nx\n*** End Patch", "does not begin with +"],
    ["*** Begin Patch\n*** Update File: a.py\n@@\nx\n*** End Patch", "begins with none"],
    [
      "*** Begin Patch\n*** Update File: a.py\n@@ class C:\n-x\n*** End Patch",
      'no line "class C:"',
    ],
  ])("E-05 says what is wrong with %j", async (text, why) => {
    const error = await refused(file, source, patch(text));
    expect(error.code).toBe("PATCH_MISMATCH");
    expect(error.message).toContain(why);
  });
});
