import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import { contentHash } from "../../../src/state/index.ts";
import { Analyser } from "../../../src/structure/index.ts";
import { judgeRange, runGitHook } from "../../../src/surfaces/git/index.ts";
import type { GitHookName } from "../../../src/surfaces/git/types.ts";
import { UnjudgedWrites } from "../../../src/surfaces/unjudged/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { environmentFor, eventsOf, gitAs, hookedRepository, write } from "./hooked-repository.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

/** Every question to it stays without an answer. */
const unansweredAnalyser = (): Analyser => {
  const analyser = new Analyser();
  analyser.close();
  return analyser;
};

const runHook = async (folder: string, hook: GitHookName) => {
  const environment = environmentFor(folder);
  const headgate = await openHeadgate({ repo: folder, environment, actor: "ada" });
  onTestFinished(() => headgate.close());
  return runGitHook({
    ...{ headgate, environment, hook, args: [], input: "" },
    analyser: unansweredAnalyser(),
  });
};

const commit = (folder: string) => gitAs("ada", folder, ["commit", "--quiet", "-m", "x"]);

describe("a commit that cannot be judged", () => {
  it("G13 is refused with NOT_JUDGED; a later one is judged, and settles what was written unjudged", async () => {
    const folder = await hookedRepository();
    const content = "export const fine = 1;\n";
    write(folder, "new.ts", content);
    git(folder, "add", "new.ts");
    const register = new UnjudgedWrites({ localDir: stateFolder(folder) });
    const unjudged = { root: folder, before: null, actor: "claude:s1", tool: "Write", why: "late" };
    await register.add([
      { ...unjudged, path: "new.ts", after: contentHash(content) },
      { ...unjudged, path: "other.ts", after: contentHash("x") },
    ]);
    const refused = await runHook(folder, "pre-commit");
    expect(refused).toMatchObject({ isRefused: true });
    expect(refused.lines[0]).toBe("Headgate refused this git commit: NOT_JUDGED new.ts");
    expect(refused.lines.join("\n")).toContain("→ Try again in a moment; `headgate status`");
    expect(register.waiting()).toHaveLength(2);
    expect(commit(folder)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(register.waiting().map(({ path }) => path)).toEqual(["other.ts"]);
  });

  it("G13 a staged content other than the one that was written unjudged leaves that one waiting", async () => {
    const folder = await hookedRepository();
    write(folder, "new.ts", "export const fine = 1;\n");
    git(folder, "add", "new.ts");
    writeFileSync(join(folder, "new.ts"), "export const other = 1;\n");
    const register = new UnjudgedWrites({ localDir: stateFolder(folder) });
    const after = contentHash("export const other = 1;\n");
    const unjudged = { root: folder, path: "new.ts", before: null, after };
    await register.add([{ ...unjudged, actor: "claude:s1", tool: "Write", why: "late" }]);
    expect(commit(folder).code).toBe(0);
    expect(register.waiting()).toHaveLength(1);
  });

  it("G13 a file that no parser knows is committed as before", async () => {
    const folder = await hookedRepository();
    write(folder, "notes.txt", "anything\n");
    git(folder, "add", "notes.txt");
    expect(await runHook(folder, "pre-commit")).toEqual({ isRefused: false, lines: [] });
  });

  it("G13 made without the hooks and not to be judged afterwards: that is said and in the log, never that it is right", async () => {
    const folder = await hookedRepository();
    write(folder, "new.ts", "export const a = ;\n");
    git(folder, "add", "new.ts");
    git(folder, "-c", "core.hooksPath=/nowhere", "commit", "--quiet", "--message", "Three");
    const { isRefused, lines } = await runHook(folder, "post-commit");
    expect(isRefused).toBe(false);
    expect(lines[0]).toMatch(
      /was not judged, neither before it was made nor now: new\.ts was not judged/,
    );
    expect(eventsOf(folder, "commit.unjudged")).toMatchObject([{ data: { code: "NOT_JUDGED" } }]);
  });
});

it("G13 a range that cannot be judged is an error, not a clean result", async () => {
  const folder = await hookedRepository();
  const environment = environmentFor(folder);
  const headgate = await openHeadgate({ repo: folder, environment, actor: "ada" });
  onTestFinished(() => headgate.close());
  const judging = judgeRange({
    ...{ headgate, environment, range: "HEAD~1..HEAD", signal: new AbortController().signal },
    analyser: unansweredAnalyser(),
  });
  await expect(judging).rejects.toMatchObject({ code: "NOT_JUDGED" });
});
