import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import {
  eventsOf,
  gitAs,
  headgateAs,
  hookedRepository,
  servedRepository,
  twoFunctions,
  write,
} from "./hooked-repository.ts";

// Of each kind some scenes have no server, and their hooks are processes of their own.

const commit = (actor: string, folder: string, path: string, content: string): string => {
  write(folder, path, content);
  git(folder, "add", path);
  const { code, stderr } = gitAs(actor, folder, ["commit", "--quiet", "-m", path]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return git(folder, "rev-parse", "HEAD");
};

const remoteOf = (folder: string): string => {
  const remote = join(folder, "../remote.git");
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", remote);
  git(folder, "remote", "add", "origin", remote);
  expect(gitAs("ada", folder, ["push", "--quiet", "origin", "main"]).code).toBe(0);
  return remote;
};

/** Somebody who holds claims is still at work here. */
const atWork = (actor: string, folder: string): void => {
  expect(headgateAs(actor, folder, "claim", `name:${actor}`).code).toBe(0);
};

describe("C-17 a branch does not lose what somebody else committed", () => {
  it("refuses a reset, an amend and a deletion that drop another's commit", async () => {
    const folder = await servedRepository();
    atWork("bob", folder);
    const bobs = commit("bob", folder, "b.txt", "b\n");
    const reset = gitAs("ada", folder, ["reset", "--hard", "--quiet", "HEAD~1"]);
    expect(reset.code).not.toBe(0);
    expect(reset.stderr).toContain("Headgate refused this change of a branch: FENCE_STALE b.txt");
    expect(reset.stderr).toContain("bob");
    expect(git(folder, "rev-parse", "main")).toBe(bobs);
    git(folder, "reset", "--hard", "--quiet");
    // Another message alone loses nothing; other content does.
    write(folder, "b.txt", "other\n");
    expect(gitAs("ada", folder, ["commit", "--all", "--amend", "-m", "Mine"]).code).not.toBe(0);
    git(folder, "reset", "--hard", "--quiet");
    git(folder, "switch", "--quiet", "--detach", "HEAD~1");
    expect(gitAs("ada", folder, ["branch", "-D", "main"]).code).not.toBe(0);
    expect(git(folder, "rev-parse", "main")).toBe(bobs);
    expect(eventsOf(folder, "gate.refused").map(({ data }) => data["code"])).toEqual(
      Array.from({ length: 3 }, () => "FENCE_STALE"),
    );
  });

  it("lets people amend the commits of whoever has left", async () => {
    const folder = await hookedRepository();
    commit("bob", folder, "b.txt", "b\n");
    expect(gitAs("ada", folder, ["commit", "--quiet", "--amend", "-m", "Mine"]).code).toBe(0);
  });

  it("lets everybody undo their own, and drop what another ref keeps", async () => {
    const folder = await servedRepository();
    atWork("bob", folder);
    commit("ada", folder, "a.txt", "a\n");
    expect(gitAs("ada", folder, ["reset", "--hard", "--quiet", "HEAD~1"]).code).toBe(0);
    commit("bob", folder, "b.txt", "b\n");
    expect(gitAs("ada", folder, ["branch", "keep"]).code).toBe(0);
    expect(gitAs("ada", folder, ["reset", "--hard", "--quiet", "HEAD~1"]).code).toBe(0);
  });

  it("lets a rebase carry another's commit along", async () => {
    const folder = await servedRepository();
    atWork("bob", folder);
    gitAs("ada", folder, ["switch", "--quiet", "--create", "side"]);
    commit("bob", folder, "b.txt", "b\n");
    gitAs("ada", folder, ["switch", "--quiet", "main"]);
    commit("ada", folder, "c.txt", "c\n");
    gitAs("ada", folder, ["switch", "--quiet", "side"]);
    const { code, stderr } = gitAs("ada", folder, ["rebase", "--quiet", "main"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(git(folder, "log", "--format=%s", "-2")).toBe("b.txt\nc.txt");
  });

  it("HEADGATE_BYPASS lets it happen, on the record", async () => {
    const folder = await hookedRepository();
    atWork("bob", folder);
    commit("bob", folder, "b.txt", "b\n");
    const env = { HEADGATE_BYPASS: "bob agreed" };
    expect(gitAs("ada", folder, ["reset", "--hard", "--quiet", "HEAD~1"], env).code).toBe(0);
    expect(eventsOf(folder, "gate.bypassed")).toMatchObject([{ data: { reason: "bob agreed" } }]);
  });
});

describe("C-17 G3 commits whose claim was lost", () => {
  it("a rebase does not bring changes to what another holds by now; fetched commits pass", async () => {
    const folder = await servedRepository();
    const remote = remoteOf(folder);
    const clone = join(folder, "../clone");
    git(folder, "clone", "--quiet", remote, clone);
    write(clone, "code.ts", twoFunctions.replace("return 2", "return 200"));
    git(clone, "commit", "--quiet", "--all", "--message", "Elsewhere");
    git(clone, "push", "--quiet");
    headgateAs("bob", folder, "claim", "code.ts#two");
    expect(gitAs("ada", folder, ["pull", "--quiet", "--ff-only", "origin", "main"])).toMatchObject({
      code: 0,
    });
    expect(git(folder, "log", "--format=%s", "-1")).toBe("Elsewhere");
    git(folder, "switch", "--quiet", "--detach");
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 3"));
    git(folder, "commit", "--quiet", "--all", "--no-verify", "--message", "Detached");
    git(folder, "switch", "--quiet", "main");
    const picked = gitAs("ada", folder, ["merge", "--ff-only", "--quiet", "HEAD@{1}"]);
    expect(picked.stderr).toContain("refused this change of a branch: CLAIM_CONFLICT code.ts#two");
    expect(git(folder, "log", "--format=%s", "-1")).toBe("Elsewhere");
  });

  it("is not pushed before the holder has built upon it", async () => {
    const folder = await hookedRepository();
    remoteOf(folder);
    headgateAs("bob", folder, "claim", "code.ts#two");
    write(folder, "code.ts", twoFunctions.replace("return 2", "return 20"));
    git(folder, "add", "--all");
    // Without the hook that would have stopped it.
    git(folder, "config", "core.hooksPath", join(folder, "../partly"));
    for (const name of ["post-commit", "pre-push"]) {
      git(folder, "config", "alias.copy", `!install -D .git/hooks/${name} ../partly/${name}`);
      git(folder, "copy");
    }
    gitAs("ada", folder, ["commit", "--quiet", "-m", "Past"]);
    expect(eventsOf(folder, "commit.unjudged")).toMatchObject([
      { data: { code: "CLAIM_CONFLICT", path: "code.ts", holder: "bob" } },
    ]);
    const pushed = gitAs("ada", folder, ["push", "--quiet", "origin", "main"]);
    expect(pushed.code).toBe(1);
    expect(pushed.stderr).toContain("Headgate refused this git push: FENCE_STALE code.ts");
    git(folder, "config", "--unset", "core.hooksPath");
    commit("bob", folder, "code.ts", twoFunctions.replace("return 2", "return 21"));
    expect(gitAs("ada", folder, ["push", "--quiet", "origin", "main"])).toMatchObject({ code: 0 });
  });

  it("a push by force does not drop another's commits from the remote", async () => {
    const folder = await servedRepository();
    atWork("bob", folder);
    remoteOf(folder);
    commit("bob", folder, "b.txt", "b\n");
    expect(gitAs("bob", folder, ["push", "--quiet", "origin", "main"]).code).toBe(0);
    // Kept by the remote's own branch, so that the local one may go back.
    expect(gitAs("ada", folder, ["reset", "--hard", "--quiet", "HEAD~1"]).code).toBe(0);
    commit("ada", folder, "c.txt", "c\n");
    const forced = gitAs("ada", folder, ["push", "--quiet", "--force", "origin", "main"]);
    expect(forced.code).toBe(1);
    expect(forced.stderr).toContain("refused this git push: FENCE_STALE b.txt");
    const { code } = gitAs("bob", folder, ["push", "--quiet", "--force", "origin", "main"]);
    expect(code).toBe(0);
  });
});
