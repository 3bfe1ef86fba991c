import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveInRepository } from "../../src/base/paths.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

it("A02 a link inside the root is judged by where it leads", () => {
  const parent = temporaryFolder();
  const root = join(parent, "root");
  put(join(root, "a"));
  put(join(parent, "outside/secret"));
  symlinkSync("../outside", join(root, "folder"));
  symlinkSync(join(parent, "outside/secret"), join(root, "file"));
  symlinkSync("folder", join(root, "second"));
  symlinkSync("/", join(root, "everything"));
  for (const input of [
    "folder",
    "folder/secret",
    "folder/new/deep",
    "file",
    "second/secret",
    "everything/etc/passwd",
    `everything${parent}/outside/secret`,
    "folder/../outside/secret",
  ]) {
    expect(resolveInRepository([root], input, { cwd: root }), input).toMatchObject({
      ok: false,
      code: "PATH_OUTSIDE",
    });
  }
  // Out and in again is inside.
  expect(resolveInRepository([root], `everything${root}/a`, { cwd: root })).toMatchObject({
    ok: true,
    path: "a",
  });
});
