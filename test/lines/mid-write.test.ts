import { describe, expect, test } from "vitest";
import { createIdSource } from "../../src/base/ids.ts";
import { parseActor } from "../../src/claims/index.ts";
import { currentLines, openLines } from "../../src/lines/index.ts";
import { movableClock } from "../helpers/claims.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const [sqlite = backends[0]!] = backends;
const base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

const openFile = async () => {
  const clock = movableClock();
  const { store, scope } = await openScope(await sqlite.migratedPlace(), { clock });
  let file = Buffer.from(base);
  const lines = openLines({
    ...{ open: async () => ({ store, scope }), look: async () => ({ store, scope }) },
    ...{ worktree: "/one", newId: createIdSource(), read: () => file, idleMs: 300_000 },
  });
  const by = (who: string, use: string) =>
    ({ actor: parseActor(`claude:${who}`), kind: "edit", use }) as const;
  return {
    clock,
    put: (text: string) => void (file = Buffer.from(text)),
    /** Allowed; not written yet. */
    ask: async (who: string, use: string, from: string, to: string) => {
      const after = Buffer.from(file.toString().replace(from, to));
      const write = { path: "f", before: file, after, isEdit: true };
      expect(await lines.ask([write], by(who, use))).toMatchObject({ ok: true });
    },
    note: (who: string, use: string) => lines.note(["f"], by(who, use)),
    look: () => lines.refresh(new Map([["f", Buffer.from(base)]])),
    authors: async () => {
      const weave = (await lines.record("f"))?.weave;
      const names = new Map(weave?.edits.map(({ id, session, kind }) => [id, session || kind]));
      expect(weave && currentLines(weave)?.join("")).toBe(file.toString());
      return Object.fromEntries(
        (weave?.rows ?? []).flatMap(({ text, by: id, gone }) =>
          id === null || gone !== null ? [] : [[text.trim(), names.get(id)]],
        ),
      );
    },
  };
};

describe("N-01 a file that is read in the middle of a write", () => {
  test("N-01 its lines have the author of the write, whoever looks in between", async () => {
    const { ask, put, look, note, authors } = await openFile();
    await ask("s3", "a", "8\n", "eight\n");
    for (const cut of ["", "1\n2\n", "1\n2\n3\n4\n5\n6\n7\nei"]) {
      put(cut);
      await look();
    }
    put(base.replace("8\n", "eight\n"));
    await look();
    expect(await authors()).toEqual({ eight: "claude:s3" });
    await note("s3", "a");
    expect(await authors()).toEqual({ eight: "claude:s3" });
  });

  test("N-01 a tool whose write was seen before it ended gets nothing else", async () => {
    const { ask, put, look, note, authors } = await openFile();
    await ask("s2", "b", "2\n", "two\n");
    put(base.replace("2\n", "two\n"));
    await look();
    put(base.replace("2\n", "two\n").replace("6\n", "six\n"));
    await note("s2", "b");
    expect(await authors()).toEqual({ two: "claude:s2", six: "unknown" });
  });

  test("N-01 a file is not half of a write that only adds to its end and did not happen", async () => {
    const { ask, note, authors } = await openFile();
    await ask("s1", "a", "9\n", "9\nten\n");
    await note("s1", "a");
    await ask("s2", "b", "9\n", "nine\n");
    expect(await authors()).toEqual({});
  });

  test("N-01 a file that stays cut off is what it is", async () => {
    const { ask, put, look, authors, clock } = await openFile();
    await ask("s3", "a", "8\n", "eight\n");
    put("1\n2\n");
    clock.forward(60_000);
    await look();
    expect(await authors()).toEqual({});
  });
});
