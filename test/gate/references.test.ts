import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { judge, type JudgeStage, treeOf, type Verdict, type Write } from "../../src/gate/index.ts";
import { references } from "../../src/gate/rules/references.ts";
import { type Checker, createChecker, SymbolUniverse } from "../../src/structure/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();
let root: string;
let types: Checker;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "headgate-references-"));
  types = createChecker({ root, budgetMs: 280_000 });
});
afterAll(() => {
  types.close();
  rmSync(root, { recursive: true, force: true });
});

interface Setting {
  readonly files: Readonly<Record<string, string>>;
  readonly library?: Readonly<Record<string, string>>;
  readonly checker?: Checker;
  readonly overrides?: { code: string; reason: string }[];
  readonly stage?: JudgeStage;
}

const propose = async (writes: readonly Write[], setting: Setting): Promise<Verdict> => {
  const { files, library = {}, checker, overrides = [], stage = "edit" } = setting;
  const tree = treeOf(files);
  const universe = new SymbolUniverse();
  await universe.update({ list: () => Object.keys(files), read: (path) => tree.read(path) });
  const libraries = treeOf(library);
  for (const family of ["python", "script"] as const) {
    await universe.addLibrary(family, "library", {
      list: () => Object.keys(library),
      read: (path) => libraries.read(path),
    });
  }
  const rule = references({
    universe: async () => universe,
    outlineOf: async (path) => {
      const bytes = tree.read(path);
      return bytes && analyser.outline(bytes, path);
    },
    ...(checker && { checker }),
  });
  const further = [{ name: "references", rule }] as const;
  const asksTypes = checker !== undefined;
  return judge({ writes, overrides }, { analyser, tree, policy: {}, further, asksTypes, stage });
};

const auth = `class AuthService:
    def login(self, user):
        return user
`;

describe("E-08 calls in the gate", () => {
  test.each([
    ["module.exports = class A extends Emitter {", "};"],
    ["exports.A = class extends Emitter {", "};"],
    ["exports.A = class A extends Emitter {", "};"],
    ["const A = class extends Emitter {", "};"],
    ["class A extends Emitter {", "}"],
  ])("E-08 a member of the base class is none that is missing: %s", async (head, end) => {
    const before = `const Emitter = require("events");\n${head}\n  on() {\n    return 1;\n  }\n${end}\n`;
    const after = before.replace("return 1", 'return this.listenerCount("error")');
    const setting = { files: { "a.js": before }, stage: "commit" } as const;
    expect(await propose([{ path: "a.js", after }], setting)).toMatchObject({
      verdict: "allow",
      notes: [],
    });
    const own = await propose(
      [{ path: "a.js", after: after.replace(/ extends Emitter/, "") }],
      setting,
    );
    expect(own.reasons.map(({ code }) => code)).toEqual(["CALL_UNKNOWN"]);
  });

  const after = `${auth}
    def again(self, user):
        return self.log_in(user)
`;

  test("E-08 E-23 a slip is asked about with its line, the nearest names and what to do", async () => {
    const files = { "auth.py": auth };
    const { verdict, confirm, reasons } = await propose([{ path: "auth.py", after }], { files });
    expect(verdict).toBe("deny");
    expect(confirm).toBe(true);
    expect(reasons).toMatchObject([
      { code: "CALL_UNKNOWN", path: "auth.py", line: 6, symbol: "AuthService.again" },
    ]);
    expect(reasons[0]!.message).toContain("nearest: self.login (auth.py:2)");
    expect(reasons[0]!.remedy).toBe(
      "Call self.login if that was meant. Repeat the same edit if you are about to add 'self.log_in'.",
    );
    const late = await propose([{ path: "auth.py", after }], { files, stage: "commit" });
    expect(late).toMatchObject({ verdict: "deny", reasons: [{ missing: "self.log_in" }] });
    expect(late.confirm).toBeUndefined();
  });

  test("E-23 the call comes before the helper: noted at the edit, refused at the commit", async () => {
    const files = { "auth.py": auth };
    const writes = [{ path: "auth.py", after: after.replace("log_in", "remember_device") }];
    const early = await propose(writes, { files });
    expect(early).toMatchObject({
      verdict: "allow",
      notes: [{ code: "CALL_UNKNOWN", line: 6, missing: "self.remember_device" }],
    });
    const late = await propose(writes, { files, stage: "commit" });
    expect(late).toMatchObject({ verdict: "deny", reasons: [{ code: "CALL_UNKNOWN", line: 6 }] });
  });

  test("E-08 no edit of the project can add a member of a library: refused at the edit", async () => {
    const library = { "os.py": "def makedirs(name):\n    pass\n", "node.js": "exports.x = 1\n" };
    const files = { "a.py": "X = 1\n", "a.js": "const x = 1;\n" };
    const python = { path: "a.py", after: "import os\n\nos.makedirrs_all('x')\n" };
    const script = { path: "a.js", after: "JSON.stringfy(1);\n" };
    for (const write of [python, script]) {
      const { verdict, confirm } = await propose([write], { files, library });
      expect([write.path, verdict, confirm]).toEqual([write.path, "deny", undefined]);
    }
  });

  test("E-08 the writer's word passes it, and says so", async () => {
    const { verdict, notes } = await propose([{ path: "auth.py", after }], {
      files: { "auth.py": auth },
      overrides: [{ code: "CALL_UNKNOWN", reason: "made by the framework" }],
    });
    expect(verdict).toBe("allow");
    expect(notes[0]!.message).toContain("made by the framework");
  });

  test("E-08 a file that does not parse is refused for that alone", async () => {
    const files = { "auth.py": auth };
    const broken = `${after}\n    def (\n`;
    const { reasons } = await propose([{ path: "auth.py", after: broken }], { files });
    expect(reasons.map(({ code }) => code)).not.toContain("CALL_UNKNOWN");
  });

  test("E-08 a function that is defined elsewhere but not imported: import it", async () => {
    const files = { "auth.py": auth, "use.py": "X = 1\n" };
    const write = { path: "use.py", after: "X = 1\nAuthService().login(X)\n" };
    expect(await propose([write], { files })).toMatchObject({ verdict: "allow" });
    const { reasons } = await propose([write], { files, stage: "commit" });
    expect(reasons).toMatchObject([{ code: "CALL_UNKNOWN", line: 2 }]);
    expect(reasons[0]!.message).toContain("AuthService (auth.py:1)");
    expect(reasons[0]!.remedy).toContain("Import it");
  });

  test("E-08 definition and call in two files of one proposal pass", async () => {
    const files = { "auth.py": auth, "use.py": "X = 1\n" };
    const writes = [
      { path: "auth.py", after: `${auth}\n    def brand_new(self):\n        pass\n` },
      {
        path: "use.py",
        after: "from auth import AuthService\n\nservice = AuthService()\nservice.brand_new()\n",
      },
    ];
    const stage = "commit";
    expect((await propose(writes, { files, stage })).verdict).toBe("allow");
    expect((await propose(writes.slice(1), { files, stage })).verdict).toBe("deny");
  });
});

describe("E-08 the type checker's word in the gate", () => {
  const shape =
    "export class Shape {\n  area(): number {\n    return 1;\n  }\n}\nexport class Other {\n  volume(): void {}\n}\n";
  const files = { "shape.ts": shape, "use.ts": "", "tsconfig.json": "{}" };
  const put = (): void => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  };

  test("E-08 a member that exists in the project, but not on this type, is refused by types alone", async () => {
    put();
    const after =
      'import { Shape } from "./shape.js";\nexport const show = (s: Shape) => s.volume();\n';
    const writes = [{ path: "use.ts", after }];
    expect((await propose(writes, { files })).verdict).toBe("allow");
    const {
      verdict,
      reasons,
      files: judged,
    } = await propose(writes, { files, checker: types, stage: "commit" });
    expect(judged.at(-1)!.coverage.types).toEqual({ state: "live", by: "typescript 7" });
    expect(verdict).toBe("deny");
    expect(reasons).toMatchObject([{ code: "CALL_UNKNOWN", line: 2 }]);
    expect(reasons[0]!.message).toMatch(/s\.volume.*typescript 7/);
  });

  test("E-08 a member that the types of a library leave out but its source names is a note", async () => {
    put();
    const library = { "lib/index.js": "exports.x = { toSortedInPlace() {} }" };
    const after = "const list = [1];\nlist.toSortedInPlace();\n";
    const setting = { files, library, checker: types };
    const { verdict, notes } = await propose([{ path: "use.ts", after }], setting);
    expect(verdict).toBe("allow");
    expect(notes).toMatchObject([{ code: "CALL_UNKNOWN", line: 2 }]);
    expect(notes[0]!.message).toContain("sources do not confirm it");
  });

  test("E-08 what another file of the proposal defines is not refused by types", async () => {
    put();
    const writes = [
      { path: "shape.ts", after: shape.replace("area()", "perimeter()") },
      {
        path: "use.ts",
        after:
          'import { Shape } from "./shape.js";\nexport const show = (s: Shape) => s.perimeter();\n',
      },
    ];
    expect((await propose(writes, { files, checker: types })).verdict).toBe("allow");
  });

  test("E-08 a member that a mixin's host defines is not refused, whatever pyright says", async () => {
    const python = {
      "mixin.py": "class Mixin:\n    def go(self):\n        pass\n",
      "host.py":
        "from mixin import Mixin\n\nclass Base:\n    def fetch(self):\n        pass\n\nclass Host(Mixin, Base):\n    pass\n",
      "lone.py": "class Lone:\n    def go(self):\n        pass\n",
    };
    for (const [path, text] of Object.entries(python)) writeFileSync(join(root, path), text);
    const edit = (path: "mixin.py" | "lone.py") => [
      { path, after: python[path].replace("pass", "self.fetch()") },
    ];
    const setting = { files: python, checker: types, stage: "commit" } as const;
    const mixed = await propose(edit("mixin.py"), setting);
    expect(mixed.verdict).toBe("allow");
    expect(mixed.notes).toMatchObject([{ code: "CALL_UNKNOWN" }]);
    expect((await propose(edit("lone.py"), setting)).verdict).toBe("deny");
  });

  test("E-08 without an answer in time the verdict says that types were not checked", async () => {
    put();
    const hasty = createChecker({ root, budgetMs: 0 });
    const after = 'import { Shape } from "./shape.js";\nnew Shape().area();\n';
    const { verdict, notes } = await propose([{ path: "use.ts", after }], {
      files,
      checker: hasty,
    });
    hasty.close();
    expect(verdict).toBe("allow");
    expect(notes).toMatchObject([{ code: "TYPES_NOT_PROVEN" }]);
  });
});
