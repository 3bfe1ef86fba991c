import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { createGit } from "../../src/git/reading-git.ts";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import { check, detect, service } from "./project.ts";

/** So many committed sources and one manifest, by git's own fast way in. */
const repositoryOf = (count: number): string => {
  const root = makeRepository(join(temporaryFolder(), "tree"));
  const file = (path: string, content: string): string =>
    `M 644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
  const sources = Array.from({ length: count }, (_, at) =>
    file(`src/part${at % 500}/file${at}.js`, `export const a = ${at};\n`),
  );
  const stream = `commit refs/heads/main\ncommitter A <a@example.org> 1700000000 +0000\ndata 4\nmany\n${sources.join("")}${file("package.json", service())}\n`;
  execFileSync("git", ["fast-import", "--quiet", "--force"], { cwd: root, input: stream });
  git(root, "symbolic-ref", "HEAD", "refs/heads/main");
  git(root, "reset", "--quiet", "--hard");
  git(root, "status");
  return root;
};

/** What a check asks git, and which files of the project it opens. */
const watched = async (root: string) => {
  const calls: string[] = [];
  const opened: string[] = [];
  const own = createGit({ cwd: root });
  const found = await check(root, {
    git: {
      ...own,
      run: (call) => {
        calls.push(call.args[0]);
        return own.run(call);
      },
    },
    files: {
      ...systemFiles,
      open: (path, ...more) => {
        if (!path.includes("/.headgate/") && !path.includes("/.git/")) opened.push(path);
        return systemFiles.open(path, ...more);
      },
      readFile: (path, ...more) => {
        if (!path.includes("/.headgate/") && !path.includes("/.git/")) opened.push(path);
        return systemFiles.readFile(path, ...more);
      },
    },
  });
  return { state: found.state, calls, opened };
};

describe("D-10 the work of a check does not grow with the tree", () => {
  it("D-10 50,000 files: as few questions to git and files opened as with fifty, fresh or stale", async () => {
    const [small, large] = [repositoryOf(50), repositoryOf(50_000)];
    await detect(small);
    await detect(large);
    const [one, many] = [await watched(small), await watched(large)];
    expect(many).toEqual(one);
    expect(
      many.opened.filter((path) => path.startsWith(large)),
      many.opened.join(),
    ).toEqual([]);
    expect(many.state).toBe("fresh");
    expect(many.calls.length).toBeLessThanOrEqual(4);
    for (const root of [small, large]) {
      put(join(root, "package.json"), service({ "discord.js": "14" }));
      put(join(root, "src/part1/file1.js"), "export const b = 2;\n");
    }
    const [changed, changedMany] = [await watched(small), await watched(large)];
    expect(changedMany.state).toBe("stale");
    expect(changedMany.calls).toEqual(changed.calls);
    expect(changedMany.opened.length).toBe(changed.opened.length);
    expect(changedMany.opened.length).toBeLessThan(10);
  }, 300_000);
});
