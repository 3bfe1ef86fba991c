/** Uncommitted lines are shown as the smallest thing with a name, in words that `claim` takes back. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolUse } from "../../../src/surfaces/hooks/types.ts";
import { git } from "../../helpers/git-repository.ts";
import { hookPlace } from "../../helpers/hook-place.ts";
import { run } from "../../helpers/program.ts";
import { put } from "../../helpers/temporary-folder.ts";

const files = {
  "cart.py":
    "import os\n\n\nclass Cart:\n    def add(self):\n        return 1\n\n    def drop(self):\n        return 2\n",
  "a.css": "p { margin: 0 }\n\n.btn {\n  color: red;\n}\n",
  "README.md": "# Tool\n\nIntro.\n\n## Install it\n\nSo.\n\n## Use\n\nThen.\n",
  "cart.test.ts":
    'import { it } from "vitest";\n\ndescribe("cart", () => {\n  it("adds 1.5", () => {\n    run(1);\n  });\n});\n',
  "p.json": '{\n  "exports": {\n    "./*": 1\n  }\n}\n',
  "notes.txt": "one\ntwo\nthree\n",
  "[id].ts": "export const one = () => {\n  return 1;\n};\n",
};

const changes: readonly [path: string, from: string, to: string, parts: readonly string[]][] = [
  ["cart.py", "return 2", "return 22", ["cart.py#Cart.drop"]],
  ["cart.py", "import os", "import sys", ["cart.py#import:sys"]],
  [
    "cart.py",
    "        return 1\n",
    "        return 1\n\n    def has(self):\n        return 3\n",
    ["cart.py#Cart.has"],
  ],
  ["a.css", "color: red", "color: blue", [String.raw`a.css#\.btn`]],
  ["README.md", "So.", "So it is.", ["README.md#section:Tool.Install it"]],
  ["README.md", "Then.", "Then that.", ["README.md#section:Tool.Use"]],
  ["cart.test.ts", "run(1)", "run(2)", ["cart.test.ts#test:cart.adds 1.5"]],
  ["p.json", '"./*": 1', '"./*": 2', [String.raw`p.json#exports.\./*`]],
  ["notes.txt", "two", "2", ["notes.txt#lines:2"]],
  ["[id].ts", "return 1", "return 2", [String.raw`\[id\].ts#one`]],
];

const scene = async () => {
  const place = await hookPlace();
  const { root } = place;
  for (const [path, text] of Object.entries(files)) put(join(root, path), text);
  put(join(root, ".gitignore"), ".headgate/\n");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "Base");
  const change = (path: string, from: string, to: string): void => {
    const text = readFileSync(join(root, path), "utf8");
    expect(text).toContain(from);
    writeFileSync(
      join(root, path),
      text.replace(from, () => to),
    );
  };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await run([...args, "--json"], { cwd: root });
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  return { ...place, change, json };
};

describe("N-01 N-09 names of parts", () => {
  it("blame names what each uncommitted line belongs to, and claim takes every name back unchanged", async () => {
    const { root, change, json } = await scene();
    const found: string[] = [];
    for (const path of Object.keys(files)) {
      const own = changes.filter(([name]) => name === path);
      for (const [, from, to] of own) change(path, from, to);
      const { spans } = (await json("blame", path)) as { spans: { parts: string[] }[] };
      const parts = spans.flatMap((span) => span.parts);
      expect(parts.toSorted()).toEqual(own.flatMap(([, , , wanted]) => wanted).toSorted());
      found.push(...parts);
    }
    const { claims } = (await json("claim", ...found, "--as", "ada")) as {
      claims: { target: string }[];
    };
    expect(claims.map(({ target }) => target).toSorted()).toEqual(found.toSorted());
    const { stdout } = await run(["blame", "a.css"], { cwd: root });
    expect(stdout).toMatch(/^ {2}4 +unknown, \S+ ago +a\.css#\\\.btn$/m);
  });

  it("blame names what lines were taken from, whole things that are new, and a new file as itself", async () => {
    const { root, change, json } = await scene();
    change("cart.py", "        return 1\n", "");
    put(join(root, "made.py"), "def one():\n    return 1\n");
    change(
      "[id].ts",
      "};\n",
      "};\n\nexport class Two {\n  one() {\n    return 1;\n  }\n  two() {\n    return 2;\n  }\n}\n",
    );
    expect(await json("blame", "cart.py")).toMatchObject({
      ...{ spans: [], removed: [{ after: 5, parts: ["cart.py#Cart.add"] }] },
    });
    expect(await json("blame", "made.py")).toMatchObject({ spans: [{ parts: ["made.py"] }] });
    expect(await json("blame", "[id].ts")).toMatchObject({
      spans: [{ from: 4, parts: [String.raw`\[id\].ts#Two`] }],
    });
  });

  it("status names what a session's edits hold, and its files where nothing is held", async () => {
    const { root, before, after, change, json } = await scene();
    const edit = async (path: string, from: string, to: string): Promise<void> => {
      const edits = [{ old: from, new: to, all: false }];
      const tool: ToolUse = {
        ...{ kind: "replace", file: join(root, path), exact: true, name: "Edit", edits },
      };
      const use = { toolUseId: `${path} ${to}` };
      expect(await before(tool, use)).not.toMatchObject({ kind: "refuse" });
      change(path, from, to);
      await after(tool, use);
    };
    await edit("cart.py", "return 1", "return 11");
    await edit("cart.py", "return 2", "return 22");
    await edit("a.css", "color: red", "color: blue");
    const { lines } = (await json("status")) as { lines: { files: object[] }[] };
    expect(lines).toMatchObject([
      {
        session: "claude:s1",
        files: [
          { path: "a.css", edits: 1, parts: [String.raw`a.css#\.btn`] },
          { path: "cart.py", edits: 2, parts: ["cart.py#Cart.add", "cart.py#Cart.drop"] },
        ],
      },
    ]);
    const { stdout } = await run(["status"], { cwd: root });
    expect(stdout).toContain(
      String.raw`claude:s1  uncommitted edits: 1 in a.css#\.btn, 2 in cart.py#Cart.add and 1 more there`,
    );
  });
});
