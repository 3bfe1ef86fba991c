import { describe, expect, it } from "vitest";
import { judge, type Policy, type Proposal, treeOf, type Verdict } from "../../src/gate/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const source = `import os


class A:
    """Doc."""

    def f(self):
        return 1

    def g(self):
        return 2


def top():
    return os.name
`;

const ask = (
  proposal: Proposal,
  files: Record<string, string> = { "a.py": source },
  policy: Policy = {},
): Promise<Verdict> => judge(proposal, { analyser, tree: treeOf(files), policy });

const write = (after: string | null, before?: string | null): Proposal => ({
  writes: [{ path: "a.py", after, ...(before !== undefined && { before }) }],
});
const codes = ({ reasons }: Verdict): string[] => reasons.map(({ code }) => code);
const withMethod = (code: string): string =>
  source.replace("        return 2\n", `        return 2\n\n${code}`);

describe("what is refused", () => {
  it("E-02 E-05 a method that exists, with its line, its class and the call that was meant", async () => {
    const verdict = await ask(write(withMethod("    def f(self):\n        return 3\n")));
    expect(verdict).toMatchObject({
      verdict: "deny",
      reasons: [
        {
          code: "DUPLICATE_SYMBOL",
          path: "a.py",
          line: 13,
          symbol: "A.f",
          message: "Method 'f' already exists in class 'A' at line 7; use modify",
          call: { do: "modify", file: "a.py", symbol: "A.f" },
        },
      ],
    });
    expect(verdict.reasons[0]!.remedy).toContain("headgate edit modify a.py A.f");
  });

  it("E-02 the same name in another class, a setter and an overload pass", async () => {
    const after = `${source}

class B:
    def f(self):
        return 1

    @property
    def x(self):
        return 1

    @x.setter
    def x(self, value):
        pass
`;
    expect(await ask(write(after))).toMatchObject({ verdict: "allow", reasons: [] });
  });

  it("E-02 a duplicate that was there before is nobody's fault now", async () => {
    const old = withMethod("    def f(self):\n        return 3\n");
    const files = { "a.py": old };
    const changed = old.replace("return 2", "return 22");
    expect(await ask(write(changed), files)).toMatchObject({ verdict: "allow" });
    const third = `${changed}\n    x = 1\n`.replace(
      "        return 3\n",
      "        return 3\n\n    def f(self):\n        return 4\n",
    );
    expect(codes(await ask(write(third.replace("\n    x = 1\n", "")), files))).toEqual([
      "DUPLICATE_SYMBOL",
    ]);
  });

  it("E-02 in TypeScript, too, although its judge calls it a syntax error", async () => {
    const old = "export class A {\n  f(): number {\n    return 1;\n  }\n}\n";
    const after = old.replace("  }\n}", "  }\n  f(): number {\n    return 2;\n  }\n}");
    const verdict = await ask({ writes: [{ path: "a.ts", after }] }, { "a.ts": old });
    expect(verdict.reasons).toMatchObject([
      {
        code: "DUPLICATE_SYMBOL",
        message: "Method 'f' already exists in class 'A' at line 2; use modify",
      },
    ]);
    // Where the outline has no symbol for it, the judge's word stands.
    const twice = `${old}const x = 1;\nconst x = 2;\n`;
    expect(codes(await ask({ writes: [{ path: "a.ts", after: twice }] }, { "a.ts": old }))).toEqual(
      ["SYNTAX_ERROR"],
    );
  });

  it.each([
    [
      "a.py",
      "@v.setter\n    def v(self, x):\n        pass\n",
      "class A:\n    @property\n    def v(self):\n        return 1\n\n    ",
    ],
    [
      "b.py",
      "@pytest.mark.parametrize('x', [1])\ndef test_a(x):\n    assert x\n",
      "import pytest\n\n\n",
    ],
    [
      "c.py",
      "@lru_cache(maxsize=1)\ndef get():\n    return 1\n",
      "from functools import lru_cache\n\n\n",
    ],
    ["d.ts", "export { a };\n", "const a = 1;\n"],
    ["f.ts", "export { A };\n", "export class A {}\n"],
    ["e.rs", "use std::fmt;\n", ""],
  ])("E-02 what %s has twice after the edit is refused", async (path, part, before) => {
    const old = `${before}${part}`;
    const join = path === "a.py" ? "\n    " : "\n\n";
    const verdict = await ask(
      { writes: [{ path, after: `${old}${join}${part}` }] },
      { [path]: old },
    );
    expect(codes(verdict)[0]).toMatch(/^DUPLICATE_/);
  });

  it.each([
    [
      "a.py",
      "@app.route('/a')\ndef index():\n    pass\n\n\n@app.route('/b')\ndef index():\n    pass\n",
    ],
    ["b.py", "@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\ndef f(x): ...\n"],
    [
      "C.java",
      "class C {\n  <T> void run(T t) {}\n  <T extends Comparable<T>> void run(T t) {}\n}\n",
    ],
    [
      "d.ts",
      "export default function f(a: string): void;\nexport default function f(a: unknown): void {}\n",
    ],
  ])("E-02 legal twins in %s pass", async (path, after) => {
    expect(await ask({ writes: [{ path, after }] }, {})).toMatchObject({ verdict: "allow" });
  });

  it("E-13 where a grammar only guesses, a macro is no proof of a syntax error, a lost brace is", async () => {
    const old = "class A {\n public:\n  int f() { return 1; }\n};\n";
    const ask2 = (after: string) => ask({ writes: [{ path: "a.cc", after }] }, { "a.cc": old });
    const macro = await ask2(
      old.replace("};", "  int g() GUARDED_BY(mu) MY_ATTR { return 2; }\n};"),
    );
    expect(macro).toMatchObject({ verdict: "allow" });
    const lost = await ask2(old.replace("return 1; }", "return 1; "));
    expect(codes(lost)).toContain("SYNTAX_ERROR");
    // A new file in such a language has no version that was understood before: brackets prove, words do not.
    const guessed = await ask({ writes: [{ path: "b.cc", after: "int a GUARDED BY b;\n" }] }, {});
    expect(guessed).toMatchObject({ verdict: "allow", notes: [{ code: "SYNTAX_ERROR" }] });
    const open = await ask({ writes: [{ path: "b.cc", after: "class {{{\n" }] }, {});
    expect(codes(open)).toContain("SYNTAX_ERROR");
    const sql = { writes: [{ path: "a.sql", after: "SELEC 1;\n" }] };
    expect(await ask(sql, { "a.sql": "SELECT 1;\n" })).toMatchObject({ verdict: "allow" });
  });

  it("E-13 an error that the writer has marked as expected is not held against the edit", async () => {
    const old = "export const a = 1;\n";
    const marked = `${old}if (a) {\n  // @ts-expect-error\n  return;\n}\n`;
    const ask2 = (after: string) => ask({ writes: [{ path: "a.ts", after }] }, { "a.ts": old });
    expect(await ask2(marked)).toMatchObject({ verdict: "allow" });
    expect(codes(await ask2(marked.replace("  // @ts-expect-error\n", "")))).toEqual([
      "SYNTAX_ERROR",
    ]);
  });

  it("E-09 a template tag in a text does not excuse an error", async () => {
    const old = "T = '{% b %}'\n";
    const after = `${old}def f(:\n`;
    expect(codes(await ask({ writes: [{ path: "a.py", after }] }, { "a.py": old }))).toContain(
      "SYNTAX_ERROR",
    );
  });

  it.each([
    "# The rest of the arguments is passed on",
    "# rest of the line is a comment",
    "# see the existing tests for more...",
    "# existing users keep their name",
  ])("E-13 an honest comment is no placeholder: %s", async (comment) => {
    const after = source.replace("    def g", `    ${comment}\n    def g`);
    expect(await ask(write(after))).toMatchObject({ verdict: "allow" });
  });

  it.each([
    "# ... existing code ...",
    "# ... rest of the class ...",
    "# [existing code remains the same]",
    "# rest of the code unchanged",
    "# … (remaining methods unchanged)",
    "# ... other methods ...",
  ])("E-05 a placeholder is refused: %s", async (comment) => {
    const after = source.replace("    def g", `    ${comment}\n    def g`);
    expect(codes(await ask(write(after)))).toEqual(["LAZY_PLACEHOLDER"]);
  });

  it.each([
    ["a.py", 'DATA = """\n    # Signature:\n    27 07\n\n    # <snip>\n\n    # End\n"""\n'],
    ["a.ts", "const shown = `\n// ...existing code...\n`;\n"],
    ["a.sh", "cat > b.ts <<'END'\n// ...existing code...\nEND\n"],
  ])("E-13 what looks like a placeholder in a text is none: %s", async (path, text) => {
    const { verdict } = await ask({ writes: [{ path, after: text }] });
    expect(verdict).toBe("allow");
    const comment = /^\s*(?:#|\/\/) ?(?:<snip>|\.\.\.existing code\.\.\.)/m.exec(text)![0].trim();
    const outside = await ask({ writes: [{ path, after: `${text}${comment}\n` }] });
    expect(codes(outside)).toContain("LAZY_PLACEHOLDER");
  });

  it("E-02 a second import of the same name is noted where the language lets it pass", async () => {
    const twice = source.replace("import os\n", "import os\nimport os\n");
    expect(await ask(write(twice))).toMatchObject({
      verdict: "allow",
      notes: [{ code: "DUPLICATE_IMPORT" }],
    });
  });

  it("E-09 a syntax error, with line and column; and not the one that was there", async () => {
    const broken = source.replace("return 2", "return (2");
    const verdict = await ask(write(broken));
    expect(codes(verdict)[0]).toBe("SYNTAX_ERROR");
    expect(verdict.reasons[0]).toMatchObject({
      line: expect.any(Number),
      column: expect.any(Number),
    });
    // An edit elsewhere in a broken file is allowed; one that breaks it more is not.
    const elsewhere = broken.replace("return 1", "return 11");
    expect(await ask(write(elsewhere), { "a.py": broken })).toMatchObject({ verdict: "allow" });
    expect(await ask(write(source), { "a.py": broken })).toMatchObject({ verdict: "allow" });
  });

  it("E-05 placeholders and merge markers are named as such", async () => {
    const lazy = source.replace(
      "    def g(self):\n        return 2\n",
      "    # ... existing code ...\n",
    );
    expect(codes(await ask(write(lazy)))).toEqual(["LAZY_PLACEHOLDER"]);
    const markers = `<<<<<<< ours\n${source}=======\n${source}>>>>>>> theirs\n`;
    expect(codes(await ask(write(markers)))).toContain("MERGE_MARKER");
    const talk = source.replace(
      '"""Doc."""',
      '"""Doc."""\n\n    # The existing code is kept on purpose.',
    );
    expect(await ask(write(talk))).toMatchObject({ verdict: "allow" });
  });

  it("E-13 markers inside a text that parses are no merge, and a template is not judged as code", async () => {
    const prompt = `${source}\nPROMPT = """\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"""\n`;
    expect(await ask(write(prompt))).toMatchObject({ verdict: "allow", reasons: [] });
    const template = "{% if x %}\nconst a = {{ value }};\n{% endif %}\n";
    expect(await ask({ writes: [{ path: "a.js", after: template }] })).toMatchObject({
      verdict: "allow",
      notes: [{ code: "SYNTAX_ERROR" }],
    });
  });

  it.each([
    ["../x.py", "PATH_OUTSIDE"],
    ["/etc/passwd", "PATH_OUTSIDE"],
    ["a/../../x", "PATH_OUTSIDE"],
    [".git/config", "PATH_GIT"],
    ["sub/.GIT/hooks/pre-commit", "PATH_GIT"],
    ["sub/.git./x", "PATH_GIT"],
    ["GIT~1/config", "PATH_GIT"],
    [".headgate/local/store.db", "PATH_OWN"],
    ["a\0b", "PATH_OUTSIDE"],
  ])("E-04 the path %j is refused as %s", async (path, code) => {
    expect(codes(await ask({ writes: [{ path, after: "x" }] }))).toEqual([code]);
  });

  it("E-14 text in an unknown language is allowed, and the answer says that it was not looked at", async () => {
    const verdict = await ask({ writes: [{ path: "notes.xyz", after: "(((" }] });
    expect(verdict).toMatchObject({
      verdict: "allow",
      notes: [{ code: "NOT_ANALYSED", message: expect.stringContaining("structure not analysed") }],
    });
    expect(verdict.files[0]!.coverage.syntax.state).toBe("off");
  });

  it("a proposal that is none says so", async () => {
    await expect(ask({ writes: [] })).rejects.toMatchObject({ code: "USAGE" });
    const twice = {
      writes: [
        { path: "a", after: "1" },
        { path: "a", after: "2" },
      ],
    };
    await expect(ask(twice)).rejects.toMatchObject({ code: "USAGE" });
  });
});

describe("a stale base", () => {
  it("E-07 changes of different symbols are brought together and judged again", async () => {
    const now = source.replace("return 2", "return 22");
    const verdict = await ask(write(source.replace("return 1", "return 11"), source), {
      "a.py": now,
    });
    expect(verdict).toMatchObject({ verdict: "allow" });
    expect(Buffer.from(verdict.files[0]!.merged!).toString()).toBe(
      now.replace("return 1", "return 11"),
    );
  });

  it("E-07 two agents that each add a method to one class both get it", async () => {
    const now = withMethod("    def theirs(self):\n        return 3\n");
    const mine = withMethod("    def mine(self):\n        return 4\n");
    const verdict = await ask(write(mine, source), { "a.py": now });
    expect(verdict).toMatchObject({ verdict: "allow" });
    const merged = Buffer.from(verdict.files[0]!.merged!).toString();
    expect(merged).toMatch(/def theirs[^]*def mine/);
    expect((await analyser.syntax(merged, "a.py")).state).toBe("valid");
  });

  it("E-07 the same symbol changed by both is refused with both bodies", async () => {
    const now = source.replace("return 2", "return 22");
    const verdict = await ask(write(source.replace("return 2", "return 23"), source), {
      "a.py": now,
    });
    expect(codes(verdict)).toEqual(["STALE_VIEW"]);
    expect(verdict.reasons[0]!.message).toMatch(
      /'A.g' was changed by both[^]*return 23[^]*return 22/,
    );
  });

  it("E-07 both add the same method: the second one is a conflict, not a duplicate on disk", async () => {
    const now = withMethod("    def h(self):\n        return 3\n");
    const mine = withMethod("    def h(self):\n        return 4\n");
    expect(codes(await ask(write(mine, source), { "a.py": now }))).toEqual(["STALE_VIEW"]);
  });

  it.each([
    {
      what: "the same import at different places is there once",
      path: "a.ts",
      base: "import { b } from './b';\nimport { d } from './d';\nimport { e } from './e';\nb(d, e);\n",
      ours: "import { x } from './x';\nimport { b } from './b';\nimport { d } from './d';\nimport { e } from './e';\nb(d, e);\n",
      theirs:
        "import { b } from './b';\nimport { d } from './d';\nimport { x } from './x';\nimport { e } from './e';\nb(d, e);\n",
      merged:
        "import { x } from './x';\nimport { b } from './b';\nimport { d } from './d';\nimport { e } from './e';\nb(d, e);\n",
    },
    {
      what: "re-exports that both added are there once, the others too",
      path: "a.ts",
      base: "export * from './a';\n",
      ours: "export * from './a';\nexport * from './b';\nexport * from './c';\n",
      theirs: "export * from './a';\nexport * from './b';\nexport * from './d';\n",
      merged:
        "export * from './a';\nexport * from './b';\nexport * from './d';\nexport * from './c';\n",
    },
    {
      what: "functions that share lines are kept whole",
      path: "a.py",
      base: "def a():\n    return 0\n",
      ours: "def a():\n    return 0\n\n\ndef b():\n    x = 1\n    return x\n",
      theirs: "def a():\n    return 0\n\n\ndef c():\n    y = 2\n    return x\n",
      merged:
        "def a():\n    return 0\n\n\ndef c():\n    y = 2\n    return x\n\n\ndef b():\n    x = 1\n    return x\n",
    },
    {
      what: "functions with doc comments are kept whole",
      path: "a.ts",
      base: "/**\n * a\n */\nfunction a() {}\n\n/**\n * z\n */\nfunction z() {}\n",
      ours: "/**\n * a\n */\nfunction a() {}\n\n/**\n * b\n */\nfunction b() {}\n\n/**\n * z\n */\nfunction z() {}\n",
      theirs:
        "/**\n * a\n */\nfunction a() {}\n\n/**\n * c\n */\nfunction c() {}\n\n/**\n * z\n */\nfunction z() {}\n",
      merged:
        "/**\n * a\n */\nfunction a() {}\n\n/**\n * c\n */\nfunction c() {}\n\n/**\n * b\n */\nfunction b() {}\n\n/**\n * z\n */\nfunction z() {}\n",
    },
    {
      what: "tests of different titles are kept, whatever lines they share",
      path: "a.test.ts",
      base: "it('a', () => {\n  run();\n});\n",
      ours: "it('a', () => {\n  run();\n});\n\nit('b', () => {\n  setUp();\n  run(1);\n});\n",
      theirs: "it('a', () => {\n  run();\n});\n\nit('c', () => {\n  setUp();\n  run(2);\n});\n",
      merged:
        "it('a', () => {\n  run();\n});\n\nit('c', () => {\n  setUp();\n  run(2);\n});\n\nit('b', () => {\n  setUp();\n  run(1);\n});\n",
    },
    {
      what: "lines of a list that both added are there once",
      path: "requirements.txt",
      base: "a==1\nz==1\n",
      ours: "a==1\nb==1\nc==1\nz==1\n",
      theirs: "a==1\nb==1\nd==1\nz==1\n",
      merged: "a==1\nb==1\nd==1\nc==1\nz==1\n",
    },
    {
      what: "one local name for two modules is refused",
      path: "a.py",
      base: "import a\nimport c\nimport e\n\nprint(a, c, e)\n",
      ours: "import a\nfrom x import load\nimport c\nimport e\n\nprint(a, c, e)\n",
      theirs: "import a\nimport c\nfrom y import load\nimport e\n\nprint(a, c, e)\n",
    },
    {
      what: "statements of both at one place are refused",
      path: "a.py",
      base: "import app\n\napp.begin()\n",
      ours: "import app\n\napp.begin()\napp.log()\napp.stop()\n",
      theirs: "import app\n\napp.begin()\napp.log()\napp.run()\n",
    },
    {
      what: "a statement that both added at different places is refused",
      path: "a.py",
      base: "import app\n\napp.a()\napp.b()\napp.c()\n",
      ours: "import app\n\napp.log()\napp.a()\napp.b()\napp.c()\n",
      theirs: "import app\n\napp.a()\napp.b()\napp.log()\napp.c()\n",
    },
    {
      what: "tests of one title are refused",
      path: "a.test.ts",
      base: "it('a', () => {});\n",
      ours: "it('a', () => {});\nit('b', () => {\n  run(1);\n});\n",
      theirs: "it('a', () => {});\nit('b', () => {\n  run(2);\n});\n",
    },
  ])("E-07 additions of both: $what", async ({ path, base, ours, theirs, merged }) => {
    const verdict = await ask(
      { writes: [{ path, before: base, after: ours }] },
      { [path]: theirs },
    );
    if (merged === undefined) expect(codes(verdict)).toContain("STALE_VIEW");
    else {
      expect(verdict.reasons).toEqual([]);
      expect(Buffer.from(verdict.files[0]!.merged!).toString()).toBe(merged);
    }
  });

  it("E-07 a file that was made or deleted meanwhile", async () => {
    expect(codes(await ask(write("x = 1\n", null)))).toEqual(["STALE_VIEW"]);
    expect(codes(await ask(write(source, source), {}))).toEqual(["STALE_VIEW"]);
    expect(await ask(write("x = 1\n", null), {})).toMatchObject({ verdict: "allow" });
  });

  it("E-07 what the writer last saw is compared by hash where it gives no base", async () => {
    const seen = async () => "0".repeat(64);
    const tree = treeOf({ "a.py": source });
    const verdict = await judge(write(`${source}\nx = 1\n`), { analyser, tree, policy: {}, seen });
    expect(codes(verdict)).toEqual(["STALE_VIEW"]);
  });
});

describe("policies and overrides", () => {
  const duplicate = withMethod("    def f(self):\n        return 3\n");

  it("E-02 a path can be warned about or left out", async () => {
    const warn: Policy = { levelOf: (rule) => (rule === "duplicates" ? "warn" : "deny") };
    expect(await ask(write(duplicate), undefined, warn)).toMatchObject({
      verdict: "allow",
      notes: [{ code: "DUPLICATE_SYMBOL" }],
    });
    const off: Policy = { levelOf: () => "off" };
    expect(await ask(write(duplicate), undefined, off)).toMatchObject({
      verdict: "allow",
      notes: [],
    });
  });

  it("E-02 the writer can insist, with a reason that is told", async () => {
    const overrides = [{ code: "DUPLICATE_SYMBOL", reason: "a fixture" }];
    const verdict = await ask({ ...write(duplicate), overrides });
    expect(verdict).toMatchObject({
      verdict: "allow",
      notes: [{ message: expect.stringContaining("passed: a fixture") }],
    });
    const silent = [{ code: "DUPLICATE_SYMBOL", reason: " " }];
    expect(await ask({ ...write(duplicate), overrides: silent })).toMatchObject({
      verdict: "deny",
    });
  });

  it("E-02 or in a comment beside the code", async () => {
    const commented = withMethod(
      "    # headgate-allow: DUPLICATE_SYMBOL shown in the docs\n    def f(self):\n        return 3\n",
    );
    expect(await ask(write(commented))).toMatchObject({ verdict: "allow" });
    // One that an agent brings along is not a person's word; one that was there before is.
    const options = { analyser, policy: {}, takesComments: false };
    const fresh = await judge(write(commented), { ...options, tree: treeOf({ "a.py": source }) });
    expect(fresh).toMatchObject({
      ...{ verdict: "deny", reasons: [{ code: "DUPLICATE_SYMBOL" }] },
    });
    expect(fresh.reasons[0]?.remedy).toContain("once a person has committed it");
    const old = source.replace(
      "class",
      "# headgate-allow: DUPLICATE_SYMBOL shown in the docs\nclass",
    );
    const known = await judge(write(commented), { ...options, tree: treeOf({ "a.py": old }) });
    expect(known).toMatchObject({ verdict: "allow" });
  });

  it("E-04 nobody can insist on a path that is not allowed", async () => {
    const overrides = [{ code: "PATH_GIT", reason: "please" }];
    const verdict = await ask({ writes: [{ path: ".git/config", after: "" }], overrides });
    expect(verdict).toMatchObject({ verdict: "deny" });
  });
});
