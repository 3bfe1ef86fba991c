import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore, verifyEvents, type Writer } from "../../src/store/index.ts";
import { describeWith } from "../helpers/not-run.ts";
import { runStoreWorker, type WorkerLine } from "../helpers/run-store-worker.ts";
import { backends, openScope, runSqliteSql, type StorePlace } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const newPlace = backends[0]!.place;

/** Runs a worker whose system calls fail as `inject` says; the log proves that they did. */
const runWithFault = async (
  place: StorePlace,
  inject: string,
  more: { readonly killAfterError?: boolean } = {},
): Promise<readonly WorkerLine[]> => {
  const log = join(temporaryFolder(), "log");
  const wrap = ["strace", "-f", "-qq", "-o", log, "-e", `inject=${inject}`];
  // Only this call is traced, so that nothing else is slowed down.
  wrap.push(
    "-e",
    `trace=${inject.split(":")[0]!}`,
    "-P",
    place.address,
    "-P",
    `${place.address}-wal`,
  );
  const { address, localDir } = place;
  const end = await runStoreWorker(
    { address, localDir, work: "append", times: 30, ...more },
    { wrap },
  );
  expect(readFileSync(log, "utf8")).toContain("(INJECTED)");
  if (!more.killAfterError) expect(end.lines.at(-1)).toEqual({ done: true });
  return end.lines;
};

const checkTruth = async (place: StorePlace, lines: readonly WorkerLine[]): Promise<void> => {
  const { store, scope } = await openScope(place);
  const acks = lines.flatMap((line) => line.ack ?? []);
  const unknown = lines.filter((line) => line.code === "OUTCOME_UNKNOWN");
  const { events } = await store.readEvents({ scope, since: 1 });
  const ids = new Set(events.map((event) => event.id));
  expect(acks.filter((id) => !ids.has(id))).toEqual([]);
  let committed = 0;
  for (const { key } of unknown) {
    if ((await store.outcome(scope, key!)).state === "committed") committed += 1;
  }
  expect(events).toHaveLength(acks.length + committed);
  expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  expect(runSqliteSql(place.address, "PRAGMA integrity_check")).toEqual([
    { integrity_check: "ok" },
  ]);
};

describeWith({ platforms: ["linux"], programs: ["strace"] }, "failing disk under SQLite", () => {
  it("G6 G7 a sync that fails once is rolled back for certain, and the next write works", async () => {
    const place = await newPlace();
    await (await openScope(place)).store.close();
    const lines = await runWithFault(place, "fsync,fdatasync:error=EIO:when=10");
    expect(lines.filter((line) => line.code).map((line) => line.code)).toEqual(["STORE_IO"]);
    expect(lines.filter((line) => line.ack)).toHaveLength(29);
    await checkTruth(place, lines);
  });

  it("G7 a sync that keeps failing leaves the outcome unknown, and asking later tells the truth", async () => {
    const place = await newPlace();
    await (await openScope(place)).store.close();
    const lines = await runWithFault(place, "fsync,fdatasync:error=EIO:when=10..15");
    const codes = lines.flatMap((line) => line.code ?? []);
    expect(codes.length).toBeGreaterThanOrEqual(2);
    expect(codes.every((code) => code === "OUTCOME_UNKNOWN" || code === "STORE_IO")).toBe(true);
    expect(codes).toContain("OUTCOME_UNKNOWN");
    await checkTruth(place, lines);
  });

  it("G6 what was reported as rolled back does not come back after a crash", async () => {
    const place = await newPlace();
    await (await openScope(place)).store.close();
    const lines = await runWithFault(place, "fsync,fdatasync:error=EIO:when=10", {
      killAfterError: true,
    });
    expect(lines.at(-1)).toMatchObject({ code: "STORE_IO" });
    await checkTruth(place, lines);
  });

  it("G7 what was reported as not committed does not come back after a crash", async () => {
    const place = await newPlace();
    await (await openScope(place)).store.close();
    const { address, localDir } = place;
    const keyFile = join(place.localDir, "key");
    // Whatever happens below, the asking process must not wait for ever.
    onTestFinished(() => writeFileSync(keyFile, "nothing"));
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
    const asking = runStoreWorker(
      { address, localDir, work: "ask", keyFile },
      { onLine: (line) => line.opened && opened() },
    );
    await isOpen;
    const lines = await runWithFault(place, "fsync,fdatasync:error=EIO:when=10..20", {
      killAfterError: true,
    });
    expect(lines.at(-1)).toMatchObject({ code: "OUTCOME_UNKNOWN" });
    writeFileSync(keyFile, lines.at(-1)!.key!);
    const answer = (await asking).lines.at(-1);
    const { store, scope } = await openScope(place);
    const { events } = await store.readEvents({ scope, since: 1 });
    const acks = lines.filter((line) => line.ack).length;
    expect(events).toHaveLength(answer?.state === "committed" ? acks + 1 : acks);
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  });

  it("G6 a full disk in the middle of a write is STORE_FULL and changes nothing", async () => {
    const place = await newPlace();
    await (await openScope(place)).store.close();
    const lines = await runWithFault(place, "pwrite64:error=ENOSPC:when=20+9");
    const codes = lines.flatMap((line) => line.code ?? []);
    expect(codes.length).toBeGreaterThanOrEqual(3);
    expect(new Set(codes)).toEqual(new Set(["STORE_FULL"]));
    await checkTruth(place, lines);
  });

  it("G6 a kill inside any page write leaves a whole store", async () => {
    for (const when of [3, 8, 13, 14, 15, 16, 17, 29]) {
      const place = await newPlace();
      await (await openScope(place)).store.close();
      const wrap = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64"];
      wrap.push("-e", `inject=pwrite64:signal=SIGKILL:when=${when}`);
      const { address, localDir } = place;
      const end = await runStoreWorker({ address, localDir, work: "append", times: 30 }, { wrap });
      expect(end.lines.some((line) => line.done)).toBe(false);
      const acks = end.lines.flatMap((line) => line.ack ?? []);
      const { store, scope } = await openScope(place);
      const { events } = await store.readEvents({ scope, since: 1 });
      expect([acks.length, acks.length + 1]).toContain(events.length);
      expect(events.slice(0, acks.length).map((event) => event.id)).toEqual(acks);
      expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
    }
  });
});

describeWith({ platforms: ["linux"], root: true, programs: ["mount"] }, "full disk", () => {
  it("G6 a store on a full file system says STORE_FULL, keeps what it has, and recovers", async () => {
    const folder = temporaryFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]);
    onTestFinished(() => {
      execFileSync("umount", ["-l", folder]);
    });
    const store = await openStore({ address: "", localDir: folder });
    const scope = await store.scope({ key: "k", name: "n" });
    const fill = (tx: Writer) => tx.emit({ kind: "test.filled", data: { text: "x".repeat(4000) } });
    let kept = 1;
    let code: unknown;
    while (code === undefined) {
      try {
        await store.write({ scope }, async (tx) => fill(tx));
        kept += 1;
      } catch (error) {
        code = (error as { code?: unknown }).code;
      }
    }
    expect(code).toBe("STORE_FULL");
    expect((await store.readEvents({ scope })).head).toBe(kept);
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true, events: kept });
    await store.close();
    execFileSync("mount", ["-o", "remount,size=4m", folder]);
    const again = await openStore({ address: "", localDir: folder });
    await again.write({ scope }, async (tx) => fill(tx));
    expect(await verifyEvents(again, scope)).toMatchObject({ ok: true, events: kept + 1 });
    await again.close();
  });
});
