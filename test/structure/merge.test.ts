import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { merge3 } from "../../src/structure/index.ts";
import { drawing } from "../helpers/seed.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const base = "a\nb\nc\nd\ne\n";

describe("three-way merge", () => {
  it("E-07 brings changes of different lines together", () => {
    expect(merge3(base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n")).toEqual({
      ok: true,
      text: "A\nb\nc\nd\nE\n",
    });
  });

  it("E-07 keeps both additions at one place, the one that was there first before the other", () => {
    expect(merge3(base, "a\nb\nmine\nc\nd\ne\n", "a\nb\ntheirs\nc\nd\ne\n")).toEqual({
      ok: true,
      text: "a\nb\ntheirs\nmine\nc\nd\ne\n",
    });
  });

  it("E-07 shows both versions of a line that both changed", () => {
    expect(merge3(base, "a\nb\nmine\nd\ne\n", "a\nb\ntheirs\nd\ne\n")).toEqual({
      ok: false,
      line: 3,
      ours: "mine\n",
      theirs: "theirs\n",
    });
  });

  it("E-07 a deletion and a change of the same line are a conflict", () => {
    expect(merge3(base, "a\nb\nd\ne\n", "a\nb\nC\nd\ne\n").ok).toBe(false);
  });

  it("E-07 the same change by both is made once", () => {
    const changed = "a\nb\nX\nd\ne\n";
    expect(merge3(base, changed, changed)).toEqual({ ok: true, text: changed });
  });

  it("E-14 line endings and a missing last one are kept", () => {
    expect(merge3("a\r\nb\r\nc", "x\r\na\r\nb\r\nc", "a\r\nb\r\nC")).toEqual({
      ok: true,
      text: "x\r\na\r\nb\r\nC",
    });
  });

  it("E-07 whoever changed nothing gets the other's version, whatever it is", () => {
    const text = fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d"), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, two) => {
        const [old, now] = [one.join(""), two.join("")];
        expect(merge3(old, old, now)).toEqual({ ok: true, text: now });
        expect(merge3(old, now, old)).toEqual({ ok: true, text: now });
        expect(merge3(old, now, now)).toEqual({ ok: true, text: now });
      }),
      { numRuns: 2000 },
    );
  });

  it("E-07 what git merges comes out the same, and never is a line lost or there twice", () =>
    drawing((seed) => {
      const folder = temporaryFolder();
      const counts = { clean: 0, joined: 0, refused: 0 };
      fc.assert(
        fc.property(versions, ({ old, ours, theirs }) => {
          const merged = merge3(old.join(""), ours.join(""), theirs.join(""));
          const git = gitMerge(folder, { old, ours, theirs });
          if (git !== undefined) {
            counts.clean += 1;
            expect(merged).toEqual({ ok: true, text: git });
          } else if (merged.ok) {
            counts.joined += 1;
            const lines = merged.text.split("\n").slice(0, -1);
            expect(lines.toSorted()).toEqual(expected({ old, ours, theirs }));
          } else counts.refused += 1;
        }),
        { numRuns: 300, seed },
      );
      console.log(`seed ${seed}:`, counts);
      expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
    }));
});

interface Versions {
  readonly old: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** Lines are all different, so that a line says where it comes from; both sides draw from the same new ones. */
const versions = fc
  .integer({ min: 2, max: 8 })
  .chain((length) => {
    const old = Array.from({ length }, (_, index) => `base ${index}\n`);
    const news = fc.subarray(["new 1\n", "new 2\n", "new 3\n"]);
    const edit = fc.record({ at: fc.nat({ max: length }), remove: fc.nat({ max: 2 }), add: news });
    const own = (name: string) =>
      fc
        .tuple(edit, fc.subarray([`${name} 1\n`, `${name} 2\n`]))
        .map(([{ at, remove, add }, more]) => [
          ...old.slice(0, at),
          ...add,
          ...more,
          ...old.slice(at + remove),
        ]);
    return fc.record({ old: fc.constant(old), ours: own("ours"), theirs: own("theirs") });
  })
  // The same line at two places is somebody's intention, as far as text can tell.
  .filter(({ old, ours, theirs }) => {
    const places = (side: readonly string[]) =>
      new Map(
        side.flatMap((line, index) =>
          line.startsWith("new")
            ? [[line, side.slice(0, index).findLast((one) => old.includes(one))]]
            : [],
        ),
      );
    const [mine, other] = [places(ours), places(theirs)];
    return [...mine].every(([line, place]) => !other.has(line) || other.get(line) === place);
  });

const expected = ({ old, ours, theirs }: Versions): string[] => {
  const kept = old.filter((line) => ours.includes(line) && theirs.includes(line));
  const added = [...ours, ...theirs].filter((line) => !old.includes(line));
  return [...new Set([...kept, ...added])].map((line) => line.trimEnd()).toSorted();
};

const gitMerge = (folder: string, all: Versions): string | undefined => {
  const paths = Object.entries(all).map(([name, lines]) => {
    const path = join(folder, name);
    writeFileSync(path, lines.join(""));
    return path;
  });
  const [old = "", ours = "", theirs = ""] = paths;
  const { status, stdout } = spawnSync("git", ["merge-file", "-p", ours, old, theirs], {
    encoding: "utf8",
  });
  return status === 0 ? stdout : undefined;
};
