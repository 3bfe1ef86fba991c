import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changedLines } from "../../../src/review/index.ts";
import { emptyPlace, newRepository } from "./place.ts";

const patchOf = (...lines: string[]): Buffer => Buffer.from(`${lines.join("\n")}\n`);

describe("V-01 a patch from standard input", () => {
  it("is read without git: plain, with times behind the names, and by mail", async () => {
    const place = emptyPlace();
    place.write("src/a.py", "one\ntwo\nthree\n");
    const patch = patchOf(
      "From 1234 Mon Sep 17 00:00:00 2001",
      "Subject: [PATCH] Two",
      "---",
      " src/a.py | 2 +-",
      "",
      "--- src/a.py\t2026-01-01 10:00:00",
      "+++ src/a.py\t2026-01-01 11:00:00",
      "@@ -1,3 +1,3 @@",
      " one",
      "-two",
      "+2",
      " three",
      "--- /dev/null",
      "+++ b/src/new.py",
      "@@ -0,0 +1,2 @@",
      "+x = 1",
      "+y = 2",
      "\\ No newline at end of file",
      "-- ",
      "2.39.5",
    );
    const subject = await place.read({ target: "-", patch });
    expect(subject).toMatchObject({ kind: "change", name: "patch from standard input" });
    expect(subject.files).toMatchObject([
      { path: "src/a.py", status: "modified", after: "one\n2\nthree\n", language: "python" },
      {
        path: "src/new.py",
        status: "added",
        after: "x = 1\ny = 2",
        counts: { added: 2, removed: 0 },
      },
    ]);
  });

  it("has the lines that it wrote, and the one beside lines that it only removed", async () => {
    const patch = patchOf(
      ...[
        "--- a/a.py",
        "+++ b/a.py",
        "@@ -5,2 +4,0 @@",
        "-x",
        "-y",
        "@@ -20,3 +17,2 @@",
        " a",
        "-b",
        " c",
      ],
      ...["@@ -30,2 +26,3 @@", " d", "-e", "+f", "+g"],
    );
    const subject = await emptyPlace().read({ target: "-", patch });
    expect([...(changedLines(subject).get("a.py") ?? [])]).toEqual([4, 18, 27, 28]);
  });

  it("has no content where the file here is another one", async () => {
    const place = emptyPlace();
    place.write("a.py", "something else\n");
    const patch = patchOf("--- a/a.py", "+++ b/a.py", "@@ -1 +1 @@", "-one", "+two");
    const [file] = (await place.read({ target: "-", patch })).files;
    expect(file).toMatchObject({
      path: "a.py",
      status: "modified",
      hunks: [{ lines: ["-one", "+two"] }],
    });
    expect(file?.after).toBeUndefined();
  });

  it.each([
    ["nothing", "", "USAGE standard input holds no unified diff"],
    ["prose", "Hello\nthere\n", "USAGE standard input holds no unified diff"],
    [
      "a cut hunk",
      "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n",
      "USAGE the patch cannot be read at line 5: the patch ends inside a hunk",
    ],
    [
      "a hunk that counts wrongly",
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n+c\n",
      "USAGE the patch cannot be read at line 5: more lines",
    ],
    [
      "a hunk alone",
      "@@ -1 +1 @@\n-a\n+b\n",
      "USAGE the patch cannot be read at line 1: a hunk without the name",
    ],
    [
      "a combined diff",
      "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n",
      "USAGE the patch cannot be read at line 1: a combined diff",
    ],
    [
      "a way out",
      "--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n",
      "PATH_INVALID the patch names ../../etc/passwd",
    ],
  ])("refuses %s", async (_what, text, message) => {
    const told = await emptyPlace()
      .read({ target: "-", patch: Buffer.from(text) })
      .then(
        () => "read",
        (error) => `${error.code} ${error.message}`,
      );
    expect(told).toContain(message);
  });

  it("never fails in another way, whatever comes in", async () => {
    const place = emptyPlace();
    const piece = fc.constantFrom(
      ...[
        "--- a/x\n",
        "+++ b/x\n",
        "@@ -1 +1 @@\n",
        "@@ -1,2 +1,0 @@ f\n",
        "-a\n",
        "+b\n",
        " c\n",
        "\\ No newline\n",
      ],
      ...[
        "diff --git a/x b/x\n",
        'diff --git "a/\\303" b/x\n',
        "rename from x\n",
        "rename to y\n",
        "new file mode 100644\n",
      ],
      ...[
        "Binary files a/x and b/x differ\n",
        "\n",
        "\r\n",
        "deleted file mode 100644\n",
        "\0",
        "ä",
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const patch = Buffer.from(pieces.join(""));
        const told = await place.read({ target: "-", patch }).then(
          () => true,
          (error) => ["USAGE", "PATH_INVALID"].includes(error.code),
        );
        expect(told || pieces.join("")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("gives the file that git would make, before and after it was applied", async () => {
    const place = newRepository();
    place.write("f.txt", "");
    place.commit();
    const line = fc.constantFrom("a", "b", "", "-", "+x", "@@ -1 +1 @@", "ä", "c\r", " d");
    const text = fc
      .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
      .map(([lines, isOpen]) => lines.join("\n") + (isOpen || lines.length === 0 ? "" : "\n"));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after);
        place.write("f.txt", before);
        place.git("add", "f.txt");
        place.write("f.txt", after);
        const patch = place.raw("diff");
        const applied = await place.read({ target: "-", patch });
        expect(applied.files[0]?.after).toBe(after);
        place.write("f.txt", before);
        const notYet = await place.read({ target: "-", patch });
        expect(notYet.files[0]?.hunks).toEqual(applied.files[0]?.hunks);
        expect(notYet.files[0]?.after).toBe(after);
      }),
      { numRuns: 60, examples: [["", "\n"]] },
    );
  });
});
