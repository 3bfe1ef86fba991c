import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/ids.ts";
import type { StoredEdit } from "../../src/edit/history.ts";
import { planUndo, type UndoOptions, type UndoPlan } from "../../src/edit/undo.ts";
import { contentHash } from "../../src/state/index.ts";
import { sharedAnalyser } from "../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

type Content = string | Buffer | null;
interface Version {
  readonly before: Content;
  readonly after: Content;
  readonly now: Content;
  readonly modes?: readonly [before: number, after: number, now: number];
}

const bytesOf = (content: Content): Buffer | null =>
  content === null ? null : Buffer.from(content as string);

/** Plans the undo of an edit of these files, as they are now. */
const plan = (
  files: Readonly<Record<string, Version>>,
  more: Partial<UndoOptions> = {},
): Promise<UndoPlan> => {
  const kept = new Map<string, Buffer>();
  const keep = (content: Content): string | null => {
    const bytes = bytesOf(content);
    if (!bytes) return null;
    kept.set(contentHash(bytes), bytes);
    return contentHash(bytes);
  };
  const edit: StoredEdit = {
    id: newId("edit"),
    at: "2026-01-01T00:00:00.000Z",
    actor: "alice",
    reason: "",
    state: "applied",
    files: Object.entries(files).map(([path, { before, after, modes }]) => ({
      path,
      before: keep(before),
      after: keep(after),
      beforeMode: before === null ? null : (modes?.[0] ?? 0o644),
      afterMode: after === null ? null : (modes?.[1] ?? 0o644),
    })),
  };
  return planUndo({
    edit,
    content: (hash) => kept.get(hash)!,
    read: (path) => {
      const bytes = bytesOf(files[path]?.now ?? null);
      return bytes ? { bytes, mode: files[path]?.modes?.[2] ?? 0o644 } : undefined;
    },
    analyser,
    ...more,
  });
};

/** What each file becomes; null where it is deleted. */
const outcome = async (
  files: Readonly<Record<string, Version>>,
  more: Partial<UndoOptions> = {},
): Promise<Record<string, string | null>> => {
  const planned = await plan(files, more);
  if (!planned.ok) throw new Error(JSON.stringify(planned.conflicts));
  return Object.fromEntries(
    planned.changes.map(({ path, after }) => [path, after && after.toString("utf8")]),
  );
};

describe("undo of a whole edit", () => {
  it("E-11 nothing came after it: every file is as before, made ones go, deleted ones come back", async () => {
    const files = {
      "a.txt": { before: "a\n", after: "b\n", now: "b\n" },
      "new.txt": { before: null, after: "n\n", now: "n\n" },
      "old.txt": { before: "o\n", after: null, now: null },
      bin: { before: Buffer.from([0, 1]), after: Buffer.from([0, 2]), now: Buffer.from([0, 2]) },
    };
    expect(await outcome(files)).toEqual({
      "a.txt": "a\n",
      "new.txt": null,
      "old.txt": "o\n",
      bin: "\0\u0001",
    });
  });

  it("E-11 later changes elsewhere in the file stay", async () => {
    const before = "1\n2\n3\n4\n5\n6\n";
    const after = "1\n2\nTHREE\n4\n5\n6\n";
    const now = "0\n1\n2\nTHREE\n4\n5\nSIX\n";
    expect(await outcome({ "a.txt": { before, after, now } })).toEqual({
      "a.txt": "0\n1\n2\n3\n4\n5\nSIX\n",
    });
  });

  it("E-11 E-14 keeps encoding, byte order mark and line endings", async () => {
    const latin = (text: string): Buffer => Buffer.from(text, "latin1");
    const files = {
      "a.txt": {
        before: latin("ä\r\nb\r\nc\r\n"),
        after: latin("ö\r\nb\r\nc\r\n"),
        now: latin("ö\r\nb\r\nü\r\n"),
      },
      "b.txt": { before: "\ufeffa\nb\nc\n", after: "\ufeffA\nb\nc\n", now: "\ufeffA\nb\nC\n" },
    };
    const planned = await plan(files);
    expect(planned.ok && planned.changes.map(({ after }) => after?.toString("latin1"))).toEqual([
      "ä\r\nb\r\nü\r\n",
      Buffer.from("\ufeffa\nb\nC\n").toString("latin1"),
    ]);
  });

  it("E-11 the mode comes back unless somebody changed it since", async () => {
    const content = { before: "a\n", after: "b\n", now: "b\n" };
    const first = await plan({ a: { ...content, modes: [0o644, 0o755, 0o755] } });
    expect(first).toMatchObject({ ok: true, changes: [{ mode: 0o644 }] });
    const second = await plan({ a: { ...content, modes: [0o644, 0o755, 0o700] } });
    expect(second.ok && second.changes[0]).not.toHaveProperty("mode");
    const alone = await plan({
      a: { before: "a\n", after: "a\n", now: "a\n", modes: [0o644, 0o755, 0o755] },
    });
    expect(alone).toMatchObject({ ok: true, changes: [{ mode: 0o644 }] });
  });

  const conflicts: readonly (readonly [string, Version, object])[] = [
    [
      "the same line changed",
      { before: "a\nb\n", after: "a\nB\n", now: "a\nbee\n" },
      { line: 2, wanted: "b\n", present: "bee\n" },
    ],
    ["the new file changed", { before: null, after: "a\n", now: "b\n" }, {}],
    ["the deleted file was made anew", { before: "a\n", after: null, now: "b\n" }, {}],
    ["the file was deleted", { before: "a\n", after: "b\n", now: null }, {}],
    ["a binary file changed", { before: "\0a", after: "\0b", now: "\0c" }, {}],
  ];
  it.each(conflicts)(
    "E-11 conflict: %s; it says what stands in the way",
    async (_what, version, more) => {
      const later = {
        id: newId("edit"),
        at: "",
        actor: "bob",
        reason: "tidy",
        state: "applied" as const,
        files: [],
      };
      const planned = await plan(
        { "a.txt": version, "b.txt": { before: "1\n", after: "2\n", now: "2\n" } },
        { later: async () => [later] },
      );
      expect(planned).toMatchObject({
        ok: false,
        code: "UNDO_CONFLICT",
        conflicts: [
          {
            path: "a.txt",
            message: expect.stringContaining(later.id),
            edits: [{ id: later.id, actor: "bob", reason: "tidy" }],
            ...more,
          },
        ],
      });
    },
  );

  it("E-11 one file only; a file it did not touch is unknown, and twice is once", async () => {
    const files = {
      "a.txt": { before: "a\n", after: "b\n", now: "b\n" },
      "b.txt": { before: "a\n", after: "b\n", now: "changed\n" },
    };
    const planned = await plan(files, { file: "a.txt" });
    expect(planned).toMatchObject({
      ok: true,
      changes: [{ path: "a.txt" }],
      undoes: { part: "file", file: "a.txt" },
    });
    await expect(plan(files, { file: "c.txt" })).rejects.toMatchObject({ code: "EDIT_UNKNOWN" });
    const done = { "a.txt": { before: "a\n", after: "b\n", now: "a\n" } };
    await expect(plan(done)).rejects.toMatchObject({ code: "EDIT_NOT_UNDOABLE" });
  });
});

describe("undo of one symbol", () => {
  const before = `import os


class Auth:
    def login(self):
        return 1

    def logout(self):
        return 2


def helper():
    return 3
`;
  const after = before
    .replace("return 1", "return 'one'")
    .replace("return 2", "return 'two'")
    .replace("return 3", "return 'three'");

  it("E-11 takes back only its change; the rest of the edit and later edits stay", async () => {
    const now = after.replace("import os", "import os, sys").replace("'three'", "'drei'");
    const files = { "a.py": { before, after, now } };
    expect(await outcome(files, { file: "a.py", symbol: "Auth.login" })).toEqual({
      "a.py": now.replace("'one'", "1"),
    });
    expect(await outcome(files, { file: "a.py", symbol: "Auth" })).toEqual({
      "a.py": now.replace("'one'", "1").replace("'two'", "2"),
    });
    const planned = await plan(files, { file: "a.py", symbol: "helper" });
    expect(planned).toMatchObject({ ok: false, conflicts: [{ path: "a.py", symbol: "helper" }] });
  });

  it("E-11 a symbol that the edit added goes, one that it removed comes back to its place", async () => {
    const added = before.replace(
      "    def logout",
      "    def renew(self):\n        return 0\n\n    def logout",
    );
    const nowAdded = added.replace("return 3", "return 33");
    expect(
      await outcome(
        { "a.py": { before, after: added, now: nowAdded } },
        { file: "a.py", symbol: "Auth.renew" },
      ),
    ).toEqual({ "a.py": before.replace("return 3", "return 33") });
    expect(
      await outcome(
        { "a.py": { before: added, after: before, now: before.replace("return 3", "return 33") } },
        { file: "a.py", symbol: "Auth.renew" },
      ),
    ).toEqual({ "a.py": nowAdded });
  });

  it("E-11 at the beginning and the end of a file, with and without a last line end", async () => {
    const one = "function a() {\n  return 1;\n}\n";
    const two = "function b() {\n  return 2;\n}\n";
    for (const [first, whole, symbol] of [
      [two, `${one}\n${two}`, "a"],
      [one, `${one}\n${two}`, "b"],
      [one, `${one}\n${two.trimEnd()}`, "b"],
      [one.trimEnd(), `${one}\n${two}`, "b"],
    ] as const) {
      const gone = await outcome(
        { "x.js": { before: first, after: whole, now: whole } },
        { file: "x.js", symbol },
      );
      expect(gone["x.js"]?.trimEnd()).toBe(first.trimEnd());
      const back = await outcome(
        { "x.js": { before: whole, after: first, now: first } },
        { file: "x.js", symbol },
      );
      expect(back["x.js"]?.trimEnd()).toBe(whole.trimEnd());
    }
  });

  it("E-11 a symbol that the edit did not change is unknown to it", async () => {
    const changed = before.replace("return 1", "return 0");
    const files = { "a.py": { before, after: changed, now: changed } };
    for (const symbol of ["Auth.logout", "nothing"]) {
      await expect(plan(files, { file: "a.py", symbol })).rejects.toMatchObject({
        code: "EDIT_UNKNOWN",
      });
    }
    await expect(plan(files, { symbol: "Auth" })).rejects.toMatchObject({ code: "USAGE" });
  });
});
