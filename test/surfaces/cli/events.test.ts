import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import type { Event } from "../../../src/store/index.ts";
import { run, start } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

/** A folder whose log holds `scope.created` and then these kinds. */
const folderWith = async (...kinds: string[]): Promise<string> => {
  const cwd = temporaryFolder();
  await using headgate = await openHeadgate({ repo: cwd, actor: "tester" });
  for (const [index, kind] of kinds.entries()) {
    await headgate.events.append({ kind, subject: `thing-${index}`, data: { index } });
  }
  return cwd;
};

const listed = async (cwd: string, ...args: string[]): Promise<Event[]> => {
  const { code, stdout, stderr } = await run(["events", "--json", ...args], { cwd });
  expect({ code, stderr: stderr.replace("no such events\n", "") }).toEqual({ code: 0, stderr: "" });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Event);
};
const numbers = (events: Event[]): number[] => events.map(({ seq }) => seq);

describe("headgate events", () => {
  it("C-06 lists the newest events as lines of JSON, and for people with time, kind, actor and subject", async () => {
    const cwd = await folderWith("one.made", "two.made", "two.gone");
    const events = await listed(cwd);
    expect(events.map(({ kind }) => kind)).toEqual([
      "scope.created",
      "one.made",
      "two.made",
      "two.gone",
    ]);
    expect(events[1]).toMatchObject({
      seq: 2,
      actor: "tester",
      subject: "thing-0",
      data: { index: 0 },
    });
    const { stdout } = await run(["events", "--last", "1"], { cwd });
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +4 {2}two\.gone +tester {2}thing-2 {2}index=2\n$/,
    );
  });

  it("C-06 pages by cursor and filters by kind", async () => {
    const cwd = await folderWith("one.made", "two.made", "two.gone");
    expect(numbers(await listed(cwd, "--since", "2"))).toEqual([3, 4]);
    expect(numbers(await listed(cwd, "--last", "2"))).toEqual([3, 4]);
    expect(numbers(await listed(cwd, "--kind", "two.*"))).toEqual([3, 4]);
    expect(numbers(await listed(cwd, "--since", "0", "--kind", "*.made"))).toEqual([2, 3]);
    expect(numbers(await listed(cwd, "--since", "4"))).toEqual([]);
    expect((await run(["events", "--since", "9"], { cwd })).stderr).toContain("[CURSOR_INVALID]");
    expect((await run(["events", "--since", "1", "--last", "1"], { cwd })).code).toBe(2);
  });

  it("creates nothing where nothing was stored, and says so", async () => {
    const cwd = temporaryFolder();
    expect(await run(["events"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "no events yet\n",
    });
    expect(await run(["events", "--json", "--quiet"], { cwd })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(await run(["events", "verify"], { cwd })).toMatchObject({
      code: 0,
      stdout: "no events yet\n",
    });
    expect(await run(["events", "prune", "--before", "5", "--yes"], { cwd })).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(cwd, ".headgate"))).toBe(false);
  });

  it("C-06 follows new events in order until Ctrl-C, and then ends with 0", async () => {
    const cwd = await folderWith("one.made");
    const following = start(["events", "--follow", "--json"], { cwd });
    await following.until(/one\.made/);
    await using headgate = await openHeadgate({ repo: cwd });
    for (const kind of ["two.made", "three.made"]) await headgate.events.append({ kind });
    await following.until(/three\.made/);
    following.child.kill("SIGINT");
    const { code, stdout } = await following.ended;
    expect(code).toBe(0);
    expect(
      numbers(
        stdout
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Event),
      ),
    ).toEqual([1, 2, 3, 4]);
  });

  it("C-06 follows from before there is a store, creating none", async () => {
    const cwd = temporaryFolder();
    const following = start(["events", "--follow", "--json"], { cwd });
    const noted = start(["events", "--follow"], { cwd });
    expect((await run(["events"], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, ".headgate"))).toBe(false);
    await using headgate = await openHeadgate({ repo: cwd });
    await headgate.events.append({ kind: "first.made" });
    await Promise.all([following.until(/first\.made/), noted.until(/first\.made/)]);
    for (const program of [following, noted]) {
      program.child.kill("SIGTERM");
      expect(await program.ended).toMatchObject({ code: 0 });
    }
  });

  it("verifies the chain and prints a head that a later verification accepts", async () => {
    const cwd = await folderWith("one.made");
    const { code, stdout } = await run(["events", "verify", "--json"], { cwd });
    const { ok, head, events } = JSON.parse(stdout) as {
      ok: boolean;
      head: string;
      events: number;
    };
    expect({ code, ok, events }).toEqual({ code: 0, ok: true, events: 2 });
    expect(head).toMatch(/^2:[0-9a-f]{64}$/);
    expect(await run(["events", "verify", "--head", head], { cwd })).toMatchObject({ code: 0 });
    expect((await run(["events", "verify", "--head", `2:${"0".repeat(64)}`], { cwd })).code).toBe(
      1,
    );
    expect((await run(["events", "verify", "--head", "2"], { cwd })).code).toBe(2);
    const elsewhere = await run(["events", "verify", "--head", head], { cwd: temporaryFolder() });
    expect(elsewhere.code).toBe(1);
  });

  it("reports an altered event with exit code 1", async () => {
    const cwd = await folderWith("one.made", "two.made");
    const database = new Database(join(stateFolder(cwd), "store.db"));
    for (const { name } of database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .all() as { name: string }[]) {
      database.exec(`DROP TRIGGER "${name}"`);
    }
    database.prepare("UPDATE events SET subject = 'forged' WHERE seq = 2").run();
    database.close();
    const { code, stderr } = await run(["events", "verify"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toMatch(/event 2: .*\n.*\[EVENTS_TAMPERED\]/);
    const json = await run(["events", "verify", "--json"], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      code: "EVENTS_TAMPERED",
      data: { seq: 2 },
    });
  });

  it("prunes only with --yes, and the rest still verifies", async () => {
    const cwd = await folderWith("one.made", "two.made", "three.made");
    const refused = await run(["events", "prune", "--before", "3"], { cwd });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("--yes");
    expect((await run(["events", "prune", "--yes"], { cwd })).code).toBe(2);
    const { stdout } = await run(["events", "prune", "--before", "3", "--yes", "--json"], { cwd });
    expect(JSON.parse(stdout)).toEqual({ ok: true, removed: 2, oldest: 3 });
    expect(numbers(await listed(cwd))).toEqual([3, 4, 5]);
    expect((await run(["events", "verify"], { cwd })).code).toBe(0);
    expect((await run(["events", "--since", "1"], { cwd })).code).toBe(3);
    expect((await run(["events", "prune", "--keep-days", "1", "--yes"], { cwd })).stdout).toBe(
      "nothing to remove\n",
    );
  });
});
