import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRepository } from "../../src/git/repository.ts";
import { overlap } from "../../src/claims/targets/overlap.ts";
import { resolveTarget } from "../../src/claims/targets/target-input.ts";
import type { TargetInput } from "../../src/claims/types.ts";
import { HeadgateError } from "../../src/errors.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const at = (root: string, options: { cwd?: string; folds?: boolean } = {}) => {
  const { cwd = root, folds = false } = options;
  const place = { repository: { worktrees: [root], caseInsensitive: folds }, cwd };
  const resolve = (input: TargetInput) => resolveTarget(input, place);
  const codeOf = (input: TargetInput): string => {
    try {
      return resolve(input).text;
    } catch (error) {
      if (HeadgateError.isInstance(error)) return error.code;
      throw error;
    }
  };
  return { resolve, textOf: (input: TargetInput) => resolve(input).text, codeOf };
};

describe("what a typed target means", () => {
  it("C-12 every spelling of a file is one target", () => {
    const parent = temporaryFolder();
    const root = join(parent, "repo");
    put(join(root, "src/deep/a.ts"));
    symlinkSync("src", join(root, "link"));
    symlinkSync("src/deep/a.ts", join(root, "file-link"));
    symlinkSync(root, join(parent, "other-name"));
    const { resolve } = at(root);
    for (const spelling of [
      "src/deep/a.ts",
      "./src/deep/a.ts",
      "src//deep/./a.ts",
      "src/deep/../deep/a.ts",
      "../repo/src/deep/a.ts",
      "link/deep/a.ts",
      "file-link",
      join(root, "src/deep/a.ts"),
      join(parent, "other-name/src/deep/a.ts"),
      { path: "src/deep/a.ts", extent: "file" },
      { path: join(root, "link/deep/a.ts"), extent: "file" },
    ] as const) {
      expect(resolve(spelling), JSON.stringify(spelling)).toMatchObject({
        text: "src/deep/a.ts",
        extent: "file",
        folds: false,
      });
    }
    const { textOf } = at(root, { cwd: join(root, "link/deep") });
    expect(textOf("a.ts")).toBe("src/deep/a.ts");
    expect(textOf("../deep/a.ts")).toBe("src/deep/a.ts");
    expect(textOf("*.ts")).toBe("src/deep/*.ts");
    expect(textOf(".")).toBe("src/deep");
  });

  it("C-12 a file is itself, anything else everything below", () => {
    const root = temporaryFolder();
    put(join(root, "src/a.ts"));
    const { resolve } = at(root);
    expect(resolve("src/a.ts").extent).toBe("file");
    expect(resolve("src/a.ts/").extent).toBe("file");
    expect(resolve("src").extent).toBe("tree");
    expect(resolve("src/new.ts").extent).toBe("tree");
    expect(resolve(".")).toMatchObject({ text: ".", extent: "tree" });
    expect(resolve({ path: "src/new.ts", extent: "file" }).extent).toBe("file");
    expect(resolve({ path: "src/a.ts", extent: "tree" }).extent).toBe("tree");
    // Nobody's Markdown lies below a TypeScript file.
    expect(overlap(resolve("src/a.ts"), resolve("**/*.md"))).toBe(false);
  });

  it("C-12 folders before a pattern are resolved, wildcards are kept", () => {
    const root = temporaryFolder();
    put(join(root, "src/a.ts"));
    symlinkSync("src", join(root, "link"));
    const { textOf } = at(root);
    expect(textOf("link/*.ts")).toBe("src/*.ts");
    expect(textOf("./link//**/*.{ts,tsx}")).toBe("src/**/*.{ts,tsx}");
    expect(textOf(join(root, "link/new/*.ts"))).toBe("src/new/*.ts");
    expect(textOf("missing/../link/?.ts")).toBe("src/?.ts");
    expect(textOf("**")).toBe("**");
    expect(textOf("./!x*")).toBe("\\!x*");
    expect(textOf("{src,link}/a.ts")).toBe("{src,link}/a.ts");
  });

  it("C-12 a name that exists by its very characters is no pattern", () => {
    const root = temporaryFolder();
    put(join(root, "app/[id]/page.tsx"));
    put(join(root, "app/[...slug]/a.ts"));
    put(join(root, "src/x{1}.ts"));
    put(join(root, "src/we#ird.ts"));
    put(join(root, "src/back\\slash"));
    put(join(root, "src/+(a)"));
    const { resolve, textOf } = at(root);
    expect(resolve("app/[id]/page.tsx")).toMatchObject({
      text: "app/\\[id\\]/page.tsx",
      extent: "file",
    });
    expect(textOf("app/[id]")).toBe("app/\\[id\\]");
    expect(textOf("app/[id]/new.tsx")).toBe("app/\\[id\\]/new.tsx");
    expect(textOf("app/[id]/*.tsx")).toBe("app/\\[id\\]/*.tsx");
    expect(textOf("app/[...slug]/[a-c].ts")).toBe("app/\\[...slug\\]/[a-c].ts");
    expect(textOf("app/\\[id\\]/page.tsx")).toBe("app/\\[id\\]/page.tsx");
    expect(textOf("app/[xy]/page.tsx")).toBe("app/[xy]/page.tsx");
    expect(textOf("src/x{1}.ts")).toBe("src/x\\{1\\}.ts");
    expect(textOf("src/back\\slash")).toBe("src/back\\\\slash");
    expect(textOf("src/+(a)")).toBe("src/+\\(a)");
    expect(resolve("src/we#ird.ts").kind).toBe("paths");
    expect(textOf("src/we#ird.ts#C")).toBe("src/we\\#ird.ts#C");
    expect(textOf("app/[id]/page.tsx#Page.x")).toBe("app/\\[id\\]/page.tsx#Page.x");
    expect(textOf({ path: "app/[id]/page.tsx", extent: "file", symbol: "Page" })).toBe(
      "app/\\[id\\]/page.tsx#Page",
    );
    expect(textOf({ path: "new/[id].ts", extent: "file" })).toBe("new/\\[id\\].ts");
  });

  it("a file called ** does not shrink anybody's pattern", () => {
    const root = temporaryFolder();
    put(join(root, "src/**"));
    put(join(root, "src/a?.ts"));
    const { textOf, resolve } = at(root);
    expect(textOf("src/**")).toBe("src/**");
    expect(textOf("src/a?.ts")).toBe("src/a?.ts");
    expect(overlap(resolve("src/**"), resolve("src/\\*\\*"))).toBe(true);
    expect(resolve("src/\\*\\*").extent).toBe("file");
  });

  it("C-14 symbols, resources and parts of git", () => {
    const root = temporaryFolder();
    put(join(root, "src/a.ts"));
    symlinkSync("src", join(root, "link"));
    const { resolve, textOf, codeOf } = at(root, { cwd: join(root, "src") });
    expect(resolve("a.ts#C.m")).toMatchObject({ text: "src/a.ts#C.m", kind: "symbol" });
    expect(textOf("../link/new.ts#N::f")).toBe("src/new.ts#N.f");
    expect(textOf("a.ts#operator/")).toBe("src/a.ts#operator/");
    expect(resolve("name:dev")).toMatchObject({ text: "name:dev", kind: "name" });
    expect(resolve("@git/index")).toMatchObject({ text: "@git/index", kind: "git" });
    expect(codeOf("../src#C")).toBe("TARGET_INVALID");
    expect(codeOf("*.ts#C")).toBe("TARGET_INVALID");
    expect(codeOf("#C")).toBe("TARGET_INVALID");
  });

  it("what leads out or cannot be is refused by its own code", () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "in"));
    symlinkSync("/", join(root, "in/out"));
    const { codeOf } = at(root);
    for (const [input, code] of [
      ["../x", "PATH_OUTSIDE"],
      ["/etc/passwd", "PATH_OUTSIDE"],
      ["../*.ts", "PATH_OUTSIDE"],
      ["in/out/etc", "PATH_OUTSIDE"],
      ["in/out/**", "PATH_OUTSIDE"],
      ["in/out/etc#C", "PATH_OUTSIDE"],
      ["*/../x", "TARGET_INVALID"],
      ["", "TARGET_INVALID"],
      ["a\0b", "TARGET_INVALID"],
      ["a\nb", "TARGET_INVALID"],
      ["~/x", "TARGET_INVALID"],
      ["!x", "TARGET_INVALID"],
      ["file:///x", "TARGET_INVALID"],
      ["src\\a.ts", "TARGET_INVALID"],
      ["x".repeat(256), "PATH_INVALID"],
      ["*a".repeat(3000), "TARGET_TOO_COMPLEX"],
      [{ path: "../x", extent: "file" }, "PATH_OUTSIDE"],
      [{ path: "", extent: "file" }, "PATH_INVALID"],
      [{ path: "a", extent: "folder" } as never, "TARGET_INVALID"],
      [{ extent: "file" } as never, "TARGET_INVALID"],
      [7 as never, "TARGET_INVALID"],
      [null as never, "TARGET_INVALID"],
    ] as [TargetInput, string][]) {
      expect(codeOf(input), JSON.stringify(input)).toBe(code);
    }
  });

  it("C-12 worktrees of one repository mean the same things", async () => {
    const parent = temporaryFolder();
    const main = makeRepository(join(parent, "main"));
    git(main, "worktree", "add", "--quiet", join(parent, "second"));
    const repository = await findRepository(main);
    const resolve = (input: string, cwd: string) => resolveTarget(input, { repository, cwd });
    expect(resolve("a.txt", main)).toMatchObject({ text: "a.txt", extent: "file" });
    expect(resolve("a.txt", join(parent, "second"))).toMatchObject({ text: "a.txt" });
    expect(resolve(join(parent, "second/*.txt"), main).text).toBe("*.txt");
  });

  it("C-12 on a disk that ignores case targets do, and keep the name as it is shown there", () => {
    const root = temporaryFolder();
    put(join(root, "Src/A.ts"));
    const { resolve } = at(root, { folds: true });
    expect(resolve("Src/A.ts")).toMatchObject({
      text: "Src/A.ts",
      folds: true,
      place: "/src/a.ts/",
    });
    for (const twin of ["src/a.ts", "SRC/A.TS", "sRC/*.tS"]) {
      expect(overlap(resolve("Src/A.ts"), resolve(twin)), twin).toBe(true);
    }
    expect(overlap(resolve("Straße.ts"), resolve("STRASSE.TS"))).toBe(true);
  });
});
