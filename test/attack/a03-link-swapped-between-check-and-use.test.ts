import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { HeadgateError } from "../../src/errors.ts";
import { writeFileAtomicSync } from "../../src/state/index.ts";
import { describeWith } from "../helpers/not-run.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** Swaps a folder and a link that leads outside, as fast as it can, until it is killed. */
const swapper = `
  const fs = require("node:fs");
  const [folder, aside, link] = process.argv.slice(1);
  process.stdout.write("swapping");
  for (;;) {
    fs.renameSync(folder, aside);
    fs.renameSync(link, folder);
    fs.renameSync(folder, link);
    fs.renameSync(aside, folder);
  }`;

// Through the open folder's handle, which only Linux offers; elsewhere a window of one call remains.
describeWith({ platforms: ["linux"] }, "a parent folder swapped for a link", () => {
  it("A03 A04 10,000 writes during the swaps put nothing outside the root", async () => {
    const base = temporaryFolder();
    const [root, outside] = [join(base, "root"), join(base, "outside")];
    const folder = join(root, "state");
    for (const path of [root, outside, folder]) mkdirSync(path);
    writeFileSync(join(outside, "good.json"), "untouched");
    symlinkSync(outside, join(root, "link"));
    const names = [folder, join(root, "aside"), join(root, "link")];
    const attacker = spawn(process.execPath, ["-e", swapper, "--", ...names]);
    try {
      await once(attacker.stdout, "data");
      const ends = { written: 0, refused: 0 };
      for (let index = 0; index < 10_000; index += 1) {
        try {
          const options = { durability: "cache", root } as const;
          writeFileAtomicSync(join(folder, "good.json"), `{"index":${index}}\n`, options);
          ends.written += 1;
        } catch (error) {
          // Outside, or not there for a moment between two renames.
          const code = HeadgateError.isInstance(error) ? error.code : String(error);
          expect(["PATH_OUTSIDE", "STATE_PARENT_MISSING"]).toContain(code);
          ends.refused += 1;
        }
      }
      // Both must have happened, or the race was not there.
      expect(ends.written).toBeGreaterThan(0);
      expect(ends.refused).toBeGreaterThan(0);
    } finally {
      attacker.kill("SIGKILL");
      await once(attacker, "close");
    }
    expect(readdirSync(outside)).toEqual(["good.json"]);
    expect(readFileSync(join(outside, "good.json"), "utf8")).toBe("untouched");
  });
});
