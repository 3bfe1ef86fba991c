import { describe, expect, it } from "vitest";
import { claimsProgram } from "../helpers/claims-program.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

it("F02 G5 renewing, releasing, narrowing and handing on another's claim is refused by name", async () => {
  const { as } = claimsProgram();
  const { claim } = (await as("alice")("claim", "a.txt", "--ttl", "10m")).answer;
  const mallory = as("mallory");
  const attempts = [
    ["renew", claim.id, "--ttl", "24h"],
    ["release", claim.id],
    ["transfer", claim.id, "--to", "mallory"],
    ["transfer", claim.id, "--to", "eve"],
  ];
  for (const { code, answer } of await Promise.all(attempts.map((args) => mallory(...args)))) {
    expect(code).not.toBe(0);
    expect(answer.code).toMatch(/^(CLAIM_NOT_HELD|USAGE)$/);
  }
  // Nor by its target.
  for (const args of [
    ["renew", "a.txt"],
    ["transfer", "a.txt", "--to", "eve"],
  ]) {
    expect(await mallory(...args)).toMatchObject({ answer: { code: "CLAIM_NOT_HELD" } });
  }
  expect((await mallory("release", "--all")).answer.released).toEqual([]);
  const { claims } = (await as("alice")("claims", "--mine")).answer;
  expect(claims).toMatchObject([{ id: claim.id, fence: claim.fence, actor: "alice" }]);
});

describe.each(backends)("F02 names that look alike on $name", ({ place: newPlace }) => {
  it("F02 G5 are other actors, byte for byte, or no names at all", async () => {
    const place = await openClaimsAt(await newPlace());
    const owner = "Zoë";
    const held = granted(await place.as(owner).claim({ targets: ["a"] }));
    for (const name of [
      "zoë",
      "ZOË",
      "Zoë".normalize("NFD"),
      "Zoe",
      "Zoë ",
      " Zoë",
      "Zoë\u200b",
      "Ζoë",
    ]) {
      const attempt = async () => place.as(name).release({ claims: [held.id] });
      await expect(attempt(), JSON.stringify(name)).rejects.toMatchObject({
        code: expect.stringMatching(/^(CLAIM_NOT_HELD|ACTOR_INVALID)$/),
      });
    }
    // A sub-agent is not its session, nor the other way round, nor a longer session's.
    const parent = granted(await place.as("claude:7").claim({ targets: ["b"] }));
    const child = granted(await place.as("claude:7/tests").claim({ targets: ["c"] }));
    for (const [name, { id }] of [
      ["claude:7/tests", parent],
      ["claude:7", child],
      ["claude:7/other", child],
      ["claude:77", parent],
      ["codex:7", parent],
    ] as const) {
      await expect(place.as(name).release({ claims: [id] }), name).rejects.toMatchObject({
        code: "CLAIM_NOT_HELD",
      });
    }
    expect((await place.as("watcher").list()).claims).toHaveLength(3);
  });
});
