import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { systemRandom } from "../../src/base/random.ts";
import { writeFileAtomicSync } from "../../src/state/index.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** Notes every file that is created, with its mode at that moment. */
const watching = (seen: { path: string; mode: number }[]): Files => ({
  ...systemFiles,
  open: (path, flags, mode) => {
    const fd = systemFiles.open(path, flags, mode);
    if (mode !== undefined) seen.push({ path, mode: systemFiles.statHandle(fd).mode & 0o777 });
    return fd;
  },
});

describe("temporaries", () => {
  it("A10 lie beside the target, private, under names with 128 random bits", () => {
    const folder = temporaryFolder();
    const seen: { path: string; mode: number }[] = [];
    for (let index = 0; index < 20; index += 1) {
      writeFileAtomicSync(join(folder, "a.json"), "same", { files: watching(seen), mode: 0o644 });
    }
    expect(seen).toHaveLength(20);
    expect(new Set(seen.map(({ path }) => path.split("/").at(-1)?.slice(-36))).size).toBe(20);
    for (const { mode } of seen) expect(mode).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["a.json"]);
    expect(statSync(join(folder, "a.json")).mode & 0o777).toBe(0o644);
  });

  it("A10 a link planted under a guessed name is neither followed nor kept from failing", () => {
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), "victim");
    writeFileSync(victim, "untouched");
    // Randomness that the attacker knows: the worst case.
    const random = { ...systemRandom, bytes: (length: number) => new Uint8Array(length) };
    const target = join(folder, "a.json");
    const planted: Files = {
      ...systemFiles,
      open: (path, flags, mode) => {
        if (mode !== undefined) symlinkSync(victim, path);
        return systemFiles.open(path, flags, mode);
      },
    };
    expect(() => writeFileAtomicSync(target, "new", { files: planted, random })).toThrow(/EEXIST/);
    expect(readFileSync(victim, "utf8")).toBe("untouched");
  });
});
