/** A store goes with its repository, and what it lost is said. */
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { mount } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const run = async (cwd: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runInside([...args, "--json"], { cwd });
  const answer = JSON.parse(stdout) as Record<string, unknown>;
  return { code, stderr, answer };
};
const claim = (cwd: string, target: string, actor: string) =>
  run(cwd, "claim", target, "--as", actor);
const holders = async (cwd: string): Promise<unknown> => {
  const { answer } = await run(cwd, "claims");
  return (answer["claims"] as { actor: string; target: string }[])
    .map(({ actor, target }) => `${actor} ${target}`)
    .toSorted();
};
const newFolder = (): string => makeRepository(join(temporaryFolder(), "repo"));

const expectAdasClaim = async (folder: string): Promise<void> => {
  expect(await holders(folder)).toEqual(["ada a.txt"]);
  expect(await run(folder, "check", "a.txt", "--as", "bob")).toMatchObject({ code: 1 });
  expect(await claim(folder, "a.txt", "bob")).toMatchObject({ answer: { code: "CLAIM_CONFLICT" } });
  expect((await claim(folder, "b.txt", "bob")).code).toBe(0);
};

describe("a repository that is moved", () => {
  it("P-04 G17 keeps its claims and its history; they can be given back there", async () => {
    const folder = newFolder();
    await claim(folder, "a.txt", "ada");
    const moved = join(temporaryFolder(), "moved");
    renameSync(folder, moved);
    await expectAdasClaim(moved);
    expect((await run(moved, "release", "--all", "--as", "ada")).code).toBe(0);
    expect(await holders(moved)).toEqual(["bob b.txt"]);
    expect((await run(moved, "events", "verify")).code).toBe(0);
    // Another repository at the old place knows nothing of it, and takes nothing away.
    makeRepository(folder);
    expect(await holders(folder)).toEqual([]);
    expect(await holders(moved)).toEqual(["bob b.txt"]);
  });

  it("G17 a copy is another scope", async () => {
    const folder = newFolder();
    await claim(folder, "a.txt", "ada");
    const copy = join(temporaryFolder(), "copy");
    cpSync(folder, copy, { recursive: true });
    expect(await holders(copy)).toEqual([]);
    expect((await claim(copy, "a.txt", "bob")).code).toBe(0);
    expect(await holders(copy)).toEqual(["bob a.txt"]);
    expect(await holders(folder)).toEqual(["ada a.txt"]);
  });
});

describeWith({ root: true }, "a repository that is mounted under a second path", () => {
  it("G17 is one scope under both", async () => {
    const folder = newFolder();
    await claim(folder, "a.txt", "ada");
    const second = join(temporaryFolder(), "mounted");
    mkdirSync(second);
    mount(second, "--bind", folder);
    await expectAdasClaim(second);
    expect(await holders(folder)).toEqual(["ada a.txt", "bob b.txt"]);
  });
});

describe("a store that lost history", () => {
  const store = (folder: string): string => join(folder, ".git/headgate/store.db");
  const remove = (folder: string): void => {
    for (const end of ["", "-wal", "-shm"]) rmSync(store(folder) + end, { force: true });
  };
  const damages: readonly (readonly [string, (folder: string) => void])[] = [
    ["deleted", remove],
    [
      "emptied",
      (folder) => {
        remove(folder);
        writeFileSync(store(folder), "");
      },
    ],
    [
      "put back from a copy",
      (folder) => {
        remove(folder);
        cpSync(join(folder, "old.db"), store(folder));
      },
    ],
  ];

  it.each(damages)(
    "F09 G2 %s: every command says so until one that writes; fences rise",
    async (_, damage) => {
      const folder = newFolder();
      const { answer } = await claim(folder, "a.txt", "ada");
      cpSync(store(folder), join(folder, "old.db"));
      expect(answer).toMatchObject({ claim: { fence: 1 } });
      await claim(folder, "b.txt", "ada");
      await claim(folder, "c.txt", "ada");
      expect((await claim(folder, "d.txt", "ada")).stderr).toBe("");
      damage(folder);
      for (const command of ["status", "claims"]) {
        expect((await run(folder, command)).stderr).toMatch(
          /deleted, emptied or put back.*STORE_OLDER/,
        );
      }
      expect(await run(folder, "verify")).toMatchObject({
        code: 1,
        answer: { findings: [{ code: "STORE_OLDER", repaired: false }] },
      });
      const first = await claim(folder, "e.txt", "bob");
      expect(first).toMatchObject({
        answer: { claim: { fence: 5 } },
        stderr: expect.stringContaining("STORE_OLDER"),
      });
      expect((await run(folder, "events", "--kind", "store.lost")).stderr).toBe("");
      expect((await run(folder, "status")).stderr).toBe("");
      expect((await run(folder, "verify")).code).toBe(0);
    },
  );

  it("P-04 G2 fences rise also when the whole state folder is gone", async () => {
    const folder = newFolder();
    await claim(folder, "a.txt", "ada");
    rmSync(join(folder, ".git/headgate"), { recursive: true });
    const { answer } = await claim(folder, "a.txt", "bob");
    expect((answer["claim"] as { fence: number }).fence).toBeGreaterThan(1);
  });
});
