import { join } from "node:path";
import { expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { resolveInRepository } from "../../src/base/paths.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

it("A11 case and Unicode variants of a protected name are that name", () => {
  const root = temporaryFolder();
  put(join(root, ".git/config"));
  for (const input of [".GIT/config", ".Git/CONFIG", ".gıt/../.gIt/config"]) {
    const result = resolveInRepository([root], input, { cwd: root, caseInsensitive: true });
    expect(result, input).toMatchObject({ ok: true, path: ".git/config" });
  }
  const composed = resolveInRepository([root], "caf\u00e9", { cwd: root });
  const decomposed = resolveInRepository([root], "cafe\u0301", { cwd: root });
  expect(composed).toMatchObject({ path: "caf\u00e9" });
  expect(decomposed).toMatchObject({ path: "caf\u00e9" });
});

/** A Windows disk with C:\repo on it, as far as resolving asks for it. */
const windowsDisk: Files = {
  ...systemFiles,
  stat: () => undefined,
  realPath: (path) => {
    const clean = path.replaceAll("/", "\\").replace(/\\$/, "");
    if (/^c:\\repo$/i.test(clean)) return "C:\\repo";
    if (/^c:\\repo\\long folder name$/i.test(clean) || /^c:\\repo\\longfo~1$/i.test(clean)) {
      return "C:\\repo\\Long Folder Name";
    }
    throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
  },
};
const onWindows = (input: string) =>
  resolveInRepository(["C:\\repo"], input, {
    cwd: "C:\\repo",
    platform: "win32",
    caseInsensitive: true,
    files: windowsDisk,
  });

it("A11 on Windows the other names of a file are refused", () => {
  for (const input of [
    "a.txt::$DATA",
    "a.txt:stream",
    "a.txt.",
    "a.txt ",
    "folder./a",
    "folder \\a",
    "\\\\?\\C:\\repo\\a",
    "\\\\.\\C:\\repo\\a",
    "//server/share/a",
    "\\\\server\\share\\a",
    "C:a.txt",
    "nul",
    "NUL.txt",
    "src\\con",
    "COM1",
    "lpt9.log",
    "com¹",
    "conin$",
    "a?b",
    "a*",
    'a"b',
  ]) {
    expect(onWindows(input), input).toMatchObject({ ok: false, code: "PATH_INVALID" });
  }
});

it("A11 on Windows slashes, case and short names lead to one key", () => {
  for (const input of [
    "Long Folder Name/New.txt",
    "long folder name\\new.TXT",
    "C:\\REPO\\LongFo~1\\new.txt",
    ".\\longfo~1\\.\\x\\..\\new.txt",
    "c:/repo/LONG FOLDER NAME/new.txt",
  ]) {
    expect(onWindows(input), input).toMatchObject({ ok: true, path: "long folder name/new.txt" });
  }
  expect(onWindows("..\\repo-evil\\a")).toMatchObject({ code: "PATH_OUTSIDE" });
  expect(onWindows("D:\\repo\\a")).toMatchObject({ code: "PATH_OUTSIDE" });
  expect(onWindows("console.txt")).toMatchObject({ ok: true, path: "console.txt" });
});

it("A11 elsewhere a backslash is a letter like any other", () => {
  const root = temporaryFolder();
  expect(
    resolveInRepository([root], "a\\..\\..\\b", { cwd: root, platform: "linux" }),
  ).toMatchObject({
    ok: true,
    path: "a\\..\\..\\b",
  });
});
