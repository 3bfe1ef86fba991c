import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findFrontMatter } from "../../src/state/front-matter.ts";
import { type MarkdownChange, setMarkdownValue } from "../../src/state/index.ts";
import { setInMarkdownText } from "../../src/state/markdown-file.ts";
import { loadMarkdown } from "../../src/state/markdown-outline.ts";
import { decodeText } from "../../src/state/text-content.ts";
import { loadYaml } from "../../src/state/yaml-text.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const head = "---\nstatus: old # keep\nnested:\n  deep: 1\n---\n";
const body = `# State

Phase: 1 of 3${"  "}
**Owner:** ann
- Item: one

## Notes

old text

\`\`\`sh
## Fake
Phase: in code
\`\`\`

### Sub

kept

Setext
------
body

## Empty
## Last
`;
const document = head + body;

const set = async (content: string, change: MarkdownChange): Promise<string> => {
  const path = put(join(temporaryFolder(), "STATE.md"), content);
  await setMarkdownValue(path, change);
  return readFileSync(path, "utf8");
};

describe("setMarkdownValue by key", () => {
  it.each([
    ["status", "new/&$1", "status: old", 'status: "new/&$1"'],
    ["nested.deep", "two\nlines", "deep: 1", 'deep: "two\\nlines"'],
    ["Phase", "a/b & $& \\1", "Phase: 1 of 3", "Phase: a/b & $& \\1"],
    ["Phase", "x\n# no heading\n- y", "Phase: 1 of 3", "Phase: x\n    # no heading\n    - y"],
    ["Owner", "bob", "**Owner:** ann", "**Owner:** bob"],
    ["Item", "zwei ✓", "- Item: one", "- Item: zwei ✓"],
  ])("S-03 sets %s to %j and nothing else", async (key, value, from, to) => {
    expect(await set(document, { key, value })).toBe(document.replace(from, () => to));
  });

  it("S-03 replaces the further lines of an earlier value", async () => {
    const once = await set(document, { key: "Phase", value: "x\n\ny" });
    expect(await set(once, { key: "Phase", value: "1 of 3" })).toBe(document);
  });

  it("S-03 creates front matter and keys when asked, keeps CRLF, BOM and the end", async () => {
    const change = { key: "status", value: "x", canCreate: true };
    expect(await set("\uFEFF# T\r\ntext", change)).toBe(
      "\uFEFF---\r\nstatus: x\r\n---\r\n# T\r\ntext",
    );
    expect(await set("---\na: 1\n---\n", change)).toBe("---\na: 1\nstatus: x\n---\n");
    await expect(set(document, { key: "no such", value: "x" })).rejects.toMatchObject({
      code: "STATE_NOT_FOUND",
    });
  });

  it("S-03 refuses what it cannot do exactly", async () => {
    const refused: [string, MarkdownChange, string][] = [
      ["A: 1\n\nA: 2\n", { key: "A", value: "x" }, "STATE_INVALID"],
      ["- A: 1\n", { key: "A", value: "x\ny" }, "STATE_INVALID"],
      ["---\na: [\n---\n", { key: "a", value: "x" }, "STATE_INVALID"],
      ["text\n", { key: "a\nb", value: "x" }, "USAGE"],
    ];
    for (const [content, change, code] of refused) {
      await expect(set(content, change)).rejects.toMatchObject({ code });
    }
  });
});

describe("setMarkdownValue by heading", () => {
  it.each([
    ["Notes", "new $1\n\nmore", body.slice(body.indexOf("old text"), body.indexOf("\n\n### Sub"))],
    ["Sub", "other", "kept"],
    ["State/Notes/Sub", "other", "kept"],
    ["Setext", "a\nb", "body"],
  ])("S-03 sets the text of %s and keeps its sub-sections", async (heading, value, from) => {
    expect(await set(document, { heading, value })).toBe(document.replace(from, () => value));
  });

  it("S-03 fills an empty section and adds a new one", async () => {
    expect(await set(document, { heading: "Empty", value: "x" })).toBe(
      document.replace("## Empty\n", "## Empty\n\nx\n\n"),
    );
    expect(await set("# A\n## B", { heading: "B", value: "x" })).toBe("# A\n## B\n\nx");
    expect(await set("# A\r\n\r\nt\r\n", { heading: "B", value: "x\ny", canCreate: true })).toBe(
      "# A\r\n\r\nt\r\n\r\n## B\r\n\r\nx\r\ny\r\n",
    );
  });

  it("S-03 refuses repeated headings, naming their lines, and takes Parent/Child", async () => {
    const twice = "---\nx: 1\n---\n# P\n## A\n1\n# Q\n## A\n2\n";
    await expect(set(twice, { heading: "A", value: "x" })).rejects.toMatchObject({
      code: "STATE_INVALID",
      message: expect.stringMatching(/line 5 \(P\/A\), line 8 \(Q\/A\)/),
    });
    expect(await set(twice, { heading: "Q/A", value: "x" })).toBe(twice.replace("2\n", "x\n"));
  });

  it("S-03 refuses text that would end its section or swallow what follows", async () => {
    for (const value of ["x\n## New", "```\nopen", "<!-- open", "Title\n==="]) {
      await expect(set(document, { heading: "Notes", value })).rejects.toMatchObject({
        code: "STATE_INVALID",
      });
    }
    await expect(set(document, { heading: "Fake", value: "x" })).rejects.toMatchObject({
      code: "STATE_NOT_FOUND",
    });
  });
});

describe("markdown updates on any text", () => {
  const anyText = fc
    .string({ unit: "binary", maxLength: 60 })
    .filter((text) => text.isWellFormed());
  const lines = fc.array(fc.constantFrom("a/b", "& $1 $&", "", "# h", "- x", "```", "ünï", "\\1"), {
    maxLength: 6,
  });
  const values = fc.oneof(
    anyText,
    lines.map((all) => all.join("\n")),
  );

  it("S-03 front matter: the value reads back, every other byte is the same", async () => {
    const tools = { yaml: await loadYaml(), markdown: await loadMarkdown() };
    fc.assert(
      fc.property(values, fc.constantFrom("\n", "\r\n"), (value, eol) => {
        const text = document.replaceAll("\n", eol);
        const content = decodeText(Buffer.from(text))!;
        const result = setInMarkdownText(tools, content, { key: "status", value });
        const changed = result.ok ? result.value! : "";
        const front = findFrontMatter(changed)!;
        expect(parse(changed.slice(front.start, front.end))).toEqual({
          status: value,
          nested: { deep: 1 },
        });
        expect(changed.startsWith(`---${eol}status: `)).toBe(true);
        const tail = text.slice(text.indexOf(" # keep"));
        expect(changed.endsWith(tail)).toBe(true);
      }),
    );
  });

  it("S-03 key lines and sections: every byte outside of the value is the same", async () => {
    const tools = { yaml: await loadYaml(), markdown: await loadMarkdown() };
    const places: readonly (readonly [MarkdownChange, string])[] = [
      [{ key: "Phase", value: "" }, "1 of 3"],
      [{ heading: "Sub", value: "" }, "kept"],
      [{ heading: "Setext", value: "" }, "body"],
    ];
    let count = 0;
    fc.assert(
      fc.property(values, fc.constantFrom(...places), fc.boolean(), (value, place, isLast) => {
        const [change, old] = place;
        const text = isLast ? document.trimEnd() : document;
        const content = decodeText(Buffer.from(text))!;
        const result = setInMarkdownText(tools, content, { ...change, value });
        if (!result.ok) return;
        count += 1;
        const changed = result.value!;
        const start = text.indexOf(old);
        expect(changed.slice(0, start)).toBe(text.slice(0, start));
        const tail = text.slice(start + old.length);
        expect(changed.endsWith(tail)).toBe(true);
      }),
    );
    expect(count).toBeGreaterThan(30);
  });
});
