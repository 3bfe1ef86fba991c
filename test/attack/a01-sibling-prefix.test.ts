import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveInRepository } from "../../src/base/paths.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

it("A01 a folder whose name begins like the root is outside", () => {
  const parent = temporaryFolder();
  const root = join(parent, "root");
  put(join(root, "a"));
  put(join(parent, "root-evil/a"));
  put(join(parent, "roo/a"));
  for (const path of ["root-evil/a", "root-evil", "root-evil/new", "roo/a", "root.txt"]) {
    for (const input of [join(parent, path), join("..", path)]) {
      expect(resolveInRepository([root], input, { cwd: root }), input).toMatchObject({
        ok: false,
        code: "PATH_OUTSIDE",
      });
    }
  }
});
