import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import type { Claims } from "../../src/claims/index.ts";
import { granted } from "../helpers/claims.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { freshSharedDatabase } from "../helpers/shared-postgres.ts";
import { run } from "../helpers/program.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const minute = 60_000;

/** One repository, and ways into it with one store or the other. */
const newShop = async () => {
  const root = makeRepository(join(temporaryFolder(), "shop"));
  const server = await freshSharedDatabase();
  const open = async (actor: string, store?: string): Promise<Claims> => {
    const headgate = await openHeadgate({ repo: root, actor, ...(store && { store }) });
    onTestFinished(() => headgate.close());
    return headgate.claims;
  };
  return { root, server, open };
};

const differs = { code: "STORE_DIFFERS" };

it("F08 G1 while claims of one store may live, the other grants nothing; then it does", async () => {
  const { open, server } = await newShop();
  const [alice, bob] = [await open("alice"), await open("bob", server)];
  granted(await alice.claim({ targets: ["a.txt"] }));
  for (const targets of [["a.txt"], ["b.txt"], ["a.txt", "b.txt"]]) {
    await expect(bob.claim({ targets })).rejects.toMatchObject(differs);
    await expect(bob.claim({ targets, waitMs: minute })).rejects.toMatchObject(differs);
  }
  granted(await alice.claim({ targets: ["b.txt"] }));
  await alice.release({ claims: ["a.txt"] });
  await expect(bob.claim({ targets: ["a.txt"] })).rejects.toMatchObject(differs);
  await alice.release({ all: true });
  const held = granted(await bob.claim({ targets: ["a.txt"] }));
  // And the other way round, under numbers that neither has given out.
  expect(held.fence).toBeGreaterThan(2);
  await expect(alice.claim({ targets: ["a.txt"] })).rejects.toMatchObject(differs);
  await bob.release({ all: true });
  expect(granted(await alice.claim({ targets: ["a.txt"] })).fence).toBeGreaterThan(held.fence);
});

it("F08 G1 a claim handed to a waiter by the last release keeps the other store out", async () => {
  const { open, server } = await newShop();
  const [alice, bob, carol] = [await open("alice"), await open("bob"), await open("carol", server)];
  granted(await alice.claim({ targets: ["a.txt"] }));
  const waiting = bob.claim({ targets: ["a.txt"], waitMs: minute });
  await expect.poll(async () => (await alice.list()).waiters.length).toBe(1);
  await alice.release({ all: true });
  granted(await waiting);
  await expect(carol.claim({ targets: ["a.txt"] })).rejects.toMatchObject(differs);
  await bob.release({ all: true });
  granted(await carol.claim({ targets: ["a.txt"] }));
});

it("F08 the command line says which store holds the claims, and how long to wait at most", async () => {
  const { root, server } = await newShop();
  const claim = (actor: string, env: Record<string, string>) =>
    run(["claim", "a.txt", "--as", actor, "--json", "--ttl", "10m"], { cwd: root, env });
  expect((await claim("alice", {})).code).toBe(0);
  const refused = await claim("bob", { HEADGATE_STORE: server });
  expect(refused.code).not.toBe(0);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    code: "STORE_DIFFERS",
    data: {
      granted: expect.stringContaining("store.db"),
      used: expect.stringContaining("127.0.0.1"),
    },
  });
});
