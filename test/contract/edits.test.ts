import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isId, newId } from "../../src/base/ids.ts";
import { openHistory, openHistoryIn } from "../../src/edit/history.ts";
import { Journal, type JournalRecord, type Undone } from "../../src/edit/journal.ts";
import { resolvePorts } from "../../src/edit/ports.ts";
import { recoverEdits } from "../../src/edit/recover.ts";
import type { FileChange } from "../../src/edit/types.ts";
import { planUndo } from "../../src/edit/undo.ts";
import { openSeenFiles, sessionMarks } from "../../src/gate/seen-files.ts";
import { verifyEvents } from "../../src/store/index.ts";
import {
  afterFive,
  applyAt,
  dirOf,
  fiveChanges,
  journalOf,
  layOut,
  modify,
  removeFolder,
  treeOf,
} from "../edit/scene.ts";
import { movableClock } from "../helpers/claims.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const recordOf = (id: string, more: Partial<JournalRecord> = {}): JournalRecord => ({
  version: 1,
  id,
  atMs: Date.UTC(2026, 0, 1),
  actor: "alice",
  reason: "",
  process: { host: "h", bootId: "b", pid: 1, startTime: "1" },
  isVerified: false,
  files: [
    {
      path: "a.txt",
      kind: "modify",
      before: "1".repeat(64),
      after: "2".repeat(64),
      beforeMode: 0o644,
      afterMode: 0o644,
    },
  ],
  folders: [],
  ...more,
});

describe.each(backends)("edits on $name", ({ migratedPlace: newPlace }) => {
  const open = async () => {
    const there = await openScope(await newPlace());
    const history = openHistoryIn(there);
    const events = async () =>
      (await there.store.readEvents({ scope: there.scope, kind: "edit.*", limit: 1000 })).events;
    return { ...there, history, events };
  };

  it("E-11 an applied edit is told to the store with its event, once", async () => {
    const { store, scope, history, events } = await open();
    const root = temporaryFolder();
    layOut(root);
    const id = newId("edit");
    const result = await applyAt(root, fiveChanges(), { id, history, reason: "because" });
    expect(result).toEqual({ ok: true, id, files: expect.any(Array) });
    expect(journalOf(root)).toEqual([]);
    expect(await history.show(id)).toMatchObject({
      id,
      actor: "alice",
      reason: "because",
      state: "applied",
      files: [
        { path: "docs/old.md", after: null, beforeMode: 0o640, afterMode: null },
        { path: "new/deep/tool.sh", before: null, afterMode: 0o755 },
        { path: "src/app.ts", beforeMode: 0o755, afterMode: 0o755 },
        { path: "src/data.bin", beforeMode: 0o600, afterMode: 0o644 },
        { path: "src/empty.ts", before: null },
      ],
    });
    expect(await events()).toMatchObject([
      { kind: "edit.applied", actor: "alice", subject: id, data: { count: 5, reason: "because" } },
    ]);
    expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  });

  it("G6 telling the store twice, or by two at once, changes nothing", async () => {
    const { history, events } = await open();
    const record = recordOf(newId("edit"));
    const answers = await Promise.all([1, 2, 3].map(() => history.add(record, "applied")));
    expect(answers.toSorted()).toEqual([false, false, true]);
    expect(await history.add(record, "applied")).toBe(false);
    expect(await events()).toHaveLength(1);
  });

  it("G6 a store that fails leaves the edit applied; recovery tells it later", async () => {
    const { history, events } = await open();
    const root = temporaryFolder();
    layOut(root);
    const before = treeOf(root);
    const id = newId("edit");
    const { HeadgateError } = await import("../../src/errors.ts");
    const down = openHistory({
      open: async () => {
        throw new HeadgateError("STORE_UNAVAILABLE", "down");
      },
      look: async () => undefined,
    });
    expect(await applyAt(root, fiveChanges(), { id, history: down })).toMatchObject({
      ok: true,
      unrecorded: "down",
    });
    expect(await events()).toEqual([]);
    const recovery = await recoverEdits({ root, dir: dirOf(root), removeFolder, history });
    expect(recovery.recorded).toEqual([id]);
    expect(treeOf(root)).toEqual(afterFive(before));
    expect(await history.show(id)).toMatchObject({ id, state: "applied" });
    expect(journalOf(root)).toEqual([]);
  });

  it("E-11 lists newest first, by actor, by path and in pages", async () => {
    const { history } = await open();
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      const id = newId("edit");
      ids.push(id);
      const [file] = recordOf(id).files;
      const files = [{ ...file!, path: index % 2 === 0 ? "even.txt" : "odd.txt" }];
      await history.add(recordOf(id, { actor: index < 3 ? "a" : "b", files }), "applied");
    }
    const listed = async (filter: Parameters<typeof history.list>[0]) =>
      (await history.list(filter)).map(({ id }) => ids.indexOf(id));
    expect(await listed({})).toEqual([5, 4, 3, 2, 1, 0]);
    expect(await listed({ actor: "b" })).toEqual([5, 4, 3]);
    expect(await listed({ path: "even.txt" })).toEqual([4, 2, 0]);
    expect(await listed({ limit: 2, before: ids[4]! })).toEqual([3, 2]);
    expect((await history.later(ids[1]!, "odd.txt")).map(({ id }) => ids.indexOf(id))).toEqual([
      3, 5,
    ]);
    expect(await history.show(newId("edit"))).toBeUndefined();
  });

  it("E-11 an event names no more files than it has room for", async () => {
    const { history, events } = await open();
    const id = newId("edit");
    const [file] = recordOf(id).files;
    const files = Array.from({ length: 1000 }, (_, index) => ({
      ...file!,
      path: `${"long/".repeat(60)}${index}.txt`,
    }));
    await history.add(recordOf(id, { files }), "applied");
    const [event] = await events();
    expect(event!.data["count"]).toBe(1000);
    const { length } = event!.data["files"] as unknown[];
    expect(length).toBeGreaterThan(5);
    expect(length).toBeLessThan(1000);
    expect((await history.show(id))?.files).toHaveLength(1000);
  });

  it("E-11 undo and redo say so in the edits they concern, up the chain", async () => {
    const { history, events } = await open();
    const [first, undo, redo, part] = [1, 2, 3, 4].map(() => newId("edit")) as [
      string,
      string,
      string,
      string,
    ];
    const undoes = (id: string, more: Partial<Undone> = {}) => ({
      undoes: { id, part: "whole" as const, ...more },
    });
    const states = async () =>
      Promise.all([first, undo].map(async (id) => (await history.show(id))?.state));
    const [file] = recordOf(first).files;
    const files = [file!, { ...file!, path: "b.txt" }];
    await history.add(recordOf(first, { files }), "applied");
    await history.add(recordOf(undo, undoes(first)), "applied");
    expect(await states()).toEqual(["undone", "applied"]);
    await history.add(recordOf(redo, undoes(undo)), "applied");
    expect(await states()).toEqual(["applied", "undone"]);
    await history.add(recordOf(part, undoes(first, { part: "file", file: "a.txt" })), "applied");
    expect(await states()).toEqual(["partly-undone", "undone"]);
    const other = newId("edit");
    await history.add(recordOf(other, undoes(first, { part: "file", file: "b.txt" })), "applied");
    expect(await states()).toEqual(["undone", "undone"]);
    expect((await history.show(part))?.undoes).toEqual({ id: first, part: "file", file: "a.txt" });
    expect((await events()).map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      `edit.applied ${first}`,
      `edit.applied ${undo}`,
      `edit.undone ${first}`,
      `edit.applied ${redo}`,
      `edit.undone ${undo}`,
      `edit.redone ${first}`,
      `edit.applied ${part}`,
      `edit.undone ${first}`,
      `edit.applied ${other}`,
      `edit.undone ${first}`,
    ]);
  });

  it("E-11 undo of an edit although others came after it, and redo, on disk and in the store", async () => {
    const { history } = await open();
    const root = temporaryFolder();
    const lines = (words: readonly string[]): string => words.map((word) => `${word}\n`).join("");
    put(join(root, "a.txt"), lines(["one", "two", "three", "four", "five"]));
    const apply = async (changes: readonly FileChange[], undoes?: Undone): Promise<string> => {
      const result = await applyAt(root, changes, { history, ...(undoes && { undoes }) });
      if (!result.ok) throw new Error(result.message);
      expect(isId("edit", result.id)).toBe(true);
      return result.id;
    };
    const journal = new Journal(dirOf(root), resolvePorts({}));
    const plan = async (id: string) =>
      planUndo({
        edit: (await history.show(id))!,
        content: (hash) => journal.content(hash),
        read: (path) => ({
          bytes: readFileSync(join(root, path)),
          mode: statSync(join(root, path)).mode,
        }),
        later: (path) => history.later(id, path),
      });
    const undo = async (id: string): Promise<string> => {
      const planned = await plan(id);
      if (!planned.ok) throw new Error(JSON.stringify(planned.conflicts));
      return apply(planned.changes, planned.undoes);
    };
    const text = () => readFileSync(join(root, "a.txt"), "utf8");
    const one = await apply([
      modify(root, "a.txt", lines(["ONE", "two", "three", "four", "five"])),
    ]);
    const two = await apply([
      modify(root, "a.txt", lines(["ONE", "two", "three", "four", "FIVE"])),
    ]);
    const back = await undo(one);
    expect(text()).toBe(lines(["one", "two", "three", "four", "FIVE"]));
    expect(await history.show(one)).toMatchObject({ state: "undone" });
    await undo(back);
    expect(text()).toBe(lines(["ONE", "two", "three", "four", "FIVE"]));
    expect(await history.show(one)).toMatchObject({ state: "applied" });
    await apply([modify(root, "a.txt", lines(["ONE", "two", "three", "four", "5"]))]);
    expect(await plan(two)).toMatchObject({
      ok: false,
      code: "UNDO_CONFLICT",
      conflicts: [{ path: "a.txt", line: 5, wanted: "five\n", present: "5\n" }],
    });
  });
});

describe.each(backends)("what was seen, on $name", ({ migratedPlace: newPlace }) => {
  const day = 24 * 60 * 60_000;
  it("E-07 remembers the last version per actor and file, and forgets it after a week", async () => {
    const place = await newPlace();
    const clock = movableClock();
    const there = await openScope(place, { clock });
    const seen = openSeenFiles({ open: async () => there, look: async () => there });
    const pass = async (ms: number): Promise<void> => {
      clock.forward(ms);
      if (place.backend === "postgres") await place.sql(`UPDATE seen_files SET at = at - ${ms}`);
    };
    expect(await seen.lastSeen("alice", "a.ts")).toBeUndefined();
    await seen.remember("alice", [
      { path: "a.ts", hash: "1" },
      { path: "b.ts", hash: "2" },
    ]);
    await seen.remember("bob", [{ path: "a.ts", hash: "3" }]);
    expect(await seen.lastSeen("alice", "a.ts")).toBe("1");
    expect(await seen.lastSeen("bob", "a.ts")).toBe("3");
    await seen.remember("alice", [{ path: "a.ts", hash: "4" }]);
    expect(await seen.lastSeen("alice", "a.ts")).toBe("4");
    await pass(6 * day);
    await seen.remember("alice", [{ path: "a.ts", hash: "4" }]);
    await pass(2 * day);
    expect(await seen.lastSeen("alice", "a.ts")).toBe("4");
    expect(await seen.lastSeen("bob", "a.ts")).toBeUndefined();
    await seen.remember("carol", [{ path: "c.ts", hash: "5" }]);
    expect(await place.sql("SELECT path FROM seen_files ORDER BY path")).toEqual([
      { path: "a.ts" },
      { path: "c.ts" },
    ]);
  });

  it("E-24 a session has read what it or a sub-agent was shown, and a mark says whether it would tell", async () => {
    const there = await openScope(await newPlace());
    const seen = openSeenFiles({ open: async () => there, look: async () => there });
    expect(await seen.reading("claude:s1", "src/a.ts")).toBe("perhaps");
    await seen.meet("claude:s1", [sessionMarks.start, sessionMarks.reads]);
    expect(await seen.reading("claude:s1", "src/a.ts")).toBe("never");
    await seen.meet("claude:s1/helper", ["src/a.ts"]);
    expect(await seen.reading("claude:s1", "src/a.ts")).toBe("read");
    expect(await seen.reading("claude:s", "src/a.ts")).toBe("perhaps");
    expect(await seen.reading("claude:s1", "lib/b.ts")).toBe("never");
    await seen.meet("claude:s1", ["lib/"]);
    expect(await seen.reading("claude:s1", "lib/b.ts")).toBe("perhaps");
    // Something of it was shown: that does not make a version known, nor unknown.
    expect(await seen.lastSeen("claude:s1/helper", "src/a.ts")).toBeUndefined();
    await seen.remember("claude:s1", [{ path: "src/a.ts", hash: "1" }]);
    await seen.meet("claude:s1", ["src/a.ts"]);
    expect(await seen.lastSeen("claude:s1", "src/a.ts")).toBe("1");
  });

  it("E-07 what is known already is not written again", async () => {
    const there = await openScope(await newPlace());
    const seen = openSeenFiles({ open: async () => there, look: async () => there });
    const head = async () => (await there.store.readEvents({ scope: there.scope })).head;
    await seen.remember("alice", [{ path: "a.ts", hash: "1" }]);
    const before = await head();
    await seen.remember("alice", [{ path: "a.ts", hash: "1" }]);
    expect(await head()).toBe(before);
    const long = `${"x/".repeat(2000)}y.ts`;
    await seen.remember("alice", [{ path: long, hash: "2" }]);
    expect(await seen.lastSeen("alice", long)).toBe("2");
  });
});
