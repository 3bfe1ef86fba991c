import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshDir, granted, openClaimsAt } from "../helpers/claims.ts";
import { type FaultWorker, startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { backends } from "../helpers/store-backends.ts";

const ttlMs = 1_000;
const isStopped = (pid: number): boolean => / T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

const write = (worker: FaultWorker, options: { fence: number; file: string; text: string }) =>
  worker.command<{ ok: boolean }>({ do: "write", target: "a", ...options });

/** Asks anew when the claim was over before the write began: the machine may be slow. */
const stopInsideWrite = async (
  worker: FaultWorker,
  { pid, file }: { readonly pid: number; readonly file: string },
): Promise<{ readonly fence: number; readonly written: Promise<{ ok: boolean }> }> => {
  for (;;) {
    const { fence } = granted(await worker.call("claim", { targets: ["a"], ttlMs }));
    let answer: { ok: boolean } | undefined;
    const written = worker.command<{ ok: boolean }>({
      do: "write",
      ...{ fence, target: "a", file, text: "alice", isStoppedInside: true },
    });
    void written.then((one) => (answer = one));
    await expect.poll(() => isStopped(pid) || answer !== undefined).toBe(true);
    if (answer === undefined) return { fence, written };
    expect(answer).toMatchObject({ ok: false, code: "FENCE_STALE" });
  }
};

describe.each(backends)("F05 a holder that is paused on $name", ({ place: newPlace }) => {
  it("F05 C-17 G3 past the end of its claim: its write comes to nothing when it goes on", async () => {
    const there = await newPlace();
    const dir = freshDir();
    const file = join(dir, "file");
    const alice = await startFaultWorker({ address: there.address, localDir: dir, actor: "alice" });
    const lost = granted(await alice.call("claim", { targets: ["a"], ttlMs }));
    alice.worker.process.kill("SIGSTOP");
    const place = await openClaimsAt(there, { dir });
    const bob = place.as("bob");
    const held = granted(await bob.claim({ targets: ["a"], waitMs: 600_000 }));
    alice.worker.process.kill("SIGCONT");
    for (const fence of [lost.fence, held.fence, held.fence + 1]) {
      expect((await write(alice, { fence, file, text: "alice" })).ok).toBe(false);
    }
    expect(existsSync(file)).toBe(false);
    await bob.release({ all: true });
    // Free again is not hers again.
    expect((await write(alice, { fence: lost.fence, file, text: "alice" })).ok).toBe(false);
    const again = granted(await alice.call("claim", { targets: ["a"] }));
    expect((await write(alice, { fence: again.fence, file, text: "alice" })).ok).toBe(true);
  });

  it("F05 G3 in the middle of its write: nobody is granted the target until it has written", async () => {
    const there = await newPlace();
    const dir = freshDir();
    const file = join(dir, "file");
    const alice = await startFaultWorker({ address: there.address, localDir: dir, actor: "alice" });
    const { pid } = await alice.self();
    const { fence, written } = await stopInsideWrite(alice, { pid, file });
    const place = await openClaimsAt(there, { dir, waitMs: 2 * ttlMs });
    const bob = place.as("bob");
    // Longer than the claim would live; the turn to write is taken, and stays so.
    await expect(bob.claim({ targets: ["a"] })).rejects.toMatchObject({ code: "STORE_BUSY" });
    expect(existsSync(file)).toBe(false);
    alice.worker.process.kill("SIGCONT");
    expect(await written).toMatchObject({ ok: true });
    expect(readFileSync(file, "utf8")).toBe("alice");
    granted(await bob.claim({ targets: ["a"], waitMs: 600_000 }));
    expect((await write(alice, { fence, file, text: "late" })).ok).toBe(false);
    expect(readFileSync(file, "utf8")).toBe("alice");
  });
});
