import { describe, expect, it } from "vitest";
import { claimsProgram } from "../../helpers/claims-program.ts";

/** alice holds a.txt, and bob is known. */
const met = async () => {
  const program = claimsProgram();
  await program.as("alice")("claim", "a.txt");
  await program.as("bob")("claim", "b.txt");
  return program;
};

describe("headgate tell, inbox, ask and answer", () => {
  it("N-06 a request goes to the holder and its answer back, each read once", async () => {
    const { as, text } = await met();
    const { code, answer } = await as("bob")("ask", "a.txt", "a hotfix", "--within", "10m");
    const { id } = answer.request;
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: { ok: true, requests: [{ id, holder: "alice", asker: "bob", reason: "a hotfix" }] },
    });
    expect(await as("alice")("inbox")).toEqual({
      code: 0,
      answer: {
        notices: [
          {
            ...{ id, kind: "ask", from: "bob", text: "a hotfix", target: "a.txt" },
            at: expect.stringMatching(/Z$/),
          },
        ],
        more: 0,
      },
    });
    expect((await as("alice")("inbox")).answer).toEqual({ notices: [], more: 0 });
    expect((await as("alice")("inbox", "--all")).answer).toMatchObject({ notices: [{ id }] });
    expect(await as("alice")("answer", id, "later", "tests run", "--in", "5m")).toMatchObject({
      ...{ code: 0, answer: { ok: true, request: { answer: "deferred", note: "tests run" } } },
    });
    const { stdout } = await text("inbox", "--as", "bob");
    expect(stdout).toMatch(
      new RegExp(
        `^\\d\\d:\\d\\d {2}answer from alice on a\\.txt to ${id} {2}nt_\\w+\\n {2}later: tests run\\n$`,
      ),
    );
    expect(await as("alice")("answer", id, "yes", "all yours")).toMatchObject({ code: 0 });
    expect((await as("bob")("inbox")).answer).toMatchObject({
      notices: [{ kind: "answer", replyTo: id, text: "yes: all yours" }],
    });
    expect((await as("bob")("claim", "a.txt")).code).toBe(0);
  });

  it("status counts what waits, and reading it there spends nothing", async () => {
    const { as, text } = await met();
    const { answer } = await as("alice")("tell", "bob", "hello");
    expect(answer).toMatchObject({ ok: true, id: expect.stringMatching(/^nt_/), to: ["bob"] });
    for (let look = 0; look < 2; look += 1) {
      expect((await as("bob")("status")).answer).toMatchObject({ notices: 1 });
    }
    const { stdout } = await text("status", "--as", "bob");
    expect(stdout).toMatch(/^notices +1 notice for you {2}\(headgate inbox\)$/m);
    const { id } = answer as unknown as { id: string };
    await as("bob")("tell", "alice", "hi", "--reply-to", id);
    expect((await as("alice")("inbox")).answer).toMatchObject({
      notices: [{ kind: "message", from: "bob", replyTo: id }],
    });
  });

  it("refuses bad input with one line and a code, and sends nothing of it", async () => {
    const { as, text } = await met();
    const cases: readonly (readonly [number, string, ...string[]])[] = [
      [4, "ACTOR_UNKNOWN", "tell", "nemo", "hello"],
      [2, "USAGE", "tell", "alice", " \n"],
      [2, "USAGE", "tell", "alice"],
      [2, "INPUT_TOO_LARGE", "tell", "alice", "x".repeat(100_000)],
      [4, "CLAIM_UNKNOWN", "tell", "holder:c.txt", "hello"],
      [4, "NOTICE_UNKNOWN", "tell", "alice", "hello", "--reply-to", "nt_none"],
      [4, "CLAIM_UNKNOWN", "ask", "c.txt", "why"],
      [4, "CLAIM_UNKNOWN", "ask", "b.txt", "my own"],
      [2, "USAGE", "ask", "a.txt", ""],
      [4, "REQUEST_UNKNOWN", "answer", "rq_none", "yes"],
      [2, "USAGE", "answer", "rq_none", "maybe"],
      [2, "USAGE", "answer", "rq_none", "no", "--in", "5m"],
    ];
    for (const [code, name, ...args] of cases) {
      const refused = await as("bob")(...args);
      expect([args[0], refused.code, refused.answer.code]).toEqual([args[0], code, name]);
      const { stdout, stderr } = await text(...args, "--as", "bob");
      expect(stdout).toBe("");
      expect(stderr).toContain(`[${name}]`);
    }
    expect((await as("alice")("inbox", "--all")).answer).toEqual({ notices: [], more: 0 });
  });
});
