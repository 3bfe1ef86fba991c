import { describe, expect, it } from "vitest";
import { ownIdentity } from "../../src/base/process-identity.ts";
import type { Claims } from "../../src/claims/index.ts";
import { type StoreStep, verifyEvents } from "../../src/store/index.ts";
import { type ClaimsPlace, freshDir, granted, openClaimsAt, refused } from "../helpers/claims.ts";
import { type FaultWorker, startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

const minute = 60_000;
const steps: readonly StoreStep[] = [
  "before-begin",
  "after-begin",
  "before-commit",
  "after-commit",
];

/** Every worker is named after the step it dies at, and works under a folder of that name. */
interface Operation {
  readonly title: string;
  readonly holds: (name: string) => readonly string[];
  readonly call: (
    name: string,
  ) => [method: "claim" | "release" | "narrow" | "transfer", args: unknown[]];
  /** "actor target" of everything in the worker's folder. */
  readonly before: (name: string) => readonly string[];
  readonly after: (name: string) => readonly string[];
}

const operations: readonly Operation[] = [
  {
    title: "claim",
    holds: () => [],
    // With a key, because without one PostgreSQL decides it in a function that has no steps.
    call: (name) => ["claim", [{ targets: [`${name}/a`], key: name }]],
    before: () => [],
    after: (name) => [`${name} ${name}/a`],
  },
  {
    title: "claim of three targets",
    holds: () => [],
    call: (name) => ["claim", [{ targets: ["a", "b", "c"].map((part) => `${name}/${part}`) }]],
    before: () => [],
    after: (name) => ["a", "b", "c"].map((part) => `${name} ${name}/${part}`),
  },
  {
    title: "release",
    holds: (name) => [`${name}/a`, `${name}/b`],
    call: () => ["release", [{ all: true }]],
    before: (name) => [`${name} ${name}/a`, `${name} ${name}/b`],
    after: () => [],
  },
  {
    title: "narrow",
    holds: (name) => [`${name}/**`],
    call: (name) => ["narrow", [`${name}/**`, [`${name}/a/**`, `${name}/b.ts`]]],
    before: (name) => [`${name} ${name}/**`],
    after: (name) => [`${name} ${name}/a/**`, `${name} ${name}/b.ts`],
  },
  {
    title: "transfer",
    holds: (name) => [`${name}/a`, `${name}/b`],
    call: () => ["transfer", [{ all: true }, { to: "heir" }]],
    before: (name) => [`${name} ${name}/a`, `${name} ${name}/b`],
    after: (name) => [`heir ${name}/a`, `heir ${name}/b`],
  },
];

interface Scene {
  readonly place: ClaimsPlace;
  readonly workers: ReadonlyMap<StoreStep, FaultWorker>;
}

/** One store, one process per step; the first block of fences is reserved already. */
const newScene = async (there: StorePlace): Promise<Scene> => {
  const dir = freshDir();
  const place = await openClaimsAt(there, { dir });
  granted(await place.as("first").claim({ targets: ["first"] }));
  const start = (step: StoreStep) =>
    startFaultWorker({ address: there.address, localDir: dir, actor: step });
  const workers = await Promise.all(steps.map(async (step) => [step, await start(step)] as const));
  return { place, workers: new Map(workers) };
};

const heldIn = async (claims: Claims, folder: string): Promise<string[]> =>
  (await claims.list({ target: `${folder}/**` })).claims
    .map(({ actor, target }) => `${actor} ${target}`)
    .toSorted();

const untilQueued = async (claims: Claims, count: number): Promise<void> => {
  await expect.poll(async () => (await claims.list()).waiters.length).toBe(count);
};

/** Whatever died: the chain holds, no fence was given twice, nothing ended twice. */
const expectWhole = async ({ store, scope, events }: ClaimsPlace): Promise<void> => {
  expect(await verifyEvents(store, scope)).toMatchObject({ ok: true });
  const all = await events("claim.*");
  const fences = all.flatMap(({ kind, data }) =>
    kind === "claim.granted" || kind === "claim.transferred" ? [Number(data["fence"])] : [],
  );
  expect(fences).toEqual([...new Set(fences)].toSorted((a, b) => a - b));
  const endings = all.filter(({ kind }) => /\.(released|expired|reclaimed)$/.test(kind));
  expect(endings.map(({ subject }) => subject)).toEqual([
    ...new Set(endings.map(({ subject }) => subject)),
  ]);
};

describe.each(backends)("claims on $name, killed with -9", ({ place: newPlace }) => {
  it.each(operations)("G6 at every step of a $title: before or after", async (operation) => {
    const { place, workers } = await newScene(await newPlace());
    const bob = place.as("bob");
    await Promise.all(
      [...workers].map(async ([step, worker]) => {
        const targets = operation.holds(step);
        if (targets.length > 0) granted(await worker.call("claim", { targets }));
        const [method, args] = operation.call(step);
        expect(await worker.ask(method, args as never, { step, time: 1 })).toBeUndefined();
      }),
    );
    for (const step of steps) {
      const expected = step === "after-commit" ? operation.after(step) : operation.before(step);
      expect(await heldIn(bob, step), step).toEqual(expected.toSorted());
    }
    // Nobody cleans up: what the dead left is taken over by whoever asks; what was given on is not.
    for (const step of steps) {
      const result = await bob.claim({ targets: [`${step}/**`] });
      const isGiven = operation.title === "transfer" && step === "after-commit";
      if (isGiven)
        expect(refused(result).blockers).toMatchObject([{ actor: "heir" }, { actor: "heir" }]);
      else granted(result);
    }
    await expectWhole(place);
  });

  it("G6 C-07 at every step of a sweep: nothing is half swept, and every claim ends once", async () => {
    const { place, workers } = await newScene(await newPlace());
    const bob = place.as("bob");
    const gone = { ...ownIdentity(), pid: 2 ** 22 - 3, startTime: "1" };
    const ghost = place.as({ id: "ghost", session: "ghost", process: gone });
    let ended = 0;
    for (const [step, worker] of workers) {
      const targets = ["a", "b", "c"].map((part) => `${step}/${part}`);
      granted(await ghost.claim({ targets }));
      expect(await worker.ask("sweep", [], { step, time: 1 })).toBeUndefined();
      expect(await heldIn(bob, step)).toHaveLength(step === "after-commit" ? 0 : 3);
      ended += 3;
      expect((await bob.sweep()).reclaimed).toHaveLength(step === "after-commit" ? 0 : 3);
      expect(await place.events("claim.reclaimed")).toHaveLength(ended);
    }
    await expectWhole(place);
  });

  it("G6 G8 at every step of a release somebody waits for: the waiter gets it, always", async () => {
    const { place, workers } = await newScene(await newPlace());
    const bob = place.as("bob");
    const waits = [...workers].map(async ([step, worker]) => {
      granted(await worker.call("claim", { targets: [`${step}/a`] }));
      const waiting = bob.claim({ targets: [`${step}/**`], waitMs: minute });
      await expect.poll(async () => JSON.stringify((await bob.list()).waiters)).toContain(step);
      expect(await worker.ask("release", [{ all: true }], { step, time: 1 })).toBeUndefined();
      return granted(await waiting);
    });
    expect((await Promise.all(waits)).map(({ target }) => target)).toEqual(
      steps.map((step) => `${step}/**`),
    );
    const endings = (await place.events("claim.*")).filter(({ kind }) =>
      /\.re(leased|claimed)$/.test(kind),
    );
    expect(endings.map(({ kind }) => kind).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "claim.reclaimed"),
      "claim.released",
    ]);
    await expectWhole(place);
  });

  it("G6 G8 at every step of joining the line, and while waiting in it: the dead are passed over", async () => {
    const there = await newPlace();
    const { place, workers } = await newScene(there);
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim({ targets: steps.map((step) => `${step}/a`) }));
    await Promise.all(
      [...workers].map(([step, worker]) =>
        expect(
          worker.ask("claim", [{ targets: [`${step}/a`], waitMs: minute }], { step, time: 1 }),
        ).resolves.toBeUndefined(),
      ),
    );
    expect((await alice.list()).waiters).toMatchObject([
      { actor: "after-commit", liveness: { state: "dead" } },
    ]);
    const late = await startFaultWorker({ ...there, localDir: place.dir, actor: "late" });
    const killed = late.ask("claim", [{ targets: ["after-commit/a"], waitMs: minute }]);
    await untilQueued(alice, 2);
    await late.kill();
    expect(await killed).toBeUndefined();
    const waiting = bob.claim({ targets: steps.map((step) => `${step}/a`), waitMs: minute });
    await untilQueued(alice, 3);
    await alice.release({ all: true });
    expect(await waiting).toMatchObject({ ok: true, claims: steps.map(() => ({ actor: "bob" })) });
    const takers = (await place.events("claim.granted")).map(({ actor }) => actor);
    expect(new Set(takers)).toEqual(new Set(["first", "alice", "bob"]));
    // Those whom nobody met are removed by the next sweep.
    await bob.sweep();
    expect((await bob.list()).waiters).toEqual([]);
    await expectWhole(place);
  });
});
