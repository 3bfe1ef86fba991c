import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { openScratch } from "../../eval/tree/history.ts";
import { openParsers } from "../../eval/tree/parses.ts";
import { playCommit } from "../../eval/tree/play.ts";
import { summarise } from "../../eval/tree/results.ts";
import { Random } from "../../eval/random.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

it("E-23 a landed commit is played whole, by files and by hunks, and what it moves is told apart", async () => {
  const repo = makeRepository(temporaryFolder());
  const write = (path: string, text: string): void => {
    mkdirSync(join(repo, path, ".."), { recursive: true });
    writeFileSync(join(repo, path), text);
    git(repo, "add", path);
  };
  const pass = "\n    pass\n\n\n".repeat(1);
  const [f, g, h] = ["f", "g", "h"].map((name) => `def ${name}():${pass}`);
  const many = ["i", "j", "k", "l"].map((name) => `def ${name}():${pass}`).join("");
  write("a.py", `${f}${many}${g}`);
  git(repo, "commit", "-qm", "one");
  write("a.py", `${g}${many}${f}${h}`);
  write("b.py", "import a\n\na.h()\n");
  git(repo, "commit", "-qm", "two");
  const scratch = openScratch(repo, undefined);
  try {
    await using headgate = await openHeadgate({ repo: scratch.folder, actor: "agent/replay" });
    const parsers = openParsers(headgate.structure);
    const random = new Random(3);
    const [commit = ""] = scratch.commits(1, random);
    const changes = scratch.open(commit)!;
    expect(changes.map(({ path }) => path)).toEqual(["a.py", "b.py"]);
    const board = { scratch, headgate, parsers, random };
    const steps = await playCommit(commit, changes, board);
    parsers.close();
    expect(steps.filter(({ mode }) => mode === "commit")).toHaveLength(2);
    expect(steps.filter(({ mode }) => mode === "files")).toHaveLength(2);
    expect(steps.filter(({ mode }) => mode === "hunks").length).toBeGreaterThan(2);
    const { wrong, errors, edits } = summarise([{ repo: "r", seed: "s", commit, steps }]);
    expect({ wrong, errors }).toEqual({ wrong: [], errors: [] });
    expect(edits).toBe(steps.length);
    const broken = { ...steps[0]!, refused: [{ ...refusal, code: "SYNTAX_ERROR" }] };
    const twice = { ...steps.at(-1)!, refused: [{ ...refusal, code: "DUPLICATE_SYMBOL" }] };
    const told = summarise([{ repo: "r", seed: "s", commit, steps: [broken, twice] }]);
    expect(told.wrong.map(({ code }) => code)).toEqual(["SYNTAX_ERROR"]);
  } finally {
    scratch.close();
  }
});

const refusal = { line: 1, message: "", isRight: false };
