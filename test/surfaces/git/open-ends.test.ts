import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { gitAs, headgateAs, hookedRepository, twoFunctions, write } from "./hooked-repository.ts";
import { sharedCheckout } from "./shared-checkout.ts";

const calling = twoFunctions.replace("return 2", "return neverDefinedAnywhere()");
const message = (folder: string): string => git(folder, "log", "-1", "--format=%B");
const refusal = "Headgate refused this git commit: CALL_UNKNOWN code.ts";
const trailer = /^Headgate-Open: CALL_UNKNOWN code\.ts:6 neverDefinedAnywhere$/m;

describe("E-23 open ends at a commit", () => {
  it("E-23 are refused on the default branch, and noted with a trailer on others; ci refuses them", async () => {
    const folder = await hookedRepository();
    write(folder, "code.ts", calling);
    const commit = (...more: string[]) =>
      gitAs("ada", folder, ["commit", "--quiet", "-am", "Call it", ...more]);
    const onMain = commit();
    expect(onMain.code).toBe(1);
    expect(onMain.stderr).toContain(refusal);
    git(folder, "switch", "--quiet", "--create", "work/first-test");
    const noted = commit();
    expect(noted.code).toBe(0);
    expect(noted.stderr).toMatch(
      /1 open end in this commit, refused on the default branch:\nheadgate: {3}CALL_UNKNOWN code\.ts:6 neverDefinedAnywhere/,
    );
    expect(message(folder)).toMatch(trailer);
    const checked = headgateAs("ada", folder, "ci", "main..HEAD");
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain("CALL_UNKNOWN");
    // The end is closed: the next commit says nothing.
    write(
      folder,
      "code.ts",
      `${calling}\nexport function neverDefinedAnywhere() {\n  return 3;\n}\n`,
    );
    expect(commit()).toMatchObject({ code: 0, stderr: "" });
    expect(message(folder)).not.toContain("Headgate-Open");
  });

  it("E-23 commit.openEnds of the user decides by branch; a repository cannot set it", async () => {
    const folder = await hookedRepository();
    write(folder, ".git/info/exclude", "no-config/\n");
    const settings = (openEnds: unknown) =>
      write(folder, "no-config/headgate/config.jsonc", JSON.stringify({ commit: { openEnds } }));
    const commit = () => gitAs("ada", folder, ["commit", "--quiet", "-am", "Call it"]);
    write(folder, "code.ts", calling);
    git(folder, "switch", "--quiet", "--create", "release/1");
    settings([{ branches: ["release/*"], rule: "refuse" }]);
    expect(commit().stderr).toContain(refusal);
    settings("refuse");
    expect(commit().stderr).toContain(refusal);
    git(folder, "switch", "--quiet", "main");
    settings([{ branches: ["main"], rule: "note" }]);
    expect(commit().code).toBe(0);
    expect(message(folder)).toMatch(trailer);
    write(folder, ".headgate/config.jsonc", '{"commit": {"openEnds": "note"}}');
    const shown = headgateAs("ada", folder, "config");
    expect(shown.code).not.toBe(0);
    expect(shown.stderr).toContain("commit.openEnds");
  });

  it("E-23 N-02 headgate commit and an agent's own part carry the trailer as well", async () => {
    const place = await sharedCheckout({ "code.ts": twoFunctions });
    git(place.folder, "switch", "--quiet", "--create", "work");
    await place.swap("s1", "code.ts", "return 2", "return neverDefinedAnywhere()");
    await place.swap("s2", "code.ts", "return 1", "return 11");
    expect(place.git("s1", "commit", "-qam", "Mine").code).toBe(0);
    expect(message(place.folder)).toMatch(trailer);
    expect(place.head("code.ts")).toContain("return 1;");
    await place.swap("s2", "code.ts", "return 11", "return alsoNowhere()");
    const own = headgateAs("claude:s2", place.folder, "commit", "-m", "Theirs");
    expect(own.code).toBe(0);
    expect(message(place.folder)).toMatch(/^Headgate-Open: CALL_UNKNOWN code\.ts:2 alsoNowhere$/m);
  });

  it("E-23 a commit that another hook refused leaves no trailer for the next one", async () => {
    const place = await sharedCheckout({ "code.ts": twoFunctions }, (folder) => {
      const stop = '#!/bin/sh\ngrep -q Refused "$1" && exit 1\nexit 0\n';
      write(folder, ".git/hooks/commit-msg", stop);
      chmodSync(join(folder, ".git/hooks/commit-msg"), 0o755);
    });
    git(place.folder, "switch", "--quiet", "--create", "work");
    await place.swap("s1", "code.ts", "return 2", "return neverDefinedAnywhere()");
    const commit = (words: string) =>
      headgateAs("claude:s1", place.folder, "commit", "-m", words).code;
    expect(commit("Refused")).not.toBe(0);
    await place.swap("s1", "code.ts", "return neverDefinedAnywhere()", "return 22");
    expect(commit("Closed")).toBe(0);
    expect(message(place.folder)).toBe("Closed\n\nHeadgate-Actor: claude:s1");
    const left = readdirSync(join(place.folder, ".git")).filter((name) => /open|index-/.test(name));
    expect(left).toEqual([]);
  });

  it("E-23 a message written in an editor has them too, beside other trailers and above the diff", async () => {
    const folder = await hookedRepository();
    git(folder, "switch", "--quiet", "--create", "work");
    write(folder, "code.ts", calling);
    write(
      folder,
      "editor",
      '#!/bin/sh\n{ echo Subject; cat "$1"; } >"$1.new" && mv "$1.new" "$1"\n',
    );
    chmodSync(join(folder, "editor"), 0o755);
    const editor = { GIT_EDITOR: join(folder, "editor") };
    const done = gitAs("ada", folder, ["commit", "-a", "-v", "-s"], editor);
    expect(done).toMatchObject({ code: 0 });
    expect(message(folder)).toMatch(
      /^Subject\n\nSigned-off-by: .+\nHeadgate-Open: CALL_UNKNOWN code\.ts:6 neverDefinedAnywhere$/,
    );
  });

  it("E-23 a message that its author leaves empty still gives the commit up", async () => {
    const folder = await hookedRepository();
    git(folder, "switch", "--quiet", "--create", "work");
    const head = git(folder, "rev-parse", "HEAD");
    write(folder, "code.ts", calling);
    const given = gitAs("ada", folder, ["commit", "-a"], { GIT_EDITOR: "true" });
    expect(given.code).toBe(1);
    expect(given.stderr).toContain("empty commit message");
    expect(git(folder, "rev-parse", "HEAD")).toBe(head);
  });
});
