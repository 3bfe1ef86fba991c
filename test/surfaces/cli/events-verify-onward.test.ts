import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../../src/base/files.ts";
import { limits } from "../../../src/base/limits.ts";
import { openHeadgate } from "../../../src/compose.ts";
import { type EventCheckpoint } from "../../../src/store/index.ts";
import { keepCheckpoint } from "../../../src/store/events/checkpoint.ts";
import { run, start } from "../../helpers/program.ts";
import { stateFolder } from "../../helpers/state-folder.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const addEvents = async (cwd: string, count: number): Promise<void> => {
  await using headgate = await openHeadgate({ repo: cwd, actor: "tester" });
  const [store, scope] = [await headgate.store(), await headgate.scope()];
  for (let left = count; left > 0; left -= limits.eventsPerTransactionMax) {
    await store.write({ scope }, async (tx) => {
      for (let n = Math.min(left, limits.eventsPerTransactionMax); n > 0; n -= 1) {
        tx.emit({ kind: "one.made", data: { n } });
      }
      return null;
    });
  }
};

const damage = (cwd: string, seq: number): void => {
  const database = new Database(join(stateFolder(cwd), "store.db"));
  database.exec("DROP TRIGGER IF EXISTS events_never_change");
  database.prepare("UPDATE events SET subject = 'forged' WHERE seq = ?").run(seq);
  database.close();
};

const verify = async (cwd: string, ...more: string[]) => {
  const { code, stdout, stderr } = await run(["events", "verify", ...more], { cwd });
  return { code, said: stdout, problem: /event \d+: [^\n]*/.exec(stderr)?.[0] };
};
const onward = (cwd: string) => verify(cwd, "--onward");
const checkpointOf = (cwd: string) => join(stateFolder(cwd), "events-verified");
const readCheckpoint = (cwd: string): EventCheckpoint =>
  JSON.parse(readFileSync(checkpointOf(cwd), "utf8").split("\n")[1] ?? "") as EventCheckpoint;

describe("headgate events verify --onward", () => {
  it("C-06 begins where the last one came to, says so, and finds damage behind that", async () => {
    const cwd = temporaryFolder();
    await addEvents(cwd, 4);
    expect(await verify(cwd)).toMatchObject({ code: 0 });
    // The whole check reads only.
    expect(existsSync(checkpointOf(cwd))).toBe(false);
    const first = await onward(cwd);
    expect(first).toMatchObject({ code: 0 });
    expect(first.said).toContain("the whole log is checked\n");
    expect(first.said).toContain("5 events, none altered");
    await addEvents(cwd, 3);
    const second = await onward(cwd);
    expect(second.said).toContain("3 events after event 5, none altered");
    expect(second.said).toMatch(/head {2}8:[0-9a-f]{64}\n/);
    const { stdout } = await run(["events", "verify", "--onward", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, events: 8, onwardFrom: 8 });
    await addEvents(cwd, 2);
    damage(cwd, 9);
    expect(await onward(cwd)).toMatchObject({ code: 1, problem: "event 9: its hash does not fit" });
  });

  it("C-06 without --onward the whole log is checked, whatever was checked before", async () => {
    const cwd = temporaryFolder();
    await addEvents(cwd, 4);
    await onward(cwd);
    damage(cwd, 2);
    expect(await onward(cwd)).toMatchObject({ code: 0 });
    expect(await verify(cwd)).toMatchObject({ code: 1, problem: "event 2: its hash does not fit" });
    expect((await verify(cwd, "--onward", "--head", `3:${"0".repeat(64)}`)).code).toBe(1);
  });

  it("T-01 a checkpoint that somebody else wrote is not believed", async () => {
    const cwd = temporaryFolder();
    await addEvents(cwd, 4);
    await onward(cwd);
    await addEvents(cwd, 4);
    damage(cwd, 7);
    const database = new Database(join(stateFolder(cwd), "store.db"), { readonly: true });
    const hash = database.prepare("SELECT hash FROM events WHERE seq = 9").pluck().get() as string;
    database.close();
    const [code] = readFileSync(checkpointOf(cwd), "utf8").split("\n");
    const forged = { ...readCheckpoint(cwd), seq: 9, hash };
    writeFileSync(checkpointOf(cwd), `${code}\n${JSON.stringify(forged)}\n`);
    expect(await onward(cwd)).toMatchObject({ code: 1, problem: "event 7: its hash does not fit" });
    writeFileSync(checkpointOf(cwd), "nonsense");
    expect(await onward(cwd)).toMatchObject({ code: 1 });
  });

  it("C-06 a checkpoint of another log does not fit, and the whole log is checked", async () => {
    const cwd = temporaryFolder();
    await addEvents(cwd, 4);
    await onward(cwd);
    const place = { dir: stateFolder(cwd), files: systemFiles };
    keepCheckpoint(place, { ...readCheckpoint(cwd), hash: "f".repeat(64) });
    const { said } = await onward(cwd);
    expect(said).toContain("does not fit this log: the whole log is checked");
    expect(said).toContain("5 events, none altered");
    await run(["events", "prune", "--before", "4", "--yes"], { cwd });
    expect((await onward(cwd)).said).toContain("1 event after event 5, none altered");
    expect((await onward(cwd)).said).toContain("0 events after event 6, none altered");
  });

  it("G6 one that was killed is taken up where it kept its place", async () => {
    const cwd = temporaryFolder();
    await addEvents(cwd, 2.5 * limits.eventCheckpointEvery);
    const killed = start(["events", "verify", "--onward"], { cwd });
    await expect.poll(() => existsSync(checkpointOf(cwd))).toBe(true);
    killed.child.kill("SIGKILL");
    await killed.ended;
    const { seq } = readCheckpoint(cwd);
    expect(seq).toBeGreaterThanOrEqual(limits.eventCheckpointEvery);
    const { code, said } = await onward(cwd);
    expect(code).toBe(0);
    expect(said).toContain(`after event ${seq}, none altered`);
  });
});
