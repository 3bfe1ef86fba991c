import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../../src/base/files.ts";
import { limits } from "../../../src/base/limits.ts";
import { findRepository } from "../../../src/git/repository.ts";
import { changedLines, readSubject, type Subject } from "../../../src/review/index.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { emptyPlace, newRepository } from "./place.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

const fileOf = (subject: Subject, path: string) => {
  const file = subject.files.find((one) => one.path === path);
  expect(file, `${path} in ${subject.files.map((one) => one.path).join(", ")}`).toBeDefined();
  return file!;
};

const paths = ({ files }: Subject): string[] => files.map(({ path }) => path);

describe("V-01 the working tree against HEAD", () => {
  it("has changed, new, deleted and moved files with hunks and contents, and no ignored ones", async () => {
    const place = newRepository();
    place.write("src/a.ts", numbered(40));
    place.write("src/gone.ts", "x\n");
    place.write("src/old.ts", numbered(30));
    place.write(".gitignore", "*.log\n");
    const head = place.commit();
    place.write("src/a.ts", numbered(40).replace("line 20\n", "line twenty\nand more\n"));
    place.git("rm", "--quiet", "src/gone.ts");
    place.git("mv", "src/old.ts", "src/new name.ts");
    place.write("src/fresh.py", "print(1)\n");
    place.write("noise.log", "x\n");
    const subject = await place.read();
    expect(subject).toMatchObject({ kind: "change", name: "working tree", base: head });
    expect(paths(subject)).toEqual(["src/a.ts", "src/fresh.py", "src/gone.ts", "src/new name.ts"]);
    const changed = fileOf(subject, "src/a.ts");
    expect(changed).toMatchObject({ status: "modified", language: "typescript" });
    expect(changed.counts).toEqual({ added: 2, removed: 1 });
    expect(changed.after).toContain("line twenty\nand more\n");
    expect(changed.hunks).toEqual([
      {
        ...{ oldStart: 17, oldLines: 7, newStart: 17, newLines: 8, section: "line 16" },
        lines: [
          ...[" line 17", " line 18", " line 19", "-line 20", "+line twenty", "+and more"],
          ...[" line 21", " line 22", " line 23"],
        ],
      },
    ]);
    expect(fileOf(subject, "src/fresh.py")).toMatchObject({
      ...{ status: "added", language: "python", after: "print(1)\n" },
      hunks: [{ newStart: 1, newLines: 1, lines: ["+print(1)"] }],
    });
    expect(fileOf(subject, "src/gone.ts")).toMatchObject({ status: "deleted", leftOut: "deleted" });
    expect(fileOf(subject, "src/new name.ts")).toMatchObject({
      ...{ status: "renamed", oldPath: "src/old.ts", hunks: [], after: numbered(30) },
    });
    expect(changedLines(subject)).toEqual(
      new Map([
        ["src/a.ts", new Set([20, 21])],
        ["src/fresh.py", new Set([1])],
        ["src/gone.ts", new Set([1])],
        ["src/new name.ts", new Set()],
      ]),
    );
  });

  it("is the same twice and another one after the smallest change", async () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    place.commit();
    place.write("a.ts", "two\n");
    const first = await place.read();
    expect(await place.read()).toEqual(first);
    expect(first.digest).toMatch(/^[0-9a-f]{64}$/);
    place.write("a.ts", "two \n");
    expect((await place.read()).digest).not.toBe(first.digest);
  });

  it("leaves out files whose times changed and nothing else", async () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    place.commit();
    utimesSync(join(place.root, "a.ts"), 1_000_000, 1_000_000);
    expect((await place.read()).files).toEqual([]);
  });

  it("works before the first commit", async () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    place.git("add", "a.ts");
    place.write("b.ts", "two\n");
    const subject = await place.read();
    expect(subject.base).toBeUndefined();
    expect(subject.files.map(({ path, status }) => [path, status])).toEqual([
      ["a.ts", "added"],
      ["b.ts", "added"],
    ]);
    expect(paths(await place.read({ staged: true }))).toEqual(["a.ts"]);
  });

  it("reads again when somebody writes between the diff and the content, and then does without", async () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    place.commit();
    place.write("a.ts", "two\n");
    const meddled = async (times: number) => {
      let reads = 0;
      const readFile = (path: string): Buffer => {
        if (path.endsWith("a.ts")) reads += 1;
        if (path.endsWith("a.ts") && reads <= times)
          place.write("a.ts", `other ${reads + times}\n`);
        return systemFiles.readFile(path);
      };
      const repository = await findRepository(place.root);
      const subject = await readSubject({}, { repository, files: { ...systemFiles, readFile } });
      return { reads, file: subject.files[0] };
    };
    const once = await meddled(1);
    expect(once).toMatchObject({ reads: 2, file: { after: "other 2\n" } });
    expect(once.file?.hunks[0]?.lines).toEqual(["-one", "+other 2"]);
    const always = await meddled(99);
    expect(always.reads).toBe(3);
    expect(always.file?.after).toBeUndefined();
    expect(always.file?.hunks).toHaveLength(1);
  });

  it("tells a file that is only no longer tracked as deleted", async () => {
    const place = newRepository();
    place.write("secret.env", "KEY=1\n");
    place.commit();
    place.git("rm", "--quiet", "--cached", "secret.env");
    expect((await place.read()).files.map(({ status }) => status)).toEqual(["deleted"]);
  });

  it("shows a file in conflict as it lies there", async () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    place.commit();
    place.git("checkout", "--quiet", "-b", "other");
    place.write("a.ts", "two\n");
    place.commit();
    place.git("checkout", "--quiet", "main");
    place.write("a.ts", "three\n");
    place.commit();
    expect(() => place.git("merge", "other")).toThrow("Command failed");
    const file = fileOf(await place.read(), "a.ts");
    expect(file.after).toContain("<<<<<<< HEAD");
    expect(file.counts).toEqual({ added: 4, removed: 0 });
  });
});

describe("V-01 unusual files", () => {
  it("binary, large, linked, executable, in other encodings, without a last line end", async () => {
    const place = newRepository();
    place.write("logo.png", Buffer.from([137, 80, 0, 1]));
    place.write("crlf.txt", "one\r\ntwo\r\nthree\r\n");
    place.write("latin.py", Buffer.from("# Grüße\nx = 1\n", "latin1"));
    place.write("open.ts", "a\nb");
    place.write("tool.sh", "echo\n");
    place.write("bom.ts", "\ufeffone\ntwo\n");
    place.write("kind.txt", "text\n");
    place.commit();
    place.write("logo.png", Buffer.from([137, 80, 0, 2]));
    place.write("crlf.txt", "one\r\n2\r\nthree\r\n");
    place.write("latin.py", Buffer.from("# Grüße, schöne\nx = 1\n", "latin1"));
    // One line that is UTF-8 by accident, in a file that is not.
    place.write("mixed.py", Buffer.from("# Ã¤\n# ü\n", "latin1"));
    place.write("open.ts", "a\nc");
    place.mode("tool.sh", 0o755);
    place.write("bom.ts", "\ufeffONE\ntwo\n");
    place.write("new.bin", Buffer.from([0, 1]));
    place.write("large.ts", "x".repeat(limits.reviewFileBytesMax + 1));
    place.write("empty.ts", "");
    rmSync(join(place.root, "kind.txt"));
    symlinkSync("open.ts", join(place.root, "kind.txt"));
    symlinkSync("/etc/passwd", join(place.root, "link.ts"));
    const subject = await place.read();
    const told = Object.fromEntries(subject.files.map((file) => [file.path, file]));
    expect(told["logo.png"]).toMatchObject({ leftOut: "binary", hunks: [], status: "modified" });
    expect(told["new.bin"]).toMatchObject({ leftOut: "binary", hunks: [], status: "added" });
    expect(told["crlf.txt"]?.hunks[0]?.lines).toContain("+2\r");
    expect(told["crlf.txt"]?.after).toBe("one\r\n2\r\nthree\r\n");
    expect(told["latin.py"]?.hunks[0]?.lines).toEqual(["-# Grüße", "+# Grüße, schöne", " x = 1"]);
    expect(told["latin.py"]?.after).toBe("# Grüße, schöne\nx = 1\n");
    expect(told["mixed.py"]?.after).toBe("# Ã¤\n# ü\n");
    expect(told["mixed.py"]?.hunks[0]?.lines).toEqual(["+# Ã¤", "+# ü"]);
    expect(told["open.ts"]?.hunks[0]).toMatchObject({
      endsOpen: "both",
      lines: [" a", "-b", "+c"],
    });
    expect(told["tool.sh"]).toMatchObject({ mode: "100644 → 100755", hunks: [], after: "echo\n" });
    expect(told["bom.ts"]?.hunks[0]?.lines).toEqual(["-one", "+ONE", " two"]);
    expect(told["large.ts"]).toMatchObject({ leftOut: "too-large", hunks: [] });
    expect(told["empty.ts"]).toMatchObject({ status: "added", hunks: [], after: "" });
    expect(told["link.ts"]).toMatchObject({ leftOut: "link" });
    expect(told["link.ts"]?.after).toBeUndefined();
    expect(told["link.ts"]?.hunks[0]?.lines).toEqual(["+/etc/passwd"]);
    expect(told["kind.txt"]).toMatchObject({ leftOut: "link", mode: "100644 → 120000" });
  });

  it("names with blanks, quotes, line breaks, letters of other scripts and a dash in front", async () => {
    const place = newRepository();
    const names = [
      'q"uote.ts',
      "tab\there.ts",
      "new\nline.ts",
      "-dash.ts",
      "ünïcode 漢.ts",
      "a b/c d.ts",
      "back\\slash.ts",
      "a/b/diff --git.ts",
    ];
    for (const name of names) place.write(name, numbered(9));
    place.commit();
    for (const name of names) place.write(name, numbered(9).replace("line 5", "five"));
    for (const quote of ["true", "false"]) {
      place.git("config", "core.quotePath", quote);
      const subject = await place.read();
      expect(paths(subject)).toEqual(names.toSorted());
      for (const file of subject.files) expect(file.counts).toEqual({ added: 1, removed: 1 });
    }
    const first = place.commit();
    place.mode(names[0]!, 0o755);
    place.git("mv", names[2]!, "plain.ts");
    place.commit();
    const subject = await place.read({ target: `${first}..HEAD` });
    expect(subject.files.map(({ path, oldPath }) => [path, oldPath])).toEqual([
      ["plain.ts", names[2]],
      [names[0], undefined],
    ]);
  });

  it("content that looks like a diff stays content", async () => {
    const place = newRepository();
    const tricky = ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "diff --git a/e b/e", "\\ No newline", ""];
    place.write("a.diff", `${tricky.join("\n")}\n`);
    place.commit();
    place.write("a.diff", `${tricky.map((line) => `${line}!`).join("\n")}\n`);
    const [file, ...rest] = (await place.read()).files;
    expect(rest).toEqual([]);
    expect(file?.counts).toEqual({ added: 6, removed: 6 });
    expect(file?.hunks[0]?.lines.filter((line) => line.startsWith("+"))).toEqual(
      tricky.map((line) => `+${line}!`),
    );
  });

  it("line ends that git converts are no change", async () => {
    const place = newRepository();
    place.write("a.ts", "one\ntwo\nthree\n");
    place.commit();
    place.git("config", "core.autocrlf", "true");
    place.write("a.ts", "one\r\n2\r\nthree\r\n");
    const file = fileOf(await place.read(), "a.ts");
    expect(file.hunks[0]?.lines).toEqual([" one", "-two", "+2", " three"]);
    expect(file.after).toBe("one\r\n2\r\nthree\r\n");
  });

  it("a submodule is its commit, a repository inside is not entered", async () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    place.commit();
    const inner = emptyPlace(join(place.root, "inner"));
    mkdirSync(inner.root);
    inner.git("init", "--quiet");
    inner.write("x.ts", "one\n");
    const first = inner.commit();
    expect((await place.read()).files).toEqual([]);
    place.git("update-index", "--add", "--cacheinfo", `160000,${first},inner`);
    const file = fileOf(await place.read({ staged: true }), "inner");
    expect(file).toMatchObject({ status: "added", leftOut: "submodule", mode: "160000" });
    expect(file.hunks[0]?.lines).toEqual([`+Subproject commit ${first}`]);
  });

  it("what programs and others wrote is named and left out", async () => {
    const place = newRepository();
    place.write(
      ".gitattributes",
      "api/*.ts linguist-generated\nvendor/ours/** -linguist-vendored\n",
    );
    place.write("package-lock.json", `{"a": 1}\n`);
    place.write("vendor/lib/a.go", "package a\n");
    place.write("vendor/ours/b.go", "package b\n");
    place.write("api/client.ts", "export {}\n");
    place.write("gen.go", "// Code generated by protoc. DO NOT EDIT.\npackage gen\n");
    place.write("src/a.ts", "export {}\n");
    place.commit();
    const subject = await place.read({ target: "HEAD" });
    expect(subject.files.map(({ path, leftOut }) => [path, leftOut])).toEqual([
      [".gitattributes", undefined],
      ["api/client.ts", "generated"],
      ["gen.go", "generated"],
      ["package-lock.json", "generated"],
      ["src/a.ts", undefined],
      ["vendor/lib/a.go", "generated"],
      ["vendor/ours/b.go", undefined],
    ]);
    expect(fileOf(subject, "package-lock.json")).toMatchObject({ hunks: [], counts: { added: 1 } });
    const named = await place.read({ target: "gen.go" });
    expect(named.files[0]?.after).toContain("package gen");
  });

  it("settings of the repository and the user change nothing", async () => {
    const place = newRepository();
    place.write("src/a.ts", `${numbered(9)}\n\n${numbered(3)}`);
    place.write("src/b.ts", numbered(30));
    place.commit();
    place.write("src/a.ts", `${numbered(9)}\nx\n\n${numbered(3)}`);
    place.git("mv", "src/b.ts", "src/c.ts");
    const plain = await place.read();
    const marker = join(place.root, "was-run");
    writeFileSync(join(place.root, ".git/run.sh"), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const program = join(place.root, ".git/run.sh");
    for (const [key, value] of [
      ...[
        ["diff.external", program],
        ["diff.noprefix", "true"],
        ["diff.mnemonicPrefix", "true"],
      ],
      ...[
        ["diff.suppressBlankEmpty", "true"],
        ["color.ui", "always"],
        ["color.diff", "always"],
      ],
      ...[
        ["diff.context", "9"],
        ["diff.renames", "false"],
        ["diff.x.textconv", program],
      ],
      ...[
        ["diff.x.command", program],
        ["core.fsmonitor", program],
        ["diff.relative", "true"],
      ],
      ...[
        ["diff.interHunkContext", "5"],
        ["diff.algorithm", "patience"],
        ["core.pager", program],
      ],
    ]) {
      place.git("config", key!, value!);
    }
    writeFileSync(join(place.root, ".git/info/attributes"), "*.ts diff=x\n");
    expect(await place.read({ cwd: "src" })).toEqual(plain);
    expect(plain.files.map(({ path }) => path)).toEqual(["src/a.ts", "src/c.ts"]);
    expect(existsSync(marker)).toBe(false);
  });
});

describe("V-01 what was typed", () => {
  const history = () => {
    const place = newRepository();
    place.write("a.ts", "one\n");
    const first = place.commit();
    place.git("checkout", "--quiet", "-b", "feature");
    place.write("b.ts", "two\n");
    const second = place.commit();
    place.git("checkout", "--quiet", "main");
    place.write("c.ts", "three\n");
    const third = place.commit();
    return { place, first, second, third };
  };

  it("a commit is its difference to its parent, the first one to nothing", async () => {
    const { place, first, third } = history();
    const last = await place.read({ target: "HEAD" });
    expect(last).toMatchObject({ name: "commit HEAD", base: first, head: third });
    expect(paths(last)).toEqual(["c.ts"]);
    expect(paths(await place.read({ target: first.slice(0, 9) }))).toEqual(["a.ts"]);
    expect(paths(await place.read({ target: "HEAD~1" }))).toEqual(["a.ts"]);
  });

  it("two dots are both ends, three dots and a branch are since they parted", async () => {
    const { place, first, second } = history();
    const both = await place.read({ target: "main..feature" });
    expect(both.files.map(({ path, status }) => [path, status])).toEqual([
      ["b.ts", "added"],
      ["c.ts", "deleted"],
    ]);
    const parted = await place.read({ target: "main...feature" });
    expect(parted).toMatchObject({ base: first, head: second, name: "main...feature" });
    expect(paths(parted)).toEqual(["b.ts"]);
    const branch = await place.read({ target: "feature" });
    expect(branch).toMatchObject({ base: first, head: second, name: "feature since main" });
    expect(paths(branch)).toEqual(["b.ts"]);
    expect((await place.read({ target: "main" })).files).toEqual([]);
    expect(paths(await place.read({ target: "feature.." }))).toEqual(["b.ts", "c.ts"]);
  });

  it("a shallow clone does not make a commit look like the first one", async () => {
    const { place, first } = history();
    const clone = emptyPlace(join(temporaryFolder(), "clone"));
    place.git("clone", "--quiet", "--depth=1", `file://${place.root}`, clone.root);
    await expect(clone.read({ target: "HEAD" })).rejects.toMatchObject({
      ...{ code: "USAGE", message: expect.stringContaining("shallow clone") },
    });
    await expect(clone.read({ target: first })).rejects.toMatchObject({
      ...{ code: "USAGE", message: expect.stringContaining("shallow clone") },
    });
    clone.write("c.ts", "changed\n");
    expect(paths(await clone.read())).toEqual(["c.ts"]);
  });

  it("a file is whole, a folder is what git tracks in it, a text is a document", async () => {
    const { place } = history();
    place.write("src/x/one.py", "x = 1\n");
    place.write("src/two.py", "y = 1\n");
    place.write("docs/plan.md", "# Plan\n");
    place.write("requirements.txt", "flask\n");
    place.commit();
    place.write("src/untracked.py", "z = 1\n");
    const file = await place.read({ target: "src/untracked.py" });
    expect(file).toMatchObject({ kind: "files", name: "src/untracked.py" });
    expect(file.files).toEqual([
      {
        path: "src/untracked.py",
        status: "whole",
        language: "python",
        hunks: [],
        after: "z = 1\n",
      },
    ]);
    const folder = await place.read({ target: "src" });
    expect(folder).toMatchObject({ kind: "files", name: "src/" });
    expect(paths(folder)).toEqual(["src/two.py", "src/x/one.py"]);
    expect(paths(await place.read({ target: "one.py", cwd: "src/x" }))).toEqual(["src/x/one.py"]);
    expect(paths(await place.read({ target: "..", cwd: "src/x" }))).toEqual(paths(folder));
    expect((await place.read({ target: "docs/plan.md" })).kind).toBe("document");
    expect((await place.read({ target: "docs" })).kind).toBe("document");
    expect((await place.read({ target: "requirements.txt" })).kind).toBe("files");
    expect((await place.read({ target: "." })).name).toBe("all files");
    expect(changedLines(folder).size).toBe(0);
  });

  it("what is two things, or nothing, is refused with what to write instead", async () => {
    const { place } = history();
    place.write("feature", "a file\n");
    place.git("tag", "twice", "HEAD~1");
    place.git("branch", "twice");
    const refused = (target: string, staged = false) =>
      place.read({ target, staged }).then(
        () => "read",
        (error) => `${error.code} ${error.message}`,
      );
    expect(await refused("feature")).toBe(
      "USAGE feature is a file and a branch: write ./feature or refs/heads/feature",
    );
    expect((await place.read({ target: "./feature" })).kind).toBe("files");
    expect((await place.read({ target: "refs/heads/feature" })).name).toBe("feature since main");
    expect(await refused("twice")).toContain("is a branch and a tag");
    expect(await refused("nothing")).toBe(
      "USAGE nothing is no file or folder here, and git knows no branch, commit or range of that name",
    );
    expect(await refused("./nothing")).toBe("USAGE no file or folder ./nothing");
    expect(await refused("main..nothing")).toBe(
      "USAGE git knows no commit nothing in main..nothing",
    );
    expect(await refused("../..")).toMatch(/^PATH_OUTSIDE /);
    expect(await refused("/etc/passwd")).toMatch(/^PATH_OUTSIDE /);
    expect(await refused("--output=x")).toMatch(/^USAGE unknown option/);
    expect(await refused("")).toMatch(/^USAGE /);
    expect(await refused("a.ts", true)).toMatch(/^USAGE --staged and a\.ts are two subjects/);
    expect(await refused("-")).toBe("USAGE no patch came on standard input");
  });

  it("without git, files and folders can be read and nothing else", async () => {
    const place = emptyPlace(temporaryFolder());
    place.write("src/a.ts", "one\n");
    place.write("node_modules/x/index.js", "x\n");
    expect(paths(await place.read({ target: "." }))).toEqual(["src/a.ts"]);
    await expect(place.read()).rejects.toMatchObject({ code: "REPOSITORY_NOT_FOUND" });
    await expect(place.read({ target: "HEAD" })).rejects.toMatchObject({ code: "USAGE" });
  });

  it("too many files are refused before they are read", async () => {
    const place = newRepository();
    for (let at = 0; at <= limits.reviewFilesMax; at += 1)
      writeFileSync(join(place.root, `f${at}`), "");
    await expect(place.read()).rejects.toMatchObject({ code: "INPUT_TOO_LARGE" });
  });

  it.skipIf(process.platform === "win32" || process.platform === "darwin")(
    "a changed file whose name is not UTF-8 is reviewed too",
    async () => {
      const place = newRepository();
      const name = Buffer.from(`${place.root}/caf\u00e9.py`, "latin1");
      writeFileSync(name, "a = 1\n");
      place.commit();
      writeFileSync(name, "a = 2\n");
      expect((await place.read()).files).toMatchObject([
        { hunks: [{ lines: ["-a = 1", "+a = 2"] }] },
      ]);
      place.commit();
      const { files } = await place.read({ target: "HEAD~1..HEAD" });
      expect(files).toMatchObject([{ after: "a = 2\n" }]);
    },
  );

  it("a patch of a file with very many short lines is applied", async () => {
    const place = newRepository();
    place.write("a.csv", "1\n".repeat(300_000));
    place.commit();
    const changed = `${"1\n".repeat(299_999)}2\n`;
    place.write("a.csv", changed);
    const patch = place.raw("diff");
    place.git("checkout", "--quiet", ".");
    const { files } = await place.read({ target: "-", patch });
    expect(files[0]?.after === changed).toBe(true);
  });

  it("a patch that names one file very often takes time proportional to its length", async () => {
    const place = newRepository();
    const patch = Buffer.from("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n".repeat(60_000));
    const { files } = await place.read({ target: "-", patch });
    expect(files).toHaveLength(1);
  });

  it("files that do not fit into memory together are refused, binary ones do not count", async () => {
    const place = newRepository();
    place.write("a.txt", "a\n");
    const base = place.commit();
    const count = Math.ceil(limits.reviewBytesMax / limits.reviewFileBytesMax) + 1;
    const names = Array.from({ length: count }, (_, at) => `f${at}`);
    const write = (content: string) => {
      for (const name of names) writeFileSync(join(place.root, name), content);
    };
    write(
      "x"
        .repeat(1023)
        .concat("\n")
        .repeat(limits.reviewFileBytesMax / 1024),
    );
    const refusal = { code: "INPUT_TOO_LARGE", message: expect.stringContaining("together") };
    await expect(place.read()).rejects.toMatchObject(refusal);
    write("\0".repeat(limits.reviewFileBytesMax));
    expect((await place.read()).files).toHaveLength(count);
    // Git need not read the same quarter of a gigabyte to commit it.
    const blob = place.git("hash-object", "-w", "f0");
    const entries = names.flatMap((name) => ["--cacheinfo", `100644,${blob},${name}`]);
    place.git("update-index", "--add", ...entries);
    const tree = place.git("write-tree");
    const later = place.git("commit-tree", "-p", base, "-m", "Binary", tree);
    const { files } = await place.read({ target: `${base}..${later}` });
    expect(files).toHaveLength(count);
    expect(new Set(files.map(({ leftOut }) => leftOut))).toEqual(new Set(["binary"]));
  });
});
