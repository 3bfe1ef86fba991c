import { describe, expect, test } from "vitest";
import { applyHunks, fitHunk, joinHunks, toHunks } from "../../prove/hunks.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const before = lines(..."abcdefghijklmnopqrstuvwxyz");

const apply = (text: string, edit: { old: string; new: string } | undefined): string | undefined =>
  edit && text.split(edit.old).join(edit.new);

describe("hunks of a commit", () => {
  test("changes near each other are one hunk, far ones are two, and together they make the commit", () => {
    const after = before.replace("b\n", "B\n").replace("d\n", "").replace("y\n", "Y\nnew\n");
    const hunks = toHunks(before, after);
    expect(hunks.map(({ old, new: now }) => [old, now])).toEqual([
      [
        ["b", "c", "d"],
        ["B", "c"],
      ],
      [["y"], ["Y", "new"]],
    ]);
    expect(applyHunks(before, hunks)).toBe(after);
    const [first, second] = hunks;
    expect(applyHunks(before, [joinHunks(first!, second!, before)])).toBe(after);
  });

  test("an edit finds its place after others have written above it", () => {
    const [hunk] = toHunks(before, before.replace("m\n", "M\n"));
    const now = lines("other", "lines") + before;
    expect(apply(now, fitHunk(now, hunk!))).toBe(now.replace("m\n", "M\n"));
  });

  test("an edit takes as much around it as makes its text unique", () => {
    const twice = lines("if", "  return", "else", "  return", "end");
    const [hunk] = toHunks(twice, lines("if", "  return", "else", "  throw", "end"));
    const edit = fitHunk(twice, hunk!);
    expect(twice.split(edit!.old)).toHaveLength(2);
    expect(apply(twice, edit)).toBe(lines("if", "  return", "else", "  throw", "end"));
  });

  test("an edit does not fit where its old lines are gone, or its neighbours", () => {
    const [change] = toHunks(before, before.replace("m\n", "M\n"));
    expect(fitHunk(before.replace("m\n", "mm\n"), change!)).toBeUndefined();
    const [insertion] = toHunks(before, before.replace("m\n", "m\nnew\n"));
    expect(fitHunk(lines("other", "text"), insertion!)).toBeUndefined();
  });

  test("an insertion that is there already does not fit", () => {
    const after = before.replace("m\n", "m\nnew\n");
    const [insertion] = toHunks(before, after);
    expect(apply(before, fitHunk(before, insertion!))).toBe(after);
    expect(fitHunk(after, insertion!)).toBeUndefined();
  });

  test("a block that comes back does not fit where it never went away", () => {
    const block = lines("function late() {", "  one();", "  two();", "  three();", "}");
    const [insertion] = toHunks(before, before.replace("m\n", `m\n${block}`));
    const now = block + before;
    expect(fitHunk(now, insertion!)).toBeUndefined();
    expect(fitHunk(now.replace("two()", "six()"), insertion!)).toBeDefined();
  });
});
