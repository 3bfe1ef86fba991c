/**
 * Commits that are killed with -9, alone or with their whole process group: the branch is as before or as after,
 * and the next ordinary commit finds everything in agreement. The quick suite takes a sample of the places,
 * `npm run soak` all of them.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { programPath } from "../helpers/program.ts";
import { countRounds } from "../helpers/rounds.ts";
import { drawing } from "../helpers/seed.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { environmentOf, gitAs, headgateAs, read } from "../surfaces/git/hooked-repository.ts";
import { session, sharedCheckout } from "../surfaces/git/shared-checkout.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const own = ten.replace("2\n", "two\n");
const all = own.replace("5\n", "five\n");

interface Scene {
  readonly folder: string;
  /** For what the test itself keeps. */
  readonly beside: string;
  /** All of it is again as it was before the commit. */
  restore(): void;
}

/** s1 has line 2 and a new file, s2 line 5 and the deletion of another file. */
const newScene = async (prepare?: (folder: string) => void): Promise<Scene> => {
  const { folder, edit, swap } = await sharedCheckout({ "f.txt": ten, "gone.txt": ten }, prepare);
  await swap("s1", "f.txt", "2\n", "two\n");
  await swap("s2", "f.txt", "5\n", "five\n");
  await edit("s1", "new.txt", "new\n");
  await edit("s2", "gone.txt", undefined);
  const beside = temporaryFolder();
  const kept = join(beside, "kept");
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
  copy(folder, kept);
  return {
    ...{ folder, beside },
    restore: () => {
      rmSync(folder, { recursive: true });
      copy(kept, folder);
    },
  };
};

const victims = ["process", "group"] as const;
type Victim = (typeof victims)[number];

interface Killed {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a command to its end, whatever that is; nothing that it started is left. */
const run = async (
  { folder }: Scene,
  argv: readonly string[],
  { path = "", victim = "process" }: { readonly path?: string; readonly victim?: Victim } = {},
): Promise<Killed> => {
  const child = spawn("sh", ["-c", 'export KILL_PID=$$; exec "$@"', "sh", ...argv], {
    cwd: folder,
    env: {
      ...environmentOf(folder, session("s1")),
      PATH: `${path}${delimiter}${process.env["PATH"] ?? ""}`,
    },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  }
  const code = await new Promise<number | null>((done) => {
    child.on("exit", done);
  });
  if (victim === "group") killGroup(child.pid ?? 0);
  await settled(folder);
  return { code, text };
};

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

/** A program that the killed one had started goes on for a moment: until none is in the folder. */
const settled = async (root: string): Promise<void> => {
  const isThere = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(root);
    } catch {
      return false;
    }
  };
  while (readdirSync("/proc").some((name) => /^\d+$/.test(name) && isThere(name))) {
    await new Promise((done) => setTimeout(done, 5));
  }
};

interface Point {
  /** The n-th git that the command starts, from 1. */
  readonly at: number;
  readonly moment: "before" | "during" | "after";
  readonly victim: Victim;
}

/**
 * A git before the real one on PATH, which numbers its calls. At one of them it kills: before the real one
 * begins, when that has written a file of its own and still holds its locks, or when that has ended.
 */
const putGit = (beside: string, point?: Point): string => {
  const [bin, calls] = [join(beside, "bin"), join(beside, "calls")];
  const trace = join(calls, "trace");
  rmSync(calls, { recursive: true, force: true });
  mkdirSync(calls);
  const { at = 0, moment = "before", victim = "process" } = point ?? {};
  const kill = `kill -9 ${victim === "group" ? "-" : ""}$KILL_PID`;
  const act = {
    before: kill,
    during: `exec 3<&0
  case $* in *core.fsync=all*) call=fsync ;; *) call=rename ;; esac
  strace -f -q -o "${trace}" -e trace=$call -e inject=$call:signal=SIGSTOP:when=1 "$real" "$@" <&3 &
  while ! grep -q 'stopped by SIGSTOP\\|exited with' "${trace}" 2>/dev/null; do sleep 0.01; done
  ${kill}
  # A hook that git starts is stopped at a call of its own, later: until all have ended.
  while [ -e /proc/$!/exe ]; do
    for pid in $(sed -n 's/^\\([0-9]*\\) .*SIGSTOP.*/\\1/p' "${trace}"); do kill -CONT $pid 2>/dev/null; done
    sleep 0.01
  done
  wait; exit 0`,
    after: `"$real" "$@"; code=$?; ${kill}; exit $code`,
  }[moment];
  const script = `#!/bin/sh
real=$(PATH=\${PATH#*${delimiter}} command -v git)
n=1
while ! mkdir "${calls}/$n" 2>/dev/null; do n=$((n + 1)); done
echo "$*" >"${calls}/$n/args"
if [ $n -eq ${at} ]; then
  ${act}
fi
exec "$real" "$@"
`;
  chmodSync(put(join(bin, "git"), script), 0o755);
  return bin;
};

/** How each git was started, without what is the same for all. */
const startedIn = (beside: string): string[] =>
  readdirSync(join(beside, "calls"))
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((n) => readFileSync(join(beside, "calls", String(n), "args"), "utf8").trim())
    .map((text) => text.replace(/^(?:-\S+ (?:\S+=\S+ )?)*/, ""));

/** As a user sees it. */
const authors = (folder: string, path: string): string[] => {
  const { stdout } = headgateAs(session("s2"), folder, "blame", path, "--json");
  const { spans } = JSON.parse(stdout) as { spans: { actor: string }[] };
  return [...new Set(spans.map(({ actor }) => actor))].toSorted();
};

/** Locks, and files of ours that no living process needs. */
const leftOver = (folder: string): string[] =>
  readdirSync(join(folder, ".git"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.lock$|^(?:index|message|next-index)-|^headgate-making/.test(name),
  );

const head = (folder: string, path: string): string =>
  gitAs("test", folder, ["cat-file", "blob", `HEAD:${path}`]).stdout;

const status = (folder: string): string =>
  gitAs("test", folder, ["status", "--porcelain", "--untracked-files=all"]).stdout;

/** Before or after; then all go on, and in the end every line is committed once, by its author. */
const expectWhole = async (folder: string, label: string): Promise<"before" | "after"> => {
  expect(read(folder, "f.txt"), label).toBe(all);
  const isAfter = head(folder, "f.txt") === own;
  expect([own, ten], label).toContain(head(folder, "f.txt"));
  expect(head(folder, "new.txt"), label).toBe(isAfter ? "new\n" : "");
  // The next commit here, whoever makes it, tidies up.
  const looked = headgateAs(session("s2"), folder, "commit", "--dry-run");
  expect(looked.code, label + looked.stderr).toBe(0);
  expect(authors(folder, "f.txt"), label).toEqual(
    isAfter ? ["claude:s2"] : ["claude:s1", "claude:s2"],
  );
  return isAfter ? "after" : "before";
};

const expectGoesOn = (folder: string, end: "before" | "after", label: string): void => {
  for (const [who, text] of [
    ["s1", own],
    ["s2", all],
  ] as const) {
    gitAs(session(who), folder, ["add", "--all"]);
    const done = gitAs(session(who), folder, ["commit", "--quiet", "-m", `By ${who}`]);
    const isDone = end === "after" && who === "s1";
    expect(done.code, label + done.stderr).toBe(isDone ? 1 : 0);
    expect(head(folder, "f.txt"), label).toBe(text);
  }
  expect(status(folder), label).toBe("");
  expect(leftOver(folder), label).toEqual([]);
  expect(git(folder, "log", "--format=%s", "-3").split("\n"), label).toEqual([
    ...["By s2", "By s1", "Base"],
  ]);
  // No line of another went along.
  expect(git(folder, "log", "-1", "--format=%B")).not.toContain("Headgate-Actor");
};

/** All of them, or some by the seed. */
const chosen = <T>(what: string, points: readonly T[], seed: number): T[] => {
  const count = Math.min(points.length, countRounds(what, points.length));
  return points.filter((_, at) => ((at + seed) * count) % points.length < count);
};

describeWith({ platforms: ["linux"], programs: ["strace"] }, "N-02 N-10 killed with -9", () => {
  it(
    "headgate commit, at every git that it starts: before or after, and no lock, index or note of it is left",
    { timeout: 3_600_000 },
    async () => {
      const argv = [process.execPath, programPath, "commit", "-m", "By s1"];
      const scene = await newScene();
      scene.restore();
      const whole = await run(scene, argv, { path: putGit(scene.beside) });
      expect(whole.code, whole.text).toBe(0);
      const calls = startedIn(scene.beside);
      const isWriting = (call: string): boolean => !/^(?:cat-file|config|ls-|rev-parse)/.test(call);
      const points = calls.flatMap((call, index) =>
        (["before", "during", "after"] as const)
          .filter((moment) => moment !== "during" || call.startsWith("update-"))
          // Where the one before has just ended, unless work of our own is in between.
          .filter((moment) => moment !== "before" || /^(?:update-|hook)/.test(call))
          .filter(() => isWriting(call))
          .flatMap((moment) => victims.map((victim): Point => ({ at: index + 1, moment, victim }))),
      );
      const ends = new Set<string>();
      await drawing(async (seed) => {
        const some = chosen("kills of headgate commit", points, seed);
        for (const point of some) {
          const label = `${point.victim} ${point.moment} ${point.at} ${calls[point.at - 1]} `;
          scene.restore();
          const { code, text } = await run(scene, argv, { path: putGit(scene.beside, point) });
          expect(code, label + text).toBe(null);
          const end = await expectWhole(scene.folder, label);
          expect(status(scene.folder), label).toBe(
            end === "after" ? " M f.txt\n D gone.txt\n" : " M f.txt\n D gone.txt\n?? new.txt\n",
          );
          expect(leftOver(scene.folder), label).toEqual([]);
          expectGoesOn(scene.folder, end, label);
          ends.add(end);
        }
        if (some.length === points.length) expect(ends.size).toBe(2);
      });
    },
  );

  it.each([
    ["git commit", ["commit", "--quiet", "-m", "By s1"]],
    ["git commit -- paths", ["commit", "--quiet", "-m", "By s1", "--", "f.txt", "new.txt"]],
  ])(
    "%s, at every call of git that changes something: before or after, and nothing of ours is in the way",
    { timeout: 3_600_000 },
    async (name, args) => {
      const scene = await newScene();
      const trace = join(scene.beside, "trace");
      const traced = (inject: readonly string[]): string[] => [
        ...["strace", "-qq", "-o", trace, "-e", `trace=${changing}`],
        ...[...inject, "git", ...args],
      ];
      const prepare = (): void => {
        scene.restore();
        expect(gitAs(session("s1"), scene.folder, ["add", "--all"]).code).toBe(0);
      };
      prepare();
      const whole = await run(scene, traced([]));
      expect(whole.code, whole.text).toBe(0);
      const calls = readFileSync(trace, "utf8")
        .split("\n")
        .flatMap((line) => /^\w+(?=\()/.exec(line)?.[0] ?? []);
      const points = calls.flatMap((call, index) =>
        victims.map((victim) => {
          // Each kind of call is counted by itself.
          const nth = calls.slice(0, index + 1).filter((one) => one === call).length;
          return { call, nth, victim };
        }),
      );
      await drawing(async (seed) => {
        for (const { call, nth, victim } of chosen(`kills of ${name}`, points, seed)) {
          const label = `${victim} ${call} ${nth} `;
          prepare();
          await run(scene, traced(["-e", `inject=${call}:signal=SIGKILL:when=${nth}`]), { victim });
          // Git leaves locks of its own when it is killed, and tells its user to remove them.
          for (const lock of leftOver(scene.folder).filter((one) => ofGit.test(one))) {
            rmSync(join(scene.folder, ".git", lock));
          }
          const end = await expectWhole(scene.folder, label);
          expectGoesOn(scene.folder, end, label);
        }
      });
    },
  );
});

/** As lint-staged works: it stages what it formats, in the checkout that it is given. */
const formatter = (folder: string): void => {
  const text = `#!/bin/sh\nsed -i 's/^two$/TWO/' f.txt && git add f.txt\n`;
  chmodSync(put(join(folder, ".git/hooks/pre-commit"), text), 0o755);
};

const inFormat = (text: string): string => text.replace("two\n", "TWO\n");

/**
 * Git tells this hook of every index that was written, whoever started that git. At one of them it kills the one
 * that did, or everything.
 */
const putIndexHook = (
  { folder, beside }: Scene,
  { at, victim }: Pick<Point, "at" | "victim">,
): void => {
  const calls = join(beside, "calls");
  rmSync(calls, { recursive: true, force: true });
  mkdirSync(calls);
  const kill = {
    // The command itself, where it is that git: its parent is this test.
    process:
      'kill -9 "$([ "$PPID" = "$top" ] && echo "$top" || ps -o ppid= -p "$PPID" | tr -d " ")"',
    group: 'kill -9 -"$top"',
  }[victim];
  const script = `#!/bin/sh
n=1
while ! mkdir "${calls}/$n" 2>/dev/null; do n=$((n + 1)); done
pwd -P >"${calls}/$n/args"
top=$(cat "${join(beside, "pid")}")
[ $n -ne ${at} ] || ${kill}
`;
  chmodSync(put(join(folder, ".git/hooks/post-index-change"), script), 0o755);
};

describeWith({ platforms: ["linux"] }, "N-10 G6 commits with hooks that format", () => {
  it.each([
    ["headgate commit", [process.execPath, programPath, "commit", "-m", "By s1"]],
    ["git commit", ["git", "commit", "--quiet", "-m", "By s1"]],
  ])(
    "%s, killed at every index that is written: before or after, verify is clean, and all go on",
    { timeout: 3_600_000 },
    async (name, argv) => {
      const scene = await newScene(formatter);
      const { folder, beside } = scene;
      const attempt = async (point: Pick<Point, "at" | "victim">): Promise<Killed> => {
        scene.restore();
        if (name === "git commit") gitAs(session("s1"), folder, ["add", "--all"]);
        putIndexHook(scene, point);
        const started = ["sh", "-c", `echo $$ >"${join(beside, "pid")}"; exec "$@"`, "sh", ...argv];
        const killed = await run(scene, started);
        rmSync(join(folder, ".git/hooks/post-index-change"));
        return killed;
      };
      const whole = await attempt({ at: 0, victim: "process" });
      expect([whole.code, head(folder, "f.txt")], whole.text).toEqual([0, inFormat(own)]);
      const places = startedIn(beside);
      // The checkout, the formatter's own `git add` in it, and what is taken from it.
      const inScratch = places.filter((place) => place.includes("/.git/headgate-scratch/"));
      expect(inScratch.length).toBeGreaterThan(1);
      expect(places.slice(places.lastIndexOf(inScratch.at(-1) ?? ""))).not.toEqual([]);
      const points = places.flatMap((_, at) => victims.map((victim) => ({ at: at + 1, victim })));
      await drawing(async (seed) => {
        for (const point of chosen(`kills of ${name} with a formatter`, points, seed)) {
          const label = `${point.victim} ${point.at} of ${places.length} `;
          await attempt(point);
          const isAfter = head(folder, "f.txt") !== ten;
          expect([ten, inFormat(own)], label).toContain(head(folder, "f.txt"));
          expect([all, inFormat(all)], label).toContain(read(folder, "f.txt"));
          for (const lock of leftOver(folder).filter((one) => ofGit.test(one))) {
            rmSync(join(folder, ".git", lock));
          }
          for (const [who, text] of [
            ["s1", inFormat(own)],
            ["s2", inFormat(all)],
          ] as const) {
            gitAs(session(who), folder, ["add", "--all"]);
            const done = gitAs(session(who), folder, ["commit", "--quiet", "-m", `By ${who}`]);
            expect(done.code, label + done.stderr).toBe(isAfter && who === "s1" ? 1 : 0);
            expect(head(folder, "f.txt"), label).toBe(text);
          }
          expect(status(folder), label).toBe("");
          expect(leftOver(folder), label).toEqual([]);
          expect(readdirSync(join(folder, ".git/headgate-scratch")), label).toEqual(["kept"]);
          const verified = headgateAs(session("s2"), folder, "verify", "--json");
          expect([verified.code, JSON.parse(verified.stdout)], label).toMatchObject([
            ...[0, { clean: true, findings: [] }],
          ]);
        }
      });
    },
  );
});

const changing = "rename,unlink,link,clone,clone3,vfork,wait4,mkdir";
const ofGit = /^(?:index|HEAD|refs\/heads\/main|next-index-\d+)\.lock$/;
