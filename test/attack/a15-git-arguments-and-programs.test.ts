import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../src/base/environment.ts";
import { gitEnvironment } from "../../src/git/git-environment.ts";
import { createGit, type Git } from "../../src/git/reading-git.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { describeWith } from "../helpers/not-run.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

/** A repository whose every configurable program leaves a mark when it runs. */
const makeHostile = () => {
  const parent = temporaryFolder();
  const root = makeRepository(join(parent, "repo"));
  writeFileSync(join(root, "a.txt"), "two\n");
  git(root, "commit", "--quiet", "--all", "--message", "Two");
  const mark = join(parent, "mark");
  const program = put(join(parent, "evil.sh"), `#!/bin/sh\necho "$0 $*" >> "${mark}"\ncat\n`);
  chmodSync(program, 0o755);
  for (const key of [
    "core.fsmonitor",
    "core.pager",
    "pager.diff-tree",
    "pager.ls-files",
    "pager.cat-file",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.evil.process",
    "core.sshCommand",
    "core.editor",
    "core.askPass",
    "core.alternateRefsCommand",
    "credential.helper",
    "gpg.program",
  ]) {
    git(root, "config", key, program);
  }
  git(root, "config", "filter.evil.required", "true");
  git(root, "config", "core.hooksPath", join(parent, "hooks"));
  for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
    for (const folder of [join(parent, "hooks"), join(root, ".git/hooks")]) {
      chmodSync(put(join(folder, hook), `#!/bin/sh\necho hook >> "${mark}"\n`), 0o755);
    }
  }
  put(join(root, ".gitattributes"), "* filter=evil diff=evil\n");
  put(join(root, ".git/info/attributes"), "* filter=evil diff=evil\n");
  // Same size, another time: git must read the file to know, and reading goes through the filter.
  writeFileSync(join(root, "a.txt"), "TWO\n");
  utimesSync(join(root, "a.txt"), 1, 1);
  return { root, mark };
};

const readAll = async ({ run }: Git) => {
  await run({ args: ["rev-parse", "--verify"], revisions: ["HEAD"] });
  await run({ args: ["ls-files", "-z", "--others"] });
  await run({ args: ["ls-files", "-z", "-m"] });
  await run({ args: ["ls-files", "-z", "-dmo"] });
  await run({ args: ["ls-tree", "-r", "-z"], revisions: ["HEAD"] });
  await run({ args: ["diff-tree", "-p"], revisions: ["HEAD~1", "HEAD"] });
  await run({ args: ["diff-index", "-p"], revisions: ["HEAD"] });
  await run({ args: ["diff-files", "-p"] });
  await run({ args: ["cat-file", "blob"], revisions: ["HEAD:a.txt"] });
  await run({ args: ["hash-object"], paths: ["a.txt"] });
  await run({ args: ["rev-list"], revisions: ["HEAD"] });
  await run({ args: ["for-each-ref"] });
};

describeWith({ platforms: ["linux", "darwin"] }, "a hostile repository", () => {
  it("A15 no hook, fsmonitor, pager, external diff, textconv or filter is run", async () => {
    const { root, mark } = makeHostile();
    await readAll(createGit({ cwd: root }));
    expect(existsSync(mark)).toBe(false);
  });

  it("A15 the same repository does run its programs under plain git", () => {
    const { root, mark } = makeHostile();
    // It fails because our program does not speak the filter protocol, but it was started.
    expect(() => git(root, "diff", "HEAD~1", "HEAD")).toThrow(/filter evil failed/);
    expect(existsSync(mark)).toBe(true);
  });

  it("A15 T-01 a promised object is not fetched by a program, also by a git that knows no GIT_NO_LAZY_FETCH", () => {
    const root = makeRepository(temporaryFolder());
    const mark = join(temporaryFolder(), "mark");
    const program = put(join(temporaryFolder(), "evil.sh"), `#!/bin/sh\n: >'${mark}'\nexit 1\n`);
    chmodSync(program, 0o755);
    for (const [key, value] of Object.entries({
      "core.repositoryFormatVersion": "1",
      "extensions.partialClone": "evil",
      "remote.evil.promisor": "true",
      "remote.evil.url": `ext::${program}`,
      "protocol.ext.allow": "always",
    })) {
      git(root, "config", key, value);
    }
    const { GIT_NO_LAZY_FETCH, GIT_ALLOW_PROTOCOL, ...plain } = gitEnvironment(systemEnvironment());
    const lookUp = (env: Record<string, string>) =>
      spawnSync("git", ["-c", "protocol.allow=never", "cat-file", "-p", "1".repeat(40)], {
        ...{ cwd: root, env },
      }).status;
    expect(GIT_NO_LAZY_FETCH).toBe("1");
    expect(lookUp({ ...plain, GIT_ALLOW_PROTOCOL: GIT_ALLOW_PROTOCOL ?? "missing" })).not.toBe(0);
    expect(existsSync(mark)).toBe(false);
    // Without it the attack works.
    lookUp(plain);
    expect(existsSync(mark)).toBe(true);
  });

  it("A15 what is not filtered is judged by its own bytes", async () => {
    const { root } = makeHostile();
    const { stdout } = await createGit({ cwd: root }).run({ args: ["ls-files", "-z", "-m"] });
    expect(stdout.toString()).toBe("a.txt\0");
  });
});

describe("hostile arguments", () => {
  it("A15 a revision that begins with a dash, is empty or holds NUL is refused", async () => {
    const { run } = createGit({ cwd: makeRepository(temporaryFolder()) });
    for (const value of ["--output=/tmp/x", "-", "--all", "", "HEAD\0x"]) {
      const call = run({ args: ["rev-parse", "--verify"], revisions: [value] });
      await expect(call, value).rejects.toMatchObject({ code: "USAGE" });
    }
    const path = run({ args: ["ls-files"], paths: ["a\0b"] });
    await expect(path).rejects.toMatchObject({ code: "USAGE" });
  });

  it("A15 a path is a literal name, whatever it looks like", async () => {
    const root = makeRepository(temporaryFolder());
    const names = [
      "--output=x",
      "-n",
      "*",
      ":(top)a.txt",
      ":/",
      "$(touch x)",
      "`id`",
      "a;b",
      "[a]",
    ];
    for (const name of names) put(join(root, name.replaceAll("/", "_")), "x");
    git(root, "add", "--all");
    const { run } = createGit({ cwd: root });
    for (const name of names) {
      const wanted = name.replaceAll("/", "_");
      const { stdout } = await run({ args: ["ls-files", "-z"], paths: [wanted] });
      expect(stdout.toString(), name).toBe(`${wanted}\0`);
    }
    expect(existsSync(join(root, "x"))).toBe(false);
  });

  it("A15 a path outside the repository is refused by git", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    put(join(parent, "secret"), "s");
    const call = createGit({ cwd: root }).run({ args: ["ls-files"], paths: ["../secret"] });
    await expect(call).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  it("A15 options that would run programs are a defect of the caller", async () => {
    const { run } = createGit({ cwd: makeRepository(temporaryFolder()) });
    for (const option of ["--ext-diff", "--textconv", "--filters", "--no-index"]) {
      const call = run({ args: ["diff-tree", option], revisions: ["HEAD"] });
      await expect(call).rejects.toMatchObject({ code: "INTERNAL" });
    }
  });
});
