import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { judge, treeOf } from "../../src/gate/index.ts";
import { drawing } from "../helpers/seed.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const analyser = sharedAnalyser();

/** Every line is there once, so that it says where it comes from. */
interface Source {
  readonly imports: readonly string[];
  readonly functions: readonly (readonly [name: string, value: string])[];
  readonly list: readonly string[];
}

const textOf = ({ imports, functions, list }: Source): string =>
  [
    ...imports.map((name) => `import { ${name} } from "./${name}.ts";\n`),
    ...functions.map(([name, value]) => `\nexport function ${name}() {\n  return "${value}";\n}\n`),
    `\nexport const list = [\n${list.map((one) => `  "${one}",\n`).join("")}];\n`,
  ].join("");

const base: Source = {
  imports: ["a", "b", "c"],
  functions: [1, 2, 3, 4].map((at) => [`f${at}`, `old ${at}`] as const),
  list: ["one", "two", "three"],
};

const put = <T>(all: readonly T[], at: number, one: T): readonly T[] => {
  const place = at % (all.length + 1);
  return [...all.slice(0, place), one, ...all.slice(place)];
};

type Edit = (source: Source) => Source;

/** What both may do alike is called "both"; the rest is a side's own. */
const editsOf = (side: string): fc.Arbitrary<Edit> => {
  const at = fc.nat({ max: 5 });
  const who = fc.constantFrom(side, "both");
  return fc.oneof(
    fc.tuple(at, who).map(
      ([place, name]): Edit =>
        (one) =>
          one.imports.includes(name) ? one : { ...one, imports: put(one.imports, place, name) },
    ),
    fc.tuple(at, who).map(
      ([place, name]): Edit =>
        (one) =>
          one.functions.some(([known]) => known === `new_${name}`)
            ? one
            : { ...one, functions: put(one.functions, place, [`new_${name}`, `new ${name}`]) },
    ),
    fc.tuple(at, who).map(
      ([place, name]): Edit =>
        (one) =>
          one.list.includes(name) ? one : { ...one, list: put(one.list, place, name) },
    ),
    fc.tuple(fc.integer({ min: 1, max: 4 }), who).map(([number, name]): Edit => (one) => ({
      ...one,
      functions: one.functions.map(([known, value]) =>
        known === `f${number}` ? [known, `${name} ${number}`] : [known, value],
      ),
    })),
    fc.integer({ min: 1, max: 4 }).map((number): Edit => (one) => ({
      ...one,
      functions: one.functions.filter(([name]) => name !== `f${number}`),
    })),
  );
};

const sideOf = (name: string): fc.Arbitrary<string> =>
  fc
    .array(editsOf(name), { minLength: 1, maxLength: 3 })
    .map((edits) => textOf(edits.reduce((source, edit) => edit(source), base)));

const linesIn = (text: string): string[] =>
  text.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line));

const expected = (old: string, ours: string, theirs: string): string[] => {
  const [before, mine, other] = [old, ours, theirs].map((text) => new Set(linesIn(text))) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ];
  const kept = [...before].filter((line) => mine.has(line) && other.has(line));
  const added = [...mine, ...other].filter((line) => !before.has(line));
  return [...new Set([...kept, ...added])].toSorted();
};

it("E-07 a stale view is merged without a line lost or there twice, as git does it, or refused", () =>
  drawing(async (seed) => {
    const folder = temporaryFolder();
    const old = textOf(base);
    const counts = { asGit: 0, joined: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(sideOf("ours"), sideOf("theirs"), async (ours, theirs) => {
        const verdict = await judge(
          { writes: [{ path: "a.ts", before: old, after: ours }] },
          { analyser, tree: treeOf({ "a.ts": theirs }), policy: {} },
        );
        if (verdict.verdict === "deny") {
          counts.refused += 1;
          return;
        }
        const merged = verdict.files[0]?.merged;
        const text = merged ? Buffer.from(merged).toString() : ours;
        const wanted = expected(old, ours, theirs);
        expect(linesIn(text).toSorted()).toEqual(wanted);
        const git = gitMerge(folder, { ours, old, theirs });
        // Where both add a line at two places, git keeps both of them.
        const isSame = git !== undefined && linesIn(git).length === wanted.length;
        // Of two insertions at one place either may come first.
        if (isSame) expect(text.split("\n").toSorted()).toEqual(git.split("\n").toSorted());
        counts[isSame ? "asGit" : "joined"] += 1;
      }),
      { numRuns: 50, seed },
    );
    console.log(`seed ${seed}:`, counts);
    expect(Math.min(counts.asGit, counts.refused)).toBeGreaterThan(0);
  }));

const gitMerge = (folder: string, all: Record<"ours" | "old" | "theirs", string>) => {
  const paths = Object.entries(all).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
  const { status, stdout } = spawnSync("git", ["merge-file", "-p", ...paths], { encoding: "utf8" });
  return status === 0 ? stdout : undefined;
};
