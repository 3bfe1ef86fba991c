import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answerOf, claimsProgram, startClient } from "../../helpers/claims-program.ts";
import { runInside } from "../../helpers/inside.ts";
import { git } from "../../helpers/git-repository.ts";

const requestShape = (over: object) => ({
  id: expect.stringMatching(/^rq_[0-9a-z]{18}$/),
  claim: expect.stringMatching(/^cl_/),
  target: "a.txt",
  holder: "alice",
  asker: "bob",
  reason: "",
  askedAt: expect.any(String),
  deadline: expect.any(String),
  answer: "none",
  note: "",
  ...over,
});

/** alice holds a.txt and bob has asked for it. */
const asked = async (...more: string[]) => {
  const program = claimsProgram(runInside);
  const { claim } = (await program.as("alice")("claim", "a.txt")).answer;
  const { code, answer } = await program.as("bob")("release", "--ask", claim.id, ...more);
  return { ...program, claim, code, answer, id: answer.request.id as string };
};

describe("headgate release --ask and --answer", () => {
  it("asks the holder, who is told with its next claim or renewal and how to answer", async () => {
    const { as, text, code, answer, id } = await asked("--reason", "hotfix", "--within", "10m");
    const request = requestShape({ reason: "hotfix" });
    expect({ code, answer }).toEqual({ code: 0, answer: { ok: true, request } });
    const { askedAt, deadline } = answer.request;
    expect(Date.parse(deadline) - Date.parse(askedAt)).toBe(600_000);
    for (const args of [["renew"], ["claim", "b.txt"], ["claim", "a.txt", "c.txt"]]) {
      expect((await as("alice")(...args)).answer.asked).toEqual([request]);
    }
    expect((await as("bob")("claim", "d.txt")).answer).not.toHaveProperty("asked");
    const { stdout } = await text("renew", "a.txt", "--as", "alice");
    expect(stdout.split("\n")[1]).toBe(
      `asked by bob to release a.txt within 10m: "hotfix"; ` +
        `answer: headgate release --answer ${id} [--defer 10m | --keep TARGET]`,
    );
  });

  it("answers by releasing, and who waits gets it", async () => {
    const { as, startAs, untilWaiting, id } = await asked();
    const waiting = startAs("bob", "claim", "a.txt", "--wait", "10m");
    await untilWaiting("bob");
    expect(await as("alice")("release", "--answer", id)).toEqual({
      code: 0,
      answer: { ok: true, request: requestShape({ answer: "released" }) },
    });
    expect(await answerOf(waiting)).toMatchObject({ code: 0 });
    expect(await as("alice")("release", "--answer", id)).toMatchObject({
      code: 4,
      answer: { code: "REQUEST_UNKNOWN" },
    });
  });

  it("answers by deferring with a note, and is not reminded again", async () => {
    const { as, id } = await asked();
    const { answer } = await as("alice")(
      ...["release", "--answer", id, "--defer", "20m", "--reason", "tests run"],
    );
    expect(answer.request).toEqual(requestShape({ answer: "deferred", note: "tests run" }));
    expect(
      Date.parse(answer.request.deadline) - Date.parse(answer.request.askedAt),
    ).toBeGreaterThan(19 * 60_000);
    expect((await as("alice")("renew")).answer).not.toHaveProperty("asked");
    expect((await as("bob")("claims", "--requests")).answer).toEqual({
      requests: [{ ...answer.request, deadline: expect.any(String) }],
    });
  });

  it("answers by keeping only a part", async () => {
    const { as } = claimsProgram();
    const { claim } = (await as("alice")("claim", "src")).answer;
    const { request } = (await as("bob")("release", "--ask", claim.id)).answer;
    expect(
      await as("alice")("release", "--answer", request.id, "--keep", "src/a.ts"),
    ).toMatchObject({
      code: 0,
      answer: { request: { answer: "narrowed", note: "src/a.ts" } },
    });
    expect((await as("bob")("claim", "src/b.ts")).code).toBe(0);
  });

  it("only the holder can answer, and an unknown claim cannot be asked for", async () => {
    const { as, claim, id } = await asked();
    expect(await as("carol")("release", "--answer", id)).toMatchObject({
      code: 1,
      answer: { code: "CLAIM_NOT_HELD" },
    });
    await as("alice")("release", "a.txt");
    expect(await as("bob")("release", "--ask", claim.id)).toMatchObject({
      code: 4,
      answer: { code: "CLAIM_UNKNOWN" },
    });
  });

  it("says what it did to people, too", async () => {
    const { text, claim } = await asked();
    const ask = await text("release", "--ask", claim.id, "--as", "carol");
    expect(ask.stdout).toMatch(/^asked alice to release a\.txt within 5m {2}rq_[0-9a-z]{18}\n$/);
    const id = /rq_\w+/.exec(ask.stdout)![0];
    const defer = await text("release", "--answer", id, "--defer", "1h", "--as", "alice");
    expect(defer.stdout).toMatch(
      /^deferred: carol was answered about a\.txt; due within 1h, at \d\d:\d\d\n$/,
    );
    const yes = await text("release", "--answer", id, "--as", "alice");
    expect(yes.stdout).toBe("released: carol was answered about a.txt\n");
  });
});

describe("headgate transfer", () => {
  it("C-10 hands claims over under new fences, all of them or none", async () => {
    const { as, text } = claimsProgram();
    const { claims } = (await as("alice")("claim", "a.txt", "b.txt")).answer;
    const { code, answer } = await as("alice")("transfer", "a.txt", claims[1].id, "--to", "bob");
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: { ok: true, claims: [{ actor: "bob" }, { actor: "bob" }] },
    });
    const targets = answer.claims.map(({ target }) => target);
    expect(targets.toSorted()).toEqual(["a.txt", "b.txt"]);
    for (const { fence } of answer.claims) expect(fence).toBeGreaterThan(claims[1].fence);
    expect(await as("bob")("transfer", "a.txt", "gone.txt", "--to", "carol")).toMatchObject({
      code: 4,
      answer: { code: "CLAIM_UNKNOWN" },
    });
    expect((await as("bob")("claims", "--mine")).answer.claims).toHaveLength(2);
    const { stdout } = await text("transfer", "--all", "--to", "carol", "--as", "bob");
    expect(stdout).toMatch(
      /^handed to carol {2}a\.txt {2}exclusive .*\nhanded to carol {2}b\.txt .*\n$/,
    );
  });

  it("C-10 refuses what would collide with the receiver's other claims, and moves nothing", async () => {
    const { as, text } = claimsProgram(runInside);
    await as("alice")("claim", "src", "--shared");
    await as("alice")("claim", "b.txt");
    await as("bob")("claim", "src/a.ts", "--shared");
    expect(await as("alice")("transfer", "--all", "--to", "bob")).toMatchObject({
      code: 1,
      answer: {
        ok: false,
        code: "CLAIM_CONFLICT",
        blockers: [{ actor: "bob", target: "src/a.ts" }],
      },
    });
    expect((await as("alice")("claims", "--mine")).answer.claims).toHaveLength(2);
    const { code, stdout } = await text("transfer", "src", "--to", "bob", "--as", "alice");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^refused: bob already holds what overlaps it; nothing was handed over/);
    expect(stdout).toMatch(/ headgate claims --as alice --actor bob$/m);
  });

  it("C-10 --force moves another's claim, by id or target, and the log says who and why", async () => {
    const { as } = claimsProgram(runInside);
    const { claims } = (await as("alice")("claim", "a.txt", "b.txt")).answer;
    const take = ["--to", "bob", "--reason", "alice is stuck"];
    for (const name of [claims[0].id, "a.txt"]) {
      expect(await as("lead")("transfer", name, ...take)).toMatchObject({
        code: 1,
        answer: { code: "CLAIM_NOT_HELD", data: { holder: "alice" } },
      });
    }
    for (const name of [claims[0].id, "./b.txt"]) {
      expect(await as("lead")("transfer", name, "--force", ...take)).toMatchObject({ code: 0 });
    }
    expect((await as("bob")("claims", "--mine")).answer.claims).toHaveLength(2);
    const event = (await as("lead")("events", "--last", "1")).answer;
    expect(event).toMatchObject({
      kind: "claim.transferred",
      actor: "lead",
      data: { from: "alice", to: "bob", forced: true, reason: "alice is stuck" },
    });
  });
});

describe("headgate sweep", () => {
  it("C-07 ends what has expired with exactly one event each; a dry run only says so", async () => {
    const { as, text } = claimsProgram();
    await as("alice")("claim", "a.txt", "b.txt", "--ttl", "1s");
    await as("alice")("claim", "c.txt");
    const look = () => as("bob")("sweep", "--dry-run");
    await expect.poll(async () => (await look()).answer.expired).toHaveLength(2);
    const dry = await look();
    expect(dry).toMatchObject({
      code: 0,
      answer: {
        ok: true,
        dryRun: true,
        expired: [{ target: "a.txt" }, { target: "b.txt" }],
        reclaimed: [],
        waiters: 0,
      },
    });
    expect((await text("sweep", "--dry-run")).stdout).toMatch(
      /^would end a\.txt of alice {2}cl_\w+: its time is over\nwould end b\.txt /,
    );
    const done = await as("bob")("sweep");
    expect(Object.keys(done.answer)).toEqual(["ok", "dryRun", "expired", "reclaimed", "waiters"]);
    expect(done.answer).toMatchObject({
      dryRun: false,
      expired: [{ target: "a.txt" }, { target: "b.txt" }],
      reclaimed: [],
    });
    expect((await text("sweep")).stdout).toBe("nothing to sweep\n");
    const events = (await text("events", "--kind", "claim.expired", "--json")).stdout;
    expect(events.trim().split("\n")).toHaveLength(2);
    expect((await as("alice")("claims")).answer.claims).toMatchObject([{ target: "c.txt" }]);
  });

  it("C-07 takes back what a killed holder left, on proof, and keeps its uncommitted work", async () => {
    const { cwd, as, text } = claimsProgram(runInside);
    const client = await startClient(cwd, "s-1", ["claim", "a.txt", "--json"]);
    const { claim } = JSON.parse(client.stdout) as { claim: { id: string; actor: string } };
    expect(claim.actor).toBe("claude:s-1");
    writeFileSync(join(cwd, "a.txt"), "half of the work\n");
    const alive = await as("bob")("claim", "a.txt");
    expect(alive).toMatchObject({
      code: 1,
      answer: { blockers: [{ liveness: { state: "alive" } }] },
    });
    expect(alive.answer.blockers[0].liveness.evidence).toContain(
      `process ${client.pid} is running`,
    );
    expect((await as("bob")("sweep")).answer.reclaimed).toEqual([]);
    await client.kill();
    expect((await as("bob")("check", "a.txt")).answer.blockers).toMatchObject([
      { liveness: { state: "dead" } },
    ]);
    const { code, answer } = await as("bob")("sweep");
    const ref = `refs/headgate/rescue/${claim.id}`;
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: {
        expired: [],
        reclaimed: [
          {
            id: claim.id,
            evidence: expect.arrayContaining([`process ${client.pid} is gone`]),
            rescue: { ref: expect.stringContaining(ref), files: 1, actor: "claude:s-1" },
          },
        ],
      },
    });
    expect(git(cwd, "show", `${answer.reclaimed[0].rescue!.ref}:a.txt`)).toBe("half of the work");
    const events = (await text("events", "--kind", "claim.reclaimed", "--json")).stdout;
    expect(events.trim().split("\n")).toHaveLength(1);
    const granted = await text("claim", "a.txt", "--as", "bob");
    expect(granted.stdout).toMatch(
      new RegExp(
        `^saved 1 file that claude:s-1, now dead, had changed in a\\.txt; see: git show ${ref}`,
        "m",
      ),
    );
  });

  it("a claim on what a killed holder held is granted at once, and says where the work is", async () => {
    const { cwd, as } = claimsProgram(runInside);
    const client = await startClient(cwd, "s-2", ["claim", "a.txt", "--json"]);
    writeFileSync(join(cwd, "a.txt"), "more work\n");
    await client.kill();
    const { code, answer } = await as("bob")("claim", "a.txt");
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: { claim: { actor: "bob" }, rescued: [{ actor: "claude:s-2", files: 1 }] },
    });
    expect(git(cwd, "show", `${answer.rescued[0].ref}:a.txt`)).toBe("more work");
    expect((await as("bob")("claim", "a.txt")).answer).not.toHaveProperty("rescued");
  });
});
