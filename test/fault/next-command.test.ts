/**
 * A command is killed at a system call that changes something, the whole program with it; then an ordinary command
 * runs, one of each kind in turn. Whatever it is, all files are as before or as after, and nothing is left.
 */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { findInBetween } from "../helpers/nothing-between.ts";
import { describeWith } from "../helpers/not-run.ts";
import { cleanEnvironment, programPath, run } from "../helpers/program.ts";
import { countRounds } from "../helpers/rounds.ts";
import { atSharedEnd, put, temporaryFolder } from "../helpers/temporary-folder.ts";

const names = ["a", "b", "c"];
const plain = (name: string): string => `class ${name}:\n    def one(self):\n        return 1\n`;
const addition = "\n    def two(self):\n        return 2\n";

const contents = (folder: string): string[] =>
  names.map((name) => readFileSync(join(folder, `src/${name}.py`), "utf8"));

const before = names.map(plain);
const after = before.map((text) => text + addition);

const applies = (folder: string): string[] => {
  const list = join(folder, "../operations.json");
  const operations = names.map((name) => ({
    ...{ do: "add", file: `src/${name}.py`, into: name },
    code: "def two(self):\n    return 2\n",
  }));
  writeFileSync(list, JSON.stringify({ operations }));
  return ["apply", list, "--yes", "--as", "ed"];
};

const calls = "rename,link,unlink,fsync,mkdir";

/** False: it came to its end before the n-th call. */
const killAt = (folder: string, args: readonly string[], n: number): boolean => {
  const { signal, status } = spawnSync(
    "strace",
    [
      ...["-f", "-o", "/dev/null", "-e", `trace=${calls}`],
      ...["-e", `inject=${calls}:signal=SIGKILL:when=${n}`],
      ...[process.execPath, programPath, ...args],
    ],
    { cwd: folder, env: cleanEnvironment(join(folder, "..", "no-home")) },
  );
  return signal === "SIGKILL" || status === 137;
};

const hookInput = (folder: string): string =>
  JSON.stringify({
    ...{ session_id: "s1", cwd: folder, hook_event_name: "PreToolUse", tool_name: "Write" },
    tool_input: { file_path: join(folder, "new.txt"), content: "new\n" },
  });

const commit = (folder: string): void => {
  put(join(folder, "more.txt"), "more\n");
  git(folder, "add", "more.txt");
  const environment = cleanEnvironment(join(folder, "..", "no-home"));
  const { status, stderr } = spawnSync(
    "git",
    ["-c", "user.name=Ada", "-c", "user.email=a@b.c", "commit", "-m", "next"],
    { cwd: folder, encoding: "utf8", env: environment },
  );
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("REFUSED")]);
};

const commands: readonly (readonly [string, (folder: string) => unknown])[] = [
  ["status", (cwd) => runInside(["status"], { cwd })],
  ["claim", (cwd) => runInside(["claim", "other.txt", "--as", "bob"], { cwd })],
  ["edit", (cwd) => runInside(["history"], { cwd })],
  ["hook", (cwd) => run(["hook", "claude"], { cwd, input: hookInput(cwd) })],
  ["git commit", commit],
  ["doctor", (cwd) => runInside(["doctor"], { cwd })],
];

describeWith({ programs: ["strace"] }, "the command after a kill", () => {
  const atEnd = atSharedEnd();
  let armed: string;
  beforeAll(async () => {
    armed = makeRepository(join(temporaryFolder(atEnd), "armed"));
    for (const name of names) put(join(armed, `src/${name}.py`), plain(name));
    git(armed, "add", "-A");
    git(armed, "commit", "-qm", "three classes");
    const { code, stderr } = await run(["init", "--yes", "--client", "claude"], { cwd: armed });
    if (code !== 0) throw new Error(stderr);
    git(armed, "add", "-A");
    git(armed, "commit", "-qm", "armed");
  });

  it.each([
    ["apply", async () => {}, applies],
    // Made in each copy: a copied repository has a history of its own.
    [
      "undo",
      async (folder: string) => {
        const made = await run(applies(folder), { cwd: folder });
        if (made.code !== 0) throw new Error(made.stderr);
      },
      () => ["undo", "--yes", "--as", "ed"],
    ],
  ] as const)(
    "G15 G6 of %s: whichever it is, it finds before or after",
    async (what, prepare, args) => {
      const step = Math.max(1, Math.round(60 / countRounds(`kills of ${what}`, 60, 12)));
      let [kills, turn] = [0, 0];
      for (let n = 1; ; n += step) {
        const folder = join(temporaryFolder(), "copy");
        cpSync(armed, folder, { recursive: true });
        await prepare(folder);
        if (!killAt(folder, args(folder), n)) break;
        kills += 1;
        const [name, next] = commands[turn % commands.length]!;
        turn += 1;
        await next(folder);
        const label = `${what} killed at call ${n}, then ${name}`;
        expect([before, after], label).toContainEqual(contents(folder));
        const { stdout } = await runInside(["verify", "--repair", "--json"], { cwd: folder });
        // Contents that no record names are tidied by the next edit.
        const { findings } = JSON.parse(stdout) as { findings: { code: string; what: string }[] };
        expect(
          findings.filter(({ what: text }) => !text.includes("edits/blobs/")),
          label,
        ).toEqual([]);
        expect(findInBetween(folder), label).toEqual([]);
      }
      expect(kills).toBeGreaterThan(2);
    },
  );
});
