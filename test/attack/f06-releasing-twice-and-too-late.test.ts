import { describe, expect, it } from "vitest";
import { claimsProgram, startClient } from "../helpers/claims-program.ts";
import { granted, openClaimsAt, timeFor } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

const minute = 60_000;

describe.each(backends)("F06 endings that come again on $name", ({ place: newPlace }) => {
  it("F06 G5 C-07 releasing twice, at once or after the end, is one ending", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const first = granted(await alice.claim({ targets: ["a"], ttlMs: minute }));
    const ids = { claims: [first.id] };
    const both = await Promise.all([alice.release(ids), alice.release(ids), bob.sweep()]);
    expect(both[0].released.length + both[1].released.length).toBe(1);
    const second = granted(await alice.claim({ targets: ["a"], ttlMs: minute }));
    await time.pass(2 * minute);
    // Over, though nobody has looked: it is not hers to release any more.
    expect((await alice.release({ claims: [second.id] })).released).toEqual([]);
    const kinds = (await place.events("claim.*")).map(({ kind, subject }) => `${kind} ${subject}`);
    expect(kinds).toEqual([
      `claim.granted ${first.id}`,
      `claim.released ${first.id}`,
      `claim.granted ${second.id}`,
      `claim.expired ${second.id}`,
    ]);
  });

  it("F06 G5 after a takeover the old id, the old fence and `all` reach nothing of the new holder", async () => {
    const there = await newPlace();
    const time = timeFor(there);
    const place = await openClaimsAt(there, { clock: time.clock });
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const lost = granted(await alice.claim({ targets: ["a"], ttlMs: minute }));
    await time.pass(2 * minute);
    const held = granted(await bob.claim({ targets: ["a"] }));
    expect((await alice.release({ claims: [lost.id] })).released).toEqual([]);
    await expect(alice.release({ claims: ["a"] })).rejects.toMatchObject({
      code: "CLAIM_NOT_HELD",
    });
    expect((await alice.release({ all: true })).released).toEqual([]);
    await expect(alice.renew({ claims: [lost.id] })).rejects.toMatchObject({
      code: "CLAIM_UNKNOWN",
    });
    await expect(alice.transfer({ claims: [lost.id] }, { to: "eve" })).rejects.toMatchObject({
      code: "CLAIM_UNKNOWN",
    });
    expect((await alice.verify(lost.fence, ["a"])).ok).toBe(false);
    expect((await bob.verify(held.fence, ["a"])).ok).toBe(true);
  });
});

it("F06 C-03 a client that was killed finds its claim gone, and cannot give away the next one's", async () => {
  const { as, cwd, text } = claimsProgram();
  const client = await startClient(cwd, "s1", ["claim", "a.txt", "--json"]);
  const { claim } = JSON.parse(client.stdout) as { claim: { id: string; actor: string } };
  expect((await as("bob")("claim", "a.txt")).code).toBe(1);
  await client.kill();
  const taken = await as("bob")("claim", "a.txt");
  expect(taken).toMatchObject({ code: 0, answer: { claim: { actor: "bob" } } });
  expect((await as(claim.actor)("release", claim.id)).answer.released).toEqual([]);
  expect((await text("claims", "--as", "bob")).stdout).toContain("a.txt");
});
