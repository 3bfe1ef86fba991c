import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { freshDir, granted, openClaimsAt } from "../helpers/claims.ts";
import { startFaultWorker } from "../helpers/run-claims-fault-worker.ts";
import { backends } from "../helpers/store-backends.ts";

const [sqlite] = backends;

/** One process has the store open, a side file vanishes, another comes along; both want the same. */
const bothWant = async (side: "-wal" | "-shm"): Promise<{ readonly granted: string[] }> => {
  const there = await sqlite!.place();
  const dir = freshDir();
  const place = await openClaimsAt(there, { dir });
  granted(await place.as("alice").claim({ targets: ["first"] }));
  rmSync(`${there.address}${side}`);
  const bob = await startFaultWorker({ address: there.address, localDir: dir, actor: "bob" });
  const answers = {
    bob: await bob.ask("claim", [{ targets: ["wanted"] }]),
    alice: await place
      .as("alice")
      .claim({ targets: ["wanted"] })
      .then(
        (value) => ({ ok: true as const, value }),
        (error: { code: string }) => ({ ok: false as const, code: error.code }),
      ),
  };
  for (const answer of Object.values(answers)) {
    if (answer?.ok === false)
      expect(answer.code).toMatch(/^(STORE_REPLACED|STORE_IO|OUTCOME_UNKNOWN)$/);
  }
  const holders = Object.entries(answers).filter(([, answer]) => answer?.ok && answer.value.ok);
  return { granted: holders.map(([name]) => name) };
};

describe("F11 a side file of SQLite deleted while in use", () => {
  it("F11 G1 -wal: two processes never hold the same", async () => {
    expect((await bothWant("-wal")).granted.length).toBeLessThanOrEqual(1);
  });

  it("F11 G1 -shm: two processes never hold the same", async () => {
    expect((await bothWant("-shm")).granted.length).toBeLessThanOrEqual(1);
  });
});
