import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import { limits } from "../../src/base/limits.ts";
import { parseTarget } from "../../src/claims/index.ts";
import { writeClaims } from "../../src/claims/room.ts";
import { openHeadgate } from "../../src/compose.ts";
import { openStore, verifyEvents } from "../../src/store/index.ts";
import { type ClaimsPlace, freshDir, granted, openClaimsAt } from "../helpers/claims.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { mount, runProgram } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { runSqliteSql, type StorePlace } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

/** Store and fence mark in one folder, as in a repository. */
const placeIn = (dir: string): StorePlace => {
  const address = join(dir, "store.db");
  return {
    backend: "sqlite",
    address,
    localDir: dir,
    sql: async (text) => runSqliteSql(address, text),
    open: async (options = {}) => {
      const store = await openStore({ address, localDir: dir, ...options });
      onTestFinished(() => store.close());
      return store;
    },
  };
};

const openIn = (dir: string): Promise<ClaimsPlace> => openClaimsAt(placeIn(dir), { dir });
const closePlace = async ({ store, fences }: ClaimsPlace): Promise<void> => {
  await store.close();
  fences.close();
};

const codeOf = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: { code?: unknown; message: string }) => error.code ?? error.message,
  );

const expectWhole = async ({ store, scope }: ClaimsPlace): Promise<void> =>
  expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });

const targetsHeld = async (place: ClaimsPlace): Promise<string[]> =>
  (await place.as("watcher").list()).claims.map(({ target }) => target).toSorted();

describeWith(
  { platforms: ["linux"], root: true, programs: ["mount"] },
  "claims on a bad disk",
  () => {
    it("D08 G6 G2 a full disk refuses with STORE_FULL, grants nothing by half, and works again with room", async () => {
      const dir = temporaryFolder();
      mount(dir, "-t", "tmpfs", "-o", "size=1m", "tmpfs");
      const place = await openIn(dir);
      const alice = place.as("alice");
      const fences: number[] = [];
      let code: unknown;
      while (code === undefined) {
        const request = {
          targets: [`f${fences.length}`, `g${fences.length}`],
          reason: "x".repeat(900),
        };
        const result = await alice.claim(request).catch((error: { code: string }) => error.code);
        if (typeof result === "string") code = result;
        else fences.push(granted(result).fence);
      }
      expect(code).toBe("STORE_FULL");
      const kept = fences.flatMap((_, index) => [`f${index}`, `g${index}`]).toSorted();
      expect(await targetsHeld(place)).toEqual(kept);
      // As large as the one that did not fit: a smaller one may find room.
      const another = { targets: ["more", "and more"], reason: "x".repeat(900) };
      for (let tries = 0; tries < 5; tries += 1) {
        expect(await codeOf(alice.claim(another))).toBe("STORE_FULL");
      }
      expect(await targetsHeld(place)).toEqual(kept);
      runProgram("mount", "-o", "remount,size=8m", dir);
      fences.push(granted(await place.as("bob").claim({ targets: ["more"] })).fence);
      expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
      expect((await alice.release({ all: true })).released).toHaveLength(kept.length);
      await expectWhole(place);
    });

    it("D08 G2 no room to make a block of fences durable: nothing is granted", async () => {
      const dir = temporaryFolder();
      mount(dir, "-t", "tmpfs", "-o", "size=2m", "tmpfs");
      const place = await openIn(dir);
      const filler = join(dir, "filler");
      expect(() => writeFileSync(filler, "x".repeat(4_000_000))).toThrow("ENOSPC");
      expect(await codeOf(place.as("alice").claim({ targets: ["a"] }))).toMatch(
        /^(STATE|STORE|FENCE)_/,
      );
      expect(await targetsHeld(place)).toEqual([]);
      rmSync(filler);
      granted(await place.as("alice").claim({ targets: ["a"] }));
      await expectWhole(place);
    });

    const readOnlyShop = async ({ isInUse }: { readonly isInUse: boolean }) => {
      const root = makeRepository(join(temporaryFolder(), "shop"));
      const dir = stateFolder(root);
      const first = await openHeadgate({ repo: root, actor: "alice" });
      onTestFinished(() => first.close());
      granted(await first.claims.claim({ targets: ["a.txt"] }));
      if (!isInUse) await first.close();
      mount(dir, "--bind", dir);
      runProgram("mount", "-o", "remount,bind,ro", dir);
      const later = await openHeadgate({ repo: root, actor: "bob" });
      onTestFinished(() => later.close());
      return later.claims;
    };

    it("D08 G6 a folder that became read-only grants nothing, and shows who holds what", async () => {
      const bob = await readOnlyShop({ isInUse: true });
      expect((await bob.check(["a.txt"])).blockers).toMatchObject([{ actor: "alice" }]);
      const code = await codeOf(bob.claim({ targets: ["b.txt"] }));
      expect(code).toMatch(/^(STORE_READ_ONLY|FENCE_MARK_UNUSABLE)$/);
      expect((await bob.list()).claims).toHaveLength(1);
    });

    it("D08 G13 where SQLite may not make its side files, nothing is guessed", async () => {
      const bob = await readOnlyShop({ isInUse: false });
      for (const call of [() => bob.check(["a.txt"]), () => bob.claim({ targets: ["b.txt"] })]) {
        expect(await codeOf(call())).toMatch(/^STORE_(UNAVAILABLE|READ_ONLY)$/);
      }
    });
  },
);

/** Fences 1 to 4 are out: a copy of the store knows of two, then it is taken away in some manner. */
const harmed = async (
  harm: (dir: string) => void | Promise<void>,
): Promise<{ readonly dir: string; readonly place: ClaimsPlace }> => {
  const dir = freshDir();
  const place = await openIn(dir);
  for (const target of ["one", "two"])
    granted(await place.as("alice").claim({ targets: [target] }));
  await closePlace(place);
  copyFileSync(join(dir, "store.db"), join(dir, "copy"));
  const again = await openIn(dir);
  for (const target of ["three", "four"])
    granted(await again.as("alice").claim({ targets: [target] }));
  await closePlace(again);
  await harm(dir);
  return { dir, place: again };
};

const putBackCopy = (dir: string): void => {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(dir, `store.db${end}`), { force: true });
  copyFileSync(join(dir, "copy"), join(dir, "store.db"));
};

describe("a store that is not what it was", () => {
  const losses: readonly [string, (dir: string) => void][] = [
    ["an old copy was put back", putBackCopy],
    ["it was emptied", (dir) => truncateSync(join(dir, "store.db"))],
    ["it was deleted", (dir) => rmSync(join(dir, "store.db"))],
  ];
  it.each(losses)(
    "F09 G2 %s: fences go on above all, and old holders hold nothing",
    async (_, harm) => {
      const { dir } = await harmed(harm);
      const place = await openIn(dir);
      const [alice, bob] = [place.as("alice"), place.as("bob")];
      const got = granted(await bob.claim({ targets: ["four"] }));
      expect(got.fence).toBe(5);
      expect(await alice.verify(4, ["four"])).toMatchObject({ ok: false, code: "FENCE_STALE" });
      // Even who gets the same place again does so under a number of its own.
      await bob.release({ all: true });
      expect(granted(await alice.claim({ targets: ["four"] })).fence).toBe(6);
      expect((await alice.verify(4, ["four"])).ok).toBe(false);
      expect((await alice.verify(6, ["four"])).ok).toBe(true);
      await expectWhole(place);
    },
  );

  it.each<[string, (path: string) => void]>([
    ["half of it is missing", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ["its head is overwritten", (path) => writeFileSync(path, "not a database at all".repeat(99))],
    [
      "its pages are overwritten",
      (path) => {
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0x5a, 4096));
      },
    ],
    ["a few bytes are left", (path) => truncateSync(path, 100)],
  ])("F10 G13 %s: no grant, and a code that says so", async (_, harm) => {
    const { dir } = await harmed((folder) => harm(join(folder, "store.db")));
    const attempt = async () => {
      const place = await openIn(dir);
      return place.as("bob").claim({ targets: ["one", "four", "five"] });
    };
    expect(await codeOf(attempt())).toBe("STORE_CORRUPT");
    putBackCopy(dir);
    const place = await openIn(dir);
    expect(granted(await place.as("bob").claim({ targets: ["four"] })).fence).toBe(5);
  });

  it.each<[string, (dir: string) => void]>([
    ["the -wal is deleted", (dir) => rmSync(join(dir, "store.db-wal"))],
    ["the store is deleted", (dir) => rmSync(join(dir, "store.db"))],
    ["the whole folder is deleted", (dir) => rmSync(dir, { recursive: true })],
    ["an old copy is put in its place", putBackCopy],
  ])("F11 G2 %s while in use: no grant after that, and no fence twice", async (title, harm) => {
    const { dir } = await harmed(() => {});
    const place = await openIn(dir);
    granted(await place.as("alice").claim({ targets: ["five"] }));
    harm(dir);
    const code = await codeOf(place.as("bob").claim({ targets: ["six"] }));
    expect(code).toMatch(/^(STORE_REPLACED|OUTCOME_UNKNOWN)$/);
    await closePlace(place);
    mkdirSync(dir, { recursive: true });
    const next = await openIn(dir);
    const result = await next.as("bob").claim({ targets: ["five"] });
    const isStillHers = (await next.as("alice").verify(5, ["five"])).ok;
    // Only the -wal that SQLite itself could still save keeps what was granted.
    expect([isStillHers, result.ok]).toEqual(
      title.includes("-wal") ? [true, false] : [false, true],
    );
    // With the mark gone, too, nothing is left that could know.
    if (result.ok && !title.includes("folder")) expect(granted(result).fence).toBeGreaterThan(5);
    await expectWhole(next);
  });
});

describe("the mark beside the store", () => {
  const kinds = ["fences.json", "fence-mark"] as const;
  it.each(kinds)("G2 %s deleted: the store's own number counts", async (name) => {
    const { dir } = await harmed((folder) => rmSync(join(folder, name)));
    const place = await openIn(dir);
    expect(granted(await place.as("bob").claim({ targets: ["five"] })).fence).toBe(5);
  });

  it("G2 fences.json deleted and an old copy put back: the exact number is still known", async () => {
    const { dir } = await harmed((folder) => {
      putBackCopy(folder);
      rmSync(join(folder, "fences.json"));
    });
    const place = await openIn(dir);
    expect(granted(await place.as("bob").claim({ targets: ["five"] })).fence).toBe(5);
  });

  it("G2 fences.json deleted in the middle of a block: the next block begins above it", async () => {
    const { dir } = await harmed((folder) => rmSync(join(folder, "fences.json")));
    const place = await openIn(dir);
    const bob = place.as("bob");
    const fences: number[] = [];
    const targets = Array.from({ length: limits.claimTargetsMax }, (_, index) => `t${index}`);
    while ((fences.at(-1) ?? 0) <= limits.fenceBlock + 100) {
      const result = await bob.claim({ targets });
      if (!result.ok) throw new Error("refused");
      fences.push(...result.claims.map(({ fence }) => fence));
      await bob.release({ all: true });
    }
    expect(fences).toEqual(fences.map((_, index) => 5 + index));
    expect(existsSync(join(dir, "fences.json"))).toBe(true);
  });

  it("G2 a transaction that takes more fences than a block has comes to an end all the same", async () => {
    const place = await openIn(freshDir());
    const { actor } = place.as("alice");
    const { store, scope, fences } = place;
    const room = {
      ...{ actor, clock: systemClock, ids: newId },
      open: async () => ({ store, scope, fences }),
      look: async () => ({ store, scope }),
      resolve: () => parseTarget("a"),
      rescue: async () => undefined,
    };
    let tries = 0;
    const first = await writeClaims(room, {}, async (ledger) => {
      tries += 1;
      expect(tries).toBeLessThan(20);
      const taken = Array.from({ length: 3 * limits.fenceBlock }, () =>
        ledger.takeFences(1, 1_000),
      );
      ledger.tx.emit({ kind: "test.taken" });
      return taken[0]!;
    });
    const next = granted(await place.as("alice").claim({ targets: ["a"] })).fence;
    expect(next).toBe(first + 3 * limits.fenceBlock);
  });

  it.each(kinds)("G2 G13 %s that is not a file stops grants, not looking", async (name) => {
    const { dir } = await harmed((folder) => {
      rmSync(join(folder, "fence-mark"));
      rmSync(join(folder, name), { force: true });
      mkdirSync(join(folder, name));
    });
    const place = await openIn(dir);
    expect(await codeOf(place.as("bob").claim({ targets: ["five"] }))).toBe("FENCE_MARK_UNUSABLE");
    expect((await place.as("bob").list()).claims).toHaveLength(4);
    rmSync(join(dir, name), { recursive: true });
    expect(granted(await place.as("bob").claim({ targets: ["five"] })).fence).toBe(5);
  });

  it.each(["", "{", "[]", "null", '{"reserved":-1,"start":0,"boot":""}'])(
    "G2 G13 fences.json with %j stops grants until it is looked after",
    async (text) => {
      const { dir } = await harmed((folder) => {
        rmSync(join(folder, "fence-mark"));
        writeFileSync(join(folder, "fences.json"), text);
      });
      const place = await openIn(dir);
      expect(await codeOf(place.as("bob").claim({ targets: ["five"] }))).toBe(
        "FENCE_MARK_UNUSABLE",
      );
      expect((await place.as("bob").list()).claims).toHaveLength(4);
    },
  );

  it.each(["", "x".repeat(20), "{}", '{"fence":-3,"reserved":9} end', '{"fence":1e99} end'])(
    "G2 fence-mark with %j is not believed",
    async (text) => {
      const { dir } = await harmed((folder) =>
        writeFileSync(join(folder, "fence-mark"), text.padEnd(1024)),
      );
      const place = await openIn(dir);
      expect(granted(await place.as("bob").claim({ targets: ["five"] })).fence).toBe(5);
    },
  );
});

describeWith({ platforms: ["linux"], programs: ["strace"] }, "a disk that fails to sync", () => {
  /** A worker under strace whose n-th sync fails; the log proves that it did. */
  const faultyWorker = async (dir: string, when: string, paths: readonly string[]) => {
    const log = join(temporaryFolder(), "log");
    const calls = "fsync,fdatasync";
    const wrap = ["strace", "-f", "-qq", "-o", log, "-e", `trace=${calls}`];
    wrap.push(
      "-e",
      `inject=${calls}:error=EIO:when=${when}`,
      ...paths.flatMap((path) => ["-P", path]),
    );
    const address = join(dir, "store.db");
    const worker = await startFaultWorker({ address, localDir: dir, actor: "alice" }, { wrap });
    return { worker, log };
  };

  it.each([
    ["once", "1", /^STORE_IO$/],
    ["again and again", "1..20", /^OUTCOME_UNKNOWN$/],
  ])("G6 G7 %s at the commit of a grant: what is reported is true", async (_, when, expected) => {
    const { dir } = await harmed(() => {});
    const place = await openIn(dir);
    const store = join(dir, "store.db");
    const { worker, log } = await faultyWorker(dir, when, [store, `${store}-wal`]);
    const answer = await worker.ask("claim", [{ targets: ["five", "six"], key: "k" }]);
    expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
    expect(answer).toMatchObject({ ok: false, code: expect.stringMatching(expected) });
    await worker.kill();
    const { state } = await place.store.outcome(place.scope, "k");
    const held = await targetsHeld(place);
    const isThere = held.includes("five") && held.includes("six");
    expect(held).toHaveLength(isThere ? 6 : 4);
    expect(state).toBe(isThere ? "committed" : "not-committed");
    if (String(expected).includes("IO")) expect(isThere).toBe(false);
    // Asked again with the key it is done once, under numbers that nobody had.
    const again = await place.as("alice").claim({ targets: ["five", "six"], key: "k" });
    expect(granted(again).fence).toBeGreaterThanOrEqual(5);
    expect(await targetsHeld(place)).toHaveLength(6);
    expect(await codeOf(place.as("bob").claim({ targets: ["six"] }))).toMatchObject({ ok: false });
    await expectWhole(place);
  });

  it("G2 when the block of fences cannot be made durable, nothing is granted", async () => {
    const dir = freshDir();
    const place = await openIn(dir);
    const { worker, log } = await faultyWorker(dir, "1", []);
    const answer = await worker.ask("claim", [{ targets: ["a"] }]);
    expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
    expect(answer).toMatchObject({ ok: false, code: expect.stringMatching(/^STATE_/) });
    expect(await targetsHeld(place)).toEqual([]);
    expect(await place.events("claim.*")).toEqual([]);
    granted(await worker.call("claim", { targets: ["a"] }));
    await expectWhole(place);
  });
});
