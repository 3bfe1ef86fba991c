import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../../helpers/git-repository.ts";
import { serveFolder } from "../../helpers/served-folders.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { arm, environmentOf, headgateAs, install, read, write } from "./hooked-repository.ts";
import {
  openCheckout,
  servedCheckout,
  type SharedCheckout,
  session,
  sharedCheckout,
  status,
} from "./shared-checkout.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const mine = ten.replace("2\n", "TWO\n");
const theirs = mine.replace("5\n", "five\n");

/** The user's formatter, in whatever folder git looks for hooks. */
const formatter = (folder: string, hooks = ".git/hooks"): void => {
  const lines = ["pwd -P >>$(git rev-parse --git-common-dir)/ran", "sed -i s/^two/TWO/ f.txt"];
  write(folder, `${hooks}/pre-commit`, `#!/bin/sh\n${lines.join("\n")}\ngit add f.txt\n`);
  chmodSync(join(folder, hooks, "pre-commit"), 0o755);
};

/** Beside lines of s2, s1's line is committed as its formatter has it, and s2's stays. */
const expectOwnPart = async (
  place: SharedCheckout,
  commit: (place: SharedCheckout) => { readonly code: number | null; readonly stderr: string },
): Promise<void> => {
  await place.swap("s1", "f.txt", "2\n", "two\n");
  await place.swap("s2", "f.txt", "5\n", "five\n");
  const done = commit(place);
  expect(done.code, done.stderr).toBe(0);
  expect(place.head("f.txt")).toBe(mine);
  expect(read(place.folder, "f.txt")).toBe(theirs);
  expect(await place.authors("f.txt")).toEqual(["claude:s2"]);
  const common = git(place.folder, "rev-parse", "--path-format=absolute", "--git-common-dir");
  expect(read(common, "ran").trimEnd().split("\n").at(-1)).toContain("/headgate-scratch/");
};

/** The second scene has a server in the first way and none in the other; the first scene the other way round. */
const ways = [
  ["git commit", (place: SharedCheckout) => place.commitAll("s1"), false],
  [
    "headgate commit",
    ({ folder }: SharedCheckout) => headgateAs(session("s1"), folder, "commit", "-m", "More"),
    true,
  ],
] as const;

describe.each(ways)(
  "N-10 %s, with hooks of the user, in every state of a repository",
  (_, commit, isFirstServed) => {
    it("a detached HEAD, a split index, a sparse checkout, core.hooksPath, a module, an LFS pointer, a mode", async () => {
      const inner = makeRepository(join(temporaryFolder(), "inner"));
      const checkout = isFirstServed ? servedCheckout : sharedCheckout;
      const place = await checkout({}, (folder) => {
        const set = (key: string, value: string) => git(folder, "config", key, value);
        git(
          folder,
          "-c",
          "protocol.file.allow=always",
          "submodule",
          "--quiet",
          "add",
          inner,
          "inner",
        );
        set("filter.lfs.clean", "sed 's/^content/pointer/'");
        set("filter.lfs.smudge", "sed 's/^pointer/content/'");
        write(folder, ".gitattributes", "*.bin filter=lfs\n");
        write(folder, "large.bin", "content 1\n");
        write(folder, "far/away.txt", ten);
        write(folder, "f.txt", ten);
        write(folder, "run.sh", "#!/bin/sh\n");
        git(folder, "add", "--all");
        git(folder, "commit", "--quiet", "--message", "All");
        git(folder, "checkout", "--quiet", "--detach");
        set("core.splitIndex", "true");
        git(folder, "sparse-checkout", "set", "near", ".headgate");
        set("core.hooksPath", ".git/other-hooks");
        formatter(folder, ".git/other-hooks");
      });
      const { folder } = place;
      await place.edit("s1", "large.bin", "content 2\n");
      await place.edit("s1", "run.sh", "#!/bin/sh\ntrue\n");
      chmodSync(join(folder, "run.sh"), 0o755);
      await expectOwnPart(place, commit);
      expect(place.head("large.bin")).toBe("pointer 2\n");
      expect(read(folder, "large.bin")).toBe("content 2\n");
      expect(place.head("far/away.txt")).toBe(ten);
      expect(existsSync(join(folder, "far/away.txt"))).toBe(false);
      expect(git(folder, "ls-tree", "HEAD", "run.sh")).toMatch(/^100755 /);
      expect(git(folder, "ls-tree", "HEAD", "inner")).toMatch(/^160000 /);
      expect(spawnSync("git", ["symbolic-ref", "HEAD"], { cwd: folder }).status).not.toBe(0);
      expect(status(place)).toBe(" M f.txt\n");
      expect(place.commitAll("s2").code).toBe(0);
      expect(status(place)).toBe("");
    });

    it("the first commit of all, in a linked worktree's repository too", async () => {
      const folder = join(temporaryFolder(), "fresh");
      mkdirSync(folder);
      git(folder, "init", "--quiet", "--initial-branch=main");
      arm(folder);
      formatter(folder);
      await install(folder);
      if (!isFirstServed) await serveFolder(folder);
      const place = await openCheckout(folder);
      await place.edit("s1", "f.txt", ten.replace("2\n", "two\n"));
      await place.edit("s2", "f.txt", `0\n${ten.replace("2\n", "two\n")}`);
      const done = commit(place);
      expect(done.code, done.stderr).toBe(0);
      expect([place.head("f.txt"), read(folder, "f.txt")]).toEqual([mine, `0\n${mine}`]);
      const other = join(folder, "../other");
      git(folder, "worktree", "add", "--quiet", other);
      const there = await openCheckout(other);
      await there.swap("s1", "f.txt", "8\n", "two more\n");
      await there.swap("s2", "f.txt", "5\n", "five\n");
      expect(commit(there).code).toBe(0);
      expect(there.head("f.txt")).toBe(mine.replace("8\n", "TWO more\n"));
      expect(read(other, "f.txt")).toBe(theirs.replace("8\n", "TWO more\n"));
      expect(read(folder, "f.txt")).toBe(`0\n${mine}`);
    });
  },
);

describe("N-10 git in the middle of something", () => {
  it("a merge and a rebase: git commit keeps what they bring, headgate commit says that it waits", async () => {
    const place = await servedCheckout({ "f.txt": ten, "m.txt": "1\n" }, (folder) => {
      git(folder, "switch", "--quiet", "--create", "side");
      write(folder, "m.txt", "side\n");
      write(folder, "n.txt", "side\n");
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message", "Side");
      git(folder, "switch", "--quiet", "main");
      write(folder, "m.txt", "main\n");
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message", "Main");
      formatter(folder);
    });
    const { folder } = place;
    const part = () => headgateAs(session("s1"), folder, "commit", "-m", "More");
    expect(place.git("s1", "merge", "--quiet", "side").code).toBe(1);
    await place.edit("s1", "m.txt", "both\n");
    await place.swap("s1", "f.txt", "2\n", "two\n");
    await place.swap("s2", "f.txt", "5\n", "five\n");
    expect(part()).toMatchObject({ code: 1, stderr: expect.stringContaining("COMMIT_UNFINISHED") });
    expect(place.commitAll("s1").code).toBe(0);
    expect([place.head("m.txt"), place.head("n.txt")]).toEqual(["both\n", "side\n"]);
    expect([place.head("f.txt"), read(folder, "f.txt")]).toEqual([mine, theirs]);
    expect(git(folder, "rev-list", "--parents", "-1", "HEAD").split(" ")).toHaveLength(3);
    // A rebase that stopped: git itself starts none over uncommitted lines.
    expect(place.commitAll("s2").code).toBe(0);
    git(folder, "switch", "--quiet", "--create", "again", "side");
    expect(place.git("s1", "rebase", "--quiet", "main~2").code).toBe(1);
    await place.edit("s1", "m.txt", "rebased\n");
    await place.swap("s2", "f.txt", "9\n", "nine\n");
    expect(part().stderr).toContain("COMMIT_UNFINISHED");
    expect(place.commitAll("s1").code).toBe(0);
    expect([place.head("m.txt"), place.head("n.txt")]).toEqual(["rebased\n", "side\n"]);
    expect(place.head("f.txt")).not.toContain("nine\n");
    expect(read(folder, "f.txt")).toContain("nine\n");
    expect(await place.authors("f.txt")).toEqual(["claude:s2"]);
  });

  it("a client with windows: no agent above it and no terminal, so it is a person's commit", async () => {
    const place = await sharedCheckout({ "f.txt": ten });
    const { folder } = place;
    await place.swap("s1", "f.txt", "2\n", "two\n");
    await place.swap("s2", "f.txt", "5\n", "five\n");
    const { HEADGATE_ACTOR: _, ...env } = environmentOf(folder);
    // Its parent has ended, as that of a program that a desktop started.
    const script = '(setsid git commit -qam Window >"$0/said" 2>&1; echo $? >"$0/code") & exit 0';
    write(folder, "../out/.keep", "");
    const out = join(folder, "../out");
    spawnSync("sh", ["-c", script, out], { cwd: folder, env, stdio: "ignore" });
    while (!existsSync(join(out, "code")) || read(out, "code") === "") await setTimeout(20);
    expect(read(out, "said")).toContain("this commit took along lines of claude:s1, claude:s2");
    expect(read(out, "code")).toBe("0\n");
    expect(place.head("f.txt")).toBe(theirs.replace("TWO", "two"));
    expect(status(place)).toBe("");
  });
});
