import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { devNull } from "node:os";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Files, systemFiles } from "../../src/base/files.ts";
import { newId } from "../../src/base/ids.ts";
import { limits } from "../../src/base/limits.ts";
import { findRepository } from "../../src/git/repository.ts";
import {
  rescueFiles,
  rescueObstacle,
  type RescueOptions,
  rescueRef,
} from "../../src/claims/rescue/rescue.ts";
import { addBlobs } from "../../src/claims/rescue/rescue-blobs.ts";
import { ObjectSink } from "../../src/claims/rescue/rescue-objects.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { countRounds } from "../helpers/rounds.ts";
import { testSeed } from "../helpers/seed.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const rescue = async (
  root: string,
  target = ".",
  options: Partial<RescueOptions> & { readonly extent?: "file" | "tree" } = {},
) => {
  const { extent = "tree", ...rest } = options;
  return rescueFiles({
    repository: await findRepository(root),
    claim: newId("claim"),
    target: parseTarget(target, { extent }),
    actor: "claude:s-1",
    ...rest,
  });
};

const environment = {
  PATH: process.env["PATH"],
  HOME: devNull,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: "1",
};

const gitBytes = (cwd: string, args: readonly string[], variables = {}): Buffer =>
  execFileSync("git", ["--no-optional-locks", ...args], {
    cwd,
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 30,
  });

const allBelow = (folder: Buffer): Buffer[] =>
  fs.readdirSync(folder, { encoding: "buffer" }).flatMap((name) => {
    const path = Buffer.concat([folder, Buffer.from("/"), name]);
    if (name.toString() === ".git") return [];
    return [path, ...(fs.lstatSync(path).isDirectory() ? allBelow(path) : [])];
  });

/** Everything the user could notice: index, branch, HEAD, other refs, files with their times. */
const stateOf = (root: string) => {
  const gitDir = gitBytes(root, ["rev-parse", "--absolute-git-dir"]).toString().trim();
  const read = (name: string) =>
    fs.existsSync(join(gitDir, name)) ? fs.readFileSync(join(gitDir, name), "hex") : "none";
  const files = allBelow(Buffer.from(root)).map((path) => {
    const stat = fs.lstatSync(path);
    const content = stat.isFile() ? createHash("sha256").update(fs.readFileSync(path)) : undefined;
    return [path.toString("latin1"), stat.mode, stat.mtimeMs, content?.digest("hex")].join(" ");
  });
  const refs = gitBytes(root, ["for-each-ref"]).toString().split("\n");
  return {
    index: read("index"),
    head: read("HEAD"),
    refs: refs.filter((line) => !line.includes("refs/headgate/")),
    status: gitBytes(root, ["status", "--porcelain=v2", "-z", "--ignored"]).toString("latin1"),
    files: files.toSorted(),
    entries: fs
      .readdirSync(gitDir)
      .filter((name) => name !== "objects")
      .toSorted(),
  };
};

/** Paths of a commit with mode and content; names as bytes. */
const contentsOf = (root: string, commit: string): Map<string, string> => {
  const lines = gitBytes(root, ["ls-tree", "-r", "-z", commit]).toString("latin1").split("\0");
  return new Map(
    lines.slice(0, -1).map((line) => {
      const [mode, type, id = ""] = line.slice(0, line.indexOf("\t")).split(" ");
      const name = line.slice(line.indexOf("\t") + 1);
      const content = type === "blob" ? gitBytes(root, ["cat-file", "blob", id]) : Buffer.from(id);
      return [name, `${mode} ${content.toString("latin1")}`];
    }),
  );
};

const countObjects = (root: string): string => gitBytes(root, ["count-objects", "-v"]).toString();
const refsOf = (root: string): string[] =>
  gitBytes(root, ["for-each-ref", "--format=%(refname)", "refs/headgate"])
    .toString()
    .split("\n")
    .filter(Boolean);

describe("what a dead holder left", () => {
  it("C-03 is saved with every kind of change, byte for byte, and nothing else changes", async () => {
    const root = makeRepository(temporaryFolder());
    for (const name of [
      "same.txt",
      "src/changed.ts",
      "src/gone.ts",
      "src/deep/mode.sh",
      "x/out.ts",
    ]) {
      put(join(root, name), `${name}\n`);
    }
    fs.symlinkSync("a.txt", join(root, "src/link"));
    put(join(root, ".gitignore"), "*.log\n");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Two");
    const binary = Buffer.from([0, 255, 13, 10, 10, 0]);
    fs.writeFileSync(join(root, "src/changed.ts"), binary);
    fs.unlinkSync(join(root, "src/gone.ts"));
    fs.chmodSync(join(root, "src/deep/mode.sh"), 0o755);
    fs.unlinkSync(join(root, "src/link"));
    fs.symlinkSync("../nowhere at all", join(root, "src/link"));
    put(join(root, "src/new/file.ts"), "new\r\n");
    put(join(root, "src/empty"));
    put(join(root, "src/staged.ts"), "staged\n");
    git(root, "add", "src/staged.ts");
    put(join(root, "src/ignored.log"), "log");
    put(join(root, "x/out.ts"), "outside the target");
    const before = stateOf(root);
    const head = git(root, "rev-parse", "HEAD");

    const claim = newId("claim");
    const saved = await rescue(root, "src", { claim });

    expect(stateOf(root)).toEqual(before);
    expect(saved).toMatchObject({ ref: rescueRef(claim), files: 7, skipped: [] });
    expect(saved?.ref).toBe(`refs/headgate/rescue/${claim}`);
    expect(git(root, "rev-parse", saved!.ref, `${saved!.ref}^@`).split("\n")).toEqual([
      saved!.commit,
      head,
    ]);
    const contents = contentsOf(root, saved!.ref);
    expect(contents).toEqual(
      new Map([
        [".gitignore", "100644 *.log\n"],
        ["a.txt", "100644 one\n"],
        ["same.txt", "100644 same.txt\n"],
        ["src/changed.ts", `100644 ${binary.toString("latin1")}`],
        ["src/deep/mode.sh", "100755 src/deep/mode.sh\n"],
        ["src/empty", "100644 "],
        ["src/link", "120000 ../nowhere at all"],
        ["src/new/file.ts", "100644 new\r\n"],
        ["src/staged.ts", "100644 staged\n"],
        ["x/out.ts", "100644 x/out.ts\n"],
      ]),
    );
    git(root, "fsck", "--strict");
  });

  it("C-02 the commit says whose work it is, in safe lines, under Headgate's name", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "a.txt"), "two\n");
    const actor = `eve"; $(touch x)\ntree 0000\n\u001b[31m`;
    const claim = newId("claim");
    const saved = await rescue(root, "a.txt", { claim, actor });
    const text = gitBytes(root, ["cat-file", "commit", saved!.commit]).toString();
    expect(text).toMatch(/^author Headgate <headgate@localhost> \d{10} \+0000$/m);
    expect(text).toMatch(/^committer Headgate <headgate@localhost> \d{10} \+0000$/m);
    expect(text).not.toMatch(/gpgsig/);
    const message = text.slice(text.indexOf("\n\n") + 2);
    expect(message).toContain(`Claim: ${claim}\n`);
    expect(message).toContain(`Actor: eve"; $(touch x)\\ntree 0000\\n\\u001b[31m\n`);
    expect(message).toContain("Target: a.txt\n");
    expect(message).toMatch(/^Save 1 file that eve/);
    // oxlint-disable-next-line no-control-regex -- looking for them is the purpose.
    expect(message).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(fs.existsSync(join(root, "x"))).toBe(false);
  });

  it("C-11 a ref is made of a claim's id only", () => {
    const claim = newId("claim");
    expect(rescueRef(claim)).toBe(`refs/headgate/rescue/${claim}`);
    for (const other of ["", "../../heads/main", "cl_x", `${claim}/x`, newId("waiter"), "-d"]) {
      expect(() => rescueRef(other)).toThrow(expect.objectContaining({ code: "INTERNAL" }));
    }
  });

  it("C-03 nothing dirty means no ref and no object", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, ".gitignore"), "ignored\n");
    put(join(root, "ignored/file"), "x");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Two");
    // Touched, not changed: git has to read it to know.
    fs.utimesSync(join(root, "a.txt"), 1, 1);
    const before = countObjects(root);
    expect(await rescue(root)).toBeUndefined();
    put(join(root, "elsewhere.ts"), "x");
    expect(await rescue(root, "src")).toBeUndefined();
    expect(await rescue(root, "name:deploy")).toBeUndefined();
    expect(await rescue(root, "@git/index")).toBeUndefined();
    expect(countObjects(root)).toBe(before);
    expect(refsOf(root)).toEqual([]);
  });

  it("C-03 exactly the files of the target are taken; a symbol stands for its file", async () => {
    const root = makeRepository(temporaryFolder());
    const names = ["src/a.ts", "src/a.test.ts", "src/b.ts", "srcs/a.ts", "lib/[x]/a.ts", "a.ts"];
    for (const name of names) put(join(root, name), name);
    const saved = async (target: string, extent: "file" | "tree" = "tree") => {
      const one = await rescue(root, target, { extent });
      return one && [...contentsOf(root, one.commit).keys()].filter((name) => name !== "a.txt");
    };
    expect(await saved("src/a.ts", "file")).toEqual(["src/a.ts"]);
    expect(await saved("src/a.ts#Parser.parse")).toEqual(["src/a.ts"]);
    expect(await saved("src")).toEqual(["src/a.test.ts", "src/a.ts", "src/b.ts"]);
    expect(await saved("src/*.test.ts")).toEqual(["src/a.test.ts"]);
    expect(await saved("**/a.ts")).toEqual(["a.ts", "lib/[x]/a.ts", "src/a.ts", "srcs/a.ts"]);
    expect(await saved("lib/\\[x\\]")).toEqual(["lib/[x]/a.ts"]);
    expect(await saved("src", "file")).toBeUndefined();
    expect(await saved("{a,src/b}.ts")).toEqual(["a.ts", "src/b.ts"]);
  });

  it("C-12 a target's one spelling finds the disk's own", async () => {
    const root = makeRepository(temporaryFolder());
    const decomposed = "re\u0301sume\u0301.md";
    put(join(root, "doc", decomposed), "x");
    put(join(root, "SRC/A.TS"), "y");
    const one = await rescue(root, "doc/r\u00e9sum\u00e9.md", { extent: "file" });
    expect(
      contentsOf(root, one!.commit).get(Buffer.from(`doc/${decomposed}`).toString("latin1")),
    ).toBe("100644 x");
    const repository = { ...(await findRepository(root)), caseInsensitive: true };
    const target = parseTarget("src/a.ts", { extent: "file", folds: true });
    expect(await rescue(root, ".", { repository, target })).toMatchObject({ files: 1 });
  });

  it("C-03 before the first commit the rescue has no parent", async () => {
    const root = temporaryFolder();
    git(root, "init", "--quiet");
    put(join(root, "a/new.ts"), "x");
    put(join(root, "staged.ts"), "y");
    git(root, "add", "staged.ts");
    const before = stateOf(root);
    const saved = await rescue(root);
    expect(stateOf(root)).toEqual(before);
    expect(git(root, "rev-list", saved!.ref)).toBe(saved!.commit);
    expect([...contentsOf(root, saved!.ref).keys()]).toEqual(["a/new.ts", "staged.ts"]);
  });

  it("C-03 what was staged and then changed or deleted again is kept as second parent", async () => {
    const root = makeRepository(temporaryFolder());
    for (const name of ["both.ts", "only-staged.ts", "plain.ts"]) {
      put(join(root, name), `staged ${name}`);
    }
    git(root, "add", ".");
    put(join(root, "both.ts"), "changed again");
    fs.unlinkSync(join(root, "only-staged.ts"));
    const before = stateOf(root);
    const saved = await rescue(root);
    expect(stateOf(root)).toEqual(before);
    expect(saved).toMatchObject({ files: 3 });
    const [head, index] = git(root, "rev-parse", `${saved!.ref}^@`).split("\n");
    expect(head).toBe(git(root, "rev-parse", "HEAD"));
    expect(contentsOf(root, saved!.commit)).toEqual(
      new Map([
        ["a.txt", "100644 one\n"],
        ["both.ts", "100644 changed again"],
        ["plain.ts", "100644 staged plain.ts"],
      ]),
    );
    expect(contentsOf(root, index!).get("both.ts")).toBe("100644 staged both.ts");
    expect(contentsOf(root, index!).get("only-staged.ts")).toBe("100644 staged only-staged.ts");
    expect(git(root, "rev-parse", `${index}^@`)).toBe(head);
  });

  it("C-03 files that became folders and folders that became files", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "folder/one"), "1");
    put(join(root, "folder/deep/two"), "2");
    put(join(root, "file"), "f");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Two");
    fs.rmSync(join(root, "folder"), { recursive: true });
    put(join(root, "folder"), "a file now");
    fs.unlinkSync(join(root, "file"));
    put(join(root, "file/inside/x"), "a folder now");
    const saved = await rescue(root);
    expect(contentsOf(root, saved!.commit)).toEqual(
      new Map([
        ["a.txt", "100644 one\n"],
        ["file/inside/x", "100644 a folder now"],
        ["folder", "100644 a file now"],
      ]),
    );
    const part = await rescue(root, "folder/deep");
    expect([...contentsOf(root, part!.commit).keys()]).toEqual(["a.txt", "file", "folder/one"]);
    git(root, "fsck", "--strict");
  });

  it("C-03 a merge that was left half done", async () => {
    const root = makeRepository(temporaryFolder());
    git(root, "checkout", "--quiet", "-b", "other");
    put(join(root, "a.txt"), "theirs\n");
    git(root, "commit", "--quiet", "--all", "--message", "Theirs");
    git(root, "checkout", "--quiet", "main");
    put(join(root, "a.txt"), "ours\n");
    git(root, "commit", "--quiet", "--all", "--message", "Ours");
    expect(() => git(root, "merge", "other")).toThrow(/Command failed/);
    const before = stateOf(root);
    const saved = await rescue(root);
    expect(stateOf(root)).toEqual(before);
    expect(saved).toMatchObject({ files: 1 });
    expect(contentsOf(root, saved!.commit).get("a.txt")).toContain("<<<<<<< HEAD\nours\n");
  });

  it("C-03 line endings that git converts are neither a change nor converted", async () => {
    const root = makeRepository(temporaryFolder());
    git(root, "config", "core.autocrlf", "true");
    fs.unlinkSync(join(root, "a.txt"));
    git(root, "checkout", "--quiet", "a.txt");
    expect(fs.readFileSync(join(root, "a.txt"), "utf8")).toBe("one\r\n");
    fs.utimesSync(join(root, "a.txt"), 1, 1);
    expect(await rescue(root)).toBeUndefined();
    put(join(root, "a.txt"), "one\r\ntwo\n");
    const saved = await rescue(root);
    expect(contentsOf(root, saved!.commit).get("a.txt")).toBe("100644 one\r\ntwo\n");
  });

  it("C-03 where the disk keeps no modes, those of the last commit stay", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "run.sh"), "x");
    fs.chmodSync(join(root, "run.sh"), 0o755);
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Two");
    git(root, "config", "core.fileMode", "false");
    fs.chmodSync(join(root, "run.sh"), 0o644);
    fs.chmodSync(join(root, "a.txt"), 0o755);
    put(join(root, "run.sh"), "y");
    put(join(root, "a.txt"), "two");
    const { commit } = (await rescue(root))!;
    expect(contentsOf(root, commit)).toEqual(
      new Map([
        ["a.txt", "100644 two"],
        ["run.sh", "100755 y"],
      ]),
    );
  });

  it("C-03 Headgate's own folder is not somebody's work", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(stateFolder(root), "store.db"), "x");
    put(join(root, ".headgate/config.jsonc"), "{}");
    const saved = await rescue(root);
    expect([...contentsOf(root, saved!.commit).keys()]).toEqual([
      ".headgate/config.jsonc",
      "a.txt",
    ]);
  });

  it("C-03 a folder without git, and a bare repository, say why nothing is saved", async () => {
    const folder = temporaryFolder();
    put(join(folder, "a"), "x");
    const plain = await findRepository(folder);
    expect(rescueObstacle(plain)).toMatch(/no git/);
    expect(await rescue(folder)).toBeUndefined();
    expect(fs.readdirSync(folder)).toEqual(["a"]);
    const bare = temporaryFolder();
    git(bare, "init", "--quiet", "--bare");
    expect(rescueObstacle(await findRepository(bare))).toMatch(/no worktree/);
    expect(await rescue(bare)).toBeUndefined();
    const root = makeRepository(temporaryFolder());
    expect(rescueObstacle(await findRepository(root))).toBeUndefined();
  });

  it("C-03 a repository with SHA-256 objects", async () => {
    const root = temporaryFolder();
    git(root, "init", "--quiet", "--object-format=sha256");
    put(join(root, "src/a.ts"), "x");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "One");
    put(join(root, "src/a.ts"), "y");
    const saved = await rescue(root);
    expect(saved?.commit).toMatch(/^[0-9a-f]{64}$/);
    expect(contentsOf(root, saved!.commit).get("src/a.ts")).toBe("100644 y");
    git(root, "fsck", "--strict");
  });
});

describeWith({ platforms: ["linux"] }, "names that are not plain", () => {
  it("C-02 survive, also those that are not valid UTF-8", async () => {
    const root = makeRepository(temporaryFolder());
    const names = [
      "line\nbreak",
      'quote"s',
      "back\\slash",
      "-dash",
      "--all",
      "tab\tx",
      " space ",
      "*",
      "[a]",
      ":(top)a.txt",
      "#c",
      "$(id)",
      "\u001b[31m",
      "\u202ebidi",
      "日本",
      "e\u0301",
      "~",
      "name:x",
      "@git",
      "!x",
      "x".repeat(255),
    ].map((name) => Buffer.from(`odd/${name}`));
    names.push(Buffer.from("odd/b\xff\xfe", "latin1"), Buffer.from("odd/\xc3\x28/x", "latin1"));
    const at = (name: Buffer) => Buffer.concat([Buffer.from(`${root}/`), name]);
    fs.mkdirSync(at(Buffer.from("odd")));
    fs.mkdirSync(at(Buffer.from("odd/\xc3\x28", "latin1")));
    for (const name of names) fs.writeFileSync(at(name), name);
    fs.symlinkSync(Buffer.from("b\xff", "latin1"), at(Buffer.from("odd/link")));
    const tracked = names.filter((_, index) => index % 2 === 0);
    const list = Buffer.concat(tracked.flatMap((name) => [name, Buffer.from([0])]));
    const file = join(temporaryFolder(), "list");
    fs.writeFileSync(file, list);
    git(root, "--literal-pathspecs", "add", `--pathspec-from-file=${file}`, "--pathspec-file-nul");
    git(root, "commit", "--quiet", "--message", "Odd");
    for (const name of names) fs.writeFileSync(at(name), Buffer.concat([name, name]));
    fs.unlinkSync(at(tracked[0]!));
    const before = stateOf(root);

    const saved = await rescue(root, "odd");
    expect(stateOf(root)).toEqual(before);
    const contents = contentsOf(root, saved!.commit);
    const expected = new Map(
      names
        .filter((name) => name !== tracked[0])
        .map((name) => name.toString("latin1"))
        .map((name) => [name, `100644 ${name}${name}`]),
    );
    expected.set("a.txt", "100644 one\n");
    expect(new Map([...contents].toSorted())).toEqual(new Map([...expected].toSorted()));
    expect(saved?.skipped).toEqual([
      { path: "odd/link", why: "a link whose target is not valid UTF-8" },
    ]);
    git(root, "fsck", "--strict");
  });
});

describeWith({ platforms: ["linux", "darwin"] }, "names that no target can spell", () => {
  it("C-16 are still only taken where the target fits", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "line\nbreak.md"), "x");
    expect(await rescue(root, "**/*.ts")).toBeUndefined();
    put(join(root, "line\nbreak.ts"), "x");
    const saved = await rescue(root, "**/*.ts");
    expect([...contentsOf(root, saved!.commit).keys()]).toEqual(["a.txt", "line\nbreak.ts"]);
  });
});

describe("the tree that is saved", () => {
  it("C-03 is the one that git add --all would make, whatever was done", async () => {
    const names = ["a.txt", "b", "b/c", "b/c/d", "b-x", "b.y", "e/f", "e/f/g", "z"];
    const step = fc.record({
      name: fc.constantFrom(...names),
      what: fc.constantFrom(
        "write",
        "delete",
        "link",
        "executable",
        "add",
        "intend",
        "forget",
        "commit",
      ),
      text: fc.constantFrom("", "1", "2\n", "3\r\n"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const parent = fs.mkdtempSync(join(temporaryFolder(), "x-"));
        const root = makeRepository(join(parent, "repo"));
        for (const { name, what, text } of steps) {
          const path = join(root, name);
          if (what === "add") git(root, "add", "--all");
          else if (what === "intend") git(root, "add", "--all", "--intent-to-add");
          else if (what === "forget") git(root, "rm", "-rf", "--cached", "--ignore-unmatch", name);
          else if (what === "commit") git(root, "commit", "--quiet", "--allow-empty", "-m", "x");
          else {
            clearWay(root, name);
            if (what === "write") put(path, text);
            if (what === "link") fs.symlinkSync(text || "x", path);
            if (what === "executable") fs.chmodSync(put(path, text), 0o755);
          }
        }
        const before = stateOf(root);
        const saved = await rescue(root);
        expect(stateOf(root)).toEqual(before);
        const index = { GIT_INDEX_FILE: join(parent, "index") };
        gitBytes(root, ["read-tree", "HEAD"], index);
        gitBytes(root, ["add", "--all"], index);
        const tree = gitBytes(root, ["write-tree"], index).toString().trim();
        const head = git(root, "rev-parse", "HEAD^{tree}");
        if (saved) {
          expect(git(root, "rev-parse", `${saved.commit}^{tree}`)).toBe(tree);
          expect(git(root, "fsck", "--strict", "--no-dangling")).toBe("");
        } else expect(tree).toBe(head);
      }),
      { numRuns: countRounds("histories of files to rescue", 100), seed: testSeed },
    );
  });

  /** Makes room for a file of that name: whatever stands there or above it goes. */
  const clearWay = (root: string, name: string): void => {
    const names = name.split("/");
    for (let depth = 1; depth < names.length; depth += 1) {
      const place = join(root, ...names.slice(0, depth));
      if (fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) continue;
      fs.rmSync(place, { force: true });
      fs.mkdirSync(place);
    }
    fs.rmSync(join(root, name), { recursive: true, force: true });
  };
});

describe("saving again", () => {
  it("C-03 the same content keeps its ref, other content never replaces it", async () => {
    const root = makeRepository(temporaryFolder());
    const claim = newId("claim");
    put(join(root, "a.txt"), "two\n");
    const first = await rescue(root, "a.txt", { claim });
    const again = await rescue(root, "a.txt", { claim });
    expect(again).toEqual(first);
    put(join(root, "a.txt"), "three\n");
    const second = await rescue(root, "a.txt", { claim });
    expect(second?.ref).toBe(`${rescueRef(claim)}-2`);
    put(join(root, "a.txt"), "two\n");
    expect(await rescue(root, "a.txt", { claim })).toMatchObject({ ref: first!.ref });
    put(join(root, "a.txt"), "four\n");
    expect(await rescue(root, "a.txt", { claim })).toMatchObject({ ref: `${rescueRef(claim)}-3` });
    expect(contentsOf(root, first!.ref).get("a.txt")).toBe("100644 two\n");
    expect(contentsOf(root, second!.ref).get("a.txt")).toBe("100644 three\n");
    const other = await rescue(root, "a.txt");
    expect(other?.ref).not.toContain(claim);
  });

  it("C-03 by two processes at once gives one ref", async () => {
    const root = makeRepository(temporaryFolder());
    for (let index = 0; index < 20; index += 1) put(join(root, `src/${index}`), `${index}`);
    const claim = newId("claim");
    const saved = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        rescue(root, "src", {
          claim,
          clock: { wallMs: () => 1_800_000_000_000 + index * 10_000 } as never,
        }),
      ),
    );
    expect(new Set(saved.map((one) => one?.ref))).toEqual(new Set([rescueRef(claim)]));
    expect(new Set(saved.map((one) => one?.commit)).size).toBe(1);
    expect(refsOf(root)).toEqual([rescueRef(claim)]);
  });

  it("C-03 a ref that cannot be made is an error, not silence", async () => {
    const root = makeRepository(temporaryFolder());
    const claim = newId("claim");
    put(join(root, "a.txt"), "two\n");
    git(root, "update-ref", `${rescueRef(claim)}/in-the-way`, "HEAD");
    await expect(rescue(root, "a.txt", { claim })).rejects.toMatchObject({ code: "GIT_FAILED" });
  });
});

describe("several places", () => {
  it("C-03 every worktree with such files gets a ref", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const beside = join(parent, "beside");
    const nested = join(root, ".worktrees/nested");
    git(root, "worktree", "add", "--quiet", "-b", "b1", beside);
    git(root, "worktree", "add", "--quiet", "-b", "b2", nested);
    git(root, "worktree", "add", "--quiet", "-b", "b3", join(parent, "clean"));
    put(join(beside, "a.txt"), "beside");
    git(beside, "commit", "--quiet", "--all", "--message", "Beside");
    put(join(root, "a.txt"), "main");
    put(join(beside, "a.txt"), "beside, changed");
    put(join(nested, "a.txt"), "nested");
    const before = [root, beside, nested].map(stateOf);
    const claim = newId("claim");
    const saved = await rescue(beside, "a.txt", { claim });
    expect([root, beside, nested].map(stateOf)).toEqual(before);
    expect(saved).toMatchObject({ ref: rescueRef(claim), files: 3, skipped: [] });
    const { worktrees } = await findRepository(beside);
    expect(saved!.refs.map(({ ref, worktree }) => [worktree, ref])).toEqual(
      worktrees
        .filter((worktree) => !worktree.endsWith("clean"))
        .map((worktree, index) => [worktree, rescueRef(claim) + ["", "-2", "-3"][index]]),
    );
    for (const { ref, worktree } of saved!.refs) {
      expect(contentsOf(root, ref).get("a.txt")).toBe(
        `100644 ${fs.readFileSync(join(worktree, "a.txt"), "utf8")}`,
      );
      expect(git(root, "rev-parse", `${ref}^`)).toBe(git(worktree, "rev-parse", "HEAD"));
    }
    expect(await rescue(beside, "a.txt", { claim })).toEqual(saved);
    // A worktree inside another one is not also searched as a part of it.
    expect(await rescue(root, ".")).toMatchObject({ files: 3, refs: [{}, {}, {}], skipped: [] });
  });

  it("C-03 one broken worktree does not keep the others from being saved", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const broken = join(parent, "broken");
    git(root, "worktree", "add", "--quiet", "-b", "b1", broken);
    put(join(root, "a.txt"), "main");
    fs.writeFileSync(join(root, ".git/worktrees/broken/index"), "garbage");
    const saved = await rescue(root);
    expect(saved).toMatchObject({ files: 1, skipped: [{ path: broken }] });
    git(root, "checkout", "--quiet", "a.txt");
    await expect(rescue(root)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  it("C-03 a submodule stands with its commit, and files inside it are saved, too", async () => {
    const parent = temporaryFolder();
    const library = makeRepository(join(parent, "library"));
    const root = makeRepository(join(parent, "repo"));
    git(
      root,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      library,
      "vendor/lib",
    );
    git(root, "commit", "--quiet", "--all", "--message", "Library");
    const inside = join(root, "vendor/lib");
    put(join(inside, "b.txt"), "committed inside\n");
    git(inside, "add", ".");
    git(inside, "commit", "--quiet", "--message", "Inside");
    put(join(inside, "a.txt"), "dirty inside\n");
    put(join(inside, "new/c.txt"), "new inside\n");
    const before = [root, inside].map(stateOf);
    const claim = newId("claim");
    const saved = await rescue(root, "vendor", { claim });
    expect([root, inside].map(stateOf)).toEqual(before);
    expect(saved?.refs.map(({ ref, files }) => [ref, files])).toEqual([
      [rescueRef(claim), 1],
      [`${rescueRef(claim)}-2`, 2],
    ]);
    expect(contentsOf(root, rescueRef(claim)).get("vendor/lib")).toBe(
      `160000 ${git(inside, "rev-parse", "HEAD")}`,
    );
    expect(contentsOf(root, `${rescueRef(claim)}-2`)).toEqual(
      new Map([
        ["vendor/lib/a.txt", "100644 dirty inside\n"],
        ["vendor/lib/new/c.txt", "100644 new inside\n"],
      ]),
    );
    const one = await rescue(root, "vendor/lib/new/c.txt", { extent: "file" });
    expect([...contentsOf(root, one!.commit).keys()]).toEqual(["vendor/lib/new/c.txt"]);
    expect(refsOf(inside)).toEqual([]);

    // Its repository cannot be asked: the submodule stays in the tree as it was, and that is said.
    git(inside, "config", "core.worktree", parent);
    const untold = await rescue(root, "vendor");
    expect(contentsOf(root, untold!.commit).get("vendor/lib")).toBe(
      `160000 ${git(library, "rev-parse", "HEAD")}`,
    );
    expect(untold).toMatchObject({ files: 0, skipped: [{ path: "vendor/lib" }] });
  });

  it("C-03 a submodule that was never fetched is nothing to search", async () => {
    const parent = temporaryFolder();
    const library = makeRepository(join(parent, "library"));
    const origin = makeRepository(join(parent, "origin"));
    git(origin, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "lib");
    git(origin, "commit", "--quiet", "--all", "--message", "Library");
    const root = join(parent, "repo");
    git(parent, "clone", "--quiet", origin, root);
    expect(await rescue(root)).toBeUndefined();
    put(join(root, "a.txt"), "changed");
    expect(await rescue(root)).toMatchObject({ files: 1, skipped: [] });
  });

  it("C-03 a clone that lies in the worktree is searched, one that points elsewhere is not", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    makeRepository(join(root, "tools/clone"));
    put(join(root, "tools/clone/src/x.ts"), "in the clone");
    const secrets = join(parent, "secrets");
    put(join(secrets, "key"), "secret");
    const evil = makeRepository(join(root, "tools/evil"));
    git(evil, "config", "core.worktree", secrets);
    const saved = await rescue(root, "tools");
    expect(contentsOf(root, saved!.refs.at(-1)!.ref)).toEqual(
      new Map([["tools/clone/src/x.ts", "100644 in the clone"]]),
    );
    expect(saved?.skipped).toEqual([
      { path: "tools/evil", why: expect.stringContaining("in another folder") },
    ]);
    const one = await rescue(root, "tools/clone/src/x.ts", { extent: "file" });
    expect(one).toMatchObject({ files: 1, skipped: [] });
  });
});

describeWith({ platforms: ["linux", "darwin"] }, "what is not to be trusted", () => {
  it("A15 no hook, filter, monitor or signing program of the repository runs", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const mark = join(parent, "mark");
    const program = put(join(parent, "evil.sh"), `#!/bin/sh\necho "$0 $*" >> "${mark}"\ncat\n`);
    fs.chmodSync(program, 0o755);
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "diff.external",
      "diff.evil.textconv",
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.evil.process",
      "core.sshCommand",
      "core.editor",
      "core.alternateRefsCommand",
      "gpg.program",
      "gpg.ssh.program",
    ]) {
      git(root, "config", key, program);
    }
    for (const key of ["filter.evil.required", "commit.gpgSign", "tag.gpgSign"]) {
      git(root, "config", key, "true");
    }
    git(root, "config", "core.logAllRefUpdates", "always");
    git(root, "config", "core.hooksPath", join(parent, "hooks"));
    for (const hook of [
      "reference-transaction",
      "post-index-change",
      "pre-commit",
      "post-commit",
    ]) {
      for (const folder of [join(parent, "hooks"), join(root, ".git/hooks")]) {
        fs.chmodSync(put(join(folder, hook), `#!/bin/sh\necho hook >> "${mark}"\n`), 0o755);
      }
    }
    put(join(root, ".git/info/attributes"), "* filter=evil diff=evil\n");
    put(join(root, "a.txt"), "TWO\n");
    fs.utimesSync(join(root, "a.txt"), 1, 1);
    put(join(root, "new.txt"), "new\n");
    const saved = await rescue(root);
    expect(fs.existsSync(mark)).toBe(false);
    expect(contentsOf(root, saved!.commit)).toEqual(
      new Map([
        ["a.txt", "100644 TWO\n"],
        ["new.txt", "100644 new\n"],
      ]),
    );
    expect(() => git(root, "update-ref", "refs/x", "HEAD")).not.toThrow();
    expect(fs.readFileSync(mark, "utf8")).toContain("hook");
  });

  it("A02 nothing behind a link is read: not a file, not through a folder", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    put(join(parent, "outside/secret"), "secret");
    put(join(root, "folder/secret"), "mine");
    put(join(root, "plain"), "mine");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Two");
    fs.rmSync(join(root, "folder"), { recursive: true });
    fs.symlinkSync(join(parent, "outside"), join(root, "folder"));
    fs.unlinkSync(join(root, "plain"));
    fs.symlinkSync(join(parent, "outside/secret"), join(root, "plain"));
    const saved = await rescue(root);
    expect(contentsOf(root, saved!.commit)).toEqual(
      new Map([
        ["a.txt", "100644 one\n"],
        ["folder", `120000 ${join(parent, "outside")}`],
        ["plain", `120000 ${join(parent, "outside/secret")}`],
      ]),
    );
    const objects = gitBytes(root, ["cat-file", "--batch-all-objects", "--batch"]).toString();
    expect(objects).not.toContain("\nsecret\n");
  });

  it("A03 a file swapped for a link or a pipe at the last moment is neither followed nor awaited", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const secret = put(join(parent, "secret"), "secret");
    put(join(root, "link"), "mine");
    put(join(root, "pipe"), "mine");
    put(join(root, "plain"), "mine");
    const swaps: Record<string, (path: string) => void> = {
      link: (path) => fs.symlinkSync(secret, path),
      pipe: (path) => void execFileSync("mkfifo", [path]),
    };
    const files: Files = {
      ...systemFiles,
      open: (path, ...rest) => {
        const swap = swaps[basename(path)];
        if (swap) {
          fs.unlinkSync(path);
          swap(path);
        }
        return systemFiles.open(path, ...rest);
      },
    };
    const saved = await rescue(root, ".", { files });
    const why = "it changed while it was read";
    expect(saved?.skipped).toEqual([
      { path: "link", why },
      { path: "pipe", why },
    ]);
    expect([...contentsOf(root, saved!.commit).keys()]).toEqual(["a.txt", "plain"]);
  });

  it("C-03 a pipe in a file's place does not hold anything up", async () => {
    const root = makeRepository(temporaryFolder());
    fs.unlinkSync(join(root, "a.txt"));
    execFileSync("mkfifo", [join(root, "a.txt")]);
    execFileSync("mkfifo", [join(root, "pipe")]);
    const saved = await rescue(root);
    expect([...contentsOf(root, saved!.commit).keys()]).toEqual([]);
  });
});

describe("bounds", () => {
  it("C-03 a file over the limit is reported, in the answer and in the commit", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "small"), "x");
    put(join(root, "large"));
    fs.truncateSync(join(root, "large"), limits.rescueBytesMax + 1);
    const saved = await rescue(root);
    expect(saved).toMatchObject({
      files: 1,
      skipped: [{ path: "large", why: `too large: ${limits.rescueBytesMax + 1} bytes` }],
    });
    expect([...contentsOf(root, saved!.commit).keys()]).toEqual(["a.txt", "small"]);
    expect(gitBytes(root, ["cat-file", "commit", saved!.commit]).toString()).toContain(
      "Not saved: large (too large",
    );
    fs.unlinkSync(join(root, "small"));
    expect(await rescue(root)).toMatchObject({ files: 0, skipped: [{ path: "large" }] });
  });

  it("C-03 where not everything fits, the small files are saved and the rest is named", async () => {
    const root = makeRepository(temporaryFolder());
    for (const [name, size] of Object.entries({ a: 9, b: 1, c: 2, d: 3, gone: 0 })) {
      put(join(root, name), "x".repeat(size));
    }
    fs.unlinkSync(join(root, "gone"));
    const take = async (files: number, bytes: number) => {
      const skipped: { path: string; why: string }[] = [];
      const entries = await addBlobs(["a", "b", "c", "d", "gone"], {
        worktree: root,
        files: systemFiles,
        sink: new ObjectSink("sha1", async () => {}),
        budget: { files, bytes },
        skipped,
        modes: { hasExecutable: true, hasLinks: true },
        before: () => undefined,
      });
      return { saved: [...entries.keys()].join(""), skipped: skipped.map(({ path }) => path) };
    };
    expect(await take(9, 100)).toEqual({ saved: "gonebcda", skipped: [] });
    expect(await take(2, 100)).toEqual({ saved: "gonebc", skipped: ["d", "a"] });
    expect(await take(9, 6)).toEqual({ saved: "gonebcd", skipped: ["a"] });
    expect(await take(9, 5)).toEqual({ saved: "gonebc", skipped: ["d", "a"] });
  });

  it("C-03 git gets objects in batches, each object once", async () => {
    const packs: Buffer[] = [];
    const sink = new ObjectSink("sha1", async (pack) => void packs.push(pack));
    const countIn = (pack: Buffer) => pack.readUInt32BE(8);
    for (let index = 0; index < limits.rescueBatchObjects + 1; index += 1) {
      await sink.add({ type: "blob", content: Buffer.from(`${index}`) });
      await sink.add({ type: "blob", content: Buffer.from(`${index}`) });
    }
    expect(packs.map(countIn)).toEqual([limits.rescueBatchObjects]);
    await sink.add({ type: "blob", content: Buffer.alloc(limits.rescueBatchBytes) });
    expect(packs.map(countIn)).toEqual([limits.rescueBatchObjects, 2]);
    await sink.flush();
    expect(packs).toHaveLength(2);
  });

  it("C-03 a file that grows while it is read is saved as far as it got", async () => {
    const root = makeRepository(temporaryFolder());
    const path = put(join(root, "log"), "first\n");
    let grown = 0;
    const files: Files = {
      ...systemFiles,
      statHandle: (fd) => {
        const stat = systemFiles.statHandle(fd);
        if (grown++ === 0) fs.appendFileSync(path, "second\n".repeat(1000));
        return stat;
      },
    };
    const saved = await rescue(root, "log", { files });
    expect(contentsOf(root, saved!.commit).get("log")).toBe(
      `100644 first\n${"second\n".repeat(1000)}`,
    );
  });

  it("C-03 what we may not read is named, and does not count as deleted", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "closed/x"), "x");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", "Two");
    for (const name of ["a.txt", "closed/x", "b.txt"]) put(join(root, name), "changed");
    const refuse = (path: string, name: string) => {
      if (path === join(root, name)) throw Object.assign(new Error("no"), { code: "EACCES" });
    };
    const files: Files = {
      ...systemFiles,
      open: (path, ...rest) => (refuse(path, "a.txt"), systemFiles.open(path, ...rest)),
      stat: (path) => (refuse(path, "closed"), systemFiles.stat(path)),
    };
    const saved = await rescue(root, ".", { files });
    expect(saved?.skipped).toEqual([
      { path: "closed/x", why: "no permission to look at it" },
      { path: "a.txt", why: "no permission to read it" },
    ]);
    expect(contentsOf(root, saved!.commit)).toEqual(
      new Map([
        ["a.txt", "100644 one\n"],
        ["b.txt", "100644 changed"],
        ["closed/x", "100644 x"],
      ]),
    );
  });

  it("C-03 more files than one batch arrive in full", async () => {
    const root = makeRepository(temporaryFolder());
    const count = limits.rescueBatchObjects * 2 + 7;
    for (let index = 0; index < count; index += 1) {
      put(join(root, `many/${index % 7}/${index}`), `${index}`);
    }
    put(join(root, "many/large"), "x".repeat(limits.rescueBatchBytes + 5));
    const saved = await rescue(root, "many");
    expect(saved).toMatchObject({ files: count + 1, skipped: [] });
    expect(gitBytes(root, ["ls-tree", "-r", saved!.commit]).toString().split("\n")).toHaveLength(
      count + 3,
    );
    git(root, "fsck", "--strict");
  });
});

describeWith({ platforms: ["linux", "darwin"] }, "a crash in the middle", () => {
  const run = async (root: string, claim: string, last: number) => {
    const { argv, env } = await bundleProgram(
      join(import.meta.dirname, "../helpers/rescue-worker.ts"),
    );
    const [program, file] = argv;
    const child = spawn(program, [file, root, claim, String(last)], {
      ...{ env, stdio: ["ignore", "pipe", "inherit"] },
    });
    const output: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => output.push(part));
    const [, signal] = await once(child, "close");
    return { signal: signal as string | null, calls: Number(Buffer.concat(output).toString()) };
  };

  it("C-03 leaves at most objects: the ref is whole or not there, the rest untouched", async () => {
    const root = makeRepository(temporaryFolder());
    for (let index = 0; index < 300; index += 1) put(join(root, `src/${index}`), `${index}\n`);
    git(root, "add", "src/1", "src/2");
    put(join(root, "src/1"), "changed after it was staged");
    const before = stateOf(root);
    const whole = await run(root, newId("claim"), -1);
    expect(whole.signal).toBeNull();
    const [complete = ""] = refsOf(root);
    const tree = git(root, "rev-parse", `${complete}^{tree}`);
    git(root, "update-ref", "-d", complete);
    git(root, "prune", "--expire=now");
    const claim = newId("claim");
    for (let last = 0; last < whole.calls; last += 1) {
      expect(await run(root, claim, last)).toMatchObject({ signal: "SIGKILL" });
      expect(stateOf(root)).toEqual(before);
      for (const ref of refsOf(root)) expect(git(root, "rev-parse", `${ref}^{tree}`)).toBe(tree);
      git(root, "fsck", "--strict", "--no-dangling");
    }
    const after = await rescue(root, "src", { claim });
    expect(after).toMatchObject({ ref: rescueRef(claim), files: 300 });
    expect(refsOf(root)).toEqual([rescueRef(claim)]);
  });
});
