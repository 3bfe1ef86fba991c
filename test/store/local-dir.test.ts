import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { makeLocalDir } from "../../src/store/index.ts";
import { stateFolder } from "../helpers/state-folder.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

describe("the local folder of a repository", () => {
  it("S-09 is made with its ignore file, and not where the repository is gone", () => {
    const root = join(temporaryFolder(), "repository");
    mkdirSync(root);
    for (const path of [join(root, ".headgate/worktrees"), stateFolder(root)]) {
      mkdirSync(root, { recursive: true });
      makeLocalDir(path, systemFiles, process.platform);
      expect(existsSync(join(path, ".gitignore"))).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o700);
      rmSync(path, { recursive: true });
      rmSync(root, { recursive: true });
      expect(() => makeLocalDir(path, systemFiles, process.platform)).toThrow(/is gone/);
      expect(existsSync(root)).toBe(false);
      expect(existsSync(path)).toBe(false);
    }
  });
});
