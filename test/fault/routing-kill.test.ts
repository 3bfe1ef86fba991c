import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyEvents } from "../../src/store/index.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  applyNow,
  approvedProposal,
  committed,
  overridesPath,
  type Place,
  routingIn,
} from "../routing/scene.ts";
import type { RoutingCommand } from "./routing-worker.ts";
import { startRoutingWorker } from "./routing-workers.ts";
import { stateFolder } from "../helpers/state-folder.ts";

interface Scene extends Place {
  readonly there: StorePlace;
}

const reviewer = "fd-noisy";

/** A repository with staged and unstaged work of the user, and an approved proposal. */
const newScene = async ({ there, store }: Shared): Promise<Scene> => {
  const root = makeRepository(join(temporaryFolder(), "app"));
  writeFileSync(join(root, "staged.txt"), "staged\n");
  git(root, "add", "staged.txt");
  writeFileSync(join(root, "a.txt"), "unstaged\n");
  return { there, root, store, scope: await store.scope({ key: root, name: "app" }) };
};

/** One store for all repositories of a test. */
type Shared = Pick<Scene, "there" | "store">;

const openShared = async (newPlace: () => Promise<StorePlace>): Promise<Shared> => {
  const there = await newPlace();
  return { there, store: (await openScope(there)).store };
};

const startWorker = ({ there, root }: Scene) =>
  startRoutingWorker({ address: there.address, localDir: there.localDir, key: root });

const othersInIndex = (root: string): string =>
  git(root, "ls-files", "--stage", "--debug", "--", "a.txt", "staged.txt");

/** One command killed at its n-th step, for every n it has; three processes at a time. */
const killEverywhere = async (
  prepare: () => Promise<{ readonly scene: Scene; readonly command: RoutingCommand }>,
  check: (at: {
    readonly n: number;
    readonly scene: Scene;
    readonly index: Buffer;
  }) => Promise<void>,
): Promise<{ readonly kills: number; readonly steps: readonly string[] }> => {
  let next = 1;
  let kills = 0;
  let steps: readonly string[] | undefined;
  const runner = async (): Promise<void> => {
    while (!steps) {
      const n = next;
      next += 1;
      const { scene, command } = await prepare();
      const index = readFileSync(join(scene.root, ".git/index"));
      const worker = await startWorker(scene);
      const answer = await worker.ask<{ steps: string[] }>({
        ...command,
        killAt: n,
      } as RoutingCommand);
      await worker.kill();
      if (answer === undefined) {
        kills += 1;
        await settled(scene.root);
        await check({ n, scene, index });
      } else steps ??= answer.steps;
    }
  };
  await Promise.all([runner(), runner(), runner()]);
  return { kills, steps: steps ?? [] };
};

/** A git that the killed process had started goes on for a moment: until none is in the folder. */
const settled = async (root: string): Promise<void> => {
  const isThere = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === root;
    } catch {
      return false;
    }
  };
  while (readdirSync("/proc").some((name) => /^\d+$/.test(name) && isThere(name))) {
    await new Promise((done) => setTimeout(done, 5));
  }
};

/** All or nothing, both stores agree, nothing is left over, and a second recovery finds nothing to do. */
const expectWhole = async (
  at: { readonly n: number; readonly scene: Scene; readonly index: Buffer },
  before: "absent" | "present",
): Promise<"before" | "after"> => {
  const { scene, n } = at;
  const { root } = scene;
  const label = `step ${n}`;
  const routing = await routingIn(scene);
  await routing.recover();
  const status = await routing.status();
  const inGit = committed(root)?.overrides.some(({ agent }) => agent === reviewer) === true;
  const isBefore = inGit === (before === "present");
  expect(status.unfinished, label).toBe(0);
  expect(
    status.overrides.map((one) => one.reviewer),
    label,
  ).toEqual(inGit ? [reviewer] : []);
  expect(
    status.canaries.map((one) => one.reviewer),
    label,
  ).toEqual(inGit ? [reviewer] : []);
  expect(status.overrides[0]?.commit ?? null, label).toBe(
    inGit ? git(root, "log", "-1", "--format=%H", "--", overridesPath) : null,
  );
  expect(await routing.verify(), label).toMatchObject({ ok: true });
  expect(git(root, "status", "--porcelain").split("\n").toSorted(), label).toEqual(
    ["A  staged.txt", "M a.txt"].toSorted(),
  );
  expect(othersInIndex(root), label).toBe(firstIndex.get(root));
  if (isBefore && before === "absent") {
    expect(readFileSync(join(root, ".git/index")).equals(at.index), label).toBe(true);
    expect(existsSync(join(root, overridesPath)), label).toBe(false);
  }
  const work = join(stateFolder(root), "routing");
  expect(
    existsSync(work)
      ? readdirSync(work).filter((name) => !/^(?:index|message)-overrides$/.test(name))
      : [],
    label,
  ).toEqual([]);
  expect(await routing.recover(), label).toEqual({ finished: [], aborted: [] });
  return isBefore ? "before" : "after";
};

const firstIndex = new Map<string, string>();

describeWith({ platforms: ["linux"] }, "R-01 killed with -9", () => {
  describe.each(backends)("with $name", ({ place: newPlace }) => {
    const prepared = async (shared: Shared): Promise<Scene> => {
      const scene = await newScene(shared);
      firstIndex.set(scene.root, othersInIndex(scene.root));
      return scene;
    };

    it("R-01 RACE-01 at every step of an apply: all or nothing, git and store agree", async () => {
      const ends = { before: 0, after: 0 };
      const shared = await openShared(newPlace);
      let last: Scene | undefined;
      const { kills, steps } = await killEverywhere(
        async () => {
          const scene = await prepared(shared);
          const what = await approvedProposal(await routingIn(scene), reviewer);
          last = scene;
          return { scene, command: { do: "apply", root: scene.root, what } };
        },
        async (at) => {
          ends[await expectWhole(at, "absent")] += 1;
          // What was given up can be applied again, and is then there once.
          const routing = await routingIn(at.scene);
          const [proposal] = (await routing.status()).proposals;
          if (proposal) {
            expect(await routing.apply(proposal.id), `step ${at.n}`).toMatchObject({ done: true });
            expect(committed(at.scene.root)?.overrides, `step ${at.n}`).toHaveLength(1);
          }
        },
      );
      expect(kills).toBeGreaterThan(25);
      expect(Math.min(ends.before, ends.after)).toBeGreaterThan(4);
      expect(steps).toEqual(
        expect.arrayContaining([
          "prepared",
          "ref-moved",
          "worktree-written",
          "index-refreshed",
          "stored",
        ]),
      );
      expect(await verifyEvents(last!.store, last!.scope)).toMatchObject({ ok: true });
    });

    it("R-01 R-06 at every step of a revert: the override is there and watched, or gone and on the blacklist", async () => {
      const ends = { before: 0, after: 0 };
      const shared = await openShared(newPlace);
      const { kills } = await killEverywhere(
        async () => {
          const scene = await prepared(shared);
          await applyNow(await routingIn(scene), reviewer);
          return { scene, command: { do: "revert", root: scene.root, what: reviewer } };
        },
        async (at) => {
          const end = await expectWhole(at, "present");
          ends[end] += 1;
          const { blacklist } = await (await routingIn(at.scene)).status();
          expect(blacklist.map(({ pattern }) => pattern)).toEqual(
            end === "after" ? [reviewer] : [],
          );
        },
      );
      expect(kills).toBeGreaterThan(25);
      expect(Math.min(ends.before, ends.after)).toBeGreaterThan(4);
    });

    it("R-01 at every step of a recovery, forward and back: the next one comes to the same end", async () => {
      const shared = await openShared(newPlace);
      for (const [died, expected] of [
        ["ref-moved", "after"],
        ["prepared", "before"],
      ] as const) {
        const { kills } = await killEverywhere(
          async () => {
            const scene = await prepared(shared);
            const what = await approvedProposal(await routingIn(scene), reviewer);
            const worker = await startWorker(scene);
            const { root } = scene;
            const killAt = (await stepsOfApply(shared)).indexOf(died) + 1;
            expect(await worker.ask({ do: "apply", root, what, killAt })).toBeUndefined();
            await worker.kill();
            await settled(root);
            return { scene, command: { do: "recover", root } };
          },
          async (at) => {
            expect(await expectWhole(at, "absent"), `step ${at.n}`).toBe(expected);
          },
        );
        expect(kills).toBeGreaterThan(died === "ref-moved" ? 8 : 3);
      }
    });

    let known: string[] | undefined;
    /** Which step comes when, from an apply that nobody disturbs. */
    const stepsOfApply = async (shared: Shared): Promise<string[]> => {
      if (known) return known;
      const scene = await newScene(shared);
      const what = await approvedProposal(await routingIn(scene), reviewer);
      const worker = await startWorker(scene);
      const answer = await worker.ask<{ steps: string[] }>({
        do: "apply",
        root: scene.root,
        what,
        killAt: 1_000_000,
      });
      known = answer?.steps ?? [];
      return known;
    };
  });
});
