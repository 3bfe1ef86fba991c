import { expect, test } from "vitest";
import { type SourceFiles, SymbolUniverse } from "../../../src/structure/index.ts";

const sources = (files: Record<string, string>, reads: string[] = []): SourceFiles => ({
  list: () => Object.keys(files),
  read: (path) => {
    reads.push(path);
    return files[path] === undefined ? undefined : Buffer.from(files[path]);
  },
  stamp: (path) => `${files[path]?.length}`,
});

test("E-08 names come and go with the files that hold them", async () => {
  const universe = new SymbolUniverse();
  await universe.update(sources({ "a.py": "def one():\n    two()\n", "b.py": "one()\n" }));
  expect([universe.has("one", "python"), universe.isDefined("one", "python")]).toEqual([
    true,
    true,
  ]);
  expect([universe.has("two", "python"), universe.isDefined("two", "python")]).toEqual([
    true,
    false,
  ]);
  await universe.update(sources({ "b.py": "one()\n" }));
  expect([universe.has("one", "python"), universe.isDefined("one", "python")]).toEqual([
    true,
    false,
  ]);
  expect(universe.has("two", "python")).toBe(false);
  expect(universe.filesWith("one")).toEqual(["b.py"]);
});

test("E-08 what was read can be kept and taken up without reading it again", async () => {
  const universe = new SymbolUniverse();
  const files = { "a.py": "def one():\n    pass\n" };
  await universe.update(sources(files));
  await universe.addLibrary("python", "lib 1", sources({ "lib.py": "def far():\n    near()\n" }));
  const again = SymbolUniverse.restore(universe.serialize())!;
  const reads: string[] = [];
  await again.update(sources(files, reads));
  await again.addLibrary("python", "lib 1", sources({ "lib.py": "" }, reads));
  expect(reads).toEqual([]);
  expect(again.isDefined("one", "python")).toBe(true);
  expect([again.isDefined("far", "python"), again.isDefined("near", "python")]).toEqual([
    true,
    false,
  ]);
  expect(again.has("near", "python")).toBe(true);
  expect(again.serialize()).toBe(universe.serialize());
});

test("E-08 a kept text that is damaged or of another version is not taken up", () => {
  expect(SymbolUniverse.restore("{")).toBeUndefined();
  expect(SymbolUniverse.restore('{"version":0}')).toBeUndefined();
});

test("E-08 definitions of all kinds count", async () => {
  const universe = new SymbolUniverse();
  await universe.update(
    sources({
      "a.py": `class A:
    field_one: int
    field_two = 3
    def __init__(self, x):
        self.attr_one, self.attr_two = x
        self.attr_three: int = 1
def made(**kw): pass
made(keyword_one=2)
from x import (
    imported_one,
    imported_two as alias_two,
)
setattr(A, "string_one", 1)
T = namedtuple("T", "tuple_one tuple_two")
only_called(1)
a.only_member_called(b=1)
`,
      "b.ts": `export class B { fieldOne = 1; methodOne(a: number): void {} get getterOne() { return 1; } }
interface I { methodTwo(): void; propOne?: string }
const { destructuredOne, x: destructuredTwo } = y;
exports.assignedOne = 1;
const o = { keyOne: 1, methodThree() {}, 'stringKey': 2 };
z.onlyCalledHere(1);
`,
    }),
  );
  const defined = `field_one field_two attr_one attr_two attr_three made keyword_one imported_one
    imported_two alias_two string_one tuple_one tuple_two fieldOne methodOne getterOne methodTwo propOne
    destructuredOne destructuredTwo assignedOne keyOne methodThree stringKey`.split(/\s+/);
  expect(defined.filter((name) => !universe.isDefined(name, "python"))).toEqual([]);
  const called = ["only_called", "only_member_called", "onlyCalledHere"];
  expect(called.filter((name) => universe.isDefined(name, "python"))).toEqual([]);
});

test("E-08 a copy goes its own way, and neither sees the other's files", async () => {
  const universe = new SymbolUniverse();
  await universe.update(sources({ "a.py": "def one():\n    pass\n" }));
  const copy = universe.copy();
  copy.setFile("a.py", Buffer.from("def other():\n    pass\n"));
  universe.setFile("b.py", Buffer.from("def two():\n    other()\n"));
  const known = (all: SymbolUniverse) =>
    ["one", "other", "two"].map((name) => all.isDefined(name, "python"));
  expect([known(universe), known(copy)]).toEqual([
    [true, false, true],
    [false, true, false],
  ]);
  expect(universe.filesWith("other")).toEqual(["b.py"]);
  expect([...copy.functionNames()]).toEqual(["other"]);
  expect(copy.resolve("b", "a.py", "python")).toEqual({ kind: "unknown" });
});
