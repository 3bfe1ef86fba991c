import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { eventsOf, headgateAs, read, write } from "./hooked-repository.ts";
import {
  servedCheckout,
  type SharedCheckout,
  session,
  sharedCheckout,
  status,
} from "./shared-checkout.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const others = ten.replace("5\n", "five\n").replace("9\n", "nine\n");
const formatted = ten.replace("2\n", "TWO\n");
/** Replaces the shell, as generated hooks do: nothing of ours comes after it. */
const formatter = `exec sh -c "sed -i 's/^two\\$/TWO/' f.txt && git add f.txt"`;

/** The user's own pre-commit hook, kept by `headgate init`, once `switchOn`; `$out` is outside of the repository. */
const userHook =
  (lines: string, first = "#!/bin/sh") =>
  (folder: string) => {
    write(folder, "../out/.keep", "");
    const shared = `shared=${folder}\nout=${join(folder, "../out")}\n[ -e $out/on ] || exit 0\n`;
    write(folder, ".git/hooks/pre-commit", `${first}\n${shared}${lines}\n`);
    chmodSync(join(folder, ".git/hooks/pre-commit"), 0o755);
  };

const switchOn = ({ folder }: SharedCheckout): void => write(folder, "../out/on", "");

const out = ({ folder }: SharedCheckout, name: string): string => read(folder, `../out/${name}`);

/** s1 has line 2, s2 line 5, s3 line 9. Most have a server; without one, our hooks are processes of their own. */
const threeSessions = async (
  hook: string | ((folder: string) => void),
  files: Record<string, string> = {},
  checkout = servedCheckout,
): Promise<SharedCheckout> => {
  const prepare = typeof hook === "string" ? userHook(hook) : hook;
  const place = await checkout({ "f.txt": ten, ...files }, prepare);
  switchOn(place);
  await place.swap("s1", "f.txt", "2\n", "two\n");
  await place.swap("s2", "f.txt", "5\n", "five\n");
  await place.swap("s3", "f.txt", "9\n", "nine\n");
  return place;
};

const partCommit = ({ folder }: SharedCheckout, who: string) =>
  headgateAs(session(who), folder, "commit", "-m", "More");

describe("N-10 the user's hooks judge the narrowed tree and leave the shared files alone", () => {
  it.each([
    [
      "git commit -a",
      (place: SharedCheckout) => place.git("s1", "commit", "-qam", "More"),
      sharedCheckout,
    ],
    [
      "git commit -- f.txt",
      (place: SharedCheckout) => place.git("s1", "commit", "-qm", "More", "--", "f.txt"),
      servedCheckout,
    ],
    ["headgate commit", (place: SharedCheckout) => partCommit(place, "s1"), servedCheckout],
  ] as const)(
    "%s: a formatter's work is committed and in the working file",
    async (_, commit, checkout) => {
      const place = await threeSessions(formatter, {}, checkout);
      const done = commit(place);
      expect([done.code, place.head("f.txt")]).toEqual([0, formatted]);
      expect(read(place.folder, "f.txt")).toBe(others.replace("2\n", "TWO\n"));
      expect(status(place)).toBe(" M f.txt\n");
      expect((await place.authors("f.txt")).toSorted()).toEqual(["claude:s2", "claude:s3"]);
      expect(eventsOf(place.folder, "commit.unjudged")).toEqual([]);
    },
  );

  it("a hook that stashes and resets never meets a shared file, not even when it dies of it", async () => {
    const place = await threeSessions(
      [
        "git stash push --quiet --keep-index --include-untracked",
        "git diff --cached >$out/seen",
        "cat f.txt >$out/part; cat $shared/f.txt >$out/shared",
        "git reset --quiet --hard; git clean -fdxq",
        "[ ! -e $out/wild ] || exit 3",
        "git stash pop --quiet --index",
      ].join("\n"),
    );
    write(place.folder, "untracked.txt", "keep\n");
    write(place.folder, "../out/wild", "");
    expect(place.git("s1", "commit", "-qam", "More").code).not.toBe(0);
    expect(read(place.folder, "f.txt")).toBe(others.replace("2\n", "two\n"));
    rmSync(join(place.folder, "../out/wild"));
    expect(place.git("s1", "commit", "-qam", "More").stderr).toContain("left uncommitted");
    expect(out(place, "part")).toBe(ten.replace("2\n", "two\n"));
    expect(out(place, "shared")).toBe(others.replace("2\n", "two\n"));
    expect(out(place, "seen")).toContain("+two");
    expect(read(place.folder, "f.txt")).toBe(others.replace("2\n", "two\n"));
    expect(read(place.folder, "untracked.txt")).toBe("keep\n");
    expect(place.head("f.txt")).toBe(ten.replace("2\n", "two\n"));
  });

  it("a hook that changes files and refuses: its change is in the working file, and the next commit passes", async () => {
    const place = await threeSessions(
      "grep -qx two f.txt || exit 0\nsed -i 's/^two$/TWO/' f.txt\necho files were modified >&2\nexit 3",
      {},
      sharedCheckout,
    );
    const refused = place.commitAll("s1");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("files were modified");
    expect(refused.stderr).toContain("your hooks changed f.txt");
    expect(read(place.folder, "f.txt")).toBe(others.replace("2\n", "TWO\n"));
    expect(place.commitAll("s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(formatted);
    expect(await place.authors("f.txt")).toHaveLength(2);
  });

  it("lines that are not there any more: the commit has the formatter's, the file keeps its bytes, one line says it", async () => {
    const place = await threeSessions(`sed -i 's/^two$/two!/' "$shared/f.txt"\n${formatter}`);
    const done = place.commitAll("s1");
    expect([done.code, place.head("f.txt")]).toEqual([0, formatted]);
    expect(done.stderr.match(/your hooks changed lines of f\.txt/g)).toHaveLength(1);
    expect(read(place.folder, "f.txt")).toBe(others.replace("2\n", "two!\n"));
  });

  it("finds what it needs: packages, ignored settings, the branch, the root, and no way into the git folder", async () => {
    const place = await threeSessions(
      [
        'node_modules/.bin/tool; cat .env; pwd -P; [ "$(git rev-parse --show-toplevel)" = "$(pwd -P)" ] && echo root',
        "git symbolic-ref --short HEAD; git rev-parse --is-inside-git-dir; git status --porcelain",
        "git add -A; git diff --cached --name-only",
      ]
        .map((line) => `{ ${line}; } >>$out/facts`)
        .join("\n"),
      { ".gitignore": "node_modules/\n.env\n", "big/file.txt": "1\n" },
      sharedCheckout,
    );
    write(place.folder, "node_modules/.bin/tool", "#!/bin/sh\necho tool\n");
    chmodSync(join(place.folder, "node_modules/.bin/tool"), 0o755);
    write(place.folder, ".env", "secret\n");
    expect(place.commitAll("s1").code).toBe(0);
    const [tool, env, cwd, ...rest] = out(place, "facts").trimEnd().split("\n");
    expect([tool, env]).toEqual(["tool", "secret"]);
    expect(cwd).toMatch(/\.git\/headgate-scratch\/.+\/tree$/);
    expect(rest).toEqual(["root", "main", "false", "M  f.txt", "f.txt"]);
    expect(git(place.folder, "show", "--format=", "--name-only", "HEAD")).toBe("f.txt");
    // Kept for the next one, without a trace of this one beside the index.
    expect(readdirSync(join(place.folder, ".git/headgate-scratch"))).toEqual(["kept"]);
    expect(
      readdirSync(join(place.folder, ".git")).filter((name) => name.endsWith(".headgate")),
    ).toEqual([]);
    expect(git(place.folder, "worktree", "list").split("\n")).toHaveLength(1);
    expect(headgateAs("ada", place.folder, "uninstall", "--yes").code).toBe(0);
    expect(existsSync(join(place.folder, ".git/headgate-scratch"))).toBe(false);
  });

  it("a hook that is no shell script", async () => {
    const python =
      "import os, subprocess\nopen(os.path.join(out, 'cwd'), 'a').write(os.getcwd() + '\\n')";
    const place = await threeSessions((folder) => {
      userHook("")(folder);
      write(
        folder,
        ".git/hooks/pre-commit",
        `#!/usr/bin/env python3\nout = ${JSON.stringify(join(folder, "../out"))}\n${python}\nsubprocess.run(["git", "add", "f.txt"], check=True)\n`,
      );
    });
    expect(place.commitAll("s1").code).toBe(0);
    expect(out(place, "cwd")).toContain("headgate-scratch");
    expect(place.head("f.txt")).toBe(ten.replace("2\n", "two\n"));
  });

  it("runs in place when no one else has uncommitted lines, for people, and where the checkout cannot be made it refuses", async () => {
    const place = await servedCheckout({ "f.txt": ten }, userHook("pwd -P >>$out/cwd"));
    switchOn(place);
    await place.swap("s1", "f.txt", "2\n", "two\n");
    expect(place.commitAll("s1").code).toBe(0);
    await place.swap("s2", "f.txt", "5\n", "five\n");
    expect(place.git("ada", "commit", "-q", "--allow-empty", "-m", "None").code).toBe(0);
    const here = git(place.folder, "rev-parse", "--show-toplevel");
    expect(out(place, "cwd").trimEnd().split("\n")).toEqual([here, here]);
    expect(existsSync(join(place.folder, ".git/headgate-scratch"))).toBe(false);
    await place.swap("s1", "f.txt", "8\n", "eight\n");
    writeFileSync(join(place.folder, ".git/headgate-scratch"), "in the way");
    const head = git(place.folder, "rev-parse", "HEAD");
    const refused = place.commitAll("s1");
    expect(refused.stderr).toContain("Headgate refused this git commit: COMMIT_HOOKS");
    expect(git(place.folder, "rev-parse", "HEAD")).toBe(head);
  });
});

describe("N-10 commit.agents", () => {
  it("refuse: a commit with lines of others is refused with the command that commits the own ones", async () => {
    const place = await sharedCheckout({ "f.txt": ten, "g.txt": ten });
    write(place.folder, "no-config/headgate/config.jsonc", '{"commit": {"agents": "refuse"}}');
    write(place.folder, ".git/info/exclude", "no-config/\n");
    await place.swap("s1", "f.txt", "2\n", "two\n");
    await place.swap("s2", "f.txt", "5\n", "five\n");
    const refused = place.commitAll("s1");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Headgate refused this git commit: COMMIT_FOREIGN f.txt");
    expect(refused.stderr).toContain("→ Commit your own lines: headgate commit -m TEXT");
    expect(partCommit(place, "s1").code).toBe(0);
    expect(place.head("f.txt")).toBe(ten.replace("2\n", "two\n"));
    await place.swap("s1", "g.txt", "2\n", "two\n");
    expect(place.git("s1", "commit", "-qm", "Mine", "--", "g.txt").code).toBe(0);
    expect(place.head("f.txt")).toBe(ten.replace("2\n", "two\n"));
  });
});
