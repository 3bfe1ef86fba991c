import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { newId } from "../../src/base/ids.ts";
import type { Claims } from "../../src/claims/index.ts";
import { openHistoryIn } from "../../src/edit/history.ts";
import type { EditStep } from "../../src/edit/ports.ts";
import { HeadgateError } from "../../src/errors.ts";
import { applyAt, fiveChanges, journalOf, layOut, modify, treeOf } from "../edit/scene.ts";
import { freshDir, granted, openClaimsAt, timeFor } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { type EditWorker, startEditWorker } from "./edit-workers.ts";

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

const linesOf = (root: string, path: string): string[] =>
  readFileSync(join(root, path), "utf8").split("\n").slice(0, -1).toSorted();

const untilStopped = async ({ pid }: EditWorker): Promise<void> => {
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "latin1")).toMatch(/\) T /);
};

describe.each(backends)("edits of several processes with $name", ({ place: newPlace }) => {
  it("G3 E-11 three processes edit the same two files at once: nothing is lost", async () => {
    const there = await newPlace();
    await openClaimsAt(there);
    const root = temporaryFolder();
    for (const file of ["a.txt", "b.txt"]) put(join(root, file), "");
    const names = ["p", "q", "r"];
    const workers = await Promise.all(names.map(() => startEditWorker(there)));
    const expected: string[] = [];
    let tries = 0;
    // Until they did get in each other's way.
    for (let round = 0; tries <= expected.length; round += 1) {
      const lines = names.map((name) => numbered(`${name}${round}-`, 8));
      const asked = workers.map((worker, index) =>
        worker.ask<number>({
          do: "append",
          root,
          files: ["a.txt", "b.txt"],
          lines: lines[index]!,
        }),
      );
      for (const one of await Promise.all(asked)) tries += one!;
      expected.push(...lines.flat());
    }
    expected.sort();
    expect(linesOf(root, "a.txt")).toEqual(expected);
    expect(readFileSync(join(root, "b.txt"))).toEqual(readFileSync(join(root, "a.txt")));
    expect(Object.keys(treeOf(root))).toEqual(["a.txt", "b.txt"]);
    expect(journalOf(root)).toEqual([]);
  });

  it("G3 E-11 a process that sleeps between its last look and its rename: the others wait for it", async () => {
    const there = await newPlace();
    await openClaimsAt(there);
    const root = temporaryFolder();
    put(join(root, "a.txt"), "");
    const [sleeper, other] = await Promise.all([startEditWorker(there), startEditWorker(there)]);
    const append = (worker: EditWorker, line: string, more: { stopAt?: EditStep } = {}) =>
      worker.ask({ do: "append", root, files: ["a.txt"], lines: [line], ...more });
    const first = append(sleeper, "sleeper", { stopAt: "half-written" });
    await untilStopped(sleeper);
    const second = append(other, "other");
    await expect(Promise.race([second, systemClock.sleep(1_500)])).resolves.toBeUndefined();
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("");
    process.kill(sleeper.pid, "SIGCONT");
    await Promise.all([first, second]);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("sleeper\nother\n");
  });

  it("E-11 processes that edit different files do not disturb each other", async () => {
    const there = await newPlace();
    const place = await openClaimsAt(there);
    const root = temporaryFolder();
    const names = ["p", "q", "r"];
    for (const name of names) put(join(root, `${name}/x.txt`), "");
    const workers = await Promise.all(names.map(() => startEditWorker(there)));
    const tries = await Promise.all(
      workers.map((worker, index) => {
        const name = names[index]!;
        return worker.ask<number>({
          do: "append",
          root,
          files: [`${name}/x.txt`],
          lines: numbered(name, 10),
        });
      }),
    );
    expect(tries).toEqual([10, 10, 10]);
    for (const name of names) expect(linesOf(root, `${name}/x.txt`)).toEqual(numbered(name, 10));
    expect(await openHistoryIn(place).list()).toHaveLength(30);
  });

  it("G6 E-11 one of them killed in the middle of its writing: the others go on, nothing is torn", async () => {
    const there = await newPlace();
    await openClaimsAt(there);
    const root = temporaryFolder();
    layOut(root);
    const before = treeOf(root);
    const doomed = await startEditWorker(there);
    expect(await doomed.ask({ do: "apply", root, id: newId("edit"), killAt: 16 })).toBeUndefined();
    await doomed.kill();
    expect(treeOf(root)).not.toEqual(before);
    const other = await startEditWorker(there);
    await other.ask({ do: "append", root, files: ["src/app.ts", "other.txt"], lines: ["more"] });
    const { "src/app.ts": app, "other.txt": text, ...rest } = treeOf(root);
    expect(app).toContain(Buffer.from("export const a = 1;\r\nmore\n").toString("base64"));
    expect(text).toContain(Buffer.from("untouched\nmore\n").toString("base64"));
    const { "src/app.ts": _app, "other.txt": _text, ...others } = before;
    expect(rest).toEqual(others);
  });
});

describe.each(backends)("edits under claims with $name", ({ place: newPlace }) => {
  it("G3 C-17 are written under the fence of the claim, and under no other", async () => {
    const place = await openClaimsAt(await newPlace());
    const root = temporaryFolder();
    layOut(root);
    const claims = place.as("alice");
    const { fence } = granted(await claims.claim({ targets: ["src/**"] }));
    const change = modify(root, "src/app.ts", "2\n");
    const before = treeOf(root);
    const both = [change, modify(root, "other.txt", "x\n")];
    for (const [changes, fences] of [
      [[change], fence + 1],
      [both, fence],
    ] as const) {
      expect(await applyAt(root, changes, { claims, fences })).toMatchObject({
        ok: false,
        code: "FENCE_STALE",
        problems: [{ problem: expect.any(String) }],
      });
      expect(treeOf(root)).toEqual(before);
      expect(journalOf(root)).toEqual([]);
    }
    expect(await applyAt(root, [change], { claims, fences: fence })).toMatchObject({ ok: true });
    expect(readFileSync(join(root, "src/app.ts"), "utf8")).toBe("2\n");
  });

  it("G3 C-17 a writer that slept while its claim ended and was given on writes nothing", async () => {
    const there = await newPlace();
    const dir = freshDir();
    const { clock, pass } = timeFor(there);
    const place = await openClaimsAt(there, { dir, clock });
    const root = temporaryFolder();
    put(join(root, "a.txt"), "old\n");
    const sleeper = await startEditWorker({ ...there, localDir: dir });
    const alice = place.as("alice");
    const { fence } = granted(await alice.claim({ targets: ["a.txt"], ttlMs: 1_000 }));
    const writing = sleeper.ask({
      do: "fenced",
      root,
      actor: "alice",
      fence,
      file: "a.txt",
      text: "late\n",
      isStopped: true,
    });
    await untilStopped(sleeper);
    await pass(60_000);
    await alice.release({ all: true });
    const bob = place.as("bob");
    const next = granted(await bob.claim({ targets: ["a.txt"] }));
    // Bob may look at the file, and find the sleeper's new content nowhere.
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
    process.kill(sleeper.pid, "SIGCONT");
    expect(await writing).toMatchObject({ ok: false, code: "FENCE_STALE" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("old\n");
    const fences = next.fence;
    expect(
      await applyAt(root, [modify(root, "a.txt", "bob\n")], { claims: bob, fences }),
    ).toMatchObject({ ok: true });
  });

  it("G3 a store that loses the turn during the write: everything is taken back, the error told", async () => {
    const place = await openClaimsAt(await newPlace());
    const root = temporaryFolder();
    layOut(root);
    const before = treeOf(root);
    const alice = place.as("alice");
    const { fence } = granted(await alice.claim({ targets: ["**"] }));
    const lost: Claims = {
      ...alice,
      whileHeld: async (fences, targets, act) => {
        await alice.whileHeld(fences, targets, act);
        throw new HeadgateError("STORE_UNAVAILABLE", "the connection was lost");
      },
    };
    await expect(
      applyAt(root, fiveChanges(), { claims: lost, fences: fence }),
    ).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(treeOf(root)).toEqual(before);
  });

  it("G3 a transaction that the server repeats writes once", async () => {
    const place = await openClaimsAt(await newPlace());
    const root = temporaryFolder();
    layOut(root);
    const alice = place.as("alice");
    const { fence } = granted(await alice.claim({ targets: ["**"] }));
    const twice: Claims = {
      ...alice,
      whileHeld: async (fences, targets, act) => {
        await alice.whileHeld(fences, targets, act);
        return alice.whileHeld(fences, targets, act);
      },
    };
    const changes = fiveChanges();
    expect(await applyAt(root, changes, { claims: twice, fences: fence })).toMatchObject({
      ok: true,
    });
    writeFileSync(join(root, "check"), "");
    expect(Object.keys(treeOf(root)).filter((path) => path.includes(".headgate-"))).toEqual([]);
  });
});
