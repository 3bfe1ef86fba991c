import { describe, expect, it } from "vitest";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { runProgram } from "../../../src/surfaces/cli/program.ts";
import { answerOf, claimsProgram } from "../../helpers/claims-program.ts";
import { runInside } from "../../helpers/inside.ts";
import { openTerminal } from "../../helpers/terminal.ts";
import { cleanEnvironment, start } from "../../helpers/program.ts";

describe("claiming at the same time", () => {
  it("C-13 of processes that race for one target exactly one is granted, and the others are told who", async () => {
    const { as } = claimsProgram();
    const names = ["one", "two", "three", "four"];
    const answers = await Promise.all(names.map((name) => as(name)("claim", "a.txt")));
    const winners = names.filter((_, index) => answers[index]!.code === 0);
    expect(winners).toHaveLength(1);
    for (const { code, answer } of answers.filter((one) => one.code !== 0)) {
      expect({ code, kind: answer.code }).toEqual({ code: 1, kind: "CLAIM_CONFLICT" });
      expect(answer.blockers.map(({ actor }) => actor)).toEqual(winners);
    }
  });
});

describe("headgate claim --wait", () => {
  it("G8 is granted when another process releases, and says how long it waited", async () => {
    const { as, startAs, untilWaiting, waiters } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    const waiting = startAs("bob", "claim", "a.txt", "--wait", "10m", "--reason", "next");
    await untilWaiting("bob");
    await as("alice")("release", "a.txt");
    const { code, answer } = await answerOf(waiting);
    expect(code).toBe(0);
    expect(Object.keys(answer).toSorted()).toEqual(["claim", "ok", "waitedMs"]);
    expect(answer).toMatchObject({ claim: { actor: "bob", target: "a.txt", reason: "next" } });
    expect(answer.waitedMs).toBeGreaterThan(0);
    expect(await waiters()).toEqual([]);
  });

  it("G8 serves in order of arrival, put forward by --priority", async () => {
    const { as, startAs, untilWaiting } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    const bob = startAs("bob", "claim", "a.txt", "--wait", "10m");
    await untilWaiting("bob");
    const carol = startAs("carol", "claim", "a.txt", "--wait", "10m", "--priority", "5");
    await untilWaiting("bob", "carol");
    await as("alice")("release", "a.txt");
    expect(await answerOf(carol)).toMatchObject({ code: 0 });
    expect((await as("watcher")("claims")).answer).toMatchObject({
      claims: [{ actor: "carol" }],
      waiters: [{ actor: "bob", position: 1, priority: 0 }],
    });
    await as("carol")("release", "a.txt");
    expect(await answerOf(bob)).toMatchObject({ code: 0 });
  });

  it("says that its time is over also where another took it out of the line", async () => {
    const { as, startAs, untilWaiting } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    const waiting = startAs("bob", "claim", "a.txt", "--wait", "3s");
    await untilWaiting("bob");
    waiting.child.kill("SIGSTOP");
    // Whoever sweeps ends what is over.
    await expect.poll(async () => (await as("watcher")("sweep")).answer.waiters).toBe(1);
    waiting.child.kill("SIGCONT");
    expect(await answerOf(waiting)).toMatchObject({
      code: 1,
      answer: { code: "CLAIM_WAIT_TIMEOUT" },
    });
  });

  it("gives up after its time with exit code 1, names the holder, and leaves the line", async () => {
    const { as, text, waiters } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    expect(await as("bob")("claim", "a.txt", "--wait", "200ms")).toMatchObject({
      code: 1,
      answer: { ok: false, code: "CLAIM_WAIT_TIMEOUT", blockers: [{ actor: "alice" }] },
    });
    expect(await waiters()).toEqual([]);
    const { code, stdout, stderr } = await text("claim", "a.txt", "--wait", "200ms", "--as", "bob");
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatch(
      /^refused: the time to wait is over and a\.txt is held by alice \[CLAIM_WAIT_TIMEOUT\]\n/,
    );
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends with 130 on %s, and the waiter is gone",
    async (signal) => {
      const { as, startAs, untilWaiting, waiters } = claimsProgram(runInside);
      await as("alice")("claim", "a.txt");
      const waiting = startAs("bob", "claim", "a.txt", "--wait", "10m");
      await untilWaiting("bob");
      waiting.child.kill(signal);
      expect(await answerOf(waiting)).toMatchObject({
        code: 130,
        answer: { ok: false, code: "CLAIM_WAIT_CANCELLED", blockers: [{ actor: "alice" }] },
      });
      expect(await waiters()).toEqual([]);
      expect((await as("alice")("claims", "--mine")).answer.claims).toHaveLength(1);
    },
  );

  it("G9 of two processes that wait for each other one is told, and the other is granted", async () => {
    const { as, startAs, untilWaiting, text } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    await as("bob")("claim", "b.txt");
    const alice = startAs("alice", "claim", "b.txt", "--wait", "10m");
    await untilWaiting("alice");
    const { code, answer } = await as("bob")("claim", "a.txt", "--wait", "10m");
    expect({ code, answer }).toMatchObject({
      code: 1,
      answer: { ok: false, code: "CLAIM_DEADLOCK", victim: "bob", blockers: [{ actor: "alice" }] },
    });
    expect(new Set(answer.circle)).toEqual(new Set(["alice", "bob"]));
    expect(answer.circle[0]).toBe(answer.circle.at(-1));
    const told = await text("claim", "a.txt", "--wait", "10m", "--as", "bob");
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(
      /^refused: waiting would never end: .* → .*; bob gives way \[CLAIM_DEADLOCK\]\n/,
    );
    expect(told.stdout).toMatch(/^ {2}let the others go on +headgate release --as bob --all$/m);
    await as("bob")("release", "--all");
    expect(await answerOf(alice)).toMatchObject({
      code: 0,
      answer: { claim: { target: "b.txt" } },
    });
  });

  it("shows place, who is in front and who holds on a terminal, and nothing on a pipe", async () => {
    const { cwd, as, untilWaiting } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    const carol = start(["claim", "a.txt", "--wait", "10m", "--as", "carol"], { cwd });
    await untilWaiting("carol");
    const written = { stdout: "", stderr: "" };
    const stopping = new AbortController();
    const code = await runProgram(["claim", "a.txt", "--wait", "10m", "--as", "bob"], {
      stdout: { write: (text) => (written.stdout += text) },
      stderr: {
        isTTY: true,
        write: (text) => {
          written.stderr += text;
          stopping.abort();
        },
      },
      environment: { ...systemEnvironment(), variables: cleanEnvironment(cwd), cwd },
      signal: stopping.signal,
      readInput: async () => Buffer.alloc(0),
      readLines: async function* () {},
      confirm: async () => undefined,
      ask: async () => undefined,
    });
    expect(code).toBe(130);
    expect(written.stderr).toMatch(
      /^headgate: waiting for a\.txt, place 2 in line behind carol, held by alice \(1[45]m left\) … 1 s\n$/,
    );
    expect(written.stdout).toMatch(/^refused: waiting was given up; /);
    carol.child.kill("SIGINT");
    expect(await carol.ended).toMatchObject({ code: 130, stderr: "" });
  });
});

describe("headgate wait", () => {
  it("ends with 0 when the targets become free, having claimed nothing", async () => {
    const { cwd, as } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    const waiting = openTerminal(["wait", "a.txt", "--timeout", "10m", "--as", "bob"], { cwd });
    await waiting.shows("waiting for a.txt");
    await as("alice")("release", "a.txt");
    expect(await waiting.ended, waiting.screen()).toBe(0);
    expect(await as("bob")("wait", "a.txt", "--timeout", "10m")).toEqual({
      code: 0,
      answer: { clear: true, blockers: [], waitedMs: expect.any(Number) },
    });
    expect((await as("bob")("claims")).answer.claims).toEqual([]);
  });

  it("ends with 1 and the blockers when the time is over, with 130 on Ctrl-C", async () => {
    const { cwd, as, text } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt");
    expect(await as("bob")("wait", "a.txt", "--timeout", "200ms")).toMatchObject({
      code: 1,
      answer: { clear: false, blockers: [{ actor: "alice" }] },
    });
    const shown = await text("wait", "a.txt", "--timeout", "0", "--as", "bob");
    expect(shown).toMatchObject({ code: 1, stderr: "" });
    expect(shown.stdout).toMatch(/^blocked: a\.txt is held by alice\n/);
    expect(await as("bob")("wait", "b.txt")).toMatchObject({ code: 0 });
    const waiting = openTerminal(["wait", "a.txt", "--as", "bob"], { cwd });
    await waiting.shows("waiting for a.txt");
    waiting.type("\u0003");
    expect(await waiting.ended, waiting.screen()).toBe(130);
  });

  it("--shared waits for exclusive claims only", async () => {
    const { as } = claimsProgram(runInside);
    await as("alice")("claim", "a.txt", "--shared");
    expect((await as("bob")("wait", "a.txt", "--shared", "--timeout", "0")).code).toBe(0);
    expect((await as("bob")("wait", "a.txt", "--timeout", "0")).code).toBe(1);
  });
});
