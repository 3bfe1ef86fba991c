import { describe, expect, it } from "vitest";
import { claimsProgram } from "../helpers/claims-program.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";

/** The id itself with one character changed, at every place behind its kind. */
const neighbours = (id: string): string[] =>
  [...id.slice(3)].map((letter, index) => {
    const other = letter === "0" ? "1" : "0";
    return `${id.slice(0, index + 3)}${other}${id.slice(index + 4)}`;
  });

describe.each(backends)("F01 ids and fences of others on $name", ({ place: newPlace }) => {
  it("F01 G3 a fence works for its holder alone, whoever guesses or replays it", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, mallory] = [place.as("alice"), place.as("mallory")];
    const past = granted(await alice.claim({ targets: ["src/a.ts"] }));
    await alice.release({ all: true });
    const held = granted(await alice.claim({ targets: ["src/a.ts"] }));
    granted(await mallory.claim({ targets: ["src/b.ts"] }));
    const fences = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const fence of [...fences, Number.MAX_SAFE_INTEGER]) {
      expect((await mallory.verify(fence, ["src/a.ts"])).ok).toBe(false);
      expect((await alice.verify(fence, ["src/a.ts"])).ok).toBe(fence === held.fence);
    }
    // All at once, and with a claim of her own among them.
    let writes = 0;
    const all = await mallory.whileHeld(fences, ["src/b.ts", "src/a.ts"], () => (writes += 1));
    expect([all.ok, writes]).toEqual([false, 0]);
    const replayed = await alice.whileHeld(past.fence, ["src/a.ts"], () => (writes += 1));
    expect([replayed.ok, writes]).toEqual([false, 0]);
  });

  it("F01 G5 an id that is guessed, ended or of another kind changes nothing", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, mallory] = [place.as("alice"), place.as("mallory")];
    const ended = granted(await alice.claim({ targets: ["old"] }));
    await alice.release({ all: true });
    const held = granted(await alice.claim({ targets: ["src/a.ts"] }));
    const before = await place.events();
    for (const id of [...neighbours(held.id), ended.id]) {
      expect((await mallory.release({ claims: [id] })).released).toEqual([]);
      await expect(mallory.renew({ claims: [id] })).rejects.toMatchObject({
        code: "CLAIM_UNKNOWN",
      });
    }
    for (const id of ["wa_00000000000000000a", held.id.toUpperCase(), `${held.id} `, "cl_"]) {
      await expect(mallory.narrow(id, ["src/a.ts"])).rejects.toMatchObject({
        code: expect.stringMatching(/^(CLAIM_UNKNOWN|TARGET_INVALID|USAGE)$/),
      });
    }
    await expect(
      mallory.answer("rr_00000000000000000a", { kind: "release" }),
    ).rejects.toMatchObject({ code: "REQUEST_UNKNOWN" });
    expect(await place.events()).toEqual(before);
  });
});

it("F01 the command line lets nobody release what they cannot name, and says so", async () => {
  const { as } = claimsProgram();
  const { claim } = (await as("alice")("claim", "a.txt")).answer;
  for (const id of [neighbours(claim.id)[17]!, "cl_000000000000000000"]) {
    expect((await as("mallory")("renew", id)).code).not.toBe(0);
    await as("mallory")("release", id);
  }
  expect((await as("alice")("claims", "--mine")).answer.claims).toHaveLength(1);
});
