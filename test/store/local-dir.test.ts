import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { makeLocalDir } from "../../src/store/index.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

describe("the local folder of a repository", () => {
  it("S-09 is made with its ignore file, and not where the repository is gone", () => {
    const root = join(temporaryFolder(), "repository");
    mkdirSync(root);
    const path = join(root, ".headgate/local");
    makeLocalDir(path, systemFiles, process.platform);
    expect(existsSync(join(path, ".gitignore"))).toBe(true);
    rmSync(root, { recursive: true });
    expect(() => makeLocalDir(path, systemFiles, process.platform)).toThrow(/is gone/);
    expect(existsSync(root)).toBe(false);
  });
});
