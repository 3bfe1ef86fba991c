/** Every kind of damage that `headgate verify` names, planted, found, and repaired where a repair is promised. */
import Database from "better-sqlite3";
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/ids.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { applyChanges } from "../../src/edit/apply.ts";
import { openHeadgate } from "../../src/index.ts";
import { noteWork } from "../../src/state/index.ts";
import { leftoverCodes, type LeftoverCode } from "../../src/verify/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { findInBetween } from "../helpers/nothing-between.ts";
import { cleanEnvironment, start } from "../helpers/program.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { CrashDisk } from "../simulation/crash-disk.ts";

const dead = { ...ownIdentity(), startTime: "1" };
const state = (folder: string): string => join(folder, ".git/headgate");

const newFolder = (): string => {
  const folder = makeRepository(join(temporaryFolder(), "repo"));
  for (const name of ["a", "b"]) put(join(folder, `${name}.txt`), `${name}\n`);
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "two files");
  return folder;
};

/** A process that ends at this step of an edit of both files. */
const dieAt = async (folder: string, step: string): Promise<void> => {
  const disk = new CrashDisk(join(folder, "..", "graves"), () => 0);
  const door = disk.door();
  const changes = ["a", "b"].map((name) => ({
    ...{ path: `${name}.txt`, kind: "modify" as const },
    before: Buffer.from(`${name}\n`),
    after: Buffer.from("edited\n"),
  }));
  const ended = applyChanges(changes, {
    ...{ root: folder, dir: join(state(folder), "edits"), id: newId("edit"), actor: "ed" },
    ...{ files: door.files, owner: dead },
    onStep: (at) => {
      if (at === step) door.end();
    },
  });
  await ended.catch(() => {});
};

const asDead = async (folder: string) => {
  const environment = {
    ...systemEnvironment(folder),
    variables: cleanEnvironment(join(folder, "..", "home")),
  };
  const headgate = await openHeadgate({
    ...{ repo: folder, environment },
    actor: { id: "ghost", session: "ghost", process: dead },
  });
  onTestFinished(() => headgate.close());
  return headgate;
};

const change = (folder: string, sql: string): void => {
  const database = new Database(join(state(folder), "store.db"));
  database.exec(sql);
  database.close();
};

interface Damage {
  readonly plant: (folder: string) => Promise<unknown> | unknown;
  /** What `--repair` leaves for a person. */
  readonly isLeft?: true;
  /** Found with it. */
  readonly beside?: readonly LeftoverCode[];
}

const damages: Readonly<Record<LeftoverCode, Damage>> = {
  EDIT_HALF: { plant: (folder) => dieAt(folder, "written") },
  EDIT_UNRECORDED: { plant: (folder) => dieAt(folder, "done") },
  EDIT_CONFLICT: {
    plant: async (folder) => {
      await dieAt(folder, "written");
      writeFileSync(join(folder, "a.txt"), "by hand\n");
    },
    isLeft: true,
  },
  EDIT_UNREADABLE: {
    plant: (folder) =>
      put(join(state(folder), "edits/open", `${newId("edit")}.writing.json`), "{}"),
    isLeft: true,
  },
  WORK_UNREADABLE: {
    plant: (folder) =>
      put(join(state(folder), "edits/open", `${newId("operation")}.commit.json`), "{"),
    isLeft: true,
  },
  COMMIT_UNFINISHED: {
    plant: (folder) => {
      const commit = git(folder, "rev-parse", "HEAD");
      const branch = git(folder, "symbolic-ref", "HEAD");
      const note = {
        kind: "commit",
        id: newId("operation"),
        worktree: folder,
        commit,
        branch,
      } as const;
      noteWork(state(folder), { ...note, isLeft: true });
    },
  },
  ROUTING_UNFINISHED: {
    plant: (folder) =>
      noteWork(state(folder), {
        ...{ kind: "routing", id: newId("operation"), worktree: folder, isLeft: true },
      }),
  },
  SCRATCH_LEFT: { plant: (folder) => put(join(folder, `.headgate-${newId("edit")}-0.new`), "new") },
  SCRATCH_TRACKED: {
    plant: (folder) => {
      put(join(folder, `.headgate-${newId("edit")}-0.new`), "new");
      git(folder, "add", "-f", "-A");
    },
    isLeft: true,
  },
  LOCK_LEFT: {
    plant: (folder) =>
      writeFileSync(join(folder, ".git/index.lock"), JSON.stringify({ headgate: { ...dead } })),
  },
  LOCK_HELD: {
    plant: (folder) => {
      const lock = join(folder, ".git/index.lock");
      writeFileSync(lock, "");
      utimesSync(lock, new Date(0), new Date(0));
    },
    isLeft: true,
  },
  CLAIM_GHOST: {
    plant: async (folder) => (await asDead(folder)).claims.claim({ targets: ["c.txt"] }),
  },
  WAITER_GHOST: {
    plant: async (folder) => {
      await runInside(["claim", "c.txt", "--as", "ada"], { cwd: folder });
      const waiting = start(["claim", "c.txt", "--as", "bob", "--wait", "10m"], { cwd: folder });
      const waiters = async () =>
        (
          JSON.parse((await runInside(["claims", "--json"], { cwd: folder })).stdout) as {
            waiters: unknown[];
          }
        ).waiters;
      await expect.poll(waiters).toHaveLength(1);
      waiting.child.kill("SIGKILL");
      await waiting.ended;
    },
  },
  STORE_OLDER: {
    plant: async (folder) => {
      await runInside(["claim", "c.txt", "--as", "ada"], { cwd: folder });
      for (const end of ["", "-wal", "-shm"])
        rmSync(join(state(folder), `store.db${end}`), { force: true });
      // Whoever cannot say it does not end it.
      await (await asDead(folder)).store();
    },
  },
  BLOB_MISSING: {
    plant: async (folder) => {
      put(join(folder, "k.py"), "class K:\n    pass\n");
      const list = join(folder, "../edit.json");
      const code = "def two(self):\n    return 2\n";
      put(list, JSON.stringify({ operations: [{ do: "add", file: "k.py", into: "K", code }] }));
      const applied = await runInside(["apply", list, "--yes", "--as", "ed"], { cwd: folder });
      expect(applied).toMatchObject({ code: 0 });
      const blobs = join(state(folder), "edits/blobs");
      for (const name of readdirSync(blobs)) rmSync(join(blobs, name));
    },
    isLeft: true,
  },
  EVENTS_TAMPERED: {
    plant: async (folder) => {
      await runInside(["claim", "c.txt", "--as", "ada"], { cwd: folder });
      change(
        folder,
        "DROP TRIGGER events_never_change; UPDATE events SET actor = 'eve' WHERE actor = 'ada'",
      );
    },
    isLeft: true,
  },
};

describe("headgate verify", () => {
  const verify = async (folder: string, ...args: string[]) => {
    const { code, stdout } = await runInside(["verify", "--json", ...args], { cwd: folder });
    const answer = JSON.parse(stdout) as {
      readonly clean: boolean;
      readonly findings: readonly {
        readonly code: string;
        readonly what: string;
        readonly repaired: boolean;
      }[];
    };
    return { code, ...answer };
  };

  it.each(Object.keys(leftoverCodes) as LeftoverCode[])(
    "P-01 G15 finds %s, and changes nothing",
    async (code) => {
      const folder = newFolder();
      const { plant, isLeft = false } = damages[code];
      await plant(folder);
      const before = findInBetween(folder);
      const found = await verify(folder);
      expect(found).toMatchObject({ code: 1, clean: false });
      // How an edit ended is known when it was tried.
      const expected = code === "EDIT_CONFLICT" ? "EDIT_HALF" : code;
      expect(found.findings.map((one) => one.code)).toContain(expected);
      expect(found.findings.map(({ repaired }) => repaired)).not.toContain(true);
      expect(findInBetween(folder)).toEqual(before);
      const repaired = await verify(folder, "--repair");
      expect(repaired.findings.find((one) => one.code === code)).toMatchObject({
        repaired: !isLeft,
      });
      expect(repaired).toMatchObject({ code: isLeft ? 1 : 0, clean: !isLeft });
      if (isLeft) return;
      expect(await verify(folder)).toEqual({ code: 0, clean: true, findings: [] });
      expect(findInBetween(folder)).toEqual([]);
      expect(existsSync(join(folder, ".git/index.lock"))).toBe(false);
    },
  );

  it.each([
    ["a forged record of an edit", () => `${newId("edit")}.returning.json`, "EDIT_UNREADABLE"],
    ["a damaged note of a commit", () => `${newId("operation")}.commit.json`, "WORK_UNREADABLE"],
    ["a file of another name", () => `${newId("event")}.txt`, "WORK_UNREADABLE"],
  ])("T-01 G6 %s is named once by commands, and always by verify", async (_, name, code) => {
    const folder = newFolder();
    const plant = (): string => put(join(state(folder), "edits/open", name()), "{}");
    plant();
    const said = async (command: string): Promise<readonly string[]> => {
      const { code: exit, stderr } = await runInside([command], { cwd: folder });
      expect(exit).toBe(0);
      return stderr.split("\n").filter((line) => line.includes("needs a person"));
    };
    const words = `was not written by this Headgate.*\\[${code}\\]$`;
    expect(await said("claims")).toEqual([expect.stringMatching(words)]);
    expect(await said("claims")).toEqual([]);
    expect((await verify(folder)).findings.map((one) => one.code)).toEqual([code]);
    // Another one is news.
    plant();
    expect(await said("status")).toHaveLength(1);
  });
});
