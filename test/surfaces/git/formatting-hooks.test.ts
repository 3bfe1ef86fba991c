import { spawnSync } from "node:child_process";
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { installPinned } from "../../helpers/pinned-tools.ts";
import { environmentOf, gitAsync, headgateAsync, read, write } from "./hooked-repository.ts";
import { type SharedCheckout, session, sharedCheckout, status } from "./shared-checkout.ts";

let tools = "";
beforeAll(async () => {
  tools = await installPinned("hook-managers", "hook-managers");
});

/** Says that it has begun, and formats once the other writers have been at work meanwhile. */
const formatter = `out=$(cat "$(git rev-parse --git-common-dir)/out")
if [ -e "$out/on" ]; then
  echo begun >>"$out/begun"
  while [ ! -e "$out/go" ]; do sleep 0.05; done
fi
for file; do sed -i 's/^own/OWN/' "$file"; done
`;

interface Manager {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly install: readonly string[];
  /** Refuses a commit whose files it changed; the next one passes. */
  readonly refuses?: boolean;
}

const local = (name: string): string => join("node_modules/.bin", name);

const managers: readonly Manager[] = [
  {
    name: "husky and lint-staged",
    files: {
      ".husky/pre-commit": "lint-staged\n",
      ".lintstagedrc.json": JSON.stringify({ "*.txt": "sh fmt.sh" }),
    },
    install: [local("husky")],
  },
  {
    name: "lefthook",
    files: {
      "lefthook.yml":
        'pre-commit:\n  commands:\n    fmt:\n      glob: "*.txt"\n      run: sh fmt.sh {staged_files}\n      stage_fixed: true\n',
    },
    install: [local("lefthook"), "install"],
  },
  {
    name: "the pre-commit framework",
    files: {
      ".pre-commit-config.yaml":
        "repos:\n- repo: local\n  hooks:\n  - {id: fmt, name: fmt, language: system, entry: sh fmt.sh, files: '[.]txt$'}\n",
    },
    install: ["pre-commit", "install"],
    refuses: true,
  },
];

const lines = Array.from({ length: 40 }, (_, at) => `line ${at}\n`);
const text = lines.join("");

const prepare = (manager: Manager) => (folder: string) => {
  write(folder, "../out/.keep", "");
  write(folder, ".git/out", join(folder, "../out"));
  write(folder, ".git/info/exclude", "node_modules\n.cache/\n");
  symlinkSync(join(tools, "node_modules"), join(folder, "node_modules"));
  write(folder, "fmt.sh", formatter);
  for (const [path, content] of Object.entries(manager.files)) write(folder, path, content);
  const [program = "", ...args] = manager.install;
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync(program, args, {
    ...{ cwd: folder, env: environmentOf(folder), encoding: "utf8" },
  });
  expect(code, stdout + stderr).toBe(0);
};

/** A session that goes on editing its own line, as a client's edit tool does, until it is stopped. */
const busyWriter = (place: SharedCheckout, who: string, at: number) => {
  let count = 0;
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const from = count === 0 ? `line ${at}\n` : `${who} ${count}\n`;
      await place.swapBusy(who, "f.txt", from, `${who} ${(count += 1)}\n`);
      // The store answers at once: without this nothing else of the test would get its turn.
      await setImmediate();
    }
  })();
  onTestFinished(() => {
    stopping.abort();
    return done;
  });
  return {
    count: () => count,
    stop: async (): Promise<string> => {
      stopping.abort();
      await done;
      return `${who} ${count}\n`;
    },
  };
};

/** Our lines in the managers' own files are nobody's yet. */
const ofFile = (said: string): string[] =>
  said.split("\n").filter((line) => line.endsWith("f.txt"));

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await setTimeout(20);
};

describe.each(managers)("N-10 $name while two writers are busy in the same file", (manager) => {
  it.each(["git commit", "headgate commit"])("%s", async (way) => {
    const place = await sharedCheckout({ "f.txt": text }, prepare(manager));
    const { folder } = place;
    await place.swap("s1", "f.txt", "line 10\n", "own ten\nown more\n");
    const writers = [busyWriter(place, "s2", 12), busyWriter(place, "s3", 30)] as const;
    await until(() => writers.every((one) => one.count() > 0));
    const out = (name: string) => join(folder, "../out", name);
    const commit = async () => {
      for (const name of ["begun", "go"]) rmSync(out(name), { force: true });
      write(folder, "../out/on", "");
      const ended =
        way === "git commit"
          ? gitAsync(session("s1"), folder, ["commit", "-qam", "More"])
          : headgateAsync(session("s1"), folder, "commit", "-m", "More");
      let isEnded = false;
      void ended.finally(() => (isEnded = true));
      await until(() => existsSync(out("begun")) || isEnded);
      const before = writers.map((one) => one.count());
      await until(() => writers.every((one, at) => one.count() > (before[at] ?? 0) + 3));
      write(folder, "../out/go", "");
      return ended;
    };
    const code = await commit();
    if (manager.refuses) {
      expect(code).not.toBe(0);
      expect(read(folder, "f.txt")).toContain("OWN ten\nOWN more\n");
      expect(await commit()).toBe(0);
    } else expect(code).toBe(0);
    const last = await Promise.all(writers.map((one) => one.stop()));
    const own = text.replace("line 10\n", "OWN ten\nOWN more\n");
    expect(place.head("f.txt")).toBe(own);
    const [two = "", three = ""] = last;
    expect(read(folder, "f.txt")).toBe(own.replace("line 12\n", two).replace("line 30\n", three));
    expect((await place.authors("f.txt")).toSorted()).toEqual(["claude:s2", "claude:s3"]);
    expect(git(folder, "stash", "list")).toBe("");
    expect(ofFile(status(place))).toEqual([" M f.txt"]);
    rmSync(out("on"));
    for (const who of ["s2", "s3"]) expect(place.commitAll(who).code).toBe(0);
    expect(place.head("f.txt")).toBe(read(folder, "f.txt"));
    expect(ofFile(status(place))).toEqual([]);
  });
});
