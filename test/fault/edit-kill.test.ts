import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/ids.ts";
import { openHistoryIn } from "../../src/edit/history.ts";
import { recoverEdits } from "../../src/edit/recover.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { afterFive, dirOf, journalOf, layOut, removeFolder, treeOf } from "../edit/scene.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { startEditWorker } from "./edit-workers.ts";
import type { EditCommand } from "./edit-worker.ts";

interface Scene {
  readonly there: StorePlace;
  readonly store: Awaited<ReturnType<typeof openScope>>["store"];
  readonly scope: Awaited<ReturnType<typeof openScope>>["scope"];
}

const newRoot = () => {
  const root = temporaryFolder();
  layOut(root);
  const before = treeOf(root);
  return { root, before, after: afterFive(before) };
};

/** One command killed at its n-th step, for every n it has; three processes at a time. */
const killEverywhere = async (
  { there }: Scene,
  command: (root: string, id: string) => EditCommand,
  check: (at: {
    readonly n: number;
    readonly id: string;
    readonly root: string;
    readonly before: Record<string, string>;
    readonly after: Record<string, string>;
  }) => Promise<void>,
  prepare: (root: string, id: string) => Promise<void> = async () => {},
): Promise<number> => {
  let next = 1;
  let kills = 0;
  let isOver = false;
  const runner = async (): Promise<void> => {
    while (!isOver) {
      const n = next;
      next += 1;
      const { root, before, after } = newRoot();
      const id = newId("edit");
      await prepare(root, id);
      const worker = await startEditWorker(there);
      const answer = await worker.ask({ ...command(root, id), killAt: n } as EditCommand);
      // Its pipe ends a moment before it does.
      await worker.kill();
      if (answer === undefined) {
        kills += 1;
        await check({ n, id, root, before, after });
      } else isOver = true;
    }
  };
  await Promise.all([runner(), runner(), runner()]);
  return kills;
};

const recoverHere = ({ store, scope }: Scene, root: string) =>
  recoverEdits({ root, dir: dirOf(root), removeFolder, history: openHistoryIn({ store, scope }) });

/** All before or all after to the byte, nothing left over, and the store says the same. */
const expectWhole = async (
  scene: Scene,
  at: { readonly n: number; readonly id: string; readonly root: string },
  ends: { readonly before: Record<string, string>; readonly after: Record<string, string> },
): Promise<"before" | "after"> => {
  const label = `step ${at.n}`;
  const recovery = await recoverHere(scene, at.root);
  expect(recovery, label).toMatchObject({ conflicts: [], failures: [], left: [] });
  const end = treeOf(at.root);
  expect([ends.before, ends.after], label).toContainEqual(end);
  expect(journalOf(at.root), label).toEqual([]);
  const isAfter = "new/" in end;
  const row = await openHistoryIn(scene).show(at.id);
  if (isAfter) expect(row, label).toMatchObject({ state: "applied", actor: "alice" });
  else expect([undefined, "rolled-back"], label).toContain(row?.state);
  const again = await recoverHere(scene, at.root);
  expect(again, label).toMatchObject({ finished: [], takenBack: [], recorded: [] });
  return isAfter ? "after" : "before";
};

describe.each(backends)(
  "an edit of five files with $name, killed with -9",
  ({ place: newPlace }) => {
    const newScene = async (): Promise<Scene> => {
      const there = await newPlace();
      return { there, ...(await openScope(there)) };
    };

    it("G6 E-11 at every step: all before or all after, byte for byte, and told to the store once", async () => {
      const scene = await newScene();
      const ends = { before: 0, after: 0 };
      const kills = await killEverywhere(
        scene,
        (root, id) => ({ do: "apply", root, id }),
        async (at) => {
          ends[await expectWhole(scene, at, at)] += 1;
        },
      );
      expect(kills).toBeGreaterThan(20);
      expect(Math.min(ends.before, ends.after)).toBeGreaterThan(3);
      const { events } = await scene.store.readEvents({ scope: scene.scope, limit: 1000 });
      const told = events.filter(({ kind }) => kind.startsWith("edit."));
      expect(new Set(told.map(({ subject }) => subject)).size).toBe(told.length);
      expect(await verifyEvents(scene.store, scene.scope)).toMatchObject({ ok: true });
    });

    it("G6 E-15 at every step of an edit whose verify command fails: all before, always", async () => {
      const scene = await newScene();
      const ends = { before: 0, after: 0 };
      const kills = await killEverywhere(
        scene,
        (root, id) => ({ do: "apply", root, id, isRefused: true }),
        async (at) => {
          ends[await expectWhole(scene, at, at)] += 1;
        },
      );
      expect(kills).toBeGreaterThan(25);
      expect(ends.after).toBe(0);
    });

    it("G6 at every step of a recovery: the next one comes to the same end", async () => {
      const scene = await newScene();
      const ends = { before: 0, after: 0 };
      // Killed when three of five files are written: the recovery has the most to do.
      const half = async (root: string, id: string): Promise<void> => {
        const worker = await startEditWorker(scene.there);
        expect(await worker.ask({ do: "apply", root, id, killAt: 17 })).toBeUndefined();
        await worker.kill();
      };
      const kills = await killEverywhere(
        scene,
        (root) => ({ do: "recover", root }),
        async (at) => {
          ends[await expectWhole(scene, at, at)] += 1;
        },
        half,
      );
      expect(kills).toBeGreaterThan(5);
      expect(ends.after).toBe(0);
    });
  },
);
