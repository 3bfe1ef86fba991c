import { join } from "node:path";
import { expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { limits } from "../../src/base/limits.ts";
import { resolveTarget } from "../../src/claims/targets/target-input.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const hostile = [
  "*a".repeat(3000),
  "{a,b}".repeat(1500),
  "{".repeat(8000),
  "[a-".repeat(2500),
  "?".repeat(10_000),
  "a".repeat(1_000_000),
  "é*".repeat(500_000),
  "\\".repeat(9999),
  `name:${"x".repeat(100_000)}`,
  `a.ts#${"x.".repeat(50_000)}`,
];

it("D04 C-04 a hostile target is refused before the disk is asked anything", () => {
  const root = temporaryFolder();
  const calls: string[] = [];
  const files: Files = {
    ...systemFiles,
    stat: (path) => void calls.push(path),
    statFollowing: (path) => void calls.push(path),
    realPath: (path) => {
      calls.push(path);
      return systemFiles.realPath(path);
    },
  };
  const repository = { worktrees: [root], caseInsensitive: false };
  for (const text of hostile) {
    expect(() => resolveTarget(text, { repository, cwd: root, files })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(?:TARGET|PATH)_/) }),
    );
    expect(calls.length, text.slice(0, 20)).toBe(0);
    calls.length = 0;
  }
});

it("D04 the message about it is short and shows no control characters", () => {
  const root = put(join(temporaryFolder(), "a"));
  for (const text of [...hostile, "a\u001b[31m*", "\u202e*", "a\0"]) {
    let message = "";
    try {
      resolveTarget(text, { repository: { worktrees: [root], caseInsensitive: false }, cwd: root });
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).not.toBe("");
    expect(message.length).toBeLessThan(limits.shownTextLengthMax + 200);
    // oxlint-disable-next-line no-control-regex -- that there are none is the point.
    expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  }
});
