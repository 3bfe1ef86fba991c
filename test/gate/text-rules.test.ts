import { readFileSync } from "node:fs";
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { judge, type Policy, treeOf, type Verdict } from "../../src/gate/index.ts";
import { isPlaceholder } from "../../src/gate/rules/placeholder-words.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const ask = (
  path: string,
  after: string | Uint8Array | null,
  before?: string,
  policy: Policy = {},
): Promise<Verdict> =>
  judge(
    { writes: [{ path, after }] },
    { analyser, policy, tree: treeOf(before === undefined ? {} : { [path]: before }) },
  );
const codes = ({ reasons }: Verdict): string[] => reasons.map(({ code }) => code);
const noted = ({ notes }: Verdict): string[] => notes.map(({ code }) => code);

const sources: Readonly<Record<string, string>> = {
  "a.ts": "export const a = 1;\n\nexport function f(): number {\n  return a;\n}\n",
  "a.js": "const a = 1;\n\nfunction f() {\n  return a;\n}\n",
  "a.tsx": "export const b = 1;\n\nexport const A = () => <p>Don't</p>;\nexport const c = 2;\n",
  "a.py": "import os\n\n\ndef f():\n    return os.name\n",
  "a.go": "package a\n\nfunc F() int {\n\treturn 1\n}\n",
  "a.c": "#include <stdio.h>\n\nint f(void) {\n  return 1;\n}\n",
  "a.cpp": "#include <vector>\n\nint f() {\n  return LIMIT_MAX;\n}\n",
  "a.rs": "fn f() -> i32 {\n    let a = 1;\n    a\n}\n",
  "A.java": "class A {\n  int f() {\n    return 1;\n  }\n}\n",
  "A.cs": "class A {\n  int F() {\n    return 1;\n  }\n}\n",
  "a.kt": "fun f(): Int {\n  val a = 1\n  return a\n}\n",
  "a.swift": "func f() -> Int {\n  let a = 1\n  return a\n}\n",
  "a.rb": "def f\n  a = 1\n  a\nend\n",
  "a.sh": "#!/bin/sh\nset -e\na=1\necho $a\necho done\n",
  "a.lua": "local a = 1\nlocal function f()\n  return a\nend\n",
  "a.dart": "int f() {\n  return 1;\n}\n",
  Dockerfile: "FROM node\nWORKDIR /a\nCOPY . .\nRUN make\n",
};
const fence = "`".repeat(3);
const wraps: Readonly<Record<string, (text: string) => string>> = {
  "in fences": (text) => `${fence}ts\n${text}${fence}\n`,
  "after an opening fence": (text) => `${fence}\n${text}`,
  "before a closing fence": (text) => `${text}${fence}\n`,
  "after a sentence": (text) => `Here is the updated file:\n\n${text}`,
  "with escaped line breaks": (text) => JSON.stringify(text).slice(1, -1),
  "with line breaks alone escaped": (text) => text.replaceAll("\n", String.raw`\n`),
  "as a diff": (text) => `@@ -1,3 +1,5 @@\n${text.replaceAll(/^/gm, "+").replace(/\+$/, "")}`,
  "as the body of a diff": (text) =>
    `-old();\n-older();\n${text.replaceAll(/^/gm, "+").replace(/\+$/, "")} same();\n`,
  "with a plus on each line": (text) => text.replaceAll(/^(?!$)/gm, "+"),
};

describe("E-25 what was said instead of the file", () => {
  for (const [how, wrap] of Object.entries(wraps)) {
    it(`a file ${how} is refused in every language, new and existing`, async () => {
      for (const [path, text] of Object.entries(sources)) {
        const lines = text.split("\n").filter((line) => line !== "").length;
        if (how === "with a plus on each line" && lines < 5) continue;
        for (const before of [undefined, text]) {
          const verdict = await ask(path, wrap(text), before);
          expect(codes(verdict), `${path} ${before ? "old" : "new"}`).toContain("FILE_WRAPPED");
        }
      }
    });
  }

  it("a script without an ending that loses its first line to a fence or a sentence is refused", async () => {
    const text = sources["a.sh"]!;
    for (const [how, wrap] of Object.entries(wraps))
      expect(codes(await ask("bin/run", wrap(text), text)), how).toContain("FILE_WRAPPED");
  });

  it("a part with the marks of a diff is refused where a parser would take it for code", async () => {
    const marked = (text: string) => `${text}\n${text.replaceAll(/^(?=.)/gm, "+")}`;
    for (const path of ["a.sh", "a.c", "a.rs", "A.cs", "a.kt", "a.swift"]) {
      const text = sources[path]!;
      expect(codes(await ask(path, marked(text), text)), path).toContain("FILE_WRAPPED");
    }
  });

  it("the file as it is, and fences where they are text, pass", async () => {
    const doc = (open: string, line: string, close: string) =>
      `${open}\n${line}${fence}\n${line}f();\n${line}${fence}\n${close}\n`;
    const legal: Readonly<Record<string, string>> = {
      ...sources,
      "doc.rs": `${doc("/// Does.", "/// ", "/// More.")}fn f() {}\n`,
      "Doc.java": `${doc("/**", "", "*/")}class Doc {}\n`,
      "text.ts": `export const text = \`\n${fence.replaceAll("`", "\\`")}\n\`;\n`,
      "text.py": `"""\n${fence}\nf()\n${fence}\n"""\n`,
      "patch.sh": "cat <<'END'\n@@ -1,2 +1,2 @@\n+a\n+b\n+c\nEND\n",
      "minified.js": "var a='x\\ny\\nz\\n';console.log(\"a\\nb\\nc\\n\")\n",
      "sum.c": "int f(int a, int b, int c) {\n  return a\n+ b\n+ c\n+ 1;\n}\n",
      "README.md": `${fence}\na\n${fence}\n`,
      "list.yaml": "- a\n- b\n- c\n- d\n- e\n",
      "notes.txt": "Here is the updated file:\n",
    };
    for (const [path, text] of Object.entries(legal)) {
      const verdict = await ask(path, text);
      expect(codes(verdict), path).toEqual([]);
      expect(noted(verdict), path).not.toContain("FILE_WRAPPED");
    }
    const odd = `${fence}\nint a;\nint b;\n`;
    expect(codes(await ask("odd.c", `${odd}int c;\n`, odd))).not.toContain("FILE_WRAPPED");
  });
});

describe("E-25 characters that nobody types", () => {
  const before = "export const name = 'José';\nexport const b = 1;\n";
  it.each([
    ["a lost character", before.replace("é", "\ufffd")],
    ["a lost character in a new line", `${before}// na\ufffdve\n`],
    ["a lost character in code", `${before}\ufffd\n`],
    ["a bidi override in a comment", `${before}/* \u202e } if (admin) */\n`],
    ["a bidi override in a string", `${before}export const c = 'user\u202e';\n`],
    ["a character without width in a name", `${before}export const c\u200bd = 1;\n`],
    ["NUL", `${before}export const c = '\0';\n`],
  ])("%s is refused where it is new, also where no grammar is known", async (what, after) => {
    for (const path of ["a.ts", "a.c", "a.sh", "a.dart"]) {
      const isHidden = what === "NUL" && path !== "a.dart";
      const code = isHidden ? "NOT_JUDGEABLE" : "ODD_CHARACTER";
      expect(codes(await ask(path, after, before)), path).toContain(code);
    }
    const later = await ask("a.ts", `${after}export const z = 1;\n`, after);
    expect(codes(later)).not.toContain("ODD_CHARACTER");
  });

  it("emoji, letters that are joined, locale files and Markdown keep theirs; doubt is a note", async () => {
    const family = "👨‍👩‍👧";
    const persian = "می\u200cخواهم";
    for (const text of [`const a = '${family} ❤️‍🔥';\n`, `const a = '${persian}';\n`]) {
      expect(noted(await ask("a.ts", text))).not.toContain("ODD_CHARACTER");
    }
    expect(codes(await ask("a.md", "a\u200bb \ufffd\n"))).toEqual([]);
    expect(codes(await ask("locales/fa.json", `{ "a": "\u202b${persian}\u202c" }\n`))).toEqual([]);
    const doubts: readonly [string, string][] = [
      ["src/locales/he.ts", "export const a = '\u2067שלום\u2069';\n"],
      ["test/decode.test.ts", "export const a = 'a\ufffdb';\n"],
      ["src/decode.ts", "export const lost = '\ufffd';\n"],
      ["src/a.ts", "/* the end: *\u200b/ */\nexport const a = 1;\n"],
    ];
    for (const [path, text] of doubts) {
      const verdict = await ask(path, text);
      expect([codes(verdict), noted(verdict)], path).toEqual([[], ["ODD_CHARACTER"]]);
    }
  });

  it("other line ends, mixed ones and a new byte order mark are notes; a policy may refuse them", async () => {
    const crlf = before.replaceAll("\n", "\r\n");
    expect(noted(await ask("a.ts", crlf, before))).toEqual(["LINE_ENDS_CHANGED"]);
    expect(noted(await ask("a.ts", before, crlf))).toEqual(["LINE_ENDS_CHANGED"]);
    expect(noted(await ask("a.ts", `${crlf}// c\n`, crlf))).toEqual(["LINE_ENDS_CHANGED"]);
    expect(noted(await ask("a.ts", `\ufeff${before}`, before))).toEqual(["BYTE_ORDER_MARK"]);
    const strict: Policy = { levelOf: (rule) => (rule === "lineEnds" ? "deny" : undefined) };
    expect(codes(await ask("a.ts", crlf, before, strict))).toEqual(["LINE_ENDS_CHANGED"]);
  });
});

describe("E-26 secrets", () => {
  // Put together here, so that no scanner takes this file for a leak. The first one has a right checksum.
  const github = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
  const aws = `AK${"IA"}JQINQW7RTYUNVBSX`;
  // Its line ends with a plus, which is also how code joins strings.
  let pem = "";
  while (!/\+\n-----END/.test(pem)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    pem = String(privateKey.export({ format: "pem", type: "pkcs8" }));
  }
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({
    format: "pem",
    type: "pkcs1",
  });

  it.each([
    ["a GitHub token", `const token = "${github}";\n`, github],
    ["an AWS access key", `const key = "${aws}";\n`, aws],
    ["a private key", `const key = \`${pem}\`;\n`, pem.split("\n")[1]!],
    ["a private key", `const key = ${JSON.stringify(rsa)};\n`, String(rsa).split("\n")[1]!],
  ])("%s of a valid form is refused and is nowhere in the answer", async (name, after, secret) => {
    const verdict = await ask("src/a.ts", after);
    expect(verdict.reasons).toMatchObject([{ code: "SECRET_FOUND", line: 1 }]);
    expect(verdict.reasons[0]!.message).toContain(name);
    // A duplicate quotes the whole of what is new.
    const twice = `function f() { return 1; }\nfunction f() { ${after.trim()} }\n`;
    for (const answer of [verdict, await ask("src/a.ts", twice, twice.split("\n")[0])]) {
      expect(codes(answer)).toContain("SECRET_FOUND");
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
    expect(codes(await ask("src/a.ts", `${after}// more\n`, after))).toEqual([]);
  });

  it("examples, wrong checksums, tests, fixtures and documents get a note", async () => {
    const wrong = `${github.slice(0, -1)}8`;
    const cases: readonly [string, string][] = [
      ["src/a.ts", `const key = "AKIAIOSFODNN7${"EXAMPLE"}";\n`],
      ["src/a.ts", `const token = "${wrong}";\n`],
      ["src/a.ts", `const token = "ghp_${"x".repeat(36)}";\n`],
      ["test/a.test.ts", `const token = "${github}";\n`],
      ["src/fixtures/key.ts", `const key = \`${pem}\`;\n`],
      ["docs/guide.md", `    token: ${github}\n`],
    ];
    for (const [path, text] of cases) {
      const verdict = await ask(path, text);
      expect([codes(verdict), noted(verdict).includes("SECRET_FOUND")], path).toEqual([[], true]);
    }
  });

  it("a file that moves takes its key along", async () => {
    const text = `const token = "${github}";\n`;
    const writes = [
      { path: "b.ts", after: text },
      { path: "a.ts", after: null },
    ];
    const verdict = await judge(
      { writes },
      { analyser, policy: {}, tree: treeOf({ "a.ts": text }) },
    );
    expect(codes(verdict)).toEqual([]);
  });
});

it("files of programs and of others get a note, which a policy makes a refusal", async () => {
  const strict: Policy = { levelOf: (rule) => (rule === "generated" ? "deny" : undefined) };
  const cases: readonly [string, string, string?][] = [
    ["package-lock.json", '{ "a": 1 }\n'],
    ["node_modules/a/index.js", "a();\n"],
    ["vendor/a/a.go", "package a\n"],
    ["dist/a.min.js", "a();\n"],
    ["src/api.ts", "// DO NOT EDIT: made by gen\nb();\n", "// DO NOT EDIT: made by gen\na();\n"],
    [
      "a.go",
      "// Code generated by x. DO NOT EDIT.\npackage b\n",
      "// Code generated by x. DO NOT EDIT.\npackage a\n",
    ],
  ];
  for (const [path, after, before] of cases) {
    expect(noted(await ask(path, after, before)), path).toContain("FILE_GENERATED");
    expect(codes(await ask(path, after, before, strict)), path).toContain("FILE_GENERATED");
  }
  expect(noted(await ask("src/lock.ts", "export const lock = 1;\n"))).toEqual([]);
});

describe("placeholders", () => {
  const wordings = JSON.parse(
    readFileSync(new URL("data/placeholders.json", import.meta.url), "utf8"),
  ) as Record<string, string[]>;
  // The rule was tuned on the seen half alone; both were measured in the same way.
  const half = (text: string) =>
    createHash("sha256").update(text).digest()[0]! % 2 ? "unseen" : "seen";

  it("E-05 nine of ten wordings are known, in the half that the rule was not made for, too", () => {
    for (const part of ["seen", "unseen"]) {
      const all = Object.values(wordings)
        .flat()
        .filter((text) => half(text) === part);
      const known = all.filter((text) =>
        isPlaceholder(text.startsWith("{/*") ? text : `// ${text}`),
      );
      expect(known.length / all.length, part).toBeGreaterThan(0.9);
    }
  });

  it("E-13 what people write is left alone", () => {
    const human = [
      "// ... more to come",
      "// Existing tests...",
      "// the rest of the fields are optional",
      "// existing pods are added.",
      "// (truncated).",
      "# other methods",
      "//    [previous code]",
      "// same as false.",
      "// Everything else is handled below",
      "// unchanged if set",
      "# remaining arguments are flags",
      "// Original file unchanged.",
      "// The existing contents are kept unchanged.",
      "// previous state is unchanged",
    ];
    expect(human.filter((line) => isPlaceholder(line))).toEqual([]);
  });
});
