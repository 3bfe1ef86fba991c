import { chmodSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../src/base/environment.ts";
import { createGit, splitNul } from "../../src/git/reading-git.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const text = ({ stdout }: { stdout: Buffer }) => stdout.toString("utf8").trim();

describe("git as a source of facts", () => {
  it("every command works under the guards", async () => {
    const root = makeRepository(temporaryFolder());
    writeFileSync(join(root, "a.txt"), "two\n");
    git(root, "commit", "--quiet", "--all", "--message", "Two");
    const head = git(root, "rev-parse", "HEAD");
    const blob = git(root, "rev-parse", "HEAD:a.txt");
    const { run } = createGit({ cwd: root });
    const HEAD = ["HEAD"];
    expect(text(await run({ args: ["rev-parse", "--verify"], revisions: HEAD }))).toBe(head);
    expect(text(await run({ args: ["symbolic-ref"], revisions: HEAD }))).toBe("refs/heads/main");
    expect(text(await run({ args: ["cat-file", "blob"], revisions: ["HEAD:a.txt"] }))).toBe("two");
    expect(text(await run({ args: ["cat-file", "--batch"], input: blob }))).toContain("two");
    expect(text(await run({ args: ["hash-object"], paths: ["a.txt"] }))).toBe(blob);
    expect(text(await run({ args: ["hash-object", "--stdin"], input: "two\n" }))).toBe(blob);
    expect(splitNul((await run({ args: ["ls-files", "-z"] })).stdout)).toEqual(["a.txt"]);
    expect(splitNul((await run({ args: ["ls-files", "-z", "-m"] })).stdout)).toEqual([]);
    expect(text(await run({ args: ["ls-tree", "-r"], revisions: HEAD }))).toContain(blob);
    const between = await run({ args: ["diff-tree", "-p"], revisions: ["HEAD~1", "HEAD"] });
    expect(text(between)).toContain("+two");
    writeFileSync(join(root, "a.txt"), "three\n");
    expect(text(await run({ args: ["diff-files", "--name-only"] }))).toBe("a.txt");
    const staged = await run({ args: ["diff-index", "-p"], revisions: HEAD, paths: ["a.txt"] });
    expect(text(staged)).toContain("+three");
    expect(text(await run({ args: ["rev-list", "--count"], revisions: HEAD }))).toBe("2");
    const base = await run({ args: ["merge-base"], revisions: ["HEAD", "HEAD~1"] });
    expect(text(base)).toBe(git(root, "rev-parse", "HEAD~1"));
    expect(text(await run({ args: ["for-each-ref"] }))).toContain("refs/heads/main");
    expect(text(await run({ args: ["config", "core.bare"] }))).toBe("false");
  });

  it("an answer by exit code is an answer, any other a failure with git's words", async () => {
    const { run } = createGit({ cwd: makeRepository(temporaryFolder()) });
    const absent = await run({ args: ["config", "no.key"], okCodes: [0, 1] });
    expect(absent.code).toBe(1);
    const failure = run({ args: ["rev-parse", "--verify"], revisions: ["no-such\u001b[31m"] });
    await expect(failure).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("fatal: Needed a single revision"),
      data: { code: 128, argv: expect.arrayContaining(["git", "rev-parse"]) },
    });
    const { data } = await failure.catch((error) => error);
    expect(JSON.stringify(data)).not.toContain("PATH");
    expect(Object.keys(data).toSorted()).toEqual(["argv", "code", "cwd", "stderr"]);
  });

  it("the guards stand in front of every command", async () => {
    const { run } = createGit({ cwd: makeRepository(temporaryFolder()) });
    const { data } = await run({
      args: ["diff-tree"],
      revisions: ["nowhere"],
      paths: ["-x"],
    }).catch((error) => error);
    // Hooks and external diffs do not run in plumbing that only reads; these are the second lock.
    expect(data.argv).toEqual([
      "git",
      "--no-optional-locks",
      "--no-pager",
      "--literal-pathspecs",
      ...["-c", `core.hooksPath=${devNull}`],
      ...["-c", "core.fsmonitor=false"],
      ...["-c", "core.pager=cat"],
      ...["-c", `core.attributesFile=${devNull}`],
      ...["-c", "protocol.allow=never"],
      "diff-tree",
      "--no-ext-diff",
      "--no-textconv",
      "--end-of-options",
      "nowhere",
      "--",
      "-x",
    ]);
  });

  it("output and time are bounded", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "large"), "x".repeat(100_000));
    git(root, "add", ".");
    const { run } = createGit({ cwd: root });
    const large = run({
      args: ["cat-file", "blob"],
      revisions: [":large"],
      outputBytesMax: 1000,
    });
    await expect(large).rejects.toMatchObject({ code: "GIT_LIMIT" });
    const program = put(join(root, "slow/git"), "#!/bin/sh\nexec sleep 60\n");
    chmodSync(program, 0o755);
    const variables = { PATH: `${join(root, "slow")}:${process.env["PATH"]}` };
    const slow = createGit({ cwd: root, environment: { ...systemEnvironment(), variables } });
    await expect(slow.run({ args: ["rev-parse"], timeoutMs: 50 })).rejects.toMatchObject({
      code: "GIT_LIMIT",
      message: expect.stringContaining("50 ms"),
    });
  });

  it("a ceiling ends the search for a repository", async () => {
    const root = makeRepository(temporaryFolder());
    put(join(root, "sub/x"));
    const options = { cwd: join(root, "sub"), ceiling: [root] };
    await expect(createGit(options).run({ args: ["rev-parse", "--git-dir"] })).rejects.toThrow(
      /not a git repository/,
    );
  });
});
