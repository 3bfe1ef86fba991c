import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Headgate, openHeadgate } from "../../src/compose.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

const tests = `import { it } from "vitest";

const one = 1;

describe("cart", () => {
  const add = () => 1;
  it("adds 1.5", () => {
    expect(add()).toBe(1);
  });
  it("can't", () => {
    expect(one).toBe(1);
  });
});

run(1);
`;

const notes = `# Tool

Intro.

## Install

\`\`\`
# not a heading
\`\`\`

### Linux

Use a package.

## Use
`;

const log = `# Changelog

## Unreleased

- Add a cart.
- Round prices.

## 1.0

- First.
`;

const cases: readonly [
  what: string,
  path: string,
  before: string,
  change: Change,
  held: string[],
][] = [
  ["a method", "a.py", "class A:\n    def f(self):\n        return 1\n", ["1", "2"], ["A.f"]],
  [
    "a test by its titles",
    "a.test.ts",
    tests,
    ["expect(add()).toBe(1)", "expect(add()).toBe(2)"],
    ["test:cart.adds 1.5"],
  ],
  [
    "a new test",
    "a.test.ts",
    tests,
    ['  it("can', '  it("new", () => {\n    run(2);\n  });\n  it("can'],
    ["test:cart.new"],
  ],
  ["a function in a test", "a.test.ts", tests, ["() => 1;", "() => 2;"], ["add", "test:cart.add"]],
  ["a statement outside of all names", "a.test.ts", tests, ["run(1)", "run(2)"], ["lines:15"]],
  [
    "an imported name",
    "b.ts",
    'import { a, b } from "./x.ts";\nf(a, b);\n',
    ["{ a, b }", "{ a, b, c as d }"],
    ["import:d"],
  ],
  ["an import for its effect", "b.ts", "f();\n", ["f", 'import "./y.ts";\nf'], ["import:./y.ts"]],
  [
    "an entry of an export list",
    "b.ts",
    "const a = 1;\nconst b = 2;\nexport {\n  a,\n};\n",
    ["  a,", "  a,\n  b,"],
    ["export:b"],
  ],
  [
    "a key of JSON",
    "package.json",
    '{\n  "exports": {\n    "./*": "a",\n    ".": "b"\n  }\n}\n',
    ['"a"', '"c"'],
    ["exports.\\./*"],
  ],
  [
    "a key of YAML in a list",
    "c.yaml",
    "jobs:\n  - name: a\n    run: x\n",
    ["run: x", "run: y"],
    ["jobs.0.run"],
  ],
  ["a key of TOML", "c.toml", "[a.b]\nc = 1\n", ["1", "2"], ["a.b.c"]],
  ["a rule of CSS", "a.css", ".btn { color: red }\n* { margin: 0 }\n", ["red", "blue"], ["\\.btn"]],
  ["a rule for everything", "a.css", ".btn { color: red }\n* { margin: 0 }\n", ["0", "1"], ["\\*"]],
  [
    "a rule inside of another",
    "a.css",
    "@media (min-width: 1px) {\n  a:not(.b)::before { top: 0 }\n}\n",
    ["top: 0", "top: 1"],
    ["@media(min-width: 1px).a:not(.b).before"],
  ],
  ["a section", "README.md", notes, ["a package", "an archive"], ["section:Tool.Install.Linux"]],
  ["text before its first part", "README.md", notes, ["Intro", "Words"], ["section:Tool"]],
  [
    "code that looks like a heading",
    "README.md",
    notes,
    ["# not", "# still not"],
    ["section:Tool.Install"],
  ],
  [
    "a new entry of a changelog",
    "CHANGELOG.md",
    log,
    ["- Round", "- Sort rows.\n- Round"],
    ["section:Changelog.Unreleased.entry:Sort rows\\."],
  ],
  [
    "an entry that goes",
    "CHANGELOG.md",
    log,
    ["- Round prices.\n", ""],
    ["section:Changelog.Unreleased.entry:Round prices\\."],
  ],
  [
    "lines of a file in no known language",
    "n.txt",
    "a\nb\nc\nd\n",
    ["b\nc", "x\ny"],
    ["lines:2-3"],
  ],
  ["lines that go", "n.txt", "a\nb\nc\n", ["b\n", ""], ["lines:1"]],
  ["only blank lines", "n.txt", "a\nb\n", ["a\n", "a\n\n"], ["lines:2"]],
];

type Change = readonly [from: string, to: string];

// One for all of them: each start of the parsers costs more than all the judgements.
let folder: string;
let root: string;
let headgate: Headgate;
beforeAll(async () => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), "headgate-")));
  root = makeRepository(folder);
  headgate = await openHeadgate({ repo: root, actor: "test", shared: sharedParsers });
});
afterAll(async () => {
  await headgate.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The file as it is, and an edit of it that is allowed. */
const admit = async (path: string, before: string, [from, to]: Change) => {
  writeFileSync(join(root, path), before);
  const one = headgate.as(`claude:${path}`);
  const after = before.replace(from, () => to);
  const { verdict, claims } = await one.gate.admit({ writes: [{ path, before, after }] });
  expect(verdict.reasons).toEqual([]);
  return { one, targets: claims.map(({ target }) => target) };
};

describe("what an edit is shown to hold", () => {
  it.each(cases)("N-08 E-16 %s (%s)", async (_, path, before, [from, to], held) => {
    const { one, targets } = await admit(path, before, [from, to]);
    expect(targets).toEqual(held.map((name) => `${path}#${name}`));
    await one.claims.release({ all: true });
    // Every text is taken back as it is shown.
    const again = await one.claims.claim({ targets });
    expect(again.ok && again.claims.map(({ target }) => target)).toEqual(targets);
    const other = await headgate.as("bob").claims.check(targets);
    expect(other.blockers).toHaveLength(targets.length);
    await one.claims.release({ all: true });
  });

  it("E-16 a name with a line break or of no character never ends a judgement", async () => {
    const css = "a,\nb { top: 0 }\n";
    const json = '{\n  "": 1,\n  "a": { "": 1 }\n}\n';
    expect((await admit("b.css", css, ["0", "1"])).targets).toEqual(["b.css#a,\\u{a}b"]);
    expect((await admit("b.json", json, ["1", "2"])).targets).toEqual(["b.json"]);
    const long = `{\n  "a": { "${"x".repeat(3_000)}": 1 }\n}\n`;
    expect((await admit("c.json", long, ["1", "2"])).targets).toEqual(["c.json#a"]);
  });
});
