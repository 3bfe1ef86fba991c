import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Effect, readCommand } from "../../../../src/surfaces/hooks/shell/index.ts";
import { git, makeRepository } from "../../../helpers/git-repository.ts";
import { put, temporaryFolder } from "../../../helpers/temporary-folder.ts";
import { commandTable } from "./command-table.ts";

/** Programs that touch nothing outside of the folder they run in. */
const isHarmless = (command: string): boolean =>
  !/sudo|curl|wget|make|npm|node|python|perl|nohup|xargs|exec |\/abs|> ?\.\.|b\/\.\.|cd -|worktree|~|install -d|apply_patch|frob|pull|fetch|chmod|cd sub|-C sub|ln -sf \.\.|GIT_DIR|git-dir|\/bin\/rm|timeout|ruby|pushd|while read|^case/.test(
    command,
  ) && !/(?:^|[;&(]\s*)git (?!rm|mv)/.test(command);

/** One thing of a file that every write changes. */
const stamp = (path: string): string => {
  if (!existsSync(path)) return "absent";
  const stat = lstatSync(path);
  return `${stat.ino} ${stat.mtimeMs} ${stat.isFile() ? readFileSync(path, "utf8") : ""}`;
};

const names =
  "a.ts b.ts b.txt c x.c a.txt in.txt f.ts src/a.ts src/a src/index.ts -odd/x a:b.ts".split(" ");

/** Some lines of the table need a folder where others need a file of the same name. */
const prepare = (command: string): string => {
  const root = makeRepository(join(temporaryFolder(), "r"));
  const isFolder = (name: string) => new RegExp(`cd (?:\\.\\./)?${name}\\b`).test(command);
  const more = ["a", "b", "x"].map((name) =>
    isFolder(name) ? `${name}/${name === "b" ? "c" : "a"}` : name,
  );
  for (const name of [...names, ...more, "a b.ts"]) {
    if (name === "x" && command.includes("mkdir")) continue;
    const path = put(join(root, name), name === "x.c" ? "a\n" : "a 1\n");
    utimesSync(path, 1, 1);
  }
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "All");
  if (command.startsWith("git mv")) rmSync(join(root, "b.ts"));
  mkdirSync(join(root, "dir"), { recursive: true });
  return root;
};

/** Paths that must be other than before. */
const touched = (effect: Effect): string[] => {
  if (effect.kind === "git" || !effect.certain) return [];
  if (effect.kind === "move") return [effect.path, effect.to];
  return effect.keepsContent ? [] : [effect.path];
};

const runnable = commandTable
  .map(([command]) => command)
  .filter((command) => isHarmless(command))
  .filter((command) => readCommand(command, { cwd: "/r" }).effects.some(({ certain }) => certain));

describe("what is read from a command line is what bash does", () => {
  it("enough of the table can be run", () => {
    expect(runnable.length).toBeGreaterThan(60);
  });

  it.each(runnable)("B12 %s", (command) => {
    const root = prepare(command);
    const { effects } = readCommand(command, { cwd: root, home: root });
    const paths = effects.flatMap(touched).filter((path) => path.startsWith(root));
    // What fails by itself, or runs in one branch of several only, is in the table for its reading.
    const isPartial = /\|\||elif|a > x && echo/.test(command);
    const before = new Map(paths.map((path) => [path, stamp(path)]));
    const { status } = spawnSync("bash", ["-c", command], {
      cwd: root,
      env: { PATH: process.env["PATH"], HOME: root },
    });
    const changed = paths.filter((path) => stamp(path) !== before.get(path));
    const missing = paths.filter((path) => !changed.includes(path));
    if (isPartial) expect(changed.length, `${command} ended with ${status}`).toBeGreaterThan(0);
    else expect(missing, `${command} ended with ${status}`).toEqual([]);
  });
});
