/** Landed commits of a real repository, and a scratch clone in which their parents are checked out. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
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
  const ask = (input: string, ...args: string[]): Buffer => {
    const { status, stdout, stderr } = spawnSync("git", ["-C", folder, ...args], {
      ...{ input, maxBuffer: outputMax },
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_TERMINAL_PROMPT: "0" },
    });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.toString().slice(0, 200)}`);
    return stdout;
  };
  const git = (...args: string[]): Buffer => ask("", ...args);
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
      const chosen = new Set(random.shuffle(all.slice(0, -1)).slice(0, count));
      // One after the other as they were made: little changes between two checkouts then.
      return all.filter((one) => chosen.has(one));
    },
    open: (commit) => {
      let changes: Change[];
      try {
        changes = readChanges(ask, commit);
        if (changes.length === 0 || changes.length > filesMax) return undefined;
        git("checkout", "-q", "--force", "--detach", `${commit}^`);
        git("clean", "-fdxq");
        changes = changes.map((one) => asCheckedOut(one, folder));
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

/** git may write other line ends than it stores: an agent sees, and writes, those of the disk. */
const asCheckedOut = (change: Change, folder: string): Change => {
  const { path, before, after } = change;
  const file = join(folder, path);
  if (before === undefined || !existsSync(file)) return change;
  const disk = readFileSync(file);
  if (disk.equals(before)) return change;
  const turned = (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString("latin1").replaceAll(/\r?\n/g, "\r\n"), "latin1");
  if (!turned(before).equals(disk)) throw new Error(`${path} is not checked out as it is stored`);
  return { path, before: disk, after: after && turned(after) };
};

type Ask = (input: string, ...args: string[]) => Buffer;

/** Plain files only: links and submodules are no text that anybody edits. */
const readChanges = (ask: Ask, commit: string): Change[] => {
  const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", `${commit}^`, commit];
  const words = ask("", ...args)
    .toString()
    .split("\0");
  const found: { path: string; old: string; now: string }[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const line = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [AMD]$/.exec(words[at] ?? "");
    if (!line) continue;
    const [oldMode = "", newMode = "", old = "", now = ""] = line.slice(1);
    const isPlain = [oldMode, newMode].every((mode) => /^(100(644|755)|0{6})$/.test(mode));
    // Only the mode changes otherwise: nothing is judged then.
    if (isPlain && old !== now) found.push({ path: words[at + 1] ?? "", old, now });
  }
  if (found.length > filesMax) return [];
  const blobs = readBlobs(ask, new Set(found.flatMap(({ old, now }) => [old, now])));
  return found.map(({ path, old, now }) => ({
    path,
    before: blobs.get(old),
    after: blobs.get(now),
  }));
};

/** Of all names but the one of zeros, which means that there is none. */
const readBlobs = (ask: Ask, names: ReadonlySet<string>): ReadonlyMap<string, Buffer> => {
  const wanted = [...names].filter((name) => !/^0+$/.test(name));
  const answer = ask(`${wanted.join("\n")}\n`, "cat-file", "--batch");
  const blobs = new Map<string, Buffer>();
  let at = 0;
  for (const name of wanted) {
    const end = answer.indexOf("\n", at);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(answer.toString("latin1", at, end))?.[1];
    if (size === undefined) throw new Error(`git has no file ${name}`);
    blobs.set(name, answer.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return blobs;
};
