import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { serveFolder } from "../../helpers/served-folders.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import {
  arm,
  eventsOf,
  gitAs,
  gitAsync,
  headgateAs,
  heldBy,
  hookedRepository,
  install,
  read,
  servedRepository,
  twoFunctions,
  write,
} from "./hooked-repository.ts";

// Of each kind one scene has no server, and its hooks are processes of their own.

const commitAll = (actor: string, folder: string, env: Record<string, string> = {}) => {
  git(folder, "add", "--all");
  return gitAs(actor, folder, ["commit", "--quiet", "--message", "More"], env);
};

const headOf = (folder: string) => git(folder, "rev-parse", "HEAD");

const oneMore = `${twoFunctions}\nexport function three(): number {\n  return 3;\n}\n`;
const duplicate = `${twoFunctions}\nexport function two(): number {\n  return 22;\n}\n`;

describe("E-04 a commit passes the same gate", () => {
  it("lets an ordinary commit through in silence, and the log knows it", async () => {
    const folder = await hookedRepository();
    write(folder, "code.ts", oneMore);
    expect(commitAll("ada", folder)).toEqual({ code: 0, stdout: "", stderr: "" });
    const [made] = eventsOf(folder, "commit.made");
    expect(made).toMatchObject({ actor: "ada", subject: headOf(folder), data: { count: 1 } });
    expect(eventsOf(folder, "commit.unjudged")).toEqual([]);
    expect(heldBy("ada", folder)).toEqual([]);
  });

  it("refuses a duplicate that is staged, though the working tree has none", async () => {
    const folder = await servedRepository();
    const head = headOf(folder);
    write(folder, "code.ts", duplicate);
    git(folder, "add", "--all");
    write(folder, "code.ts", twoFunctions);
    const { code, stderr } = gitAs("ada", folder, ["commit", "--message", "Bad"]);
    expect(code).toBe(1);
    const lines = stderr.split("\n");
    expect(lines[0]).toBe("Headgate refused this git commit: DUPLICATE_SYMBOL code.ts#two:9");
    expect(JSON.parse(stderr.match(/^headgate: (\{.*\})$/m)![1]!)).toEqual({
      code: "DUPLICATE_SYMBOL",
      path: "code.ts",
      line: 9,
      symbol: "two",
    });
    expect(headOf(folder)).toBe(head);
    expect(eventsOf(folder, "gate.refused")).toMatchObject([
      { actor: "ada", data: { code: "DUPLICATE_SYMBOL", path: "code.ts", tool: "git commit" } },
    ]);
  });

  it("does not look at what is only in the working tree", async () => {
    const folder = await servedRepository();
    write(folder, "code.ts", oneMore);
    git(folder, "add", "--all");
    write(folder, "code.ts", duplicate);
    write(folder, "broken.ts", "export function (");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--message", "Fine"]).stderr).toBe("");
    // What was judged is what was committed.
    expect(eventsOf(folder, "commit.unjudged")).toEqual([]);
  });

  it("E-08 refuses a call of something that only an unstaged file defines", async () => {
    const folder = await servedRepository();
    write(folder, "helper.ts", "export function helpOut(): number {\n  return 1;\n}\n");
    write(
      folder,
      "code.ts",
      `import { helpOut } from "./code.ts";\n${oneMore.replace("return 3", "return neverDefinedAnywhere()")}`,
    );
    git(folder, "add", "code.ts");
    write(
      folder,
      "helper.ts",
      "export function neverDefinedAnywhere(): number {\n  return 1;\n}\n",
    );
    const { code, stderr } = gitAs("ada", folder, ["commit", "--message", "Bad"]);
    expect(code).toBe(1);
    expect(stderr).toContain("CALL_UNKNOWN code.ts");
    git(folder, "add", "helper.ts");
    write(
      folder,
      "code.ts",
      read(folder, "code.ts")
        .replace("helpOut", "neverDefinedAnywhere")
        .replace("./code.ts", "./helper.ts"),
    );
    git(folder, "add", "code.ts");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--message", "Good"]).stderr).toBe("");
  });

  it("E-18 refuses an import of a file that is not committed, and an export that the commit still imports", async () => {
    const folder = await servedRepository();
    write(
      folder,
      "use.ts",
      'import { two } from "./code.ts";\nimport { pay } from "./pay.ts";\npay(two());\n',
    );
    write(folder, "pay.ts", "export const pay = (sum: number) => sum;\n");
    git(folder, "add", "use.ts");
    const early = gitAs("ada", folder, ["commit", "--message", "Bad"]);
    expect(early.code).toBe(1);
    expect(early.stderr).toContain("IMPORT_UNKNOWN use.ts:2");
    git(folder, "add", "pay.ts");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--message", "Good"]).stderr).toBe("");
    write(folder, "code.ts", twoFunctions.replace("function two", "function second"));
    git(folder, "add", "code.ts");
    const removed = gitAs("ada", folder, ["commit", "--message", "Bad"]);
    expect(removed.code).toBe(1);
    expect(removed.stderr).toContain("SYMBOL_REMOVED code.ts#two");
    expect(removed.stderr).toContain("use.ts:1");
  });

  it("takes the first commit, moved, deleted, linked and binary files, and partial commits", async () => {
    const folder = join(temporaryFolder(), "fresh");
    mkdirSync(folder);
    git(folder, "init", "--quiet", "--initial-branch=main");
    arm(folder);
    await install(folder);
    await serveFolder(folder);
    write(folder, "code.ts", twoFunctions);
    write(folder, "image.png", Buffer.from([0x89, 0x50, 0, 1, 2, 255]));
    symlinkSync("/etc/passwd", join(folder, "link"));
    expect(commitAll("ada", folder).stderr).toBe("");
    renameSync(join(folder, "code.ts"), join(folder, "moved.ts"));
    rmSync(join(folder, "link"));
    symlinkSync("moved.ts", join(folder, "other"));
    expect(commitAll("ada", folder).stderr).toBe("");
    // Only the named file is committed, through an index of its own; the staged rest stays out.
    write(folder, "moved.ts", oneMore);
    write(folder, "bad.ts", "function x() {}\nfunction x() {}\nclass y {}\nclass y {}\n");
    git(folder, "add", "bad.ts");
    expect(gitAs("ada", folder, ["commit", "--quiet", "-m", "Part", "--", "moved.ts"]).stderr).toBe(
      "",
    );
    expect(git(folder, "show", "--name-only", "--format=", "HEAD")).toBe("moved.ts");
    expect(gitAs("ada", folder, ["commit", "-m", "Part", "--", "bad.ts"]).stderr).toContain(
      "DUPLICATE_SYMBOL bad.ts",
    );
    expect(eventsOf(folder, "commit.unjudged")).toEqual([]);
  });

  it("judges an amended commit by what is added to it", async () => {
    const folder = await servedRepository();
    write(folder, "code.ts", oneMore);
    commitAll("ada", folder);
    write(folder, "b.txt", "b\n");
    git(folder, "add", "--all");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--amend", "--no-edit"]).stderr).toBe("");
    expect(eventsOf(folder, "commit.unjudged")).toEqual([]);
  });

  it("leaves out of a merge what came from the other side, and judges what is new in it", async () => {
    const folder = await servedRepository();
    git(folder, "switch", "--quiet", "--create", "side");
    write(folder, "code.ts", twoFunctions.replace("return 1", "return 10"));
    // Committed where nobody judged it.
    write(folder, "legacy.ts", "class y {}\nclass y {}\n");
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--no-verify", "--message", "Side");
    git(folder, "switch", "--quiet", "main");
    write(folder, "code.ts", twoFunctions.replace("return 1", "return 11"));
    commitAll("ada", folder);
    expect(gitAs("ada", folder, ["merge", "side"]).code).toBe(1);
    git(folder, "add", "--all");
    const marked = gitAs("ada", folder, ["commit", "--no-edit"]);
    expect(marked.stderr).toMatch(/refused this git commit: (MERGE_MARKER|SYNTAX_ERROR) code\.ts/);
    expect(marked.stderr).not.toContain("legacy.ts");
    write(folder, "code.ts", twoFunctions.replace("return 1", "return 12"));
    git(folder, "add", "--all");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--no-edit"]).stderr).toBe("");
  });

  it("takes a submodule as a path and nothing more", async () => {
    const folder = await servedRepository();
    const inner = makeRepository(join(temporaryFolder(), "inner"));
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "inner");
    expect(commitAll("ada", folder).stderr).toBe("");
  });

  it("refuses Headgate's own local files", async () => {
    const folder = await servedRepository();
    write(folder, ".headgate/local/runtime", "x\n");
    git(folder, "add", "--force", ".headgate/local/runtime");
    expect(gitAs("ada", folder, ["commit", "--message", "Bad"]).stderr).toContain(
      "git tracks .headgate/local",
    );
  });
});

describe("E-04 claims at the commit", () => {
  it("refuses what another holds, lets pass what it does not", async () => {
    const folder = await servedRepository();
    expect(headgateAs("bob", folder, "claim", "code.ts#two").code).toBe(0);
    write(folder, "code.ts", twoFunctions.replace("return 1", "return 10"));
    expect(commitAll("ada", folder).stderr).toBe("");
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 20"));
    const { code, stderr } = commitAll("ada", folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Headgate refused this git commit: CLAIM_CONFLICT code\.ts#two\n/);
    expect(stderr).toContain("bob");
    // The holder itself, and a sub-agent's session, may.
    expect(commitAll("bob", folder).stderr).toBe("");
  });

  it("knows deleted and moved files as held, too", async () => {
    const folder = await hookedRepository();
    headgateAs("bob/tests", folder, "claim", "code.ts#two");
    renameSync(join(folder, "code.ts"), join(folder, "moved.ts"));
    expect(commitAll("ada", folder).stderr).toContain("CLAIM_CONFLICT code.ts");
    expect(commitAll("bob", folder).stderr).toBe("");
  });

  it("one commit at a time: @git/index of another refuses, the own one stays", async () => {
    const folder = await servedRepository();
    headgateAs("bob", folder, "claim", "@git/index", "--reason", "a rebase");
    write(folder, "b.txt", "b\n");
    const { code, stderr } = commitAll("ada", folder);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Headgate refused this git commit: CLAIM_CONFLICT @git\/index\n/);
    expect(stderr).toContain("a rebase");
    expect(commitAll("bob", folder).stderr).toBe("");
    expect(heldBy("bob", folder)).toEqual(["@git/index"]);
    expect(eventsOf(folder, "commit.unjudged")).toEqual([]);
  });

  it("a commit that is given up leaves nothing claimed", async () => {
    const folder = await servedRepository();
    write(folder, "b.txt", "b\n");
    git(folder, "add", "--all");
    const given = gitAs("ada", folder, ["commit"], { GIT_EDITOR: "true" });
    expect(given.stderr).toContain("empty commit message");
    expect(commitAll("bob", folder).stderr).toBe("");
  });

  it("asking by hand claims nothing", async () => {
    const folder = await hookedRepository();
    write(folder, "code.ts", duplicate);
    git(folder, "add", "--all");
    const { code, stderr } = headgateAs("ada", folder, "git-hook", "pre-commit");
    expect(code).toBe(2);
    expect(stderr).toContain("DUPLICATE_SYMBOL");
    write(folder, "code.ts", oneMore);
    git(folder, "add", "--all");
    expect(headgateAs("ada", folder, "git-hook", "pre-commit")).toMatchObject({ code: 0 });
    // As runs, overrides and `headgate commit` do it, which have an index of their own.
    expect(gitAs("ada", folder, ["hook", "run", "pre-commit"])).toMatchObject({ code: 0 });
    expect(eventsOf(folder, "claim.granted")).toEqual([]);
    expect(heldBy("ada", folder)).toEqual([]);
  });

  it("while a message is being written, this worktree's index is taken, and no other", async () => {
    const folder = await servedRepository();
    const other = join(folder, "../other");
    git(folder, "worktree", "add", "--quiet", other);
    write(folder, "ada.txt", "ada\n");
    git(folder, "add", "--all");
    const editor = join(folder, "../editor");
    write(
      folder,
      "../editor",
      '#!/bin/sh\n: >"$0.begun"\nwhile [ ! -e "$0.done" ]; do sleep 0.1; done\necho ada >"$1"\n',
    );
    execFileSync("chmod", ["+x", editor]);
    const writing = gitAsync("ada", folder, ["commit", "--quiet"], { GIT_EDITOR: editor });
    const turns = () => eventsOf(folder, "claim.granted").map(({ data }) => data["target"]);
    await expect.poll(() => existsSync(`${editor}.begun`)).toBe(true);
    expect(turns()).toEqual(["@git/index", expect.stringMatching(/^name:git-index\//)]);
    expect(headgateAs("bob", folder, "claim", "@git/index").code).toBe(1);
    write(other, "bob.txt", "bob\n");
    expect(commitAll("bob", other).stderr).toBe("");
    write(folder, "../editor.done", "");
    expect(await writing).toBe(0);
    expect(headgateAs("bob", folder, "claim", "@git/index").code).toBe(0);
  });

  it("gives back claims on files that are finished, keeps those on dirty ones and on folders", async () => {
    const folder = await servedRepository();
    write(folder, "src/b.ts", "export const b = 1;\n");
    headgateAs("ada", folder, "claim", "code.ts#two", "a.txt", "src/");
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 20"));
    write(folder, "a.txt", "two\n");
    git(folder, "add", "--all");
    write(folder, "a.txt", "three\n");
    expect(gitAs("ada", folder, ["commit", "--quiet", "-m", "More"]).stderr).toBe("");
    expect(heldBy("ada", folder).toSorted()).toEqual(["a.txt", "src"]);
  });

  it("C-12 linked worktrees have the same hooks and the same claims", async () => {
    const folder = await servedRepository();
    const other = join(folder, "../other");
    git(folder, "worktree", "add", "--quiet", other);
    headgateAs("bob", folder, "claim", "code.ts");
    write(other, "code.ts", oneMore);
    expect(commitAll("ada", other).stderr).toContain("CLAIM_CONFLICT code.ts");
    write(other, "code.ts", twoFunctions);
    write(other, "c.txt", "c\n");
    expect(commitAll("ada", other).stderr).toBe("");
  });
});

describe("passing on purpose, and past the gate", () => {
  it("HEADGATE_BYPASS passes and is recorded with its reason", async () => {
    const folder = await hookedRepository();
    write(folder, "code.ts", duplicate);
    const { code, stderr } = commitAll("ada", folder, { HEADGATE_BYPASS: "hot fix \u001b[31m" });
    expect(code).toBe(0);
    expect(stderr).toContain("passed by HEADGATE_BYPASS (hot fix \\u001b[31m)");
    expect(eventsOf(folder, "gate.bypassed")).toMatchObject([
      { actor: "ada", data: { reason: "hot fix \u001b[31m", tool: "git commit" } },
    ]);
    expect(eventsOf(folder, "gate.refused")).toEqual([]);
  });

  it("B12 --no-verify is noticed afterwards, and judged then", async () => {
    const folder = await hookedRepository();
    write(folder, "code.ts", duplicate);
    git(folder, "add", "--all");
    const { code, stderr } = gitAs("ada", folder, [
      "commit",
      "--quiet",
      "--no-verify",
      "-m",
      "Past",
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("was not judged before it was made");
    expect(eventsOf(folder, "commit.unjudged")).toMatchObject([
      {
        actor: "ada",
        subject: headOf(folder),
        data: { code: "DUPLICATE_SYMBOL", path: "code.ts" },
      },
    ]);
  });

  it("G3 --no-verify does not reach the branch while another holds the file", async () => {
    const folder = await servedRepository();
    const head = headOf(folder);
    headgateAs("bob", folder, "claim", "code.ts#two");
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 20"));
    git(folder, "add", "--all");
    const { code, stderr } = gitAs("ada", folder, ["commit", "--no-verify", "-m", "Past"]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      "Headgate refused this change of a branch: CLAIM_CONFLICT code.ts#two",
    );
    expect(headOf(folder)).toBe(head);
    write(folder, "code.ts", twoFunctions.replace("return 1", "return 10"));
    git(folder, "add", "--all");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--no-verify", "-m", "Past"]).code).toBe(0);
  });

  it.each([
    ["is judged as well", "", []],
    [
      "makes a commit that was not judged, where it ends otherwise",
      "trap true EXIT\n",
      [{ data: { count: 2 } }],
    ],
  ])("a hook that stages more after us %s", async (_, first, unjudged) => {
    const folder = await servedRepository((place) => {
      const text = `#!/bin/sh\n${first}echo more >>a.txt\ngit add a.txt\n`;
      write(place, ".git/hooks/pre-commit", text);
      execFileSync("chmod", ["+x", join(place, ".git/hooks/pre-commit")]);
    });
    write(folder, "b.txt", "b\n");
    expect(commitAll("ada", folder).stderr).toBe("");
    expect(eventsOf(folder, "commit.unjudged")).toMatchObject(unjudged);
  });
});
