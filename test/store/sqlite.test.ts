import { spawnSync } from "node:child_process";
import {
  chmodSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore, verifyEvents, type Writer } from "../../src/store/index.ts";
import { isSafeSqliteVersion } from "../../src/store/sqlite/sqlite-version.ts";
import { describeWith } from "../helpers/not-run.ts";
import { backends, openScope, runSqliteSql } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const newPlace = backends[0]!.place;
const note = (tx: Writer) => tx.emit({ kind: "test.noted" });

describe("SQLite floor", () => {
  it("C-01 versions that can corrupt a database with several writers are refused", () => {
    for (const version of ["3.7.0", "3.40.1", "3.50.4", "3.51.2", "3.52.0", "2.8.17", "", "x"]) {
      expect(isSafeSqliteVersion(version), version).toBe(false);
    }
    for (const version of ["3.51.3", "3.51.10", "3.53.0", "3.53.4", "3.60.1", "4.0.0"]) {
      expect(isSafeSqliteVersion(version), version).toBe(true);
    }
  });

  it("C-01 the library we ship is at or above the floor", async () => {
    const store = await (await newPlace()).open();
    expect(store.capabilities).toMatchObject({ name: "sqlite", shared: false, push: false });
    expect(isSafeSqliteVersion(store.capabilities.version)).toBe(true);
  });
});

describe("SQLite store file", () => {
  it("G2 commits are durable: write-ahead log, full sync, foreign keys, no mapped memory", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const settings = await store.write({ scope }, async (tx) => {
      note(tx);
      const [mode, sync, keys, mapped] = await Promise.all(
        ["journal_mode", "synchronous", "foreign_keys", "mmap_size"].map((name) =>
          tx.get({ sqlite: `PRAGMA ${name}`, postgres: "" }),
        ),
      );
      return { ...mode, ...sync, ...keys, ...mapped };
    });
    expect(settings).toEqual({
      journal_mode: "wal",
      synchronous: 2,
      foreign_keys: 1,
      mmap_size: 0,
    });
  });

  it("C-01 the default store is private and ignored by git", async () => {
    const localDir = join(temporaryFolder(), ".headgate", "local");
    const store = await openStore({ address: "", localDir });
    onTestFinished(() => store.close());
    expect(store.location).toBe(join(localDir, "store.db"));
    expect(readFileSync(join(localDir, ".gitignore"), "utf8")).toBe("*\n");
    if (process.platform !== "win32") {
      expect(statSync(localDir).mode & 0o777).toBe(0o700);
      expect(statSync(store.location).mode & 0o077).toBe(0);
    }
  });

  it("C-05 opening an up-to-date store writes nothing", async () => {
    const place = await newPlace();
    const { store } = await openScope(place);
    await store.close();
    const before = readFileSync(place.address);
    const again = await place.open();
    expect(statSync(`${place.address}-wal`).size).toBe(0);
    await again.close();
    expect(readFileSync(place.address).equals(before)).toBe(true);
  });

  it("F10 a file that is no database is refused and left alone", async () => {
    for (const content of ["plain text, long enough to be looked at ".repeat(40), "x"]) {
      const place = await newPlace();
      writeFileSync(place.address, content);
      await expect(place.open()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
      expect(readFileSync(place.address, "utf8")).toBe(content);
    }
  });

  it("F10 another program's database is refused and left alone", async () => {
    const place = await newPlace();
    runSqliteSql(place.address, "CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1");
    const before = readFileSync(place.address);
    await expect(place.open()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    expect(readFileSync(place.address).equals(before)).toBe(true);
  });

  it("F10 an empty file becomes a store, a folder does not", async () => {
    const place = await newPlace();
    writeFileSync(place.address, "");
    expect((await openScope(place)).scope.name).toBe("app");
    const folder = openStore({ address: place.localDir, localDir: place.localDir });
    await expect(folder).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const missing = openStore({ address: join(place.localDir, "no", "x.db"), localDir: "/l" });
    await expect(missing).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  it("F10 a truncated or overwritten store is reported as damaged, never as empty", async () => {
    const harms: ((path: string) => void)[] = [
      (path) => truncateSync(path, 4096 + 100),
      (path) => truncateSync(path, 50),
      (path) => truncateSync(path, 1),
      (path) => {
        const bytes = readFileSync(path);
        bytes.fill(0xa5, 4096);
        writeFileSync(path, bytes);
      },
    ];
    for (const harm of harms) {
      const place = await newPlace();
      const { store, scope } = await openScope(place);
      for (let index = 0; index < 50; index += 1) {
        await store.write({ scope }, async (tx) =>
          tx.emit({ kind: "test.filled", data: { text: "x".repeat(500) } }),
        );
      }
      await store.close();
      harm(place.address);
      const use = async () => {
        const again = await openScope(place);
        return (await again.store.readEvents({ scope: again.scope })).head;
      };
      await expect(use()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    }
  });

  it("F11 a -wal deleted while the store is open stops writing instead of losing commits", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    await store.write({ scope }, async (tx) => note(tx));
    unlinkSync(`${place.address}-wal`);
    const write = () => store.write({ scope }, async (tx) => note(tx));
    await expect(write()).rejects.toMatchObject({ code: "STORE_REPLACED" });
    await expect(write()).rejects.toMatchObject({ code: "STORE_REPLACED" });
    await store.close();
    const again = await openScope(place);
    await again.store.write({ scope: again.scope }, async (tx) => note(tx));
    expect(await verifyEvents(again.store, again.scope)).toMatchObject({ ok: true });
  });

  it("F11 a commit into a -wal that vanished meanwhile is OUTCOME_UNKNOWN, not success", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const write = store.write({ scope, key: "k" }, async (tx) => {
      unlinkSync(`${place.address}-wal`);
      return note(tx);
    });
    await expect(write).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN", data: { key: "k" } });
  });

  it("F11 a store.db replaced while open is noticed", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    rmSync(place.address);
    writeFileSync(place.address, "");
    const write = store.write({ scope }, async (tx) => note(tx));
    await expect(write).rejects.toMatchObject({ code: "STORE_REPLACED" });
  });
});

describe("SQLite turns", () => {
  it("C-01 a write inside a write of the same store is told STORE_BUSY, not left hanging", async () => {
    const { store, scope } = await openScope(await newPlace(), { waitMs: 100 });
    const nested = store.write({ scope }, async (tx) => {
      note(tx);
      return store.write({ scope }, async (inner) => note(inner));
    });
    await expect(nested).rejects.toMatchObject({ code: "STORE_BUSY" });
    await store.write({ scope }, async (tx) => note(tx));
    expect((await store.readEvents({ scope })).head).toBe(2);
  });

  it("C-01 a waiting writer lets the event loop run", async () => {
    const place = await newPlace();
    const { store, scope } = await openScope(place);
    const other = await place.open();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const holding = store.write({ scope }, async (tx) => {
      await held;
      return note(tx);
    });
    const waiting = other.write({ scope }, async (tx) => note(tx));
    let ticks = 0;
    for (; ticks < 20; ticks += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    letGo();
    await Promise.all([holding, waiting]);
    expect(ticks).toBe(20);
  });
});

describeWith(
  { root: true, platforms: ["linux"], programs: ["setpriv"] },
  "file permissions",
  () => {
    it("C-01 a store that may not be written is STORE_READ_ONLY for others", async () => {
      const place = await newPlace();
      const { store } = await openScope(place);
      await store.close();
      chmodSync(place.localDir, 0o755);
      chmodSync(place.address, 0o644);
      const worker = join(import.meta.dirname, "..", "helpers", "store-worker.ts");
      const { address, localDir } = place;
      const job = JSON.stringify({ address, localDir, work: "append", times: 1 });
      const argv = [
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        process.execPath,
        worker,
        job,
      ];
      const { stdout } = spawnSync("setpriv", argv, { encoding: "utf8" });
      expect(stdout).toContain('{"failed":"STORE_READ_ONLY"}');
    });
  },
);
