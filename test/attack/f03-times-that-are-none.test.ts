import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { claimsProgram } from "../helpers/claims-program.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { backends } from "../helpers/store-backends.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const numbers: readonly unknown[] = [
  ...[0, -1, -900_000, 0.5, 999.5, 1e21, 2 ** 53, Number.NaN, Infinity, -Infinity, -0],
  ...["900000", "", null, true, [900_000], { valueOf: () => 900_000 }, 900_000n],
];

describe.each(backends)("F03 spans that are none on $name", ({ place: newPlace }) => {
  it("F03 G14 no call takes one, and nothing is stored", async () => {
    const place = await openClaimsAt(await newPlace());
    const [alice, bob] = [place.as("alice"), place.as("bob")];
    const held = granted(await alice.claim({ targets: ["a"] }));
    const request = await bob.ask(held.id, { reason: "", withinMs: 60_000 });
    const before = await place.events();
    const day = limits.claimTtlMsMax;
    for (const value of [...numbers, day + 1] as number[]) {
      const isWait = value === 0;
      const attempts = [
        () => alice.claim({ targets: ["b"], ttlMs: value }),
        () => alice.renew({ all: true }, { ttlMs: value }),
        () => bob.ask(held.id, { reason: "", withinMs: value }),
        () => alice.answer(request.id, { kind: "defer", forMs: value }),
        // No time to wait is a request like any other.
        ...(isWait ? [] : [() => bob.claim({ targets: ["a"], waitMs: value })]),
        ...(isWait ? [] : [() => bob.waitUntilClear(["a"], { waitMs: value })]),
        ...(isWait ? [] : [() => bob.claim({ targets: ["a"], waitMs: 1, priority: 10.5 })]),
      ];
      for (const attempt of attempts) {
        await expect(
          (async () => attempt())(),
          `${String(attempt)} ${String(value)}`,
        ).rejects.toMatchObject({ code: "USAGE" });
      }
    }
    expect(await place.events()).toEqual(before);
  });
});

it("F03 the command line takes no such time either, and makes no store for it", async () => {
  const { as, cwd } = claimsProgram();
  const times = [
    "0",
    "0s",
    "-1m",
    "1.5.5h",
    "NaN",
    "Infinity",
    "1e9s",
    "0x10m",
    "25h",
    "999ms",
    "",
    "15 m",
    "١m",
  ];
  const ends = await Promise.all(
    times.map((time) => as("alice")("claim", "a.txt", `--ttl=${time}`)),
  );
  for (const [index, { code, answer }] of ends.entries()) {
    expect([times[index], code, answer.code]).toEqual([times[index], 2, "USAGE"]);
  }
  expect(existsSync(join(stateFolder(cwd), "store.db"))).toBe(false);
});
