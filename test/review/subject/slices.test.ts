import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Hunk, sliceSubject, type SubjectFile } from "../../../src/review/index.ts";

const hunk = (newStart: number, lines: readonly string[]): Hunk => ({
  ...{ oldStart: newStart, newStart, section: "", lines },
  oldLines: lines.filter((line) => !line.startsWith("+")).length,
  newLines: lines.filter((line) => !line.startsWith("-")).length,
});

const changed = (path: string, ...sizes: number[]): SubjectFile => ({
  ...{ path, status: "modified" },
  hunks: sizes.map((size, at) =>
    hunk(
      at * 1000 + 1,
      Array.from({ length: size }, (_, line) => `+${path} ${at} ${line}`),
    ),
  ),
});

const held = (files: readonly SubjectFile[]) =>
  files.map(({ path, hunks }) => `${path} ${hunks.map(({ newStart }) => newStart).join(",")}`);

describe("V-01 slices of large subjects", () => {
  it("a small subject is one slice, with nothing elsewhere", () => {
    const [slice, ...rest] = sliceSubject({ files: [changed("a.ts", 3)] }, { charactersMax: 9000 });
    expect(rest).toEqual([]);
    expect(slice).toMatchObject({ number: 1, of: 1, elsewhere: [] });
  });

  it("keeps a source and its test together, and says what the others hold", () => {
    const files = [
      "lib/z.ts",
      "src/queue/retry.ts",
      "src/store/open.ts",
      "test/queue/retry.test.ts",
    ];
    const slices = sliceSubject(
      { files: files.map((path) => changed(path, 20)) },
      { charactersMax: 1900 },
    );
    expect(slices.map((slice) => slice.files.map(({ path }) => path))).toEqual([
      ["lib/z.ts"],
      ["src/queue/retry.ts", "test/queue/retry.test.ts"],
      ["src/store/open.ts"],
    ]);
    expect(slices[0]?.elsewhere).toEqual([
      { path: "src/queue/retry.ts", slices: [2] },
      { path: "src/store/open.ts", slices: [3] },
      { path: "test/queue/retry.test.ts", slices: [2] },
    ]);
  });

  it("cuts between hunks, and inside one only when it is larger than a slice", () => {
    const slices = sliceSubject({ files: [changed("a.ts", 10, 10, 60)] }, { charactersMax: 800 });
    expect(slices.map(({ files }) => held(files))).toEqual([
      ["a.ts 1,1001"],
      ["a.ts 2001"],
      ["a.ts 2027"],
    ]);
    const lines = slices.slice(1).flatMap(({ files }) => files[0]?.hunks[0]?.lines ?? []);
    expect(new Set(lines).size).toBe(60);
    expect(lines.length).toBeGreaterThan(60);
  });

  it("cuts whole files by lines that keep their numbers", () => {
    const after = Array.from({ length: 200 }, (_, at) => `line ${at + 1}`).join("\n");
    const file: SubjectFile = { path: "a.md", status: "whole", hunks: [], after };
    const slices = sliceSubject({ files: [file] }, { charactersMax: 1000 });
    expect(slices.length).toBeGreaterThan(3);
    for (const { files } of slices) {
      const [only] = files[0]!.hunks;
      expect(only?.lines[0]).toBe(` line ${only?.newStart}`);
    }
  });

  it("loses nothing, keeps the bound, and does not depend on the order of the files", () => {
    const file = fc
      .tuple(
        fc.constantFrom("src/a", "test/a", "src/b", "lib/c"),
        fc.nat(40),
        fc.array(fc.integer({ min: 1, max: 90 }), { maxLength: 4 }),
      )
      .map(([folder, number, sizes]) => changed(`${folder}/f${number}.ts`, ...sizes));
    const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 12 });
    fc.assert(
      fc.property(files, fc.integer({ min: 300, max: 5000 }), (all, charactersMax) => {
        const slices = sliceSubject({ files: all }, { charactersMax });
        expect(sliceSubject({ files: all.toReversed() }, { charactersMax })).toEqual(slices);
        for (const { characters } of slices) expect(characters).toBeLessThanOrEqual(charactersMax);
        const lines = new Set(slices.flatMap((slice) => slice.files).flatMap(linesOf));
        expect(lines).toEqual(new Set(all.flatMap(linesOf)));
        const seen = new Set(slices.flatMap((slice) => slice.files.map(({ path }) => path)));
        expect(seen).toEqual(new Set(all.map(({ path }) => path)));
        for (const { hunks } of slices.flatMap((slice) => slice.files)) {
          for (const { lines: own, newStart } of hunks) {
            // Each line of the test's files says where it stands.
            expect(Number(own[0]?.split(" ")[2])).toBe((newStart - 1) % 1000);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("what the others hold is said in each slice, and kept once for all of them", () => {
    const files = Array.from({ length: 400 }, (_, at): SubjectFile => {
      return { path: `src/f${at}.ts`, status: "whole", hunks: [], after: "a();\n".repeat(100) };
    });
    const slices = sliceSubject({ files }, { charactersMax: 2_000 });
    expect(slices).toHaveLength(400);
    for (const { elsewhere } of slices) expect(elsewhere).toHaveLength(399);
    expect(new Set(slices.flatMap(({ elsewhere = [] }) => elsewhere)).size).toBe(400);
  });
});

const linesOf = ({ hunks }: SubjectFile): readonly string[] => hunks.flatMap(({ lines }) => lines);
