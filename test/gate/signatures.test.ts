import { expect, test } from "vitest";
import { judge, type Policy, treeOf, type Verdict, type Write } from "../../src/gate/index.ts";
import { signatures } from "../../src/gate/rules/signatures.ts";
import { SymbolUniverse } from "../../src/structure/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

const propose = async (
  writes: readonly Write[],
  files: Readonly<Record<string, string>>,
  policy: Policy = {},
): Promise<Verdict> => {
  const tree = treeOf(files);
  const universe = new SymbolUniverse();
  await universe.update({ list: () => Object.keys(files), read: (path) => tree.read(path) });
  const rule = signatures({
    universe: async () => universe,
    outlineOf: async (path) => {
      const bytes = tree.read(path);
      return bytes && analyser.outline(bytes, path);
    },
  });
  return judge({ writes }, { analyser, tree, policy, further: [{ name: "signatures", rule }] });
};

const auth = `class AuthService:
    def __init__(self, store):
        self.store = store

    def login(self, user):
        return user


def helper(x):
    return x
`;
const use = `from auth import AuthService, helper

service = AuthService(1)
service.login("a")
helper(2)
`;
const files = { "auth.py": auth, "use.py": use, "other.py": "def login():\n    return 1\n" };

test("E-08 another signature: every call by that name is listed with its place", async () => {
  const after = auth.replace("def login(self, user)", "def login(self, user, password)");
  const { verdict, notes } = await propose([{ path: "auth.py", after }], files);
  expect(verdict).toBe("allow");
  expect(notes).toMatchObject([
    { code: "SIGNATURE_CHANGED", path: "auth.py", symbol: "AuthService.login" },
  ]);
  expect(notes[0]!.message).toContain("1 call by that name: use.py:4");
});

test("E-08 a policy may refuse another signature", async () => {
  const after = auth.replace("def login(self, user)", "def login(self, user, password)");
  const strict: Policy = { levelOf: (rule) => (rule === "signatures" ? "deny" : undefined) };
  const { verdict, reasons } = await propose([{ path: "auth.py", after }], files, strict);
  expect(verdict).toBe("deny");
  expect(reasons).toMatchObject([{ code: "SIGNATURE_CHANGED" }]);
});

test("E-08 another constructor: calls of the class are listed", async () => {
  const after = auth.replace("__init__(self, store)", "__init__(self, store, clock)");
  const { notes } = await propose([{ path: "auth.py", after }], files);
  expect(notes[0]).toMatchObject({ code: "SIGNATURE_CHANGED" });
  expect(notes[0]!.message).toContain("use.py:3");
});

test("E-08 something removed that is still called: told; moved or no longer called: not", async () => {
  const after = auth.slice(0, auth.indexOf("\n\ndef helper"));
  const { verdict, notes } = await propose([{ path: "auth.py", after }], files);
  expect(verdict).toBe("allow");
  expect(notes).toMatchObject([{ code: "SYMBOL_REMOVED", symbol: "helper" }]);
  expect(notes[0]!.message).toContain("use.py:5");
  const moved = { path: "tools.py", after: "def helper(x):\n    return x\n" };
  expect((await propose([{ path: "auth.py", after }, moved], files)).notes).toEqual([]);
  const silent = { path: "use.py", after: use.replace("helper(2)", "pass") };
  expect((await propose([{ path: "auth.py", after }, silent], files)).notes).toEqual([]);
});

test("E-08 a deleted file counts for what was in it", async () => {
  const { notes } = await propose([{ path: "auth.py", after: null }], files);
  expect(notes.map(({ code, symbol }) => `${code} ${symbol}`)).toEqual([
    "SYMBOL_REMOVED AuthService",
    "SYMBOL_REMOVED helper",
  ]);
});

test("E-08 at most twenty calls are listed, and that there are more is said", async () => {
  const many = `from auth import helper\n${"helper(1)\n".repeat(30)}`;
  const after = auth.replace("def helper(x)", "def helper(x, y)");
  const { notes } = await propose([{ path: "auth.py", after }], { ...files, "many.py": many });
  expect(notes[0]!.message).toContain("20 or more calls");
  expect(notes[0]!.message.match(/\.py:\d+/g)).toHaveLength(20);
});

test("E-08 a changed body alone is nothing to tell", async () => {
  const after = auth.replace("return user", "return [user]");
  expect((await propose([{ path: "auth.py", after }], files)).notes).toEqual([]);
});
