import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolveInRepository } from "../../src/base/paths.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

it("A05 a dangling link is judged by where it would create the file", () => {
  const parent = temporaryFolder();
  const root = join(parent, "root");
  put(join(root, "src/a"));
  const ask = (input: string) => {
    const result = resolveInRepository([root], input, { cwd: root });
    return result.ok ? result.path : result.code;
  };
  symlinkSync("../planted", join(root, "out"));
  symlinkSync(join(parent, "planted"), join(root, "src/out"));
  symlinkSync("out", join(root, "chain"));
  symlinkSync("src/new/file", join(root, "in"));
  symlinkSync("in", join(root, "chain-in"));
  for (const input of ["out", "src/out", "chain", "out/below", "src/../chain"]) {
    expect(ask(input), input).toBe("PATH_OUTSIDE");
  }
  for (const input of ["in", "chain-in", "src/../in", "src/new/file"]) {
    expect(ask(input), input).toBe("src/new/file");
  }
  for (let hop = 0; hop < 60; hop += 1) symlinkSync(`hop${hop + 1}`, join(root, `hop${hop}`));
  expect(ask("hop0")).toBe("PATH_INVALID");
});

it("A05 a link's target may not bring characters that no path may hold", () => {
  const root = temporaryFolder();
  symlinkSync("line\nbreak", join(root, "link"));
  expect(resolveInRepository([root], "link", { cwd: root })).toMatchObject({
    ok: false,
    code: "PATH_INVALID",
  });
});
