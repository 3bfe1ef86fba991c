import { afterAll, describe, expect, it } from "vitest";
import { Analyser, diffRegions, type RegionDiff } from "../../src/structure/index.ts";

const analyser = new Analyser();
afterAll(() => analyser.close());

const diff = async (
  before: string | undefined,
  after: string | undefined,
  name = "a.py",
): Promise<RegionDiff> => {
  const read = (text: string | undefined) =>
    text === undefined ? undefined : analyser.outline(text, name);
  return diffRegions(await read(before), await read(after));
};

const source = `import os

LIMIT = 3


class A:
    """Doc."""

    def f(self, x):
        return x

    def g(self):
        return 2


print(LIMIT)
`;
const nothing = {
  added: [],
  removed: [],
  changed: [],
  resigned: [],
  imports: false,
  moduleLevel: false,
};

describe("what changed between two versions", () => {
  it("E-01 nothing, and blank lines only", async () => {
    expect(await diff(source, source)).toEqual(nothing);
    expect(await diff(source, source.replace("\n\n    def g", "\n\n\n    def g"))).toEqual(nothing);
  });

  it("E-01 the body of a method is that method's change, not its class's", async () => {
    expect(await diff(source, source.replace("return 2", "return 3"))).toEqual({
      ...nothing,
      changed: ["A.g"],
    });
  });

  it("E-01 a signature is told apart from a body", async () => {
    expect(await diff(source, source.replace("(self, x)", "(self, x, y)"))).toEqual({
      ...nothing,
      changed: ["A.f"],
      resigned: ["A.f"],
    });
  });

  it("E-01 adding and removing a method does not change its class", async () => {
    const more = source.replace("return 2\n", "return 2\n\n    def h(self):\n        return 3\n");
    expect(await diff(source, more)).toEqual({ ...nothing, added: ["A.h"] });
    expect(await diff(more, source)).toEqual({ ...nothing, removed: ["A.h"] });
  });

  it("E-01 imports, module level and a class's own text", async () => {
    expect(await diff(source, source.replace("import os", "import os, sys"))).toMatchObject({
      imports: true,
      moduleLevel: false,
    });
    expect(await diff(source, source.replace("print(LIMIT)", "print(1)"))).toEqual({
      ...nothing,
      moduleLevel: true,
    });
    expect(await diff(source, source.replace("Doc.", "Other."))).toMatchObject({ changed: ["A"] });
  });

  it("E-01 an import inside a symbol ends where it ends, the symbol does not", async () => {
    const lua = `local part = require("whole").part\nprint(part)\n`;
    expect(await diff(lua, lua.replace(").part", ").other"), "a.lua")).toEqual({
      ...nothing,
      changed: ["part"],
      resigned: ["part"],
    });
  });

  it("E-14 lines may end as on old Macs", async () => {
    const old = source.replaceAll("\n", "\r");
    expect(await diff(old, old.replace("return 2", "return 3"))).toEqual({
      ...nothing,
      changed: ["A.g"],
    });
  });

  it("E-01 a new file and a deleted one", async () => {
    expect((await diff(undefined, source)).added).toEqual(["LIMIT", "A", "A.f", "A.g"]);
    expect((await diff(source, undefined)).removed).toEqual(["LIMIT", "A", "A.f", "A.g"]);
  });
});
