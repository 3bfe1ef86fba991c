import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { newNamesShelf, openProjectNames } from "../../src/gate/index.ts";
import { openHeadgate, type Verdict } from "../../src/index.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

const scene = async (files: Record<string, string>) => {
  const repo = makeRepository(temporaryFolder());
  for (const [path, text] of Object.entries(files)) put(join(repo, path), text);
  const headgate = await openHeadgate({ repo, actor: "alice", shared: sharedParsers });
  onTestFinished(() => headgate.close());
  const ask = (path: string, after: string): Promise<Verdict> =>
    headgate.gate.judge({ writes: [{ path, after }] }, { stage: "commit" });
  return { repo, headgate, ask };
};
const codes = ({ reasons }: Verdict): string[] => reasons.map(({ code }) => code);

describe("names that exist in a project", () => {
  it("E-08 a TypeScript call to what nothing names is refused, with the nearest names", async () => {
    const source = "export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n";
    const { ask } = await scene({ "src/cart.ts": source, "package.json": "{}" });
    const after = source.replace("return 1;", "return this.totalOfAllThings();");
    const verdict = await ask("src/cart.ts", after);
    expect(codes(verdict)).toEqual(["CALL_UNKNOWN"]);
    expect(verdict.reasons[0]!.message).toContain("total");
    const fine = source.replace("return 1;", "return this.total();");
    expect(await ask("src/cart.ts", fine)).toMatchObject({ verdict: "allow" });
  });

  it("E-08 what a package of the project or the language itself has is fine, also behind its own packages", async () => {
    const manifest = (dependencies: object) => JSON.stringify({ name: "x", dependencies });
    const { ask } = await scene({
      "a.js": 'import { open } from "shop";\nexport const go = () => open();\n',
      "package.json": manifest({ shop: "1" }),
      ".gitignore": "node_modules\n",
      "node_modules/shop/package.json": manifest({ "shop-core": "1" }),
      "node_modules/shop/index.js": 'export { open } from "shop-core";\n',
      "node_modules/shop-core/package.json": manifest({}),
      "node_modules/shop-core/index.js": "export const open = () => ({ sellEverything() {} });\n",
    });
    const after = (call: string) =>
      `import { open } from "shop";\nexport const go = () => open().${call}();\n`;
    expect(await ask("a.js", after("sellEverything"))).toMatchObject({ verdict: "allow" });
    expect(await ask("a.js", after("toString"))).toMatchObject({ verdict: "allow" });
  });

  it("E-08 a name that is added to another file meanwhile is known at once", async () => {
    const source = "class A {\n  f() {}\n}\n";
    const { ask, repo } = await scene({ "a.js": source, "package.json": "{}" });
    const after = source.replace("f() {}", "f() {\n    this.laterDefined();\n  }");
    expect(codes(await ask("a.js", after))).toEqual(["CALL_UNKNOWN"]);
    put(join(repo, "b.js"), "A.prototype.laterDefined = () => {};\n");
    expect(await ask("a.js", after)).toMatchObject({ verdict: "allow" });
  });

  it("E-08 the index is kept beside the store, and judging alone leaves nothing behind", async () => {
    const source = "class A {\n  f() {}\n}\n";
    const { ask, repo, headgate } = await scene({ "a.js": source, "package.json": "{}" });
    const after = source.replace("f() {}", "f() {\n    this.nowhereAtAll();\n  }");
    await ask("a.js", after);
    expect(readdirSync(repo)).not.toContain(".headgate");
    await headgate.claims.claim({ targets: ["a.js"] });
    mkdirSync(join(repo, "sub"));
    put(join(repo, "sub/c.js"), "export const other = 1;\n");
    await ask("a.js", after);
    expect(readdirSync(join(stateFolder(repo), "cache"))).toEqual(["names.json"]);
    // A damaged index is read anew, not believed.
    put(join(stateFolder(repo), "cache/names.json"), "{");
    utimesSync(join(repo, "sub/c.js"), 1, 1);
    const again = await openHeadgate({ repo, actor: "bob", shared: sharedParsers });
    onTestFinished(() => again.close());
    const verdict = await again.gate.judge({
      writes: [{ path: "sub/c.js", after: "missingEverywhere();\n" }],
    });
    expect([...codes(verdict), ...verdict.notes.map(({ code }) => code)]).toContain("CALL_UNKNOWN");
  });

  it("E-08 E-19 who calls what changes its signature is told; the commit is refused", async () => {
    const { ask } = await scene({
      "lib.py": "def greet(name):\n    return name\n",
      "use.py": "from lib import greet\n\nprint(greet(1))\n",
    });
    const verdict = await ask("lib.py", "def greet(name, title):\n    return name\n");
    expect(verdict).toMatchObject({
      verdict: "deny",
      reasons: [{ code: "ARGUMENTS_MISMATCH", path: "use.py", line: 3 }],
      notes: [{ code: "SIGNATURE_CHANGED", message: expect.stringContaining("use.py:3") }],
    });
  });
});

it("E-08 libraries are read once for all worktrees of a server, and nothing unchanged is read again", async () => {
  const top = temporaryFolder();
  const [library, packages] = [join(top, "lib"), join(top, "packages")];
  put(join(library, "json.py"), "def loads():\n    pass\n");
  put(join(packages, "shop/__init__.py"), "import core\n\ndef sell():\n    pass\n");
  put(join(packages, "core/__init__.py"), "def deep():\n    pass\n");
  const looked: string[] = [];
  const files = {
    ...systemFiles,
    readFile: (path: string) => (looked.push(path), systemFiles.readFile(path)),
    list: (path: string) => (looked.push(path), systemFiles.list(path)),
  };
  const shelf = newNamesShelf();
  let asked = 0;
  const openIn = (name: string) => {
    const root = join(top, name);
    put(join(root, "a.py"), "import shop\n\ndef one():\n    shop.sell()\n");
    const pythonLibraries = async () => ((asked += 1), [library, packages]);
    const cacheFile = join(top, "cache/names.json");
    return openProjectNames({ root, git: undefined, files, cacheFile, pythonLibraries }, shelf);
  };
  const first = openIn("first");
  const names = await first(["python"]);
  expect(["loads", "sell", "deep", "one"].filter((one) => !names.has(one, "python"))).toEqual([]);
  const seen = (): string[] => looked.splice(0).filter((path) => !path.startsWith(`${top}/cache`));
  seen();
  await first(["python"]);
  expect(seen()).toEqual([join(top, "first")]);
  const second = openIn("second");
  const others = await second(["python"]);
  expect(seen()).toEqual([join(top, "second"), join(top, "second/a.py")]);
  expect(asked).toBe(1);
  put(join(top, "second/b.py"), "def two():\n    pass\n");
  expect((await second(["python"])).has("two", "python")).toBe(true);
  expect((await first(["python"])).has("two", "python")).toBe(false);
  expect(others.has("deep", "python")).toBe(true);
});
