/** Landed commits of a real repository, and a scratch clone in which their parents are checked out. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Random } from "../random.ts";

/** One file of a commit; undefined where it comes or goes. */
export interface Change {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

export interface Scratch {
  readonly folder: string;
  /** Those that change one of these paths (git's patterns), or any. */
  commits(count: number, random: Random, paths?: readonly string[]): string[];
  /** Undefined where git cannot make the parent's files. */
  open(commit: string): readonly Change[] | undefined;
  write(path: string, content: Buffer | undefined): void;
  close(): void;
}

const outputMax = 1 << 30;

/** A commit of more files than this is an import of something, no work of anybody's. */
const filesMax = 200;

export const openScratch = (repo: string, dependencies: string | undefined): Scratch => {
  const folder = mkdtempSync(join(tmpdir(), "headgate-tree-"));
  const git = (...args: string[]): Buffer => {
    const { status, stdout, stderr } = spawnSync("git", ["-C", folder, ...args], {
      maxBuffer: outputMax,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" },
    });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.toString().slice(0, 200)}`);
    return stdout;
  };
  const source = resolve(repo);
  // Without a work tree, filters and hooks of the source: only its objects are looked at.
  const from = existsSync(join(source, ".git")) ? join(source, ".git") : source;
  const cloned = spawnSync("git", ["clone", "-q", "--shared", "--no-checkout", from, folder]);
  if (cloned.status !== 0) throw new Error(`no clone of ${basename(repo)}: ${cloned.stderr}`);
  const linked = dependencies === undefined ? [] : readdirSync(dependencies);
  return {
    folder,
    commits: (count, random, paths = []) => {
      const args = ["--no-merges", "--min-parents=1", "HEAD", "--", ...paths];
      const all = git("rev-list", ...args)
        .toString()
        .split("\n");
      return random.shuffle(all.slice(0, -1)).slice(0, count);
    },
    open: (commit) => {
      let changes: Change[];
      try {
        changes = changesOf(git, commit);
        if (changes.length === 0 || changes.length > filesMax) return undefined;
        git("checkout", "-q", "--force", "--detach", `${commit}^`);
        git("clean", "-fdxq");
      } catch (error) {
        // Stored histories leave out their largest files.
        console.error(
          `${commit.slice(0, 9)} is left out: ${(error as Error).message.split("\n")[0]}`,
        );
        return undefined;
      }
      for (const name of linked) {
        const link = join(folder, name);
        if (!existsSync(link)) symlinkSync(resolve(dependencies!, name), link);
      }
      return changes;
    },
    write: (path, content) => {
      const file = join(folder, path);
      if (content === undefined) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Plain files only: links and submodules are no text that anybody edits. */
const changesOf = (git: (...args: string[]) => Buffer, commit: string): Change[] => {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", `${commit}^`, commit];
  const words = git(...args)
    .toString()
    .split("\0");
  const changes: Change[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const line = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [AMD]$/.exec(words[at] ?? "");
    const path = words[at + 1] ?? "";
    if (!line) continue;
    const [oldMode = "", newMode = "", old = "", now = ""] = line.slice(1);
    if (![oldMode, newMode].every((mode) => /^(100(644|755)|0{6})$/.test(mode))) continue;
    const read = (mode: string, name: string): Buffer | undefined =>
      mode === "000000" ? undefined : git("cat-file", "blob", name);
    changes.push({ path, before: read(oldMode, old), after: read(newMode, now) });
  }
  // Only the mode changes: nothing is judged then.
  return changes.filter(({ before, after }) => !(before && after && before.equals(after)));
};
