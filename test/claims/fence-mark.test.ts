import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { BlockUsedUp, FenceMark } from "../../src/claims/fence-mark.ts";
import { freshDir } from "../helpers/claims.ts";

const markIn = (dir: string, more: Partial<ConstructorParameters<typeof FenceMark>[0]> = {}) =>
  closedAfterwards(
    new FenceMark({
      files: systemFiles,
      dir,
      store: "sqlite:here",
      isShared: false,
      bootId: "boot 1",
      ...more,
    }),
  );

const closedAfterwards = (mark: FenceMark): FenceMark => {
  onTestFinished(() => mark.close());
  return mark;
};

const times = { nowWallMs: 1_000, untilWallMs: 2_000 };

/** As a transaction is run: again after the block was reserved. */
const take = async (
  mark: FenceMark,
  count: number,
  storeFence: number,
  at = times,
): Promise<number> => {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      return mark.take(count, storeFence, at);
    } catch (error) {
      if (!(error instanceof BlockUsedUp)) throw error;
      await mark.reserve(error.fence);
    }
  }
  throw new Error("the block is never enough");
};

describe("the highest fence, kept beside the store", () => {
  it("G2 follows the store's own counter, one durable write per block", async () => {
    const dir = freshDir();
    const mark = markIn(dir);
    expect(await take(mark, 1, 0)).toBe(1);
    const block = readFileSync(join(dir, "fences.json"), "utf8");
    for (let fence = 1; fence < 900; fence += 3) expect(mark.take(3, fence, times)).toBe(fence + 1);
    expect(readFileSync(join(dir, "fences.json"), "utf8")).toBe(block);
    expect(mark.floor(times.nowWallMs)).toBe(901);
  });

  it("F09 G2 goes on above everything handed out when an old copy of the store was put back", async () => {
    const dir = freshDir();
    await take(markIn(dir), 1, 0);
    expect(await take(markIn(dir), 1, 400)).toBe(401);
    expect(await take(markIn(dir), 1, 17)).toBe(402);
    expect(await take(markIn(dir), 5, 0)).toBe(403);
    expect(await take(markIn(dir), 1, 0)).toBe(408);
  });

  it("G2 after a restart of the machine the unsynced mark is not believed: the block counts as used", async () => {
    const dir = freshDir();
    await take(markIn(dir), 1, 0);
    await take(markIn(dir), 1, 50);
    const next = await take(markIn(dir, { bootId: "boot 2" }), 1, 3);
    expect(next).toBeGreaterThan(1_000);
    expect(await take(markIn(dir, { bootId: "boot 2" }), 1, next)).toBe(next + 1);
    expect(await take(markIn(dir, { bootId: "boot 3" }), 1, 0)).toBeGreaterThan(next + 1);
  });

  it("G2 a mark that is torn or gone falls back to what is durable, never below the store", async () => {
    const dir = freshDir();
    const mark = markIn(dir);
    await take(mark, 1, 0);
    await take(mark, 1, 600);
    writeFileSync(join(dir, "fence-mark"), "x".repeat(1024));
    expect(await take(mark, 1, 601)).toBe(602);
    rmSync(join(dir, "fence-mark"));
    expect(await take(markIn(dir), 1, 602)).toBe(603);
  });

  it("G2 on a shared store that went back, what other machines may have got is skipped, too", async () => {
    const dir = freshDir();
    const mark = markIn(dir, { isShared: true });
    await take(mark, 1, 500);
    expect(await take(mark, 1, 501)).toBe(502);
    expect(await take(mark, 1, 100)).toBeGreaterThan(1_000_000);
  });

  it("F08 another store is refused while claims of this one may live, and allowed when none does", async () => {
    const dir = freshDir();
    const here = markIn(dir);
    const there = markIn(dir, { store: "postgres:there", isShared: true });
    await take(here, 1, 0);
    expect(() => there.take(1, 0, times)).toThrow(
      expect.objectContaining({ code: "STORE_DIFFERS" }),
    );
    const later = { nowWallMs: 2_001, untilWallMs: 9_000 };
    expect(await take(there, 1, 0, later)).toBeGreaterThan(1);
    expect(() => here.take(1, 0, later)).toThrow(
      expect.objectContaining({ code: "STORE_DIFFERS" }),
    );
    there.clear();
    expect(await take(here, 1, 0, later)).toBeGreaterThan(1);
  });

  it("a block record that cannot be read stops grants with its name", async () => {
    const dir = freshDir();
    await take(markIn(dir), 1, 0);
    rmSync(join(dir, "fence-mark"));
    const mark = markIn(dir);
    for (const text of ["", "{", "[]", '{"reserved":-1,"start":0,"boot":""}', '{"reserved":"9"}']) {
      writeFileSync(join(dir, "fences.json"), text);
      expect(() => mark.take(1, 0, times), text).toThrow(
        expect.objectContaining({
          code: "FENCE_MARK_UNUSABLE",
          message: expect.stringContaining("fences.json"),
        }),
      );
    }
  });
});
