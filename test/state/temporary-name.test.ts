import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProcessIdentity } from "../../src/base/process-identity.ts";
import { systemRandom } from "../../src/base/random.ts";
import { contentHash } from "../../src/state/content-hash.ts";
import {
  baseMark,
  belongsTo,
  contentMark,
  identityOf,
  parseTemporaryName,
  temporaryName,
} from "../../src/state/temporary-name.ts";

const owner: ProcessIdentity = {
  host: "box/1234",
  bootId: "6d5c1c7e-0000-4000-8000-1b7b6f1c2d3e",
  pidNamespace: "pid:[4026531836]",
  pid: 4_194_304,
  startTime: "123456789012",
};
const hash = contentHash("new");
const baseHash = contentHash("old");
const nameFor = (target: string, base: { baseHash: string | undefined } = { baseHash }) =>
  temporaryName({ target, owner, hash, ...base }, systemRandom);

describe("names of temporaries", () => {
  it("S-05 say target, owner, base and content, for every file name", () => {
    const names = fc
      .string({ minLength: 1, maxLength: 255, unit: "grapheme" })
      .filter((name) => !/[/\0]/.test(name) && Buffer.byteLength(name) <= 255);
    fc.assert(
      fc.property(names, (target) => {
        const name = nameFor(target);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        const parsed = parseTemporaryName(name)!;
        expect(belongsTo(parsed, target)).toBe(true);
        expect(belongsTo(parsed, `${target}x`)).toBe(false);
        expect(parsed).toMatchObject({ base: baseMark(baseHash), content: contentMark(hash) });
        expect(identityOf(parsed.owner, owner)).toEqual(owner);
      }),
    );
  });

  it("S-05 keep the owners of other machines, boots and containers apart", () => {
    const parsed = parseTemporaryName(nameFor("a"))!;
    const others: Partial<ProcessIdentity>[] = [
      { host: "other" },
      { bootId: "other" },
      { pidNamespace: "pid:[1]" },
    ];
    for (const other of others) {
      const seen = identityOf(parsed.owner, { ...owner, ...other });
      expect(seen).not.toMatchObject(other);
      expect(seen.pid).toBe(owner.pid);
    }
  });

  it("S-05 are never made or guessed twice, and foreign names are not ours", () => {
    expect(nameFor("a")).not.toBe(nameFor("a"));
    expect(parseTemporaryName(nameFor("a", { baseHash: undefined }))).toMatchObject({
      base: "new",
    });
    const name = nameFor("a.json");
    const foreign = [
      "a.tmp",
      ".a.json.tmp",
      "a.json.tmp.123",
      name.slice(1),
      name.replace("hg1", "hg2"),
      `${name}.bak`,
      name.replace(/-[^-]+\.tmp$/, ".tmp"),
    ];
    for (const one of foreign) expect(parseTemporaryName(one)).toBeUndefined();
  });
});
