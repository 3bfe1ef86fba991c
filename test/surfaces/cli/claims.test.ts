import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimsProgram } from "../../helpers/claims-program.ts";
import { makeRepository } from "../../helpers/git-repository.ts";
import { runInside } from "../../helpers/inside.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const claimId = expect.stringMatching(/^cl_[0-9a-z]{18}$/);

/** Exactly these fields, no more. */
const claimShape = (over: object) => ({
  id: claimId,
  target: "a.txt",
  mode: "exclusive",
  actor: "alice",
  fence: expect.any(Number),
  grantedAt: isoTime,
  expiresAt: isoTime,
  reason: "",
  ...over,
});
/** In the answer to the holder alone. */
const grantShape = (over: object) =>
  claimShape({ secret: expect.stringMatching(/^[0-9a-f]{64}$/), ...over });
const blockerShape = (over: object) => ({
  id: claimId,
  target: "a.txt",
  mode: "exclusive",
  actor: "alice",
  reason: "",
  grantedAt: isoTime,
  expiresAt: isoTime,
  liveness: { state: "alive", evidence: [expect.stringMatching(/^last heartbeat \d+ s ago$/)] },
  blocks: ["a.txt"],
  ...over,
});
/** To the hundredth: a time is told in today's wall clock, which is steered by milliseconds. */
const spanMs = ({ grantedAt, expiresAt }: { grantedAt: string; expiresAt: string }): number =>
  Math.round((Date.parse(expiresAt) - Date.parse(grantedAt)) / 10) * 10;

describe("headgate claim", () => {
  it("C-13 grants a free target with one call, and prints exactly the documented shape", async () => {
    const { as } = claimsProgram();
    const { code, answer } = await as("alice")("claim", "a.txt", "--reason", "fix it");
    expect({ code, answer }).toEqual({
      code: 0,
      answer: { ok: true, claim: grantShape({ reason: "fix it" }) },
    });
    expect(spanMs(answer.claim)).toBe(15 * 60_000);
  });

  it("C-15 refuses what overlaps and reports all blockers with everything about them", async () => {
    const { as } = claimsProgram(runInside);
    await as("alice")("claim", "src/a", "--reason", "one");
    await as("bob")("claim", "src/b/**", "--shared", "--reason", "two");
    const { code, answer } = await as("carol")("claim", "src", "docs");
    expect({ code, answer }).toEqual({
      code: 1,
      answer: {
        ok: false,
        code: "CLAIM_CONFLICT",
        message: expect.any(String),
        remedy: expect.any(String),
        blockers: [
          blockerShape({ target: "src/a", reason: "one", blocks: ["src"] }),
          blockerShape({
            target: "src/b/**",
            mode: "shared",
            actor: "bob",
            reason: "two",
            blocks: ["src"],
          }),
        ],
      },
    });
    expect((await as("carol")("claims", "--mine")).answer.claims).toEqual([]);
  });

  it("C-15 tells people what, who, why, since when, until when, whether alive, and what to do", async () => {
    const { as, text } = claimsProgram(runInside);
    const { answer } = await as("alice")("claim", "a.txt", "--reason", "rewrite it");
    const { code, stdout, stderr } = await text("claim", "a.txt", "--as", "bob");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const { id } = answer.claim;
    expect(stdout).toMatch(
      /^refused: a\.txt is held by alice \[CLAIM_CONFLICT\]\n {2}a\.txt {2}exclusive\n/,
    );
    for (const line of [
      /^ {4}held by +alice$/m,
      /^ {4}reason +rewrite it$/m,
      /^ {4}since +\d\d:\d\d, (?:just now|\d+[sm] ago)$/m,
      /^ {4}until +\d\d:\d\d, 1[45]m left, unless renewed$/m,
      /^ {4}life +alive: last heartbeat \d+ s ago$/m,
      new RegExp(`^ {4}claim +${id}$`, "m"),
      /^ {2}wait in line +headgate claim a\.txt --as bob --wait 60s$/m,
      /^ {2}see all claims +headgate claims --as bob$/m,
    ]) {
      expect(stdout).toMatch(line);
    }
    expect(stdout).toContain(`  ask the holder  headgate ask ${id} 'why I need it' --as bob\n`);
  });

  it("grants several targets together or not at all", async () => {
    const { as } = claimsProgram(runInside);
    const both = await as("alice")("claim", "a.txt", "name:port-80");
    expect(both).toEqual({
      code: 0,
      answer: { ok: true, claims: [grantShape({}), grantShape({ target: "name:port-80" })] },
    });
    expect(both.answer.claims[1].fence).toBe(both.answer.claims[0].fence + 1);
    expect((await as("bob")("claim", "b.txt", "a.txt")).code).toBe(1);
    expect(await as("carol")("claim", "b.txt")).toMatchObject({ code: 0 });
  });

  it("--partial takes what is free and lists the rest; with nothing free it is refused", async () => {
    const { as, text } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    expect(await as("bob")("claim", "a.txt", "b.txt", "--partial")).toEqual({
      code: 0,
      answer: {
        ok: true,
        claims: [grantShape({ target: "b.txt", actor: "bob" })],
        refused: [{ target: "a.txt", blockers: [blockerShape({})] }],
      },
    });
    expect(await as("bob")("claim", "a.txt", "--partial")).toMatchObject({
      code: 1,
      answer: { code: "CLAIM_CONFLICT" },
    });
    const { stdout } = await text("claim", "a.txt", "c.txt", "--partial", "--as", "bob");
    expect(stdout).toMatch(/^claimed {2}c\.txt .*\nrefused: a\.txt\n {2}a\.txt {2}exclusive\n/);
  });

  it("C-08 the same actor again renews the same claim: no stacking, same id, same fence", async () => {
    const { as } = claimsProgram(runInside);
    const first = (await as("alice")("claim", "a.txt")).answer.claim;
    const again = (await as("alice")("claim", "./a.txt", "--ttl", "1h")).answer.claim;
    expect(again).toMatchObject({ id: first.id, fence: first.fence });
    expect(spanMs(again)).toBeGreaterThan(59 * 60_000);
    expect((await as("alice")("claims")).answer.claims).toHaveLength(1);
  });

  it("C-08 shared becomes exclusive only while nobody else shares", async () => {
    const { as } = claimsProgram(runInside);
    const first = (await as("alice")("claim", "a.txt", "--shared")).answer.claim;
    expect(first.mode).toBe("shared");
    await as("bob")("claim", "a.txt", "--shared");
    expect(await as("alice")("claim", "a.txt")).toMatchObject({
      code: 1,
      answer: { blockers: [{ actor: "bob", mode: "shared" }] },
    });
    await as("bob")("release", "a.txt");
    const { answer } = await as("alice")("claim", "a.txt");
    expect(answer.claim).toMatchObject({ id: first.id, mode: "exclusive" });
    expect(answer.claim.fence).toBeGreaterThan(first.fence);
  });

  it.each([
    ["1500ms", 1500],
    ["90", 90_000],
    ["90s", 90_000],
    ["1.5h", 5_400_000],
    ["1h30m", 5_400_000],
    ["1d", 86_400_000],
  ])("--ttl %s lasts %i ms", async (ttl, ms) => {
    const { as } = claimsProgram(runInside);
    expect(spanMs((await as("alice")("claim", "a.txt", "--ttl", ttl)).answer.claim)).toBe(ms);
  });

  it("--for session counts for the session's sub-agents, and only then", async () => {
    const { as } = claimsProgram(runInside);
    await as("claude:s1")("claim", "a.txt");
    expect((await as("claude:s1/tests")("check", "a.txt")).code).toBe(1);
    const { answer } = await as("claude:s1")("claim", "a.txt", "--for", "session");
    expect(answer.claim).toMatchObject({ forSession: true });
    expect((await as("claude:s1/tests")("check", "a.txt")).code).toBe(0);
    expect((await as("claude:s2/tests")("check", "a.txt")).code).toBe(1);
  });

  it("--key gives the first call's answer to a repetition and claims nothing anew", async () => {
    const { as } = claimsProgram(runInside);
    const first = await as("alice")("claim", "a.txt", "--key", "k1");
    await as("alice")("release", "--all");
    expect(await as("alice")("claim", "a.txt", "--key", "k1")).toEqual(first);
    expect((await as("bob")("check", "a.txt")).code).toBe(0);
  });

  it("acts as the agent client's session, else --as, HEADGATE_ACTOR or the user (T-03)", async () => {
    const cwd = makeRepository(join(temporaryFolder(), "shop"));
    const actorWith = async (env: Record<string, string>, ...args: string[]) => {
      const { stdout } = await runInside(["claim", "name:x", "--json", "--partial", ...args], {
        cwd,
        env,
      });
      const { claim } = JSON.parse(stdout) as { claim: { actor: string } };
      await runInside(["release", "--all", ...args], { cwd, env });
      return claim.actor;
    };
    expect(await actorWith({})).toMatch(/^user:./);
    expect(await actorWith({ CLAUDE_CODE_SESSION_ID: "s-1" })).toBe("claude:s-1");
    expect(await actorWith({ CODEX_THREAD_ID: "t-1" })).toBe("codex:t-1");
    expect(await actorWith({ CODEX_THREAD_ID: "t-1", HEADGATE_ACTOR: "zoe" })).toBe("codex:t-1");
    expect(await actorWith({ HEADGATE_ACTOR: "zoe" }, "--as", "yan")).toBe("yan");
  });

  it("is never taken for its own process: what a command claimed outlives the command", async () => {
    const { as } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    expect(await as("bob")("claim", "a.txt")).toMatchObject({
      code: 1,
      answer: { blockers: [{ actor: "alice", liveness: { state: "alive" } }] },
    });
  });

  it("means the same file from every folder and worktree of the repository", async () => {
    const { cwd, as } = claimsProgram(runInside);
    put(join(cwd, "src/deep/b.ts"));
    const inside = await runInside(["claim", "b.ts", "--json", "--as", "alice"], {
      cwd: join(cwd, "src/deep"),
    });
    expect(JSON.parse(inside.stdout)).toMatchObject({ claim: { target: "src/deep/b.ts" } });
    expect((await as("bob")("check", "src/deep/b.ts")).code).toBe(1);
    expect((await as("bob")("check", join(cwd, "src"))).code).toBe(1);
    const elsewhere = await runInside(["check", "b.ts", "--repo", "shop/src/deep", "--as", "bob"], {
      cwd: join(cwd, ".."),
    });
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stdout).toContain("--repo shop/src/deep");
  });
});

describe("headgate check", () => {
  it("C-13 says clear or blocked in exactly the documented shape, and changes nothing", async () => {
    const { cwd, as, text } = claimsProgram();
    const before = readdirSync(cwd);
    expect(await as("bob")("check", "a.txt", "src")).toEqual({
      code: 0,
      answer: { clear: true, blockers: [] },
    });
    expect(readdirSync(cwd)).toEqual(before);
    expect((await text("check", "a.txt")).stdout).toBe("clear: a.txt\n");
    await as("alice")("claim", "a.txt");
    const { answer } = await as("bob")("events", "--last", "1");
    expect(await as("bob")("check", "a.txt")).toEqual({
      code: 1,
      answer: { clear: false, blockers: [blockerShape({})] },
    });
    expect((await as("alice")("check", "a.txt")).code).toBe(0);
    const shown = await text("check", "a.txt", "--as", "bob");
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^blocked: a\.txt is held by alice\n/);
    expect((await as("bob")("events", "--last", "1")).answer).toEqual(answer);
  });

  it("--shared is blocked by exclusive claims only", async () => {
    const { as } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt", "--shared");
    expect((await as("bob")("check", "a.txt")).code).toBe(1);
    expect((await as("bob")("check", "a.txt", "--shared")).code).toBe(0);
  });
});

describe("headgate release and renew", () => {
  it("C-02 says of a file or symbol that it does not exist yet, and claims it", async () => {
    const { text, cwd } = claimsProgram();
    put(join(cwd, "a.ts"), "export class A {\n  b() {}\n}\n");
    const { code, stdout } = await text(
      "claim",
      "new.ts",
      "a.ts#A.b",
      "a.ts#C",
      "a.ts#b",
      "x/**/*.ts",
    );
    expect(code).toBe(0);
    const said = stdout.split("\n").filter((line) => line.includes("does not exist yet"));
    expect(said).toEqual(["  new.ts does not exist yet", "  a.ts#C does not exist yet"]);
  });

  it("C-10 an id that no claim ever had is nothing there, and nothing is released beside it", async () => {
    const call = claimsProgram().as("alice");
    const { claim } = (await call("claim", "a.txt")).answer;
    for (const id of ["cl_nope", `${claim.id.slice(0, -4)}zzzz`]) {
      const answer = await call("release", claim.id, id);
      expect([answer.code, answer.answer.code]).toEqual([4, "CLAIM_UNKNOWN"]);
    }
    expect((await call("claims")).answer.claims).toHaveLength(1);
    expect((await call("release", claim.id)).code).toBe(0);
    expect((await call("release", claim.id)).code).toBe(0);
  });

  it("releases by target, by id and everything; what has ended is nothing to release", async () => {
    const { as, text } = claimsProgram();
    const { answer } = await as("alice")("claim", "a.txt", "b.txt", "c.txt");
    const [one, two, three] = answer.claims;
    expect(await as("alice")("release", "./a.txt")).toEqual({
      code: 0,
      answer: { ok: true, released: [claimShape({ id: one.id, expiresAt: isoTime })] },
    });
    expect((await text("release", two.id, "--as", "alice")).stdout).toBe(
      `released b.txt  ${two.id}\n`,
    );
    expect((await as("alice")("release", "--all")).answer.released).toMatchObject([
      { id: three.id },
    ]);
    for (const name of [one.id, "a.txt", "--all"]) {
      expect(await as("alice")("release", name)).toEqual({
        code: 0,
        answer: { ok: true, released: [] },
      });
    }
    expect((await text("release", "a.txt", "--as", "alice")).stdout).toBe("nothing to release\n");
  });

  it("C-10 never touches another's claim, named by id or by target", async () => {
    const { as } = claimsProgram(runInside);
    const { answer } = await as("alice")("claim", "a.txt");
    await as("bob")("claim", "b.txt");
    for (const command of ["release", "renew"]) {
      for (const name of [answer.claim.id, "a.txt"]) {
        expect(await as("bob")(command, "b.txt", name)).toMatchObject({
          code: 1,
          answer: {
            ok: false,
            code: "CLAIM_NOT_HELD",
            data: { claim: answer.claim.id, target: "a.txt", holder: "alice" },
          },
        });
      }
    }
    expect((await as("bob")("claims")).answer.claims).toHaveLength(2);
  });

  it("where nothing was ever claimed there is nothing to release, renew or sweep, and nothing is made", async () => {
    const { cwd, as } = claimsProgram(runInside);
    expect(await as("alice")("release", "--all")).toMatchObject({ code: 0 });
    expect(await as("alice")("sweep")).toMatchObject({ code: 0 });
    expect(await as("alice")("renew")).toMatchObject({
      code: 4,
      answer: { code: "CLAIM_UNKNOWN" },
    });
    expect(existsSync(join(cwd, ".headgate"))).toBe(false);
  });

  it("--keep narrows a claim to parts inside it, under the same fence", async () => {
    const { as, text } = claimsProgram(runInside);
    const whole = (await as("alice")("claim", "src")).answer.claim;
    const { code, answer } = await as("alice")(
      ...["release", "src", "--keep", "src/a.ts", "--keep", "src/b"],
    );
    expect({ code, answer }).toEqual({
      code: 0,
      answer: {
        ok: true,
        claims: [
          claimShape({ id: whole.id, target: "src/a.ts", fence: whole.fence }),
          claimShape({ target: "src/b", fence: whole.fence }),
        ],
      },
    });
    expect((await as("bob")("check", "src/c.ts")).code).toBe(0);
    expect((await as("bob")("check", "src/b/x.ts")).code).toBe(1);
    expect(await as("alice")("release", "src/b", "--keep", "docs")).toMatchObject({
      code: 2,
      answer: { code: "CLAIM_NOT_INSIDE" },
    });
    expect(await as("alice")("release", "gone", "--keep", "gone/x")).toMatchObject({
      code: 4,
      answer: { code: "CLAIM_UNKNOWN" },
    });
    const { stdout } = await text("release", "src/b", "--keep", "src/b/x", "--as", "alice");
    expect(stdout).toMatch(/^kept {2}src\/b\/x {2}exclusive {2}for 1[45]m, until /);
  });

  it("renews one or all, longer but never shorter; an ended claim cannot be renewed", async () => {
    const { as, text } = claimsProgram(runInside);
    const [one] = (await as("alice")("claim", "a.txt", "b.txt")).answer.claims;
    const renewed = await as("alice")("renew", "a.txt", "--ttl", "2h");
    expect(renewed).toMatchObject({ code: 0, answer: { ok: true, claims: [{ id: one.id }] } });
    expect(spanMs(renewed.answer.claims[0])).toBeGreaterThan(119 * 60_000);
    const all = await as("alice")("renew", "--ttl", "1m");
    expect(all.answer.claims.map(({ target }) => target)).toEqual(["a.txt", "b.txt"]);
    expect(spanMs(all.answer.claims[0])).toBe(spanMs(renewed.answer.claims[0]));
    expect((await text("renew", "a.txt", "--as", "alice")).stdout).toMatch(
      /^renewed {2}a\.txt {2}exclusive {2}for 2h, until \d\d:\d\d {2}fence \d+ {2}cl_/,
    );
    await as("alice")("release", "a.txt");
    for (const name of [one.id, "a.txt"]) {
      expect(await as("alice")("renew", name)).toMatchObject({
        code: 4,
        answer: { ok: false, code: "CLAIM_UNKNOWN" },
      });
    }
  });
});

describe("headgate status", () => {
  it("counts live claims and waiters and names the schema", async () => {
    const { as, startAs, text, untilWaiting } = claimsProgram();
    await as("alice")("claim", "a.txt", "b.txt");
    startAs("bob", "claim", "a.txt", "--wait", "10m");
    await untilWaiting("bob");
    const { answer } = await as("carol")("status");
    const shipped = readdirSync("src/store/migrations/sqlite").length;
    expect(answer).toMatchObject({ store: { schema: shipped }, claims: { live: 2, waiters: 1 } });
    expect((await text("status")).stdout).toMatch(
      /^claims +2 live, 1 waiter in line {2}\(who holds what: headgate claims\)$/m,
    );
  });
});
