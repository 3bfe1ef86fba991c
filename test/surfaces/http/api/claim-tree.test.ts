import { describe, expect, it } from "vitest";
import { claimTree, partsOf } from "../../../../src/surfaces/http/api/claim-tree.ts";

const open = { fold: "open", except: new Set<string>() } as const;
const tree = (targets: readonly string[], folding: Parameters<typeof claimTree>[1] = open) =>
  claimTree(
    targets.map((target, index) => ({ id: `cl_${index}`, target })),
    folding,
  );
const shown = (targets: readonly string[]): string[] =>
  tree(targets).map(
    ({ depth, name, kind, claim }) => `${"  ".repeat(depth)}${name} ${kind}${claim ? " *" : ""}`,
  );

describe("the tree of claims", () => {
  it("shows folders, files and symbols, folders first and resources last", () => {
    expect(
      shown([
        "name:dev-server",
        "z.md",
        "src/a.ts#A.f",
        "src/a.ts#B",
        "src/deep/er/x.ts",
        "@git/index",
      ]),
    ).toEqual([
      "src folder",
      "  deep/er folder",
      "    x.ts file *",
      "  a.ts file",
      "    A.f symbol *",
      "    B symbol *",
      "z.md file *",
      "git group",
      "  index resource *",
      "named resources group",
      "  dev-server resource *",
    ]);
  });

  it("joins what has a single child, and never hides a claim by it", () => {
    expect(shown(["a/b/c/d.ts#E.f"])).toEqual(["a/b/c folder", "  d.ts#E.f symbol *"]);
    expect(shown(["a/b", "a/b/c/d.ts"])).toEqual(["a/b folder *", "  c folder", "    d.ts file *"]);
  });

  it("shows each of several shared claims on one target", () => {
    const rows = tree(["a.ts", "a.ts"]);
    expect(rows.map(({ name, claim }) => [name, claim?.id])).toEqual([
      ["a.ts", "cl_0"],
      ["a.ts", "cl_1"],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
  });

  it.each([
    ["src/**/*.ts", ["src", "**/*.ts"]],
    ["src/{a/b,c}/x", ["src", "{a/b,c}/x"]],
    ["a\\*b/c\\#d#S", ["a*b", "c#d", "S"]],
    ["x.ts#A\\.b.c", ["x.ts", "A.b", "c"]],
    [".", ["."]],
  ])("reads %s as %j", (target, names) => {
    expect(partsOf(target).map(({ name }) => name)).toEqual(names);
  });

  it("folds by key, in both directions, and counts what is folded away", () => {
    const targets = ["src/a.ts", "src/b.ts", "docs/c.md"];
    const key = tree(targets).find(({ name }) => name === "src")!.key;
    const folded = tree(targets, { fold: "open", except: new Set([key]) });
    expect(folded.map(({ name, count, isOpen }) => [name, count, isOpen])).toEqual([
      ["docs", 1, true],
      ["c.md", 1, undefined],
      ["src", 2, false],
    ]);
    const closed = tree(targets, { fold: "closed", except: new Set([key]) });
    expect(closed.map(({ name }) => name)).toEqual(["docs", "src", "a.ts", "b.ts"]);
  });

  it("has a row for every claim of ten thousand", () => {
    const targets = Array.from({ length: 10_000 }, (_, n) => `d${n % 100}/e${n % 7}/f${n}.ts`);
    expect(tree(targets).filter(({ claim }) => claim)).toHaveLength(10_000);
  });
});
