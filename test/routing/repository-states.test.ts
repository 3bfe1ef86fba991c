import { chmodSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  applyNow,
  approvedProposal,
  committed,
  committer,
  contextOf,
  inWorktree,
  overridesPath,
  type Place,
  routingIn,
} from "./scene.ts";
import { openRouting } from "../../src/routing/index.ts";
import { createWritingGit } from "../../src/git/writing-git.ts";
import { systemEnvironment } from "../../src/base/environment.ts";

const newScene = async (root?: string): Promise<Place> => ({
  root: root ?? makeRepository(join(temporaryFolder(), "app")),
  ...(await openScope(await backends[0]!.place())),
});

const hook = (root: string, name: string, lines: string): void => {
  put(join(root, ".git/hooks", name), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(root, ".git/hooks", name), 0o755);
};

describe("R-01 the repository's state", () => {
  it("R-01 a detached HEAD, a merge and a rebase in progress are refused with what to do", async () => {
    const scene = await newScene();
    const { root } = scene;
    const routing = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    const refusal = async (why: RegExp) => {
      const index = readFileSync(join(root, ".git/index"));
      await expect(routing.apply(id)).rejects.toMatchObject({
        code: "ROUTING_GIT",
        message: expect.stringMatching(why),
      });
      expect(readFileSync(join(root, ".git/index")).equals(index)).toBe(true);
      expect(existsSync(join(root, overridesPath))).toBe(false);
    };
    git(root, "checkout", "-q", "--detach");
    await refusal(/HEAD is detached: check out a branch/);
    git(root, "checkout", "-q", "main");
    for (const [name, why] of [
      ["MERGE_HEAD", /a merge is in progress: finish or abort it first/],
      ["CHERRY_PICK_HEAD", /cherry-pick/],
      ["REVERT_HEAD", /git revert/],
      ["rebase-merge/head-name", /a rebase is in progress/],
      ["rebase-apply/applying", /rebase or git am/],
    ] as const) {
      put(join(root, ".git", name), `${git(root, "rev-parse", "HEAD")}\n`);
      await refusal(why);
      rmSync(join(root, ".git", name.split("/")[0]!), { recursive: true });
    }
    expect(await routing.apply(id)).toMatchObject({ done: true });
  });

  it("R-01 a branch without a commit gets its first one, and staged files stay staged", async () => {
    const root = join(temporaryFolder(), "app");
    put(join(root, "a.txt"), "one\n");
    git(root, "init", "-q", "--initial-branch=fresh");
    git(root, "add", ".");
    const scene = await newScene(root);
    expect(await applyNow(await routingIn(scene), "fd-noisy")).toMatchObject({
      done: true,
      change: { ref: "refs/heads/fresh", left: [] },
    });
    expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe(overridesPath);
    expect(git(root, "status", "--porcelain")).toBe("A  a.txt");
  });

  it("R-01 a submodule is a repository of its own", async () => {
    const outer = makeRepository(join(temporaryFolder(), "outer"));
    const inner = makeRepository(join(temporaryFolder(), "inner"));
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "sub");
    git(outer, "commit", "-qm", "Sub");
    const root = join(outer, "sub");
    const scene = await newScene(root);
    expect(await applyNow(await routingIn(scene), "fd-noisy")).toMatchObject({ done: true });
    expect(committed(root)?.overrides).toHaveLength(1);
    expect(committed(outer)).toBeUndefined();
  });

  it("R-01 in a real rebase it is the rebase that must be finished, not the detached HEAD", async () => {
    const scene = await newScene();
    const { root } = scene;
    const routing = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    git(root, "checkout", "-qb", "side");
    put(join(root, "a.txt"), "side\n");
    git(root, "commit", "-qam", "Side");
    git(root, "checkout", "-q", "main");
    put(join(root, "a.txt"), "main\n");
    git(root, "commit", "-qam", "Main");
    expect(() => git(root, "rebase", "side")).toThrow(/rebase/);
    await expect(routing.apply(id)).rejects.toMatchObject({
      code: "ROUTING_GIT",
      message: "a rebase is in progress: finish or abort it first",
    });
    git(root, "rebase", "--abort");
    expect(await routing.apply(id)).toMatchObject({ done: true });
  });

  it("R-01 taken back on one branch and kept on another: verify says so on both, and a rebuild follows where it is asked", async () => {
    const scene = await newScene();
    const { root } = scene;
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    const applied = git(root, "rev-parse", "HEAD");
    git(root, "checkout", "-qb", "side");
    await routing.revert({ reviewer: "fd-noisy" });
    expect(await routing.verify()).toMatchObject({ ok: true, commits: 2 });
    git(root, "checkout", "-q", "main");
    expect((await routing.status()).overrides).toMatchObject([{ commit: applied }]);
    expect((await routing.verify()).disagreements).toEqual([
      { reviewer: "fd-noisy", problem: expect.stringMatching(/^taken back on another branch/) },
    ]);
    expect(await routing.rebuild()).toMatchObject({ corrected: 2 });
    expect(await routing.verify()).toMatchObject({ ok: true });
    expect(await routing.canary.list()).toHaveLength(1);
    // The branch gets it taken back after all: the watch has nothing to watch.
    git(root, "merge", "-q", "--ff-only", "side");
    expect((await routing.verify()).disagreements).toMatchObject([
      { problem: "it is watched, but the branch has no override of it" },
    ]);
    await routing.rebuild();
    expect(await routing.verify()).toMatchObject({ ok: true });
    expect(await routing.canary.list()).toEqual([]);
  });

  it("R-01 a folder without git and a git that knows nobody are refused clearly", async () => {
    const scene = await newScene(temporaryFolder());
    await expect((await routingIn(scene)).revert({ reviewer: "fd-noisy" })).rejects.toMatchObject({
      code: "ROUTING_GIT",
      message: expect.stringContaining("no git repository"),
    });
    const known = await newScene();
    const id = await approvedProposal(await routingIn(known), "fd-noisy");
    const context = await contextOf(known);
    const {
      GIT_AUTHOR_NAME: _,
      GIT_COMMITTER_NAME: __,
      GIT_AUTHOR_EMAIL: ___,
      GIT_COMMITTER_EMAIL: ____,
      ...rest
    } = committer;
    git(known.root, "config", "user.useConfigOnly", "true");
    const environment = {
      ...systemEnvironment(),
      variables: { PATH: process.env["PATH"], HOME: known.root, ...rest },
    };
    const nobody = openRouting({
      ...context,
      gitIn: (cwd) => createWritingGit({ cwd, environment, actor: "user:ada" }),
    });
    await expect(nobody.apply(id)).rejects.toMatchObject({
      code: "ROUTING_GIT",
      message: expect.stringContaining("git does not know who you are"),
    });
  });

  it("R-02 files that the user changed or staged are left as they are, and that is said", async () => {
    const scene = await newScene();
    const { root } = scene;
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    const mine = '{\n  "version": 1,\n  "overrides": [],\n  "mine": true\n}\n';
    writeFileSync(join(root, overridesPath), mine);
    expect(await applyNow(routing, "fd-quiet")).toMatchObject({
      done: true,
      change: { left: ["worktree"] },
    });
    expect(readFileSync(join(root, overridesPath), "utf8")).toBe(mine);
    expect(committed(root)?.overrides.map(({ agent }) => agent)).toEqual(["fd-noisy", "fd-quiet"]);
    git(root, "add", overridesPath);
    const index = readFileSync(join(root, ".git/index"));
    expect(await applyNow(routing, "game-design")).toMatchObject({
      change: { left: ["worktree", "index"] },
    });
    expect(readFileSync(join(root, ".git/index")).equals(index)).toBe(true);
    expect(git(root, "show", `:${overridesPath}`)).toBe(mine.trim());
  });

  it("unknown fields, other entries and their order survive; of doubled entries the last counts", async () => {
    const scene = await newScene();
    const { root } = scene;
    const entry = (agent: string, more: object) => ({
      agent,
      action: "exclude",
      reason: "",
      created: "",
      created_by: "",
      ...more,
    });
    const text = JSON.stringify({
      version: 1,
      $comment: "ours",
      overrides: [
        entry("fd-noisy", { reason: "first" }),
        entry("fd-quiet", { x: [1] }),
        entry("fd-noisy", { reason: "last", own: 7 }),
      ],
    });
    put(join(root, overridesPath), text);
    git(root, "add", "-f", ".");
    git(root, "commit", "-qm", "By hand");
    const routing = await routingIn(scene);
    expect(
      (await routing.view()).overrides.find(({ reviewer }) => reviewer === "fd-noisy")?.reason,
    ).toBe("last");
    await applyNow(routing, "fd-noisy", { action: "stage" });
    expect(committed(root)).toEqual({
      version: 1,
      $comment: "ours",
      overrides: [
        expect.objectContaining({ agent: "fd-noisy", action: "stage", own: 7 }),
        entry("fd-quiet", { x: [1] }),
      ],
    });
  });

  it("R-01 the branch moves while the commit is made: it is made again on the new one, nothing is lost", async () => {
    const scene = await newScene();
    const { root } = scene;
    const id = await approvedProposal(await routingIn(scene), "fd-noisy");
    let moves = 0;
    const routing = await routingIn(scene, {
      onStep: (step) => {
        if (step !== "prepared" || moves >= 2) return;
        moves += 1;
        git(root, "commit", "-q", "--allow-empty", "-m", `User ${moves}`);
      },
    });
    expect(await routing.apply(id)).toMatchObject({ done: true });
    expect(git(root, "log", "--format=%s").split("\n")).toEqual([
      "headgate: override fd-noisy (exclude)",
      "User 2",
      "User 1",
      "One",
    ]);
    expect(await routing.verify()).toMatchObject({ ok: true, commits: 1 });
  });
});

describe("R-13 the user's hooks and identity", () => {
  it("R-13 pre-commit and commit-msg see the prepared commit only, and may change format and message", async () => {
    const scene = await newScene();
    const { root } = scene;
    writeFileSync(join(root, "mine.txt"), "mine\n");
    git(root, "add", "mine.txt");
    hook(
      root,
      "pre-commit",
      [
        `git diff --cached --name-only > "$PWD/.git/seen"`,
        // A formatter, as many have one: our file on one line, staged.
        `tr -d '\\n' < ${overridesPath} > /dev/null 2>&1 || true`,
        `blob=$(git show :${overridesPath} | tr -d '\\n' | git hash-object -w --stdin)`,
        `git update-index --cacheinfo 100644,$blob,${overridesPath}`,
      ].join("\n"),
    );
    hook(root, "commit-msg", `sed -i '1s/^/JIRA-1 /' "$1"; grep -q Headgate-Op "$1"`);
    hook(root, "post-commit", `echo done > "$PWD/.git/post"`);
    expect(await applyNow(await routingIn(scene), "fd-noisy")).toMatchObject({
      done: true,
      change: { left: [] },
    });
    expect(readFileSync(join(root, ".git/seen"), "utf8").trim()).toBe(overridesPath);
    expect(git(root, "log", "-1", "--format=%s")).toBe(
      "JIRA-1 headgate: override fd-noisy (exclude)",
    );
    expect(git(root, "show", `HEAD:${overridesPath}`).split("\n")).toHaveLength(1);
    expect(inWorktree(root)).toEqual(committed(root));
    expect(existsSync(join(root, ".git/post"))).toBe(true);
    expect(git(root, "status", "--porcelain")).toBe("A  mine.txt");
    expect(await (await routingIn(scene)).verify()).toMatchObject({ ok: true, commits: 1 });
  });

  it("R-13 commit-msg and reference-transaction may refuse, and core.hooksPath counts", async () => {
    const scene = await newScene();
    const { root } = scene;
    const routing = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    hook(root, "commit-msg", "echo 'no ticket' >&2; exit 1");
    await expect(routing.apply(id)).rejects.toMatchObject({
      code: "ROUTING_VETO",
      message: expect.stringContaining("no ticket"),
    });
    rmSync(join(root, ".git/hooks/commit-msg"));
    // Branch protection: main does not move.
    hook(
      root,
      "reference-transaction",
      `[ "$1" = prepared ] || exit 0; while read old new ref; do [ "$ref" = refs/heads/main ] && { echo protected >&2; exit 1; }; done; exit 0`,
    );
    await expect(routing.apply(id)).rejects.toMatchObject({ code: "ROUTING_VETO" });
    expect((await routing.status()).proposals).toMatchObject([{ id, state: "approved" }]);
    rmSync(join(root, ".git/hooks/reference-transaction"));
    const elsewhere = temporaryFolder();
    put(join(elsewhere, "pre-commit"), "#!/bin/sh\necho elsewhere >&2\nexit 1\n");
    chmodSync(join(elsewhere, "pre-commit"), 0o755);
    git(root, "config", "core.hooksPath", elsewhere);
    await expect(routing.apply(id)).rejects.toMatchObject({
      message: expect.stringContaining("elsewhere"),
    });
    expect(git(root, "rev-list", "--count", "HEAD")).toBe("1");
    git(root, "config", "--unset", "core.hooksPath");
    expect(await routing.apply(id)).toMatchObject({ done: true });
  });

  it("R-13 a hook that stages other files does not bring them into the commit; one that changes what is said is refused", async () => {
    const scene = await newScene();
    const { root } = scene;
    writeFileSync(join(root, "a.txt"), "unstaged\n");
    hook(root, "pre-commit", "git add -u");
    const routing = await routingIn(scene);
    expect(await applyNow(routing, "fd-noisy")).toMatchObject({ done: true });
    expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe(overridesPath);
    hook(
      root,
      "pre-commit",
      `blob=$(echo '{"version":1,"overrides":[]}' | git hash-object -w --stdin); git update-index --cacheinfo 100644,$blob,${overridesPath}`,
    );
    const id = await approvedProposal(routing, "fd-quiet");
    await expect(routing.apply(id)).rejects.toMatchObject({ code: "ROUTING_VETO" });
  });

  it("R-13 a repository that signs gets signed commits, or a clear refusal", async () => {
    const scene = await newScene();
    const { root } = scene;
    const key = join(temporaryFolder(), "key");
    const { execFileSync } = await import("node:child_process");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
    git(root, "config", "gpg.format", "ssh");
    git(root, "config", "commit.gpgSign", "true");
    git(root, "config", "user.signingKey", join(temporaryFolder(), "none"));
    const routing = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    await expect(routing.apply(id)).rejects.toMatchObject({
      code: "ROUTING_GIT",
      message: expect.stringContaining("cannot be signed"),
    });
    git(root, "config", "user.signingKey", key);
    expect(await routing.apply(id)).toMatchObject({ done: true });
    expect(git(root, "cat-file", "commit", "HEAD")).toContain("BEGIN SSH SIGNATURE");
  });

  it("R-13 no code of ours skips a hook", () => {
    const found = sourcesWith("--no-verify");
    expect(found).toEqual([]);
  });
});

const sourcesWith = (text: string): string[] => {
  const root = join(import.meta.dirname, "../../src");
  const files = globSync("{git,routing,runs}/**/*.ts", { cwd: root });
  expect(files.length).toBeGreaterThan(20);
  return files.filter((file) => readFileSync(join(root, file), "utf8").includes(text));
};
