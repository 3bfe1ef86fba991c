import { describe, expect, test } from "vitest";
import { countLines, type LoggedWrite, type MadeCommit } from "../../prove/record.ts";

const base = "one\ntwo\nthree\nfour\nfive\n";

/** Hand-made histories: task N belongs to agent N unless a test says otherwise. */
const count = (given: {
  readonly writes: readonly (Partial<LoggedWrite> & Pick<LoggedWrite, "task">)[];
  readonly commits: readonly (Partial<MadeCommit> & { before?: string | null; after?: string })[];
  readonly final: string | null;
  readonly agents?: Readonly<Record<number, number>>;
  readonly givenUp?: readonly number[];
}) => {
  const writes = given.writes.map((write, index) => ({
    at: index,
    agent: write.task,
    space: "",
    file: "a.txt",
    before: base,
    after: base,
    ...write,
  }));
  const commits = given.commits.map(({ before = base, after = base, ...commit }, index) => ({
    id: `commit-${index}`,
    isMerge: false,
    task: undefined,
    named: [],
    files: [{ path: "a.txt", before, after }],
    ...commit,
  }));
  const ids = [...new Set(given.writes.map(({ task }) => task))];
  const { tasks, lost, foreign } = countLines({
    writes,
    commits,
    tasks: ids.map((id) => ({
      id,
      agent: given.agents?.[id] ?? id,
      hasGivenUp: given.givenUp?.includes(id) ?? false,
    })),
    readFinal: () => given.final,
  });
  return {
    states: Object.fromEntries([...tasks].map(([id, { state }]) => [id, state])),
    lost: lost.map(({ text }) => text),
    foreign: foreign.map(({ text, task }) => `${task}: ${text}`),
  };
};

const first = base.replace("one", "one by A");
const second = base.replace("five", "five by B");
const both = first.replace("five", "five by B");
const twoWrites = [
  { task: 1, before: base, after: first },
  { task: 2, before: first, after: both },
];

describe("the proving ground counts", () => {
  test("N-00 two tasks in one file that commit their own lines have landed", () => {
    const commits = [
      { task: 1, after: first },
      { task: 2, before: first, after: both },
    ];
    expect(count({ writes: twoWrites, commits, final: both })).toEqual({
      states: { 1: "landed", 2: "landed" },
      lost: [],
      foreign: [],
    });
  });

  test("N-00 a commit with another's line: absorbed, and the line is foreign", () => {
    const commits = [{ task: 2, after: both }];
    expect(count({ writes: twoWrites, commits, final: both })).toEqual({
      states: { 1: "absorbed", 2: "landed" },
      lost: [],
      foreign: ["1: one by A"],
    });
  });

  test("N-00 a commit that names the other agent has no foreign lines", () => {
    const commits = [{ task: 2, named: [1, 2], after: both }];
    expect(count({ writes: twoWrites, commits, final: both })).toMatchObject({
      states: { 1: "absorbed", 2: "landed" },
      foreign: [],
    });
  });

  test("two tasks of one agent in one commit: absorbed, but not foreign", () => {
    const commits = [{ task: 2, after: both }];
    const agents = { 1: 7, 2: 7 };
    expect(count({ writes: twoWrites, commits, final: both, agents })).toMatchObject({
      states: { 1: "absorbed", 2: "landed" },
      foreign: [],
    });
  });

  test("N-00 lines in no commit are lost, and their task is stuck", () => {
    const commits = [{ task: 2, after: second }];
    expect(count({ writes: twoWrites, commits, final: second })).toEqual({
      states: { 1: "stuck", 2: "landed" },
      lost: ["one by A"],
      foreign: [],
    });
  });

  test("N-00 a write from an old view loses the lines between", () => {
    const writes = [
      { task: 1, before: base, after: first },
      { task: 2, before: base, after: second },
    ];
    const commits = [{ task: 2, after: second }];
    expect(count({ writes, commits, final: second })).toEqual({
      states: { 1: "stuck", 2: "landed" },
      lost: ["one by A"],
      foreign: [],
    });
  });

  test("N-00 a commit that takes a committed line back loses it", () => {
    const commits = [
      { task: 1, after: first },
      { task: 2, before: first, after: second },
    ];
    expect(count({ writes: twoWrites, commits, final: second })).toMatchObject({
      lost: ["one by A"],
    });
  });

  test("a line that another task rewrote before it was committed is not missing", () => {
    const over = first.replace("one by A", "one by B");
    const writes = [
      { task: 1, before: base, after: first },
      { task: 2, before: first, after: over },
    ];
    const commits = [{ task: 2, after: over }];
    expect(count({ writes, commits, final: over })).toEqual({
      // Its removal of "one" is in the other's commit.
      states: { 1: "absorbed", 2: "landed" },
      lost: [],
      foreign: [],
    });
  });

  test("a removal that is in no commit leaves its task stuck", () => {
    const writes = [{ task: 1, after: base.replace("two\n", "") }];
    expect(count({ writes, commits: [], final: base }).states).toEqual({ 1: "stuck" });
    const commits = [{ task: 1, after: base.replace("two\n", "") }];
    const final = base.replace("two\n", "");
    expect(count({ writes, commits, final }).states).toEqual({ 1: "landed" });
  });

  test("a moved line is not a change", () => {
    const after = "two\none\nthree\nfour\nfive\n";
    const writes = [{ task: 1, after }];
    const commits = [{ task: 1, after }];
    expect(count({ writes, commits, final: after })).toEqual({
      states: { 1: "landed" },
      lost: [],
      foreign: [],
    });
  });

  test("a line that one task removed and another wrote again in the same commit went along", () => {
    const without = base.replace("two\n", "");
    const again = without.replace("four\n", "two\nfour\n");
    const writes = [
      { task: 1, before: base, after: without },
      { task: 2, before: without, after: again },
    ];
    const commits = [{ task: 2, after: again }];
    expect(count({ writes, commits, final: again })).toEqual({
      states: { 1: "absorbed", 2: "absorbed" },
      lost: [],
      foreign: [],
    });
  });

  test("a task that gave an edit up is stuck, whatever it committed", () => {
    const writes = [{ task: 1, after: first }];
    const commits = [{ task: 1, after: first }];
    expect(count({ writes, commits, final: first, givenUp: [1] }).states).toEqual({ 1: "stuck" });
  });

  test("lines without a letter or digit are not counted", () => {
    const writes = [{ task: 1, after: `${base}}\n\n` }];
    expect(count({ writes, commits: [], final: base })).toEqual({
      states: { 1: "landed" },
      lost: [],
      foreign: [],
    });
  });

  test("worktrees: a branch that is not on main is lost, and equal removals count once", () => {
    const writes = [
      { task: 1, space: "1", after: first },
      { task: 2, space: "2", after: base.replace("one", "one by B") },
    ];
    const commits = [{ task: 1, after: first }];
    expect(count({ writes, commits, final: first })).toEqual({
      states: { 1: "landed", 2: "stuck" },
      lost: ["one by B"],
      foreign: [],
    });
  });

  test("worktrees: a line that one branch removed is not expected of the others", () => {
    const writes = [
      { task: 1, space: "1", after: first },
      { task: 2, space: "2", after: second },
    ];
    const commits = [
      { task: 1, after: first },
      { task: 2, after: second },
    ];
    expect(count({ writes, commits, final: both })).toEqual({
      states: { 1: "landed", 2: "landed" },
      lost: [],
      foreign: [],
    });
  });

  test("worktrees: a line that two branches wrote at one place is merged into one", () => {
    const writes = [
      { task: 1, space: "1", after: first },
      { task: 2, space: "2", after: first },
    ];
    const commits = [
      { task: 1, after: first },
      { task: 2, after: first },
    ];
    expect(count({ writes, commits, final: first }).lost).toEqual([]);
    // Lines that were there and are gone count once.
    const short = first.replace("three\n", "");
    expect(count({ writes, commits, final: short }).lost).toEqual(["three"]);
  });

  test("two equal lines are two lines", () => {
    const once = `${base}same\n`;
    const writes = [
      { task: 1, before: base, after: once },
      { task: 2, before: once, after: `same\n${once}` },
    ];
    const commits = [{ task: 1, after: once }];
    expect(count({ writes, commits, final: once })).toEqual({
      states: { 1: "landed", 2: "stuck" },
      lost: ["same"],
      foreign: [],
    });
  });

  test("a line that vanished and came back is the same line", () => {
    const without = first.replace("one by A\n", "");
    const writes = [
      { task: 1, before: base, after: first },
      { task: 2, before: base, after: second },
      { task: 3, before: first, after: without },
    ];
    expect(count({ writes, commits: [], final: without }).lost).toEqual(["five by B"]);
  });

  test("the lines of a merge belong to the commits that it brings", () => {
    const commits = [
      { task: undefined, isMerge: true, after: first },
      { task: 1, after: first },
    ];
    const writes = [{ task: 1, after: first }];
    expect(count({ writes, commits, final: first })).toMatchObject({
      states: { 1: "landed" },
      foreign: [],
    });
  });

  test("a new file and a deleted one", () => {
    const writes = [
      { task: 1, file: "a.txt", before: null, after: "new\n" },
      { task: 2, file: "a.txt", before: "new\n", after: null },
    ];
    const commits = [{ task: 1, before: null, after: "new\n" }];
    expect(count({ writes, commits, final: "new\n" }).states).toEqual({ 1: "landed", 2: "stuck" });
  });
});
