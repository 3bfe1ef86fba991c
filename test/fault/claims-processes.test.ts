import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { ClaimResult } from "../../src/claims/index.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { type ClaimsPlace, freshDir, granted, openClaimsAt, refused } from "../helpers/claims.ts";
import { describeWith } from "../helpers/not-run.ts";
import { type FaultWorker, startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { backends, type StorePlace } from "../helpers/store-backends.ts";

const [sqlite] = backends;
const newPlace = sqlite!.place;
const hour = 3_600_000;

interface Scene {
  readonly place: ClaimsPlace;
  start(actor: string, options?: Parameters<typeof startFaultWorker>[1]): Promise<FaultWorker>;
  /** Lets time pass for this process alone. */
  pass(ms: number): void;
}

const newScene = async (there: StorePlace): Promise<Scene> => {
  const dir = freshDir();
  let passed = 0;
  const clock = {
    ...systemClock,
    monoMs: () => systemClock.monoMs() + passed,
    wallMs: () => systemClock.wallMs() + passed,
  };
  const place = await openClaimsAt(there, { dir, clock });
  const job = { address: there.address, localDir: dir };
  return {
    place,
    start: (actor, options) => startFaultWorker({ ...job, actor }, options),
    pass: (ms) => void (passed += ms),
  };
};

/** Bob gets it at once, and one event says what the proof was. */
const expectTakenOver = async (place: ClaimsPlace, id: string, proof: RegExp): Promise<void> => {
  const bob = place.as("bob");
  expect(granted(await bob.claim({ targets: ["src/a.ts"] })).actor).toBe("bob");
  await bob.sweep();
  const endings = (await place.events("claim.*")).filter(
    ({ kind, subject }) => subject === id && kind !== "claim.granted",
  );
  expect(endings).toMatchObject([
    { kind: "claim.reclaimed", actor: "bob", data: { holder: "alice", target: "src/a.ts" } },
  ]);
  expect((endings[0]!.data["evidence"] as string[])[0]).toMatch(proof);
};

/** Bob is refused while the claim lives; only its end lets him in. */
const expectOnlyExpiryFrees = async ({ place, pass }: Scene): Promise<void> => {
  const bob = place.as("bob");
  const { blockers } = refused(await bob.claim({ targets: ["src/a.ts"] }));
  expect(blockers).toMatchObject([{ actor: "alice" }]);
  expect(blockers[0]!.liveness.state).not.toBe("dead");
  expect((await bob.sweep()).reclaimed).toEqual([]);
  pass(hour);
  granted(await bob.claim({ targets: ["src/a.ts"] }));
  expect(await place.events("claim.reclaimed")).toEqual([]);
  expect(await place.events("claim.expired")).toHaveLength(1);
};

const ask = { targets: ["src/a.ts"], reason: "mine" };
const stateOf = (pid: number): string =>
  /\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1] ?? "";

describeWith({ platforms: ["linux"] }, "a holder that dies", () => {
  it.each(backends)("C-03 G8 killed with -9: taken over at once on $name", async (backend) => {
    const { place, start } = await newScene(await backend.place());
    const alice = await start("alice");
    const claim = granted(await alice.call("claim", ask));
    expect(refused(await place.as("bob").claim(ask)).blockers).toMatchObject([
      { id: claim.id, liveness: { state: "alive" } },
    ]);
    await alice.kill();
    await expectTakenOver(place, claim.id, /^process \d+ is gone$/);
  });

  it("C-03 a zombie is dead", async () => {
    const { place, start } = await newScene(await newPlace());
    // A parent that never asks for its child's end keeps it as a zombie.
    const script = 'exec 3<&0; "$@" <&3 & exec sleep 60';
    const alice = await start("alice", { wrap: ["sh", "-c", script, "sh"] });
    const claim = granted(await alice.call("claim", ask));
    const { pid } = await alice.self();
    process.kill(pid, "SIGKILL");
    await expect.poll(() => stateOf(pid)).toBe("Z");
    await expectTakenOver(place, claim.id, /^process \d+ has ended \(zombie\)$/);
  });

  it("C-03 what it started may live on: the holder is dead all the same", async () => {
    const { place, start } = await newScene(await newPlace());
    const alice = await start("alice");
    const claim = granted(await alice.call("claim", ask));
    const child = await alice.command<number>({ do: "child" });
    onTestFinished(() => void process.kill(child, "SIGKILL"));
    await alice.kill();
    expect(process.kill(child, 0)).toBe(true);
    await expectTakenOver(place, claim.id, /^process \d+ is gone$/);
  });

  it("C-03 a second process under its name that ends takes nothing from it", async () => {
    const { place, start } = await newScene(await newPlace());
    const [first, second] = [await start("alice"), await start("alice")];
    const held = granted(await first.call("claim", ask));
    granted(await second.call("claim", { targets: ["src/b.ts"] }));
    await second.kill();
    expect(refused(await place.as("bob").claim(ask)).blockers).toMatchObject([{ id: held.id }]);
  });

  it("C-03 a first process under its name that ends takes nothing from it", async () => {
    const { place, start } = await newScene(await newPlace());
    const [first, second] = [await start("alice"), await start("alice")];
    granted(await first.call("claim", { targets: ["src/b.ts"] }));
    const held = granted(await second.call("claim", ask));
    await first.kill();
    expect(refused(await place.as("bob").claim(ask)).blockers).toMatchObject([{ id: held.id }]);
  });

  it("C-03 a name that nobody holds anything under is proven by its next process again", async () => {
    const { place, start } = await newScene(await newPlace());
    const [first, second] = [await start("alice"), await start("alice")];
    granted(await first.call("claim", ask));
    granted(await second.call("claim", { targets: ["src/b.ts"] }));
    await first.call("release", { all: true });
    const held = granted(await second.call("claim", ask));
    await second.kill();
    expect(held.actor).toBe("alice");
    await expectTakenOver(place, held.id, /^process \d+ is gone$/);
  });

  it("C-03 a holder that sleeps is alive, and keeps what it holds", async () => {
    const scene = await newScene(await newPlace());
    const alice = await scene.start("alice");
    granted(await alice.call("claim", { ...ask, ttlMs: hour }));
    alice.worker.process.kill("SIGSTOP");
    await expect.poll(() => stateOf(alice.worker.pid)).toBe("T");
    await expectOnlyExpiryFrees(scene);
  });
});

describeWith(
  { platforms: ["linux"], root: true, programs: ["unshare", "mount"] },
  "a holder that cannot be judged by its number",
  () => {
    it("C-03 another process got its number: the holder is dead", async () => {
      const { place, start } = await newScene(await newPlace());
      const alice = await start("alice");
      const claim = granted(await alice.call("claim", ask));
      const { pid } = await alice.self();
      await alice.kill();
      await reuse(pid);
      expect(stateOf(pid)).not.toBe("");
      await expectTakenOver(place, claim.id, /^process \d+ is another one now \(pid reused\)$/);
    });

    it("C-03 M-01 the machine was restarted since: the holder is dead", async () => {
      const there = await newPlace();
      const { place, start } = await newScene(there);
      // A file over the kernel's own makes this process believe in another boot.
      const boot = join(freshDir(), "boot_id");
      writeFileSync(boot, "11111111-2222-3333-4444-555555555555\n");
      const script = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
      const alice = await start("alice", {
        wrap: ["unshare", "--mount", "sh", "-c", script, boot],
      });
      expect((await alice.self()).bootId).toBe("11111111-2222-3333-4444-555555555555");
      const claim = granted(await alice.call("claim", ask));
      // A restart takes longer than a heartbeat stays fresh (M-01).
      await there.sql(`UPDATE actors SET seen_at = seen_at - ${hour}`);
      await expectTakenOver(place, claim.id, / was restarted since$/);
    });

    it("C-03 it lives in another pid namespace: nothing proves its end, so only expiry frees it", async () => {
      const scene = await newScene(await newPlace());
      const wrap = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
      const alice = await scene.start("alice", { wrap });
      granted(await alice.call("claim", { ...ask, ttlMs: hour }));
      // Its number there is that of a very different process here.
      expect((await alice.self()).pid).toBe(1);
      await alice.kill();
      await expectOnlyExpiryFrees(scene);
    });
  },
);

/** With so many at once a turn may be long in coming; that is said, and asking again is right. */
const untilAnswered = async (worker: FaultWorker, target: string): Promise<ClaimResult> => {
  for (;;) {
    const answer = await worker.ask("claim", [{ targets: [target] }]);
    if (answer?.ok) return answer.value;
    expect(answer?.code).toBe("STORE_BUSY");
  }
};

/** Starts processes until one has the number; the kernel is told where to go on counting. */
const reuse = async (pid: number): Promise<void> => {
  // Other programs on the machine take numbers as well: then once more.
  for (;;) {
    writeFileSync("/proc/sys/kernel/ns_last_pid", String(pid - 1));
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    await once(child, "spawn");
    if (child.pid === pid) {
      onTestFinished(() => void child.kill("SIGKILL"));
      return;
    }
    child.kill("SIGKILL");
    await once(child, "exit");
  }
};

describe.each(backends)("a waiter on $name", ({ place: newPlaceThere }) => {
  it("G7 that asks again with its key, long after it was served, hears of its grant", async () => {
    const { place } = await newScene(await newPlaceThere());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    granted(await alice.claim(ask));
    const again = () => bob.claim({ ...ask, waitMs: 600_000, key: "k" });
    const waiting = again();
    await expect.poll(async () => (await alice.list()).waiters.length).toBe(1);
    await alice.release({ all: true });
    const first = granted(await waiting);
    expect(granted(await again())).toEqual(first);
    // As everybody does with waiters that were served a minute ago.
    await place.store.write({ scope: place.scope }, async (tx) => {
      await tx.run({ sql: "DELETE FROM waiters WHERE state <> 'waiting'" });
      return tx.emit({ kind: "test.forgotten" });
    });
    expect(granted(await again())).toEqual(first);
  });

  it("G8 that closes its own store hears so at once, instead of waiting for it to come back", async () => {
    const { place } = await newScene(await newPlaceThere());
    granted(await place.as("alice").claim(ask));
    const waiting = place.as("bob").claim({ ...ask, waitMs: 24 * 3_600_000 });
    waiting.catch(() => {});
    await expect.poll(async () => (await place.as("alice").list()).waiters.length).toBe(1);
    await place.store.close();
    await expect(waiting).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});

describeWith({ platforms: ["linux"], programs: ["prlimit"] }, "few file descriptors", () => {
  it("D08 G1 64 actors in 64 processes of 1,024 descriptors each: one winner per target", async () => {
    const { place, start } = await newScene(await newPlace());
    const names = Array.from({ length: 64 }, (_, index) => `actor-${index}`);
    const wrap = ["prlimit", "--nofile=1024"];
    const workers: FaultWorker[] = [];
    for (let first = 0; first < names.length; first += 8) {
      const some = names.slice(first, first + 8).map(async (name) => {
        const worker = await start(name, { wrap });
        granted(await worker.call("claim", { targets: [`own/${name}`] }));
        return worker;
      });
      workers.push(...(await Promise.all(some)));
    }
    const results = await Promise.all(
      workers.map((worker, index) => untilAnswered(worker, `common/${index % 4}`)),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(4);
    const { claims } = await place.as("watcher").list();
    expect(claims).toHaveLength(64 + 4);
    expect(new Set(claims.map(({ fence }) => fence)).size).toBe(64 + 4);
  });

  it("D08 G6 with hardly any descriptors: granted for certain, or refused with a code", async () => {
    const { place, start } = await newScene(await newPlace());
    const bob = place.as("bob");
    const outcomes = new Set<string>();
    for (const limit of [40, 30, 28, 26, 24, 22, 20]) {
      const name = `actor-${limit}`;
      const worker = await start(name, { wrap: ["prlimit", `--nofile=${limit}`] }).catch(
        () => undefined,
      );
      // Node itself does not start with fewer.
      const answer = await worker?.ask("claim", [{ targets: ["few"] }]);
      if (answer?.ok === false)
        expect(`${answer.code} ${answer.message}`).toMatch(/^(STORE|STATE|FENCE)_/);
      const { claims } = await bob.list({ target: "few" });
      const isGranted = answer?.ok === true && answer.value.ok;
      expect(claims.map(({ actor }) => actor)).toEqual(isGranted ? [name] : []);
      outcomes.add(isGranted ? "granted" : answer === undefined ? "not started" : "refused");
      await worker?.kill();
      await bob.sweep();
    }
    expect([...outcomes]).toEqual(expect.arrayContaining(["granted", "refused"]));
    expect(await verifyEvents(place.store, place.scope)).toMatchObject({ ok: true });
  });
});
