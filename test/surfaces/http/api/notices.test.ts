import { describe, expect, it, onTestFinished } from "vitest";
import { limits } from "../../../../src/base/limits.ts";
import { openHeadgate } from "../../../../src/compose.ts";
import { startServer } from "../../../helpers/program.ts";
import { codeOf, request } from "../../../helpers/raw-http.ts";

type Header = readonly [string, string];

const json: Header = ["Content-Type", "application/json"];
const withinMs = 60_000;

/** A server of ada's; alice holds a.txt, and bob is known. */
const served = async () => {
  const server = await startServer({ env: { HEADGATE_ACTOR: "ada" } });
  const headgate = await openHeadgate({ repo: server.cwd });
  onTestFinished(() => headgate.close());
  const as = (actor: string) => headgate.as(actor);
  const held = await as("alice").claims.claim({ targets: ["a.txt"] });
  if (!held.ok) throw new Error(held.code);
  await as("bob").claims.claim({ targets: ["b.txt"] });
  const post = async (name: string, body: object, headers: readonly Header[] = []) => {
    const answer = await request(
      server,
      `POST /api/actions/${name}`,
      [json, ...headers],
      JSON.stringify(body),
    );
    return { status: answer.status, code: codeOf(answer), body: answer.body };
  };
  const get = async (path: string) =>
    JSON.parse((await request(server, `GET ${path}`)).body) as Record<string, unknown>;
  const unread = async (actor: string) => (await as(actor).inbox.list()).notices;
  const last = async (kind: string) =>
    (await headgate.events.page({ kind, last: 1 })).events.at(-1);
  const ask = async () => {
    const [asked] = await as("bob").claims.askFor("a.txt", { reason: "a hotfix", withinMs });
    return asked!.id;
  };
  return { server, as, claim: held.claims[0]!, post, get, unread, last, ask };
};

describe("notices on the dashboard's addresses", () => {
  it("N-04 a person writes to one agent or to all, reads the answers and puts them away", async () => {
    const { as, post, get, unread, last } = await served();
    const text = "<b>stop</b> \u001b[31mplease\nnow";
    expect(await post("tell", { to: "alice", text })).toMatchObject({
      status: 200,
      body: JSON.stringify({ ok: true, text: "sent to alice" }),
    });
    const [notice] = await unread("alice");
    expect(notice).toMatchObject({
      ...{ kind: "message", from: "ada", text: "<b>stop</b> please now" },
    });
    expect(await last("notice.sent")).toMatchObject({ actor: "ada", subject: notice!.id });
    expect((await post("tell", { to: "all", text: "main is frozen" })).body).toMatch(
      /sent to (?:alice|bob) and 1 other/,
    );
    expect(await unread("bob")).toMatchObject([{ from: "ada", text: "main is frozen" }]);

    await as("alice").claims.tell("ada", "why?", { replyTo: notice!.id });
    const seen = await get("/api/inbox");
    expect(seen).toMatchObject({ notices: [{ from: "alice", text: "why?" }], more: 0 });
    // Looking spends nothing, and one that came after the look stays.
    expect(await get("/api/inbox")).toEqual(seen);
    await as("bob").claims.tell("ada", "later");
    const [first] = seen["notices"] as { id: string }[];
    expect((await post("inbox-read", { upTo: first!.id })).body).toContain("read 1 notice");
    expect(await get("/api/inbox")).toMatchObject({ notices: [{ from: "bob" }], more: 0 });
    expect((await post("inbox-read", { upTo: first!.id })).body).toContain("read 0 notices");
    const reply = { to: "alice", text: "a release", replyTo: first!.id };
    expect((await post("tell", reply)).status).toBe(200);
    expect((await unread("alice")).at(-1)).toMatchObject({ replyTo: first!.id });
  });

  it("N-06 a person answers requests, also in the place of the holder that was seen, who hears of it", async () => {
    const { as, claim, post, get, unread, last, ask } = await served();
    const asked = await ask();
    expect(await get("/api/now")).toMatchObject({
      requests: [
        {
          ...{ id: asked, holder: "alice", asker: "bob", reason: "a hotfix", answer: "none" },
          askedAt: expect.stringMatching(/Z$/),
        },
      ],
    });
    const seen = { request: asked, holder: "alice" };
    const later = { ...seen, answer: "later", text: "lunch", laterMs: withinMs };
    expect((await post("answer", later)).status).toBe(200);
    expect(await unread("bob")).toMatchObject([
      { kind: "answer", from: "ada", replyTo: asked, text: "later: lunch" },
    ]);
    expect(await unread("alice")).toMatchObject([
      { kind: "claim", text: 'ada answered bob in your place: "later: lunch"', target: "a.txt" },
    ]);
    expect(await last("claim.answered")).toMatchObject({
      ...{ actor: "ada", subject: claim.id },
      data: { request: asked, answer: "deferred", asker: "bob", inPlaceOf: "alice" },
    });
    // The claim changes hands, and the request with it: the person saw another holder.
    await as("alice").claims.transfer({ claims: [claim.id] }, { to: "carol" });
    expect(await post("answer", { ...seen, answer: "yes" })).toMatchObject({
      ...{ status: 409, code: "CLAIM_NOT_HELD" },
    });
    expect((await as("carol").claims.requests()).map(({ id }) => id)).toEqual([asked]);
    const yes = { request: asked, holder: "carol", answer: "yes", text: "go" };
    expect((await post("answer", yes)).status).toBe(200);
    expect((await unread("carol")).at(-1)).toMatchObject({
      text: 'ada answered bob in your place: "yes: go"; your claim is released',
    });
    expect(await last("claim.released")).toMatchObject({ actor: "ada", subject: claim.id });
    expect(await as("bob").claims.claim({ targets: ["a.txt"] })).toMatchObject({ ok: true });

    // An own claim is answered as by its holder.
    await as("ada").claims.claim({ targets: ["c.txt"] });
    const [own] = await as("bob").claims.askFor("c.txt", { reason: "", withinMs });
    const no = { request: own!.id, holder: "ada", answer: "no", text: "not today" };
    expect((await post("answer", no)).status).toBe(200);
    expect((await last("claim.answered"))?.data).toMatchObject({ answer: "refused" });
    expect((await last("claim.answered"))?.data).not.toHaveProperty("inPlaceOf");
    expect(await get("/api/inbox")).toEqual({ notices: [], more: 0 });
  });

  it("N-04 N-06 errors are those of the command line, and nothing of the message is sent", async () => {
    const { as, post, unread, ask } = await served();
    const asked = await ask();
    const seen = { request: asked, holder: "alice" };
    const large = "x".repeat(limits.noticeTextBytesMax + 1);
    const before = await unread("alice");
    const cases: readonly (readonly [number, string, string, object])[] = [
      [404, "ACTOR_UNKNOWN", "tell", { to: "nemo", text: "hello" }],
      [400, "USAGE", "tell", { to: "alice", text: " \n" }],
      [400, "USAGE", "tell", { to: "ada", text: "hello" }],
      [400, "USAGE", "tell", { to: "alice", text: "hello", more: 1 }],
      [413, "INPUT_TOO_LARGE", "tell", { to: "alice", text: large }],
      [404, "NOTICE_UNKNOWN", "tell", { to: "alice", text: "hello", replyTo: "nt_none" }],
      [404, "REQUEST_UNKNOWN", "answer", { request: "rq_none", holder: "alice", answer: "yes" }],
      [400, "USAGE", "answer", { ...seen, answer: "maybe" }],
      [400, "USAGE", "answer", { request: asked, answer: "yes" }],
      [413, "INPUT_TOO_LARGE", "answer", { ...seen, answer: "no", text: large }],
      [400, "USAGE", "inbox-read", {}],
    ];
    for (const [status, code, name, body] of cases) {
      expect({ name, ...(await post(name, body)) }).toMatchObject({ name, status, code });
    }
    // One of all receivers reads nothing: the others do not get it either.
    for (let count = 0; count < limits.noticesWaitingMax; count += 1) {
      await as(`sender${count % 10}`).claims.tell("bob", `${count}`);
    }
    const full = { status: 409, code: "NOTICE_INBOX_FULL" };
    expect(await post("tell", { to: "bob", text: "one more" })).toMatchObject(full);
    expect(await post("tell", { to: "all", text: "one more" })).toMatchObject(full);
    expect(await unread("alice")).toEqual(before);
    for (let count = 0; count < limits.noticeRateMax; count += 1) {
      expect((await post("tell", { to: "sender0", text: `${count}` })).status).toBe(200);
    }
    expect(await post("tell", { to: "sender1", text: "too much" })).toMatchObject({
      ...{ status: 409, code: "NOTICE_RATE" },
    });
    expect(await unread("sender1")).toEqual([]);
  });

  it("E02 E04 N-04 without the token or from another origin nothing is read and nothing is done", async () => {
    const { server, as, unread, ask } = await served();
    const asked = await ask();
    await as("ada").claims.claim({ targets: ["c.txt"] });
    await as("bob").claims.tell("ada", "for ada alone");
    const before = { alice: await unread("alice"), bob: await unread("bob") };
    const bearer: Header = ["Authorization", `Bearer ${server.token}`];
    const strangers: readonly (readonly [number, string, readonly Header[]])[] = [
      [401, "HTTP_TOKEN_REFUSED", []],
      [401, "HTTP_TOKEN_REFUSED", [["Authorization", "Bearer guess"]]],
      [403, "HTTP_ORIGIN_REFUSED", [bearer, ["Origin", "http://evil.example"]]],
      [403, "HTTP_ORIGIN_REFUSED", [bearer, ["Sec-Fetch-Site", "cross-site"]]],
    ];
    const lines = [
      ["GET /api/inbox", undefined],
      ["POST /api/actions/tell", { to: "alice", text: "hello" }],
      ["POST /api/actions/answer", { request: asked, holder: "alice", answer: "yes" }],
      ["POST /api/actions/inbox-read", { upTo: (await unread("ada"))[0]!.id }],
    ] as const;
    for (const [line, body] of lines) {
      for (const [status, code, headers] of strangers) {
        const sent = body ? JSON.stringify(body) : "";
        const answer = await request(
          { port: server.port },
          line,
          [...(body ? [json] : []), ...headers],
          sent,
        );
        expect([line, answer.status, codeOf(answer)]).toEqual([line, status, code]);
        expect(answer.body).not.toContain("for ada alone");
      }
    }
    expect({ alice: await unread("alice"), bob: await unread("bob") }).toEqual(before);
    expect(await unread("ada")).toHaveLength(1);
    expect((await as("bob").claims.requests())[0]).toMatchObject({ id: asked, answer: "none" });
  });
});
