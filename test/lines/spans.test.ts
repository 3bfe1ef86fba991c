import { describe, expect, it } from "vitest";
import {
  currentLines,
  goneLines,
  type LineEdit,
  lineSpans,
  partLines,
  rebase,
  type Weave,
  weaveContent,
  withoutEdits,
} from "../../src/lines/index.ts";
import { cleanWeave, isBackAtCommit } from "../../src/lines/weave.ts";

const edit = (id: string, actor = id): LineEdit => ({
  ...{ id, actor, session: actor, kind: "edit", at: 1, onto: [] },
});
const lines = (letters: string): string[] => [...letters].map((letter) => `${letter}\n`);
const write = (weave: Weave, letters: string | undefined, by: LineEdit): Weave =>
  weaveContent(weave, letters === undefined ? undefined : lines(letters), by);

describe("N-01 a weave for reading", () => {
  const clean = cleanWeave(lines("abcdef"));

  it("N-01 spans are lines of the file as it is; what one hand wrote together is one span", () => {
    const first = write(clean, "aXbcdef", edit("one", "ada"));
    const second = write(first, "aXYbcdef", edit("two", "ada"));
    const third = write(second, "aXYbcdZf", edit("three", "bob"));
    expect(lineSpans(third).map(({ from, to, edit: { actor } }) => [from, to, actor])).toEqual([
      [2, 3, "ada"],
      [7, 7, "bob"],
    ]);
  });

  it("N-01 lines taken away are named where they were, those replaced are not", () => {
    const woven = write(write(clean, "cdef", edit("one")), "cdXf", edit("two"));
    expect(goneLines(woven).map(({ after, count, edit: { id } }) => [after, count, id])).toEqual([
      [0, 2, "one"],
    ]);
  });

  it("N-01 without an edit the file is the commit with all the others", () => {
    const both = write(write(clean, "aXcdef", edit("one")), "aXcdefZ", edit("two"));
    for (const [gone, left] of [
      ["one", "two"],
      ["two", "one"],
    ] as const) {
      const weave = withoutEdits(both, new Set([gone]));
      expect(currentLines(weave)).toEqual(partLines(both, new Set([left])));
      expect(weave.edits.map(({ id }) => id)).toEqual([left]);
    }
    expect(withoutEdits(both, new Set(["one", "two"]))).toEqual(clean);
  });

  it("N-01 a file that an edit made is gone without it, one that it deleted is back", () => {
    const made = write(cleanWeave(undefined), "ab", edit("one"));
    expect(currentLines(withoutEdits(made, new Set(["one"])))).toBeUndefined();
    const dead = write(clean, undefined, edit("one"));
    expect(withoutEdits(dead, new Set(["one"]))).toEqual(clean);
  });

  it("N-01 a file that is as its commit has nothing uncommitted, whoever brought it back", () => {
    const there = write(clean, "aXcdef", edit("one"));
    const back = write(there, "abcdef", edit("two"));
    expect([there, back].map(isBackAtCommit)).toEqual([false, true]);
    expect(isBackAtCommit(rebase(there, lines("aXcdef"), edit("three")))).toBe(true);
    expect(isBackAtCommit(write(clean, undefined, edit("one")))).toBe(false);
  });
});
