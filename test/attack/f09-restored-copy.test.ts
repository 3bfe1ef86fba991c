import { copyFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { claimsProgram } from "../helpers/claims-program.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";
import { stateFolder } from "../helpers/state-folder.ts";

it("F09 G2 after an old store.db was put back, numbers go on and old holders cannot write", async () => {
  const { as, cwd } = claimsProgram();
  const store = join(stateFolder(cwd), "store.db");
  const past = (await as("alice")("claim", "a.txt")).answer.claim;
  copyFileSync(store, `${store}.bak`);
  await as("alice")("release", "--all");
  const later = (await as("bob")("claim", "a.txt", "b.txt")).answer.claims;
  for (const end of ["-wal", "-shm"]) rmSync(store + end, { force: true });
  copyFileSync(`${store}.bak`, store);
  const next = (await as("carol")("claim", "b.txt")).answer.claim;
  const given = [past.fence, ...later.map(({ fence }) => fence)];
  expect(next.fence).toBeGreaterThan(Math.max(...given));
  const bob = await openHeadgate({ repo: cwd, actor: "bob" });
  onTestFinished(() => bob.close());
  for (const { fence, target } of later) {
    expect(await bob.claims.verify(fence, [target])).toMatchObject({
      ok: false,
      code: "FENCE_STALE",
    });
  }
  const events = await bob.events.page({ kind: "fence.*" });
  expect(events.events).toMatchObject([{ kind: "fence.skipped", data: { next: next.fence } }]);
});

it("F09 G2 the whole folder put back, mark and all: a fence alone still opens nothing", async () => {
  const { as, cwd } = claimsProgram();
  const local = stateFolder(cwd);
  await as("alice")("claim", "a.txt");
  cpSync(local, `${local}.bak`, { recursive: true });
  const { claim } = (await as("bob")("claim", "b.txt")).answer;
  rmSync(local, { recursive: true });
  cpSync(`${local}.bak`, local, { recursive: true });
  // The number may come again: nothing outside is left that knows it. It is another's then.
  const next = (await as("carol")("claim", "b.txt")).answer.claim;
  const bob = await openHeadgate({ repo: cwd, actor: "bob" });
  onTestFinished(() => bob.close());
  expect((await bob.claims.verify(claim.fence, ["b.txt"])).ok).toBe(false);
  expect((await bob.claims.verify(next.fence, ["b.txt"])).ok).toBe(false);
});

it("F09 G2 on a server that was put back, what other machines may have got is skipped, too", async () => {
  const [, postgres] = backends;
  const there = await postgres!.place();
  const here = await openClaimsAt(there);
  const elsewhere = await openClaimsAt(there);
  const first = granted(await here.as("alice").claim({ targets: ["a"] }));
  await there.sql("CREATE TABLE kept AS TABLE claims; CREATE TABLE kept_scopes AS TABLE scopes");
  granted(await here.as("alice").claim({ targets: ["b"] }));
  const theirs = granted(await elsewhere.as("zoe").claim({ targets: ["c"] }));
  // As a restored dump would leave it: rows and numbers of then, and no trace of what came after.
  await there.sql(
    `DELETE FROM claims; INSERT INTO claims SELECT * FROM kept;
     UPDATE scopes SET fence = (SELECT fence FROM kept_scopes)`,
  );
  const next = granted(await here.as("bob").claim({ targets: ["c"] }));
  expect(next.fence).toBeGreaterThan(theirs.fence);
  expect((await elsewhere.as("zoe").verify(theirs.fence, ["c"])).ok).toBe(false);
  expect((await here.as("alice").verify(first.fence, ["a"])).ok).toBe(true);
});
