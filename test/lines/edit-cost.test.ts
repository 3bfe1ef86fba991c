import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { createIdSource } from "../../src/base/ids.ts";
import { parseActor } from "../../src/claims/index.ts";
import { openLines } from "../../src/lines/index.ts";
import type { Store } from "../../src/store/index.ts";
import type { ToolUse } from "../../src/surfaces/hooks/types.ts";
import { countStatements } from "../helpers/counted-store.ts";
import { hookPlace } from "../helpers/hook-place.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const [sqlite = backends[0]!] = backends;

it("N-01 an edit costs one transaction and one read of its file before and after it, however many files are dirty", async () => {
  const { store, scope } = await openScope(await sqlite.migratedPlace());
  const { seen, proxy } = countStatements(store);
  const count = { writes: 0, looks: 0, reads: 0 };
  const counted = new Proxy(proxy, {
    get: (target, name) => {
      if (name === "write") count.writes += 1;
      if (name === "read") count.looks += 1;
      return Reflect.get(target, name) as unknown;
    },
  }) as Store;
  const files = new Map<string, Buffer>();
  const lines = openLines({
    open: async () => ({ store: counted, scope }),
    look: async () => ({ store: counted, scope }),
    ...{ worktree: "/w", newId: createIdSource(), idleMs: 300_000 },
    read: (path) => {
      count.reads += 1;
      return files.get(path);
    },
  });
  const by = { actor: parseActor("claude:one"), kind: "edit", use: "t" } as const;
  const costOfEdit = async (path: string): Promise<unknown> => {
    const before = files.get(path);
    const after = Buffer.from(`${before?.toString() ?? ""}more\n`);
    Object.assign(count, { writes: 0, looks: 0, reads: 0 });
    seen.statements = 0;
    expect(await lines.ask([{ path, before, after }], by)).toMatchObject({ ok: true });
    files.set(path, after);
    await lines.note([path], by);
    return { ...count, statements: seen.statements };
  };
  files.set("a", Buffer.from("one\n"));
  await costOfEdit("a");
  const few = await costOfEdit("a");
  expect(few).toMatchObject({ writes: 2, looks: 0, reads: 2 });
  for (let at = 0; at < 50; at += 1) await costOfEdit(`other-${at}`);
  expect(await costOfEdit("a")).toEqual(few);
});

it("N-01 the hooks of an edit start no process for its lines", async () => {
  const started: unknown[] = [];
  const note = (message: unknown): void => void started.push(message);
  subscribe("child_process", note);
  onTestFinished(() => void unsubscribe("child_process", note));
  const { file, before, after } = await hookPlace();
  const path = file("a.txt", "one\ntwo\n");
  const edit = (old: string, fresh: string): ToolUse => ({
    ...{ kind: "replace", file: path, exact: true, name: "Edit" },
    edits: [{ old, new: fresh, all: false }],
  });
  const use = async (old: string, fresh: string): Promise<void> => {
    const more = { toolUseId: fresh };
    expect(await before(edit(old, fresh), more)).toEqual({ kind: "pass" });
    writeFileSync(path, `one\n${fresh}\n`);
    await after(edit(old, fresh), more);
  };
  await use("two", "2");
  // It would be noticed.
  await once(spawn("git", ["--version"], { stdio: "ignore" }), "exit");
  expect(started.splice(0)).not.toEqual([]);
  await use("2", "3");
  expect(started).toEqual([]);
});
