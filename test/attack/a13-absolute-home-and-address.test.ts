import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveInRepository } from "../../src/base/paths.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

it("A13 an absolute path elsewhere is outside", () => {
  const root = temporaryFolder();
  for (const input of ["/", "/etc/passwd", "/nonexistent/x", join(root, "..")]) {
    expect(resolveInRepository([root], input, { cwd: root })).toMatchObject({
      ok: false,
      code: "PATH_OUTSIDE",
    });
  }
});

it("A13 ~ and file:// are refused with what to write instead", () => {
  const root = temporaryFolder();
  for (const input of ["~", "~/x", "~root/x", "~x"]) {
    expect(resolveInRepository([root], input, { cwd: root })).toMatchObject({
      ok: false,
      code: "PATH_INVALID",
      message: expect.stringContaining("not expanded"),
    });
  }
  expect(resolveInRepository([root], "./~x", { cwd: root })).toMatchObject({
    ok: true,
    path: "~x",
  });
  for (const input of [`file://${root}/a`, "file://host/a", "FILE:///a"]) {
    expect(resolveInRepository([root], input, { cwd: root })).toMatchObject({
      ok: false,
      code: "PATH_INVALID",
      message: expect.stringContaining("not an address"),
    });
  }
});
