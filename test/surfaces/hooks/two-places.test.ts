import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookPlace } from "../../helpers/hook-place.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import type { ToolUse } from "../../../src/surfaces/hooks/types.ts";

const write = (file: string): ToolUse => ({
  kind: "write",
  file,
  content: "x = 1\n",
  name: "Write",
});

describe("a path that leads to two places", () => {
  it("is refused by its own code, with what is wrong with it, not as a failure of the hook", async () => {
    const place = await hookPlace();
    mkdirSync(join(place.root, "deep/down"), { recursive: true });
    symlinkSync("deep/down", join(place.root, "inside"));
    symlinkSync(temporaryFolder(), join(place.root, "outside"));
    for (const [path, why] of [
      ["inside/../x.py", '".." after a link leads to two places'],
      ["outside/../x.py", '".." after a link leads out of the repository'],
    ] as const) {
      const decision = await place.before(write(`${place.root}/${path}`));
      expect(decision).toMatchObject({ kind: "refuse", code: "PATH_INVALID" });
      const { text } = decision as { text: string };
      expect(text).toContain(why);
      expect(text).not.toMatch(/HOOK_FAILED|PATH_INVALID: /);
    }
  });
});
