/**
 * Every finding of document 001 (review of the routing overrides plan) under its id and title, and its six
 * improvements: each was a defect of the predecessor.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { backends, openScope, type StorePlace } from "../helpers/store-backends.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  applyNow,
  approvedProposal,
  committed,
  inWorktree,
  overridesPath,
  type Place,
  reviewers,
  routingIn,
} from "./scene.ts";

interface Scene extends Place {
  readonly there: StorePlace;
}

describe.each(backends)("document 001 with $name", ({ place: newPlace }) => {
  const newScene = async (): Promise<Scene> => {
    const there = await newPlace();
    return {
      there,
      root: makeRepository(join(temporaryFolder(), "app")),
      ...(await openScope(there)),
    };
  };
  const rows = ({ there }: Scene, sql: string) => there.sql(sql);

  it("RACE-01 TOCTOU race after dedup check: two sessions apply the same proposal at once, one commit, one modification, one canary", async () => {
    const scene = await newScene();
    const [a, b] = await Promise.all([
      routingIn(scene, { actor: "claude:a" }),
      routingIn(scene, { actor: "claude:b" }),
    ]);
    const id = await approvedProposal(await routingIn(scene), "fd-noisy");
    const outcomes = await Promise.all([a.apply(id), b.apply(id)]);
    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    const second = outcomes.find(({ done }) => !done);
    expect(second).toMatchObject({ why: expect.stringMatching(/^already applied by claude:/) });
    expect(git(scene.root, "rev-list", "--count", "HEAD")).toBe("2");
    const [modification, ...more] = await rows(scene, "SELECT * FROM modifications");
    expect(more).toEqual([]);
    expect(modification).toMatchObject({ commit_id: git(scene.root, "rev-parse", "HEAD") });
    expect(await rows(scene, "SELECT * FROM canaries")).toHaveLength(1);
  });

  it("R-02 DATA-01 Rollback failure leaves inconsistent state: a commit that a hook refuses leaves nothing staged, written or recorded", async () => {
    const scene = await newScene();
    const { root } = scene;
    put(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\necho 'not on Mondays' >&2\nexit 1\n");
    chmodSync(join(root, ".git/hooks/pre-commit"), 0o755);
    writeFileSync(join(root, "mine.txt"), "mine\n");
    git(root, "add", "mine.txt");
    const routing = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    const index = readFileSync(join(root, ".git/index"));
    await expect(routing.apply(id)).rejects.toMatchObject({
      code: "ROUTING_VETO",
      message: expect.stringContaining("not on Mondays"),
    });
    expect(readFileSync(join(root, ".git/index")).equals(index)).toBe(true);
    expect(existsSync(join(root, overridesPath))).toBe(false);
    expect(git(root, "rev-list", "--count", "HEAD")).toBe("1");
    expect(git(root, "diff", "--cached", "--name-only")).toBe("mine.txt");
    for (const table of ["modifications", "canaries", "operations"]) {
      expect(await rows(scene, `SELECT * FROM ${table}`)).toEqual([]);
    }
    // The next commit of the user carries nothing of it.
    put(join(root, ".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
    git(root, "commit", "-qm", "Mine");
    expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe("mine.txt");
    expect(await routing.apply(id)).toMatchObject({ done: true });
  });

  it("R-03 RACE-02 Read racing with concurrent writes: readers see the old or the new file, and a stale proposal is noticed at approval", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    const other = await routingIn(scene, { actor: "claude:b" });
    const first = await approvedProposal(routing, "fd-noisy");
    const late = await other.propose({ reviewer: "fd-noisy", action: "stage", reason: "later" });
    const over = new AbortController();
    const reading = (async () => {
      const seen = new Set<number>();
      while (!over.signal.aborted) {
        const { overrides, problem } = await other.view();
        expect(problem).toBeUndefined();
        seen.add(overrides.length);
        // With SQLite nothing here waits for the outside: without this, nobody else would get a turn.
        await new Promise((next) => setImmediate(next));
      }
      return seen;
    })();
    await routing.apply(first).finally(() => over.abort());
    for (const count of await reading) expect([0, 1]).toContain(count);
    // The same again: proposing and approving say who was first, and do nothing.
    const again = await other.propose({ reviewer: "fd-noisy", action: "exclude", reason: "noise" });
    expect(again).toMatchObject({ ok: false, already: { createdBy: "user:ada" } });
    expect(await other.apply(first)).toMatchObject({
      done: false,
      why: "already applied by user:ada",
    });
    // Another one that was made before: superseded, not applied over it.
    if (!late.ok) throw new Error("unexpected");
    await expect(routing.approve({ id: late.proposal.id })).rejects.toMatchObject({
      code: "ROUTING_REFUSED",
      message: expect.stringContaining("superseded"),
    });
    expect(committed(scene.root)?.overrides).toMatchObject([{ action: "exclude" }]);
  });

  it("R-04 DATA-02 DB inserts run even if override had no effect: an update updates, and starts no second canary", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy", { action: "stage", reason: "first" });
    await routing.canary.record({ reviewer: "fd-noisy", clean: 3, loss: 0 });
    const [before] = await rows(scene, "SELECT id FROM canaries");
    expect(
      await applyNow(routing, "fd-noisy", { action: "exclude", reason: "second" }),
    ).toMatchObject({
      done: true,
      change: { kind: "update" },
    });
    // `unique_by` of the predecessor kept the first entry while it claimed that the last one wins.
    expect(committed(scene.root)?.overrides).toMatchObject([
      { action: "exclude", reason: "second" },
    ]);
    expect(inWorktree(scene.root)).toEqual(committed(scene.root));
    expect(await rows(scene, "SELECT id FROM canaries")).toEqual([before]);
    const { canaries, overrides } = await routing.status();
    expect(canaries).toMatchObject([{ reviewer: "fd-noisy", shadows: 0, uses: 0 }]);
    expect(overrides).toMatchObject([{ commit: git(scene.root, "rev-parse", "HEAD") }]);
    expect(await rows(scene, "SELECT * FROM modifications WHERE state = 'current'")).toHaveLength(
      1,
    );
    // The same effect once more changes nothing at all.
    const same = await routing.propose({
      reviewer: "fd-noisy",
      action: "exclude",
      reason: "third",
    });
    expect(same).toMatchObject({ ok: false });
    expect(git(scene.root, "rev-list", "--count", "HEAD")).toBe("3");
  });

  it("SHELL-01 Unquoted variable substitution: quotes, dollars and line breaks in every field are data", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene, { actor: `eve"; $(touch owned) '` });
    const reason = "`touch owned` $(touch owned)\n\"'; DROP TABLE evidence; --\u001b[31m";
    await routing.evidence.add({
      reviewer: "fd-noisy",
      outcome: "dismissed",
      reason: "wrong",
      note: reason,
      finding: "x'); DELETE FROM evidence; --",
    });
    await expect(
      routing.evidence.add({ reviewer: "fd-noisy; rm -rf /", outcome: "accepted" }),
    ).rejects.toMatchObject({ code: "USAGE" });
    await expect(
      routing.propose({ reviewer: "$(touch owned)", action: "exclude" }),
    ).rejects.toMatchObject({
      code: "USAGE",
    });
    const person = await routingIn(scene);
    await applyNow(person, "fd-noisy", { reason });
    expect(committed(scene.root)?.overrides[0]?.reason).toBe(
      "`touch owned` $(touch owned)\\n\"'; DROP TABLE evidence; --\\u001b[31m",
    );
    expect(git(scene.root, "log", "-1", "--format=%B")).toContain("\\u001b[31m");
    expect(existsSync(join(scene.root, "owned"))).toBe(false);
    expect((await routing.status()).evidence).toBe(1);
    expect(await routing.verify()).toMatchObject({ ok: true });
  });

  it("SHELL-02 Hardcoded path assumes a layout: it works in any folder, in a linked worktree, and from below", async () => {
    const scene = await newScene();
    const linked = join(temporaryFolder(), "a folder ünd more");
    git(scene.root, "worktree", "add", "-q", "-b", "side", linked);
    const routing = await routingIn({ ...scene, root: linked });
    expect(await applyNow(routing, "fd-noisy")).toMatchObject({
      done: true,
      change: { ref: "refs/heads/side", left: [] },
    });
    expect(committed(linked)?.overrides).toHaveLength(1);
    expect(git(linked, "status", "--porcelain")).toBe("");
    // The other worktree's branch, index and files know nothing of it.
    expect(committed(scene.root)).toBeUndefined();
    expect(git(scene.root, "rev-list", "--count", "main")).toBe("1");
  });

  it("R-06 DATA-03 Missing UNIQUE constraint on blacklist.pattern_key: reverts and unblocks at once, twice, leave one row and none", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    const other = await routingIn(scene, { actor: "claude:b" });
    const outcomes = await Promise.all([
      routing.revert({ reviewer: "fd-noisy" }),
      other.revert({ reviewer: "fd-noisy" }),
      routing.block({ pattern: "fd-noisy" }),
      other.block({ pattern: "fd-noisy" }),
    ]);
    expect(outcomes.filter((one) => typeof one === "object" && one.done)).toHaveLength(1);
    expect(await rows(scene, "SELECT pattern FROM blacklist")).toEqual([{ pattern: "fd-noisy" }]);
    await expect(
      scene.there.sql(
        "INSERT INTO blacklist SELECT scope_id, pattern, at, actor, reason FROM blacklist",
      ),
    ).rejects.toThrow(/unique|duplicate/i);
    await expect(
      routing.propose({ reviewer: "fd-noisy", action: "exclude" }),
    ).rejects.toMatchObject({
      code: "ROUTING_REFUSED",
      data: { guard: "blacklist" },
    });
    const unblocked = await Promise.all([routing.unblock("fd-noisy"), other.unblock("fd-noisy")]);
    expect(unblocked.toSorted()).toEqual([false, true]);
    expect(await rows(scene, "SELECT pattern FROM blacklist")).toEqual([]);
    expect(await routing.unblock("fd-noisy")).toBe(false);
  });

  it("R-05 DATA-04 Missing agent roster validation: asked inside the lock, and a vanished reviewer is shown as such", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await expect(routing.propose({ reviewer: "fd-nois", action: "exclude" })).rejects.toMatchObject(
      {
        code: "ROUTING_UNKNOWN",
        message: expect.stringContaining("did you mean fd-noisy"),
      },
    );
    const id = await approvedProposal(routing, "fd-noisy");
    // Gone between approval and the lock.
    const without = reviewers.filter((name) => name !== "fd-noisy");
    const later = await routingIn(scene, { roster: async () => without });
    await expect(later.apply(id)).rejects.toMatchObject({ code: "ROUTING_UNKNOWN" });
    expect(committed(scene.root)).toBeUndefined();
    expect(await routing.apply(id)).toMatchObject({ done: true });
    expect((await later.status()).overrides).toMatchObject([
      { reviewer: "fd-noisy", vanished: true },
    ]);
    expect((await later.view()).vanished).toEqual(["fd-noisy"]);
    // It can be taken back all the same.
    expect(await later.revert({ reviewer: "fd-noisy" })).toMatchObject({ done: true });
  });

  it("R-08 malformed overrides are reported, ignored by the review, and never overwritten", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    const file = put(join(scene.root, overridesPath), '{"version": 1, "overrides": [\n  {,\n]}');
    const before = readFileSync(file);
    expect(await routing.view()).toMatchObject({
      overrides: [],
      problem: expect.stringMatching(/routing-overrides.json is malformed: line 2:4.*without it/),
    });
    expect((await routing.status()).problem).toContain("malformed");
    for (const attempt of [
      () => routing.apply(id),
      () => routing.revert({ reviewer: "fd-noisy" }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: "ROUTING_FILE" });
    }
    git(scene.root, "add", "-f", overridesPath);
    git(scene.root, "commit", "-qm", "Broken");
    await expect(routing.apply(id)).rejects.toMatchObject({ code: "ROUTING_FILE" });
    expect(readFileSync(file).equals(before)).toBe(true);
    writeFileSync(file, '{"version": 2, "overrides": []}');
    expect((await routing.view()).problem).toContain("is of version 2");
    git(scene.root, "commit", "-qam", "Newer");
    await expect(routing.apply(id)).rejects.toMatchObject({ code: "ROUTING_FILE_NEWER" });
    expect(await scene.there.sql("SELECT * FROM modifications")).toEqual([]);
  });
});

describe("document 001, improvements", () => {
  const newScene = async (): Promise<Place> => ({
    root: makeRepository(join(temporaryFolder(), "app")),
    ...(await openScope(await backends[0]!.place())),
  });

  it("improvement 1 Atomic file writes using temp + rename: a reader's open file keeps the old content", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    const { openSync, fstatSync, statSync } = await import("node:fs");
    const fd = openSync(join(scene.root, overridesPath), "r");
    await routing.revert({ reviewer: "fd-noisy" });
    // Revert writes atomically too: the predecessor's did not.
    expect(statSync(join(scene.root, overridesPath)).ino).not.toBe(fstatSync(fd).ino);
    expect(JSON.parse(readFileSync(fd, "utf8"))).toMatchObject({
      overrides: [{ agent: "fd-noisy" }],
    });
  });

  it("improvement 2 WAL mode for concurrent reads: status answers while a writer is at work", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    let answered: number | undefined;
    const other = await routingIn(scene);
    const id = await approvedProposal(routing, "fd-noisy");
    const busy = await routingIn(scene, {
      onStep: (step) => {
        if (step === "prepared") void other.status().then((found) => (answered = found.unfinished));
      },
    });
    expect(await busy.apply(id)).toMatchObject({ done: true });
    await expect.poll(() => answered).toBeTypeOf("number");
  });

  it("improvement 5 Canary expiry is plain arithmetic, whatever `date` can do, and never empty", async () => {
    const scene = await newScene();
    const routing = await routingIn(scene);
    await applyNow(routing, "fd-noisy");
    const [canary] = await routing.canary.list();
    const days = (Date.parse(canary!.expiresAt) - Date.parse(canary!.openedAt)) / 86_400_000;
    expect(days).toBe(14);
  });

  it("R-07 improvement 6 the path is relative, inside the repository, with links resolved; anything else is refused", async () => {
    const scene = await newScene();
    const { root } = scene;
    const outside = temporaryFolder();
    symlinkSync(outside, join(root, "out"));
    mkdirSync(join(root, "real"));
    symlinkSync("real", join(root, "linked"));
    makeRepository(join(root, "inner"));
    const refused = [
      "/tmp/overrides.json",
      "../overrides.json",
      "a/../../overrides.json",
      "out/overrides.json",
      ".git/overrides.json",
      ".headgate/local/overrides.json",
      "inner/overrides.json",
      "real",
      "C:\\overrides.json",
    ];
    for (const path of refused) {
      const routing = await routingIn(scene, { settings: { path } });
      await expect(routing.revert({ reviewer: "fd-noisy" }), path).rejects.toMatchObject({
        code: "ROUTING_PATH",
      });
      expect((await routing.view()).problem, path).toContain("routing.path");
    }
    const routing = await routingIn(scene, { settings: { path: "linked/overrides.json" } });
    expect(await applyNow(routing, "fd-noisy")).toMatchObject({ done: true });
    expect(git(root, "show", "--name-only", "--format=", "HEAD")).toBe("real/overrides.json");
    expect((await routing.view()).overrides).toHaveLength(1);
  });
});

describe("document 001, the table of proofs", () => {
  it("every finding and improvement of the document is in docs/routing.md, with a test that carries its id", () => {
    const root = join(import.meta.dirname, "../..");
    const text = readFileSync(join(root, "docs/routing.md"), "utf8");
    const rows = [...text.matchAll(/^\| ([A-Z]+-\d\d|improvement \d) \|.*\| (`.*`) \|$/gm)];
    expect(rows.map(([, id]) => id)).toEqual([
      ...["RACE-01", "DATA-01", "RACE-02", "DATA-02", "SHELL-01", "SHELL-02", "DATA-03", "DATA-04"],
      ...[1, 2, 3, 4, 5, 6].map((number) => `improvement ${number}`),
    ]);
    for (const [, id = "", files = ""] of rows) {
      for (const [, file = ""] of files.matchAll(/`([^`]+)`/g)) {
        const titles = readFileSync(join(root, file), "utf8").match(/\b(it|describe)\(\s*".*"/g);
        expect(
          titles?.some((title) => title.includes(id)),
          `${id} in ${file}`,
        ).toBe(true);
      }
    }
  });
});
