import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { resolveTarget } from "../../src/claims/targets/target-input.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

it("F14 no detour over links makes two targets of one", () => {
  const parent = temporaryFolder();
  const root = join(parent, "repo");
  put(join(root, "src/deep/a.ts"));
  symlinkSync("src", join(root, "one"));
  symlinkSync("one/deep", join(root, "two"));
  symlinkSync("../src/deep/a.ts", join(root, "src/three.ts"));
  symlinkSync(root, join(parent, "four"));
  symlinkSync("not-there-yet", join(root, "five"));
  const place = { repository: { worktrees: [root], caseInsensitive: false }, cwd: root };
  const real = resolveTarget("src/deep/a.ts", place);
  for (const detour of [
    "one/deep/a.ts",
    "two/a.ts",
    "two/*.ts",
    "two/{a,b}.ts",
    "one/**",
    "src/three.ts",
    join(parent, "four/two/a.ts"),
    join(parent, "four/one/*/a.ts"),
    "two/a.ts#C",
    "one",
  ]) {
    expect(overlap(real, resolveTarget(detour, place)), detour).toBe(true);
  }
  // A link that leads nowhere yet is the place where a file would appear.
  const target = resolveTarget("not-there-yet/x.ts", place);
  expect(overlap(target, resolveTarget("five/x.ts", place))).toBe(true);
  expect(overlap(target, resolveTarget("five/*.ts", place))).toBe(true);
});

it("F14 case twins are one target where the disk ignores case", () => {
  const root = temporaryFolder();
  put(join(root, "src/App.ts"));
  // A disk that ignores case: whatever spelling is asked for, it shows its own.
  const spelled = (path: string) =>
    path.replace(/\/src(?=\/|$)/i, "/src").replace(/\/app\.ts$/i, "/App.ts");
  const files: Files = {
    ...systemFiles,
    stat: (path) => systemFiles.stat(spelled(path)),
    realPath: (path) => systemFiles.realPath(spelled(path)),
  };
  const place = { repository: { worktrees: [root], caseInsensitive: true }, cwd: root, files };
  const real = resolveTarget("src/App.ts", place);
  for (const twin of [
    "SRC/app.ts",
    "Src/APP.TS",
    "sRc/*.Ts",
    "src/[A]pp.ts",
    "SRC",
    "src/app.ts#C",
  ]) {
    const target = resolveTarget(twin, place);
    expect(overlap(real, target), twin).toBe(true);
    expect(overlap(target, real), twin).toBe(true);
  }
  expect(resolveTarget("SRC/APP.ts", place)).toMatchObject({ text: "src/App.ts", extent: "file" });
  // Files that are not there yet, in letters whose cases are unusual.
  for (const [one, other] of [
    ["new/ΟΔΟΣ.ts", "NEW/οδος.ts"],
    ["Straße", "STRASSE"],
    ["ſo.ts", "SO.ts"],
    ["cafe\u0301", "CAFÉ"],
  ] as const) {
    expect(overlap(resolveTarget(one, place), resolveTarget(other, place)), one).toBe(true);
  }
});

it("F14 where case counts, twins stay two files", () => {
  const root = temporaryFolder();
  put(join(root, "a.ts"));
  const place = { repository: { worktrees: [root], caseInsensitive: false }, cwd: root };
  expect(overlap(resolveTarget("a.ts", place), resolveTarget("A.ts", place))).toBe(false);
  // Beside a machine that ignores case, they are one again.
  const blind = { ...place, repository: { worktrees: [root], caseInsensitive: true } };
  expect(overlap(resolveTarget("a.ts", place), resolveTarget("A.ts", blind))).toBe(true);
});
