import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { serveFolder } from "../../helpers/served-folders.ts";
import { pathWith } from "../../helpers/shim.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { arm, gitAs, headgateAs, install, read, write } from "./hooked-repository.ts";
import {
  openCheckout,
  servedCheckout,
  session,
  sharedCheckout,
  status,
} from "./shared-checkout.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const quiet = ["commit", "--quiet", "-m", "More"] as const;

/**
 * s1 has line 2, s2 line 5, s3 line 9. Most scenes have a server, as agents do; of each kind some have none
 * (`sharedCheckout`), and their hooks are processes of their own.
 */
const threeSessions = async (
  files: Record<string, string | Uint8Array> = {},
  prepare: (folder: string) => void = () => {},
  checkout = servedCheckout,
) => {
  const place = await checkout({ "f.txt": ten, ...files }, prepare);
  await place.swap("s1", "f.txt", "2\n", "two\n");
  await place.swap("s2", "f.txt", "5\n", "five\n");
  await place.swap("s3", "f.txt", "9\n", "nine\n");
  return place;
};
const mine = ten.replace("2\n", "two\n");
const both = mine.replace("5\n", "five\n");
const all = both.replace("9\n", "nine\n");

describe("N-10 plain git commits the session's own lines", () => {
  it.each([
    ["commit -a", ["commit", "--quiet", "-a", "-m", "More"], sharedCheckout],
    ["commit -- path", ["commit", "--quiet", "-m", "More", "--", "f.txt"], servedCheckout],
  ])("%s", async (_, args, checkout) => {
    const place = await threeSessions({}, undefined, checkout);
    const done = place.git("s1", ...args);
    expect(done.code).toBe(0);
    expect(done.stderr).toContain("left uncommitted: f.txt of claude:s2; f.txt of claude:s3");
    expect(place.head("f.txt")).toBe(mine);
    expect(read(place.folder, "f.txt")).toBe(all);
    expect(status(place)).toBe(" M f.txt\n");
  });

  it("git add -A in a folder below, each in turn, until all is committed", async () => {
    const place = await threeSessions({ "sub/g.txt": ten });
    await place.swap("s1", "sub/g.txt", "1\n", "one\n");
    await place.swap("s2", "sub/g.txt", "10\n", "last\n");
    git(place.folder, "add", "--all");
    const below = gitAs(session("s1"), join(place.folder, "sub"), quiet);
    expect(below.code).toBe(0);
    expect(place.head("f.txt")).toBe(mine);
    expect(place.head("sub/g.txt")).toBe(ten.replace("1\n", "one\n"));
    expect(status(place)).toBe(" M f.txt\n M sub/g.txt\n");
    expect(place.commitAll("s2").code).toBe(0);
    expect(place.head("f.txt")).toBe(both);
    expect(place.commitAll("s3").stderr).toBe("");
    expect(place.head("f.txt")).toBe(all);
    expect(status(place)).toBe("");
    expect(await place.authors("f.txt")).toEqual([]);
  });

  it("--amend of the own commit", async () => {
    const place = await threeSessions();
    expect(place.commitAll("s1").code).toBe(0);
    await place.swap("s1", "f.txt", "3\n", "three\n");
    expect(place.git("s1", "commit", "--quiet", "-a", "--amend", "--no-edit").code).toBe(0);
    expect(place.head("f.txt")).toBe(mine.replace("3\n", "three\n"));
    expect(git(place.folder, "rev-list", "--count", "HEAD")).toBe("4");
    expect(status(place)).toBe(" M f.txt\n");
    expect((await place.authors("f.txt")).toSorted()).toEqual(["claude:s2", "claude:s3"]);
  });
});

describe("N-09 what an edit holds", () => {
  it("ends for every session whose lines a commit took, and for no other", async () => {
    const place = await threeSessions();
    await using headgate = await openHeadgate({ repo: place.folder, actor: "test" });
    for (const [who, line] of [
      ["s1", 2],
      ["s2", 5],
      ["s3", 9],
    ] as const) {
      const targets = [`f.txt#lines:${line}`];
      await headgate.as(session(who)).claims.claim({ targets, mode: "edit" });
    }
    const holders = async () => (await headgate.claims.list()).claims.map(({ actor }) => actor);
    expect(place.commitAll("s1").code).toBe(0);
    expect(await holders()).toEqual(["claude:s2", "claude:s3"]);
    // A person's commit takes everything along.
    const all = gitAs("user:ada", place.folder, ["commit", "--quiet", "--all", "-m", "All"]);
    expect(all.stderr).toContain("took along");
    expect(await holders()).toEqual([]);
  });
});

describe("N-10 every kind of entry", () => {
  it("new, deleted, empty, binary and unfinished files, of mine and of others", async () => {
    const place = await sharedCheckout({
      ...{ "gone-mine.txt": ten, "gone-theirs.txt": ten, "mine.bin": Buffer.from([0, 1, 2]) },
      ...{
        "theirs.bin": Buffer.from([0, 1, 2]),
        "end.txt": "1\n2\n3\n4",
        "end2.txt": "1\n2\n3\n4\n",
      },
    });
    await place.edit("s1", "new-mine.txt", "mine\n");
    await place.edit("s2", "new-theirs.txt", "theirs\n");
    await place.edit("s1", "gone-mine.txt", undefined);
    await place.edit("s2", "gone-theirs.txt", undefined);
    await place.edit("s1", "empty-mine.txt", "");
    await place.edit("s2", "empty-theirs.txt", "");
    await place.edit("s1", "mine.bin", Buffer.from([0, 9]));
    await place.edit("s2", "theirs.bin", Buffer.from([0, 9]));
    await place.swap("s1", "end.txt", "1\n", "one\n");
    await place.swap("s2", "end.txt", "4", "4\n5");
    await place.swap("s1", "end2.txt", "3\n4\n", "3\n4");
    await place.swap("s2", "end2.txt", "1\n", "one\n");
    const done = place.commitAll("s1");
    expect(done.stderr).toContain("headgate: committed your lines only");
    expect(done.code).toBe(0);
    expect(git(place.folder, "show", "--format=", "--name-status", "HEAD").split("\n")).toEqual([
      "A\tempty-mine.txt",
      "M\tend.txt",
      "M\tend2.txt",
      "D\tgone-mine.txt",
      "M\tmine.bin",
      "A\tnew-mine.txt",
    ]);
    expect(place.head("end.txt")).toBe("one\n2\n3\n4");
    expect(place.head("end2.txt")).toBe("1\n2\n3\n4");
    expect(status(place).split("\n")).toEqual([
      " M end.txt",
      " M end2.txt",
      " D gone-theirs.txt",
      " M theirs.bin",
      "?? empty-theirs.txt",
      "?? new-theirs.txt",
      "",
    ]);
    expect(place.commitAll("s2").stderr).toBe("");
    expect(status(place)).toBe("");
    expect(place.head("end.txt")).toBe("one\n2\n3\n4\n5");
    expect(place.head("end2.txt")).toBe("one\n2\n3\n4");
  });

  it("a file that I moved while another had lines in it", async () => {
    const place = await servedCheckout({ "f.txt": ten });
    await place.swap("s2", "f.txt", "5\n", "five\n");
    // The client's hook asks for both files; the deletion waits for their lines, so s2 has gone by then.
    await place.end("s2");
    const text = read(place.folder, "f.txt");
    await place.edit("s1", "moved.txt", text);
    await place.edit("s1", "f.txt", undefined);
    expect(place.commitAll("s1").code).toBe(0);
    expect(status(place)).toBe("");
    expect(place.head("moved.txt")).toBe(text);
    expect(git(place.folder, "log", "-1", "--format=%B")).toContain("Headgate-Actor: claude:s2");
  });

  it("another adds lines to a file that I moved", async () => {
    const place = await servedCheckout({ "f.txt": ten });
    await place.edit("s1", "moved.txt", ten);
    await place.edit("s1", "f.txt", undefined);
    await place.edit("s2", "moved.txt", `0\n${ten}`);
    expect(place.commitAll("s1").code).toBe(0);
    expect(git(place.folder, "show", "-M", "--format=", "--name-status", "HEAD")).toBe(
      "R100\tf.txt\tmoved.txt",
    );
    expect(status(place)).toBe(" M moved.txt\n");
    expect(place.commitAll("s2").code).toBe(0);
  });

  it("executable bits, links and modules", async () => {
    const inner = makeRepository(join(temporaryFolder(), "inner"));
    const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner"];
    const place = await threeSessions({ "run.sh": "#!/bin/sh\n", "tool.sh": ten }, (folder) => {
      git(folder, ...add);
    });
    const at = (path: string) => join(place.folder, path);
    chmodSync(at("run.sh"), 0o755);
    chmodSync(at("f.txt"), 0o755);
    await place.swap("s2", "tool.sh", "5\n", "five\n");
    chmodSync(at("tool.sh"), 0o755);
    symlinkSync("f.txt", at("link"));
    git(at("inner"), "commit", "--quiet", "--allow-empty", "--message", "Moved");
    expect(place.commitAll("s1").code).toBe(0);
    const listed = git(place.folder, "ls-tree", "HEAD", "--format=%(objectmode) %(path)");
    // A bit, a link and a module have no lines: they go with whoever commits, unless all else is another's.
    expect(listed.split("\n")).toEqual(
      expect.arrayContaining(["100755 run.sh", "100755 f.txt", "100644 tool.sh", "120000 link"]),
    );
    expect(git(place.folder, "rev-parse", "HEAD:inner")).toBe(
      git(at("inner"), "rev-parse", "HEAD"),
    );
    expect(place.head("f.txt")).toBe(mine);
    expect(status(place)).toBe(" M f.txt\n M tool.sh\n");
    // `headgate commit` takes them as well.
    rmSync(at("link"));
    chmodSync(at("run.sh"), 0o644);
    symlinkSync("tool.sh", at("other"));
    git(at("inner"), "commit", "--quiet", "--allow-empty", "--message", "Again");
    const more = ["commit", "-m", "More", "--json"];
    const planned = headgateAs(session("s1"), place.folder, ...more, "--dry-run");
    const made = headgateAs(session("s1"), place.folder, ...more);
    const files = ["inner", "link", "other", "run.sh"].map((path) => ({
      path,
      hunks: 0,
      left: [],
    }));
    for (const done of [planned, made]) {
      expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, files: expect.any(Array) });
      const answer = JSON.parse(done.stdout) as { files: { path: string }[] };
      expect(answer.files.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(files);
    }
    expect(status(place)).toBe(" M f.txt\n M tool.sh\n");
    expect(git(place.folder, "ls-tree", "HEAD", "other", "run.sh")).toMatch(/^120000 .*\n100644 /);
    const none = headgateAs(session("s1"), place.folder, ...more, "--dry-run");
    expect([none.code, JSON.parse(none.stdout)]).toMatchObject([4, { code: "COMMIT_NOTHING" }]);
    expect(place.commitAll("s2").code).toBe(0);
    expect(git(place.folder, "ls-tree", "HEAD", "tool.sh")).toMatch(/^100755 /);
  });

  it.each([
    ["CRLF in git as well", {}, ["core.autocrlf", "false"], "\r\n"],
    ["core.autocrlf", {}, ["core.autocrlf", "true"], "\n"],
    ["core.autocrlf=input", {}, ["core.autocrlf", "input"], "\n"],
    ["eol=crlf", { ".gitattributes": "*.txt text eol=crlf\n" }, ["core.eol", "lf"], "\n"],
    ["-text", { ".gitattributes": "*.txt -text\n" }, ["core.autocrlf", "true"], "\r\n"],
  ])("line ends: %s", async (_, files, [key = "", value = ""], kept) => {
    const dos = ten.replaceAll("\n", "\r\n");
    const place = await servedCheckout({ ...files }, (folder) => {
      git(folder, "config", key, value);
      for (const [path, text] of Object.entries(files)) write(folder, path, String(text));
      write(folder, "f.txt", dos);
    });
    await place.swap("s1", "f.txt", "2\r\n", "two\r\n");
    await place.swap("s2", "f.txt", "5\r\n", "five\r\n");
    // An agent writes its line ends as it likes.
    await place.swap("s1", "f.txt", "8\r\n", "eight\n");
    const wanted = (text: string) => (kept === "\n" ? text.replaceAll("\r\n", "\n") : text);
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(
      wanted(dos.replace("2\r\n", "two\r\n").replace("8\r\n", "eight\n")),
    );
    expect(status(place)).toBe(" M f.txt\n");
    expect(await place.authors("f.txt")).toEqual(["claude:s2"]);
    expect(place.commitAll("s2").stderr.replaceAll(/^warning:.*\n/gm, "")).toBe("");
    expect(place.head("f.txt")).toBe(wanted(read(place.folder, "f.txt")));
    expect(status(place)).toBe("");
    expect(await place.authors("f.txt")).toEqual([]);
  });

  it("a file that a filter of the user keeps otherwise in git", async () => {
    const place = await servedCheckout({}, (folder) => {
      git(folder, "config", "filter.upper.clean", "tr a-z A-Z");
      git(folder, "config", "filter.upper.smudge", "tr A-Z a-z");
      write(folder, ".gitattributes", "*.low filter=upper\n");
      write(folder, "f.low", "a\nb\nc\nd\ne\nf\n");
      write(folder, "g.low", "a\nb\nc\nd\ne\nf\n");
    });
    expect(place.head("f.low")).toBe("A\nB\nC\nD\nE\nF\n");
    await place.swap("s1", "f.low", "b\n", "bb\n");
    expect(place.commitAll("s1")).toMatchObject({ code: 0, stderr: "" });
    expect(place.head("f.low")).toBe("A\nBB\nC\nD\nE\nF\n");
    expect(await place.authors("f.low")).toEqual([]);
    await place.swap("s1", "f.low", "bb\n", "bbb\n");
    await place.swap("s2", "f.low", "e\n", "ee\n");
    await place.swap("s2", "g.low", "e\n", "ee\n");
    expect(place.commitAll("s1").stderr).toContain("left uncommitted: f.low, g.low of claude:s2");
    expect(place.head("f.low")).toBe("A\nBBB\nC\nD\nE\nF\n");
    expect(place.head("g.low")).toBe("A\nB\nC\nD\nE\nF\n");
    expect(status(place)).toBe(" M f.low\n M g.low\n");
    expect(await place.authors("f.low")).toEqual(["claude:s2"]);
    // Nothing says from which lines git's form of it was made: it is not taken apart.
    await place.swap("s1", "f.low", "bbb\n", "b\n");
    git(place.folder, "config", "filter.upper.clean", "sed s/^/#/");
    const mixed = place.commitAll("s1");
    expect(mixed.code).toBe(1);
    expect(mixed.stderr).toContain("COMMIT_MIXED f.low");
  });
});

describe("N-10 every state of a repository", () => {
  it("the first commit of all", async () => {
    const folder = join(temporaryFolder(), "fresh");
    mkdirSync(folder);
    git(folder, "init", "--quiet", "--initial-branch=main");
    arm(folder);
    await install(folder);
    const place = await openCheckout(folder);
    await place.edit("s1", "f.txt", ten);
    await place.edit("s2", "g.txt", ten);
    await place.edit("s2", "f.txt", `0\n${ten}`);
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(ten);
    expect(place.head("g.txt")).toBe(undefined);
    expect(place.commitAll("s2").code).toBe(0);
    expect(place.head("f.txt")).toBe(`0\n${ten}`);
    expect(status(place)).toBe("?? .headgate/.gitignore\n");
  });

  it.each([
    ["a detached HEAD", (folder: string) => git(folder, "checkout", "--quiet", "--detach")],
    ["a split index", (folder: string) => git(folder, "config", "core.splitIndex", "true")],
    [
      "core.hooksPath",
      (folder: string) => {
        git(folder, "config", "core.hooksPath", ".git/other-hooks");
      },
    ],
    [
      "a sparse checkout",
      (folder: string) => {
        write(folder, "far/away.txt", ten);
        git(folder, "add", "--all");
        git(folder, "commit", "--quiet", "--message", "Far");
        git(folder, "sparse-checkout", "set", "near", ".headgate");
      },
    ],
  ])("%s", async (name, prepare) => {
    const place = await threeSessions({ "near/g.txt": ten }, prepare);
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(mine);
    expect(status(place)).toBe(" M f.txt\n");
    if (name.includes("sparse")) expect(place.head("far/away.txt")).toBe(ten);
    expect(place.git("s2", "commit", "--quiet", "-m", "Mine", "--", "f.txt").code).toBe(0);
    expect(place.head("f.txt")).toBe(both);
    expect(status(place)).toBe(" M f.txt\n");
  });

  it("a linked worktree has lines of its own", async () => {
    const place = await threeSessions();
    const other = join(place.folder, "../other");
    git(place.folder, "worktree", "add", "--quiet", other);
    const there = await openCheckout(other);
    await there.swap("s1", "f.txt", "3\n", "three\n");
    await there.swap("s2", "f.txt", "7\n", "seven\n");
    expect(there.commitAll("s1").code).toBe(0);
    expect(there.head("f.txt")).toBe(ten.replace("3\n", "three\n"));
    expect(status(there)).toBe(" M f.txt\n");
    expect(await place.authors("f.txt")).toHaveLength(3);
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(mine);
  });

  it("a merge and a cherry-pick keep what they bring, and leave others' lines", async () => {
    const place = await servedCheckout({ "f.txt": ten, "m.txt": "1\n", "n.txt": "1\n" });
    const { folder } = place;
    git(folder, "switch", "--quiet", "--create", "side");
    write(folder, "m.txt", "side\n");
    write(folder, "n.txt", "side\n");
    git(folder, "commit", "--quiet", "--no-verify", "-a", "--message", "Side");
    git(folder, "switch", "--quiet", "main");
    write(folder, "m.txt", "main\n");
    git(folder, "commit", "--quiet", "--no-verify", "-a", "--message", "Main");
    for (const bring of ["merge", "cherry-pick"]) {
      await place.swap("s2", "f.txt", "5\n", "five\n");
      expect(place.git("s1", bring, "side").code).toBe(1);
      await place.edit("s1", "m.txt", "both\n");
      expect(place.commitAll("s1").code).toBe(0);
      expect([place.head("m.txt"), place.head("n.txt")]).toEqual(["both\n", "side\n"]);
      expect(place.head("f.txt")).toBe(ten);
      expect(status(place)).toBe(" M f.txt\n");
      expect(await place.authors("f.txt")).toEqual(["claude:s2"]);
      await place.edit("s2", "f.txt", ten);
      git(folder, "reset", "--quiet", "--hard", "HEAD^1");
    }
  });

  it("a rebase of the own commits keeps others' lines where git lets it run", async () => {
    const place = await servedCheckout({ "f.txt": ten });
    await place.edit("s1", "g.txt", "1\n");
    await place.swap("s2", "f.txt", "5\n", "five\n");
    expect(place.commitAll("s1").code).toBe(0);
    expect(
      place.git("s1", "rebase", "--quiet", "--autostash", "--force-rebase", "HEAD~1").code,
    ).toBe(0);
    expect(read(place.folder, "f.txt")).toBe(ten.replace("5\n", "five\n"));
    expect(await place.authors("f.txt")).toEqual(["claude:s2"]);
    expect(place.commitAll("s2").stderr).toBe("");
    expect(place.head("f.txt")).toBe(ten.replace("5\n", "five\n"));
  });
});

const trailers = (folder: string): string[] =>
  git(folder, "log", "-1", "--format=%(trailers:key=Headgate-Actor,valueonly)").split("\n");

describe("N-02 lines written into others' lines", () => {
  it("a granted edit inside another's block takes exactly that edit along, and names its author", async () => {
    const place = await sharedCheckout({ "f.txt": ten });
    await place.swap("s1", "f.txt", "3\n", "a\nb\nc\n");
    await place.swap("s1", "f.txt", "9\n", "nine\n");
    await place.end("s1");
    await place.swap("s2", "f.txt", "b\n", "B\n");
    const done = place.commitAll("s2");
    expect(done.code).toBe(0);
    expect(done.stderr).toContain("needed lines of claude:s1 go along");
    expect(place.head("f.txt")).toBe(ten.replace("3\n", "a\nB\nc\n"));
    expect(trailers(place.folder)).toEqual(["claude:s2", "claude:s1"]);
    expect((await place.notices("s1")).at(-1)).toMatch(
      /^commit \w{10} of claude:s2 took your uncommitted lines along$/,
    );
    expect(await place.authors("f.txt")).toEqual(["claude:s1"]);
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(read(place.folder, "f.txt"));
    expect(trailers(place.folder)).toEqual([""]);
  });

  it("a deletion of another's line goes with it, once", async () => {
    const place = await servedCheckout({ "f.txt": ten });
    await place.swap("s1", "f.txt", "3\n", "a\nb\nc\n");
    await place.end("s1");
    await place.swap("s2", "f.txt", "b\n", "");
    expect(place.commitAll("s2").code).toBe(0);
    expect(place.head("f.txt")).toBe(ten.replace("3\n", "a\nc\n"));
    expect(status(place)).toBe("");
    await place.swap("s2", "f.txt", "9\n", "nine\n");
    expect(place.commitAll("s2")).toMatchObject({ code: 0, stderr: "" });
    expect(place.head("f.txt")).toBe(ten.replace("3\n", "a\nc\n").replace("9\n", "nine\n"));
  });

  it("a name that only another's lines define comes along; nothing else of theirs does", async () => {
    const code =
      "export function one(): number {\n  return 1;\n}\n\n// middle\n\nexport function two(): number {\n  return 2;\n}\n";
    const place = await servedCheckout({ "n.ts": code });
    await place.swap(
      "s1",
      "n.ts",
      "// middle\n",
      "// middle\nexport function needed(): number {\n  return 3;\n}\n",
    );
    await place.swap("s1", "n.ts", "return 1", "return 10");
    await place.swap("s2", "n.ts", "return 2", "return needed()");
    const done = place.commitAll("s2");
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringContaining("needed lines of claude:s1 go along"),
    ]);
    expect(place.head("n.ts")).toContain("needed(): number");
    expect(place.head("n.ts")).toContain("return 1;");
    expect(trailers(place.folder)).toEqual(["claude:s2", "claude:s1"]);
    expect(place.commitAll("s1").code).toBe(0);
    expect(status(place)).toBe("");
  });

  it("half of a replacement, a doubled import and a body that is another's are never committed", async () => {
    const place = await sharedCheckout({
      "r.py":
        "import os\n\n\ndef f():\n    try:\n        g()\n    except ValueError:\n        pass\n\n\ndef g():\n    return os\n",
    });
    // Without a Python on the path, whose whole library would be read for its names.
    await serveFolder(place.folder, { PATH: pathWith("git") });
    // s1 makes the handler another one; s2 takes `pass` away because of a line of s1.
    await place.swap("s1", "r.py", "        pass\n", "        pass\n        log()\n");
    await place.swap("s1", "r.py", "import os\n", "import os\nimport sys\n");
    await place.swap("s1", "r.py", "def f():\n", "def f():  # later\n");
    await place.end("s1");
    await place.swap("s2", "r.py", "        pass\n", "");
    await place.swap("s2", "r.py", "    return os\n", "    return sys\n");
    const done = place.commitAll("s2");
    expect(done.code).toBe(0);
    expect(place.head("r.py")).toContain("except ValueError:\n        log()\n");
    expect(place.head("r.py")).not.toContain("# later");
    expect(place.head("r.py")?.match(/import sys/g)).toHaveLength(1);
  });

  it("broken alone and with theirs is refused", async () => {
    const code =
      "export function one(): number {\n  return 1;\n}\n\n// middle\n\nexport function two(): number {\n  return 2;\n}\n";
    const place = await servedCheckout({ "n.ts": code });
    const head = git(place.folder, "rev-parse", "HEAD");
    await place.swap("s1", "n.ts", "return 1", "return 10");
    await place.swap("s2", "n.ts", "return 2", "return (2");
    const done = place.commitAll("s2");
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("refused this git commit: SYNTAX_ERROR n.ts");
    expect(git(place.folder, "rev-parse", "HEAD")).toBe(head);
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("n.ts")).toBe(code.replace("return 1", "return 10"));
  });
});

describe("N-10 staging by hand, nothing own, lines of nobody, people", () => {
  it("a part that was staged by hand is refused beside others' lines, and passes without", async () => {
    const place = await threeSessions({ "own.txt": ten });
    await place.swap("s1", "f.txt", "7\n", "seven\n");
    await place.swap("s1", "own.txt", "1\n", "one\n");
    await place.swap("s1", "own.txt", "10\n", "last\n");
    const stage = (path: string, content: string) => {
      write(place.folder, "../part", content);
      const name = git(place.folder, "hash-object", "-w", "../part");
      git(place.folder, "update-index", "--cacheinfo", `100644,${name},${path}`);
    };
    stage("f.txt", mine);
    const done = place.git("s1", ...quiet);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("COMMIT_PARTIAL f.txt");
    git(place.folder, "reset", "--quiet");
    stage("own.txt", ten.replace("1\n", "one\n"));
    expect(place.git("s1", ...quiet)).toMatchObject({ code: 0, stderr: "" });
    expect(place.head("own.txt")).toBe(ten.replace("1\n", "one\n"));
    expect(status(place)).toBe(" M f.txt\n M own.txt\n");
    expect(await place.authors("own.txt")).toEqual(["claude:s1"]);
  });

  it("nothing of mine: refused, and the files stay as they are", async () => {
    const place = await servedCheckout({ "f.txt": ten });
    await place.swap("s2", "f.txt", "5\n", "five\n");
    const done = place.commitAll("s1");
    expect(done.code).toBe(1);
    expect(done.stderr).toContain("COMMIT_NOTHING f.txt");
    expect(read(place.folder, "f.txt")).toBe(ten.replace("5\n", "five\n"));
    expect(place.commitAll("s2")).toMatchObject({ code: 0, stderr: "" });
  });

  it("lines of nobody go along when no other session is at work, and are left and named otherwise", async () => {
    const place = await servedCheckout({ "f.txt": ten });
    await place.swap("s1", "f.txt", "2\n", "two\n");
    await place.swap("s2", "f.txt", "5\n", "five\n");
    write(place.folder, "f.txt", read(place.folder, "f.txt").replace("9\n", "nine\n"));
    const done = place.commitAll("s1");
    expect(done.stderr).toContain("f.txt of an unknown author (--with unknown)");
    expect(place.head("f.txt")).toBe(mine);
    await place.end("s1");
    expect(place.commitAll("s2").code).toBe(0);
    expect(place.head("f.txt")).toBe(all);
  });

  it("a person commits what is staged, hears whose lines went along, and they are settled", async () => {
    const place = await threeSessions();
    git(place.folder, "add", "--all");
    const done = gitAs("user:ada", place.folder, quiet);
    expect(done.code).toBe(0);
    expect(done.stderr).toContain(
      "this commit took along lines of claude:s1, claude:s2, claude:s3",
    );
    for (const who of ["s1", "s2", "s3"]) {
      const said = (await place.notices(who)).filter((text) => text.includes("of user:ada took"));
      expect(said).toHaveLength(1);
    }
    expect(place.head("f.txt")).toBe(all);
    expect(await place.authors("f.txt")).toEqual([]);
    expect(status(place)).toBe("");
  });
});

const hookText = (lines: string): string => `#!/bin/sh\n${lines}\n`;
const userHook = (name: string, lines: string) => (folder: string) => {
  write(folder, `.git/hooks/${name}`, hookText(lines));
  chmodSync(join(folder, ".git/hooks", name), 0o755);
};

describe("N-10 other programs at the same commit", () => {
  it.each([
    ["pre-commit", sharedCheckout],
    ["prepare-commit-msg", servedCheckout],
  ])(
    "a %s hook that stages whole files brings no line of others into the commit",
    async (name, checkout) => {
      const place = await threeSessions({}, userHook(name, "git add f.txt"), checkout);
      const done = place.commitAll("s1");
      expect(done.code).toBe(0);
      expect(place.head("f.txt")).toBe(mine);
      expect(status(place)).toBe(" M f.txt\n");
    },
  );

  it.each([
    ["a branch", () => {}],
    ["no branch", (folder: string) => void git(folder, "checkout", "--quiet", "--detach")],
  ])("on %s, lines of others that come in after our last look are refused", async (_, prepare) => {
    const place = await threeSessions({}, (folder) => {
      // A program that knows the index, while the user's hooks run.
      const stage = `GIT_INDEX_FILE=.git/index git -C '${folder}' add f.txt`;
      userHook("prepare-commit-msg", "true")(folder);
      userHook("pre-commit", stage)(folder);
      prepare(folder);
    });
    const head = git(place.folder, "rev-parse", "HEAD");
    const done = place.commitAll("s1");
    expect(done.code).not.toBe(0);
    expect(done.stderr).toContain("Headgate refused this git commit: COMMIT_CHANGED f.txt");
    expect(git(place.folder, "rev-parse", "HEAD")).toBe(head);
    expect(await place.authors("f.txt")).toEqual(["claude:s1", "claude:s2", "claude:s3"]);
  });

  it("a formatter that stages what it made of the staged file is not refused for ever", async () => {
    const formatter = [
      "git show :f.txt | sed 's/^two$/TWO/' >.git/formatted",
      "name=$(git hash-object -w .git/formatted)",
      'git update-index --cacheinfo "100644,$name,f.txt"',
    ].join("\n");
    const place = await threeSessions({}, userHook("pre-commit", formatter));
    const done = place.commitAll("s1");
    expect([done.code, place.head("f.txt")]).toEqual([0, ten.replace("2\n", "TWO\n")]);
  });

  it("a commit that is killed half way leaves lines with their authors, and the next one goes on", async () => {
    const place = await threeSessions(
      {},
      userHook("commit-msg", "[ ! -e .git/wild ] || kill -9 $PPID"),
      sharedCheckout,
    );
    write(place.folder, ".git/wild", "");
    const killed = place.commitAll("s1");
    expect(killed.code).not.toBe(0);
    expect(read(place.folder, "f.txt")).toBe(all);
    expect(await place.authors("f.txt")).toEqual(["claude:s1", "claude:s2", "claude:s3"]);
    rmSync(join(place.folder, ".git/wild"));
    rmSync(join(place.folder, ".git/index.lock"), { force: true });
    expect(place.commitAll("s2").code).toBe(0);
    expect(place.head("f.txt")).toBe(ten.replace("5\n", "five\n"));
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(both);
    expect(status(place)).toBe(" M f.txt\n");
  });

  it("a commit whose last hook never ran is known by the next one", async () => {
    const place = await threeSessions();
    git(place.folder, "add", "--all");
    // Past the branch, but the hook after it was killed.
    const env = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.hooksPath",
      GIT_CONFIG_VALUE_0: "none",
    };
    const whole = read(place.folder, "f.txt");
    write(place.folder, "../part", mine);
    const name = git(place.folder, "hash-object", "-w", "../part");
    git(place.folder, "update-index", "--cacheinfo", `100644,${name},f.txt`);
    expect(gitAs(session("s1"), place.folder, quiet, env).code).toBe(0);
    expect(read(place.folder, "f.txt")).toBe(whole);
    expect(place.commitAll("s2").code).toBe(0);
    expect(place.head("f.txt")).toBe(both);
    expect(await place.authors("f.txt")).toEqual(["claude:s3"]);
  });
});

describe("E-23 an open end in one file", () => {
  it("E-23 N-10 the refusal names the line that commits the other files, and it works", async () => {
    const place = await servedCheckout({
      "a.ts": "export class A {\n  f() {}\n}\n",
      "it's.txt": "1\n",
    });
    await place.swap("s1", "a.ts", "f() {}", "f() {\n    this.notThereYet();\n  }");
    await place.swap("s1", "it's.txt", "1\n", "one\n");
    const refused = place.commitAll("s1");
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("CALL_UNKNOWN a.ts"),
    ]);
    const line = /To commit the other files now: git (commit .*)$/m.exec(refused.stderr)?.[1];
    expect(line).toBe(`commit -m "…" -- ':(top)' ':(exclude,top)a.ts'`);
    const rest = place.git("s1", "commit", "-qm", "Rest", "--", ":(top)", ":(exclude,top)a.ts");
    expect([rest.code, rest.stderr]).toEqual([0, expect.any(String)]);
    expect(place.head("it's.txt")).toBe("one\n");
    expect(place.head("a.ts")).not.toContain("notThereYet");
    expect(read(place.folder, "a.ts")).toContain("notThereYet");
    await place.swap("s1", "a.ts", "this.notThereYet();", "this.f();");
    expect(place.commitAll("s1").code).toBe(0);
    expect(status(place)).toBe("");
  });
});
