import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldCase, isCaseInsensitive } from "../../src/base/case-sensitivity.ts";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { resolveInRepository } from "../../src/base/paths.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const keyOf = (root: string, input: string, options = {}) => {
  const result = resolveInRepository([root], input, { cwd: root, ...options });
  return result.ok ? result.path : result.code;
};

describe("one spelling per file", () => {
  it("C-12 every way to write a path gives one key", () => {
    const parent = temporaryFolder();
    const root = join(parent, "repo");
    put(join(root, "src/deep/a.ts"));
    symlinkSync("src", join(root, "link"));
    symlinkSync(join(root, "src"), join(root, "absolute-link"));
    symlinkSync("src/deep/a.ts", join(root, "file-link"));
    symlinkSync(root, join(parent, "other-name"));
    for (const spelling of [
      "src/deep/a.ts",
      "./src/deep/a.ts",
      "src//deep/./a.ts",
      "src/deep/../deep/a.ts",
      "missing/../src/deep/a.ts",
      "src/deep/a.ts/",
      "../repo/src/deep/a.ts",
      join(root, "src/deep/a.ts"),
      join(parent, "other-name/src/deep/a.ts"),
      "link/deep/a.ts",
      "absolute-link/deep/a.ts",
      "file-link",
    ]) {
      const result = resolveInRepository([root], spelling, { cwd: root });
      expect(result, spelling).toEqual({
        ok: true,
        path: "src/deep/a.ts",
        absolute: join(root, "src/deep/a.ts"),
        root,
      });
    }
    const fromBelow = resolveInRepository([root], "../deep/a.ts", { cwd: join(root, "link/deep") });
    expect(fromBelow).toMatchObject({ ok: true, path: "src/deep/a.ts" });
  });

  it("C-12 the root itself is a dot", () => {
    const root = temporaryFolder();
    for (const spelling of [".", "./", root, `${root}/`, "a/..", "../" + root.split("/").pop()]) {
      expect(keyOf(root, spelling), spelling).toBe(".");
    }
  });

  it("C-12 a file to be created has its key before it exists", () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "src"));
    symlinkSync("src", join(root, "link"));
    expect(keyOf(root, "link/new/file.ts")).toBe("src/new/file.ts");
    expect(keyOf(root, "./src//new/file.ts")).toBe("src/new/file.ts");
    put(join(root, "src/plain.txt"));
    expect(keyOf(root, "src/plain.txt/below")).toBe("src/plain.txt/below");
  });

  it("C-12 composed and decomposed letters are one key", () => {
    const root = temporaryFolder();
    expect(keyOf(root, "re\u0301sume\u0301.md")).toBe("r\u00e9sum\u00e9.md");
    expect(keyOf(root, "r\u00e9sum\u00e9.md")).toBe("r\u00e9sum\u00e9.md");
  });

  it("C-12 worktrees share keys and the innermost one counts", () => {
    const parent = temporaryFolder();
    const [main, nested, beside] = ["main", "main/.worktrees/x", "beside"].map((name) =>
      join(parent, name),
    ) as [string, string, string];
    for (const root of [main, nested, beside]) put(join(root, "src/a.ts"));
    const roots = [main, nested, beside];
    for (const root of roots) {
      const result = resolveInRepository(roots, join(root, "src/a.ts"), { cwd: main });
      expect(result).toEqual({
        ok: true,
        path: "src/a.ts",
        absolute: join(root, "src/a.ts"),
        root,
      });
    }
    const reversed = resolveInRepository(roots.toReversed(), "src/a.ts", { cwd: nested });
    expect(reversed).toMatchObject({ path: "src/a.ts", root: nested });
  });

  it("a `..` after a link, where system and text disagree, is refused", () => {
    const root = temporaryFolder();
    put(join(root, "deep/down/x"));
    symlinkSync("deep/down", join(root, "link"));
    // The system means deep/a, a program that cuts the text means a.
    expect(keyOf(root, "link/../a")).toBe("PATH_INVALID");
    expect(keyOf(root, "link/x/../x")).toBe("deep/down/x");
    // The system means a, a program that cuts the text means a file outside.
    expect(keyOf(root, "link/../../a")).toBe("PATH_OUTSIDE");
  });

  it("a loop of links is refused, whether the system or we follow it", () => {
    const root = temporaryFolder();
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    symlinkSync("self/x", join(root, "self"));
    expect(keyOf(root, "a")).toBe("PATH_INVALID");
    expect(keyOf(root, "a/below")).toBe("PATH_INVALID");
    expect(keyOf(root, "self")).toBe("PATH_INVALID");
  });
});

describe("case", () => {
  it("C-12 on a case-insensitive disk the key is folded, on another it is not", () => {
    const root = temporaryFolder();
    for (const spelling of ["SRC/Straße.TS", "src/STRASSE.ts", "Src/straße.ts"]) {
      expect(keyOf(root, spelling, { caseInsensitive: true })).toBe("src/strasse.ts");
    }
    expect(keyOf(root, "SRC/A.ts", { caseInsensitive: false })).toBe("SRC/A.ts");
  });

  it("folding is stable and joins all cases of a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const folded = foldCase(text);
        expect(foldCase(folded)).toBe(folded);
        expect(foldCase(text.toUpperCase())).toBe(folded);
        expect(foldCase(text.normalize("NFD"))).toBe(folded);
      }),
    );
  });

  it("C-12 the disk is asked by a name that is there", () => {
    const root = temporaryFolder();
    put(join(root, "Name"));
    const swappedReaches: Files = {
      ...systemFiles,
      stat: (path) => systemFiles.stat(path.replace(/nAME$/, "Name")),
    };
    expect(isCaseInsensitive(root, swappedReaches)).toBe(true);
    expect(isCaseInsensitive(root)).toBe(systemFiles.stat(join(root, "nAME")) !== undefined);
  });
});

describeWith({ platforms: ["linux"] }, "case on Linux", () => {
  it("C-12 a hard link of the other case does not make the disk case-insensitive", () => {
    const root = temporaryFolder();
    systemFiles.link(put(join(root, "name")), join(root, "NAME"));
    expect(isCaseInsensitive(root)).toBe(false);
  });
});

const makeTree = () => {
  const parent = temporaryFolder();
  const root = join(parent, "repo");
  put(join(root, "src/a/x.ts"));
  put(join(parent, "repo-evil/src/x.ts"));
  symlinkSync("src/a", join(root, "link"));
  symlinkSync("../repo-evil", join(root, "out"));
  symlinkSync("../..", join(root, "src/out"));
  symlinkSync("nowhere/x", join(root, "B"));
  return { parent, root };
};

describe("properties", () => {
  const name = fc.constantFrom(
    "a",
    "B",
    "src",
    "link",
    "out",
    "x.ts",
    "..",
    ".",
    "",
    "é",
    "%2e%2e",
  );
  const spelling = fc.array(name, { minLength: 1, maxLength: 7 }).map((names) => names.join("/"));

  it("C-12 a key stands for itself", () => {
    const { root } = makeTree();
    fc.assert(
      fc.property(spelling, (input) => {
        const options = { caseInsensitive: false };
        const first = resolveInRepository([root], input, { cwd: root, ...options });
        fc.pre(first.ok);
        expect(keyOf(root, first.path, options)).toBe(first.path);
        expect(keyOf(root, first.absolute, options)).toBe(first.path);
      }),
      { numRuns: 500 },
    );
  });

  it("C-12 variants of a spelling give the same answer", () => {
    const { parent, root } = makeTree();
    const deeper = join(root, "src/a");
    fc.assert(
      fc.property(spelling, (input) => {
        fc.pre(input !== "" && !input.startsWith("/"));
        const answer = keyOf(root, input, { caseInsensitive: false });
        const same = (variant: string, cwd = root) =>
          expect(keyOf(root, variant, { cwd, caseInsensitive: false }), variant).toBe(answer);
        same(`./${input}`);
        same(`${input}/`);
        same(input.replaceAll("/", "//"));
        same(`${root}/${input}`);
        same(`../repo/${input}`);
        same(`repo/${input}`, parent);
        same(`../../${input}`, deeper);
      }),
      { numRuns: 500 },
    );
  });

  it("A01 no spelling leads to a result outside", () => {
    const { parent, root } = makeTree();
    fc.assert(
      fc.property(spelling, fc.constantFrom(root, parent, join(root, "src/a")), (input, cwd) => {
        const result = resolveInRepository([root], input, { cwd, caseInsensitive: false });
        fc.pre(result.ok);
        expect(result.absolute === root || result.absolute.startsWith(`${root}/`)).toBe(true);
        expect(result.path.split("/")).not.toContain("..");
        // What exists is where the system itself arrives.
        const exists = systemFiles.stat(result.absolute) !== undefined;
        const real = exists ? realpathSync.native(result.absolute) : result.absolute;
        expect(real).toBe(result.absolute);
      }),
      { numRuns: 1000 },
    );
  });
});
