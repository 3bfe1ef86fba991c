import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../src/base/environment.ts";
import { systemFiles } from "../../src/base/files.ts";
import { createGit } from "../../src/git/reading-git.ts";
import { findProgram } from "../../src/base/find-program.ts";
import { gitEnvironment } from "../../src/git/git-environment.ts";
import { findRepository } from "../../src/git/repository.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const environmentWith = (variables: Record<string, string | undefined>) => ({
  ...systemEnvironment(),
  variables: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...variables },
});

const gitOn = (PATH: string) =>
  findProgram("git", { ...environmentWith({ PATH }), platform: "linux" }, systemFiles);

describe("hostile variables", () => {
  it("B08 GIT_* in our own environment change nothing", async () => {
    const parent = temporaryFolder();
    const root = makeRepository(join(parent, "repo"));
    const other = makeRepository(join(parent, "other"));
    put(join(other, "only-there.txt"));
    const mark = join(parent, "mark");
    const program = put(join(parent, "evil"), `#!/bin/sh\ntouch "${mark}"\n`);
    chmodSync(program, 0o755);
    const environment = environmentWith({
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(parent, "no-index"),
      GIT_OBJECT_DIRECTORY: join(parent, "no-objects"),
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: program,
      GIT_CONFIG_KEY_1: "core.worktree",
      GIT_CONFIG_VALUE_1: other,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program}'`,
      GIT_EXTERNAL_DIFF: program,
      GIT_PAGER: program,
      GIT_TRACE: join(parent, "trace"),
      GIT_EXEC_PATH: parent,
    });
    const { run } = createGit({ cwd: root, environment });
    const files = await run({ args: ["ls-files", "-z"] });
    expect(files.stdout.toString()).toBe("a.txt\0");
    await run({ args: ["diff-tree", "-p", "--root"], revisions: ["HEAD"] });
    expect((await findRepository(root, { environment })).root).toBe(root);
    expect(existsSync(mark)).toBe(false);
    expect(existsSync(join(parent, "trace"))).toBe(false);
  });

  it("B08 children get an allow-listed environment", () => {
    const environment = environmentWith({
      PATH: "/usr/bin:.:bin::/bin",
      NODE_OPTIONS: "--require=/evil.js",
      LD_PRELOAD: "/evil.so",
      DYLD_INSERT_LIBRARIES: "/evil.dylib",
      SSH_ASKPASS: "/evil",
      HEADGATE_STORE: "postgres://u:secret@h/d",
      HOME: "/home/ada",
    });
    expect(
      gitEnvironment({ ...environment, platform: "linux" }, { ceiling: ["/a", "/b"] }),
    ).toEqual({
      PATH: "/usr/bin:/bin",
      HOME: "/home/ada",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_PAGER: "cat",
      GIT_NO_LAZY_FETCH: "1",
      GIT_ALLOW_PROTOCOL: "",
      LC_ALL: "C",
      GIT_CEILING_DIRECTORIES: "/a:/b",
    });
    const windows = environmentWith({
      PATH: undefined,
      Path: "C:\\git;.;tools",
      SystemRoot: "C:\\W",
    });
    expect(gitEnvironment({ ...windows, platform: "win32" })).toMatchObject({
      PATH: "C:\\git",
      SystemRoot: "C:\\W",
    });
  });

  it("B08 a program in the working directory is not taken for git", () => {
    const root = temporaryFolder();
    chmodSync(put(join(root, "git"), "#!/bin/sh\n"), 0o755);
    expect(gitOn(`.::${"./"}`)).toBeUndefined();
    expect(gitOn(`.:${root}`)).toBe(join(root, "git"));
    chmodSync(join(root, "git"), 0o644);
    expect(gitOn(root)).toBeUndefined();
  });
});
