import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHeadgate, type Operation } from "../../src/index.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const root = resolve(import.meta.dirname, "../..");
const file = "src/structure/find-duplicates.ts";

/** A copy of the analyzer, with just enough around it to run its own tests. */
const copyOfAnalyzer = (): string => {
  const repo = makeRepository(temporaryFolder());
  for (const path of ["src/structure", "src/base", "src/error-codes", "grammars"]) {
    cpSync(join(root, path), join(repo, path), { recursive: true });
  }
  for (const path of ["src/errors.ts", "src/error-codes.ts", "package.json"]) {
    cpSync(join(root, path), join(repo, path));
  }
  mkdirSync(join(repo, "test/structure"), { recursive: true });
  cpSync(
    join(root, "test/structure/region-diff.test.ts"),
    join(repo, "test/structure/own.test.ts"),
  );
  symlinkSync(join(root, "node_modules"), join(repo, "node_modules"));
  return repo;
};

const edits: readonly (readonly Operation[])[] = [
  [
    {
      do: "add",
      file,
      code: "/** How many there are. */\nexport const countDuplicates = (found: readonly Duplicate[]): number => found.length;\n",
    },
  ],
  [
    {
      do: "modify",
      file,
      symbol: "countDuplicates",
      code: 'export const countDuplicates = (found: readonly Duplicate[]): number => {\n  return found.filter(({ kind }) => kind === "symbol").length;\n};\n',
    },
  ],
  [{ do: "rename", file, symbol: "countDuplicates", to: "countSymbols" }],
  [
    {
      do: "replace",
      file: "src/structure/index.ts",
      old: "export { findDuplicates, newDuplicates }",
      new: "export { countSymbols, findDuplicates, newDuplicates }",
    },
  ],
  [
    {
      do: "replace",
      file: "src/structure/index.ts",
      old: "export { countSymbols, findDuplicates, newDuplicates }",
      new: "export { findDuplicates, newDuplicates }",
    },
    { do: "remove", file, symbol: "countSymbols" },
  ],
];

describe("the analyzer edits itself", () => {
  it("E-12 five edits of its own source, tests green each time", { timeout: 300_000 }, async () => {
    const repo = copyOfAnalyzer();
    const before = readFileSync(join(repo, file), "utf8");
    const headgate = await openHeadgate({ repo, actor: "self" });
    onTestFinished(() => headgate.close());
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const verify = [process.execPath, vitest, "run", "--root", repo, "test/structure/own.test.ts"];
    for (const operations of edits) {
      const result = await headgate.edit.edit({ operations, verify, reason: "E-12" });
      expect(result, JSON.stringify(result).slice(0, 2000)).toMatchObject({ ok: true });
    }
    expect(readFileSync(join(repo, file), "utf8")).toBe(before);
    // And what exists cannot be added again.
    const [code = ""] = /const idOf[^]*?;\n/.exec(before) ?? [];
    const again = await headgate.edit.edit({ operations: [{ do: "add", file, code }] });
    expect(again).toMatchObject({
      ok: false,
      code: expect.stringMatching(/DUPLICATE_SYMBOL|SYNTAX_ERROR/),
    });
    expect(await headgate.edit.history()).toHaveLength(edits.length);
  });
});

describe("an edit of very many files", () => {
  it("E-11 is written under one claim on the folder around them", async () => {
    const repo = makeRepository(temporaryFolder());
    const headgate = await openHeadgate({ repo, actor: "self" });
    onTestFinished(() => headgate.close());
    const operations = Array.from({ length: 80 }, (_, index): Operation => ({
      do: "create",
      file: `src/deep/f${index}.txt`,
      content: `${index}\n`,
    }));
    expect(await headgate.edit.edit({ operations })).toMatchObject({ ok: true });
    expect(readFileSync(join(repo, "src/deep/f79.txt"), "utf8")).toBe("79\n");
    const { events } = await headgate.events.page({ kind: "claim.granted" });
    expect(events.map(({ data }) => data["target"])).toEqual(["src/deep"]);
  });
});
