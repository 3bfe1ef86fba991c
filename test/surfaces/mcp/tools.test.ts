import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import {
  call,
  connectHttp,
  connectStdio,
  mcpRepository,
  revisions,
  source,
  startMcpHttp,
} from "../../helpers/mcp.ts";
import { atSharedEnd } from "../../helpers/temporary-folder.ts";

const ways = revisions.flatMap((revision) =>
  (["stdio", "http"] as const).map((way) => ({ revision, way })),
);
type Way = (typeof ways)[number];

const atEnd = atSharedEnd();

/** Two clients of one repository; made once for each way, for a connection by stdio is a process. */
const connect = async ({ way, revision }: Way) => {
  const cwd = mcpRepository(atEnd);
  const place = way === "http" ? await startMcpHttp(cwd, atEnd) : undefined;
  const as = async (actor: string) => {
    const client = place
      ? await connectHttp(place, { revision, actor, atEnd })
      : await connectStdio({ cwd, revision, env: { HEADGATE_ACTOR: actor }, atEnd });
    // From here on the client checks every answer against the schema.
    await client.listTools();
    return client;
  };
  return { cwd, alice: await as("alice"), bob: await as("bob") };
};
const connected = new Map<string, ReturnType<typeof connect>>();

/** The two, with the files as they were, nothing claimed and nothing unread. */
const meet = async (one: Way) => {
  const name = `${one.way} ${one.revision}`;
  const meeting = connected.get(name) ?? connect(one);
  connected.set(name, meeting);
  const { cwd, alice, bob } = await meeting;
  writeFileSync(join(cwd, "src/auth.ts"), source);
  writeFileSync(join(cwd, "a.txt"), "one\n");
  const seen = new Set<string>();
  for (const client of [alice, bob]) {
    await call(client, "release", { all: true });
    await call(client, "inbox", {});
    for (const { id } of await heardBy(client)) seen.add(id);
  }
  expect((await call(alice, "claims")).data).toMatchObject({ claims: [], waiters: [] });
  const { events } = (await call(alice, "events", { last: 1 })).data;
  /** Of the messages to a client, those since now. */
  const heard = async (client: Client) => (await heardBy(client)).filter(({ id }) => !seen.has(id));
  return { cwd, alice, bob, heard, since: events.at(-1)?.seq ?? 0 };
};

const heardBy = async (client: Client): Promise<{ id: string }[]> =>
  (await call(client, "inbox", { all: true })).data.notices;

describe.each(ways)("MCP tools over $way, revision $revision", ({ way, revision }) => {
  it("N-04 N-06 a request, its answer and messages come with the result of the next tool", async () => {
    const { alice, bob, heard: heardSince } = await meet({ way, revision });
    await call(alice, "claim", { targets: ["src/auth.ts"] });
    const asked = await call(bob, "ask", { target: "src", text: "a hotfix" });
    expect(asked).toMatchObject({ isError: false, data: { requests: [{ holder: "alice" }] } });
    const [{ id }] = asked.data["requests"] as [{ id: string }];
    // Any tool carries it, in both forms.
    const heard = await call(alice, "check", { targets: ["docs"] });
    expect(heard.data).toMatchObject({
      ...{ ok: true, clear: true, moreNotices: 0 },
      notices: [{ id, kind: "ask", from: "bob", target: "src/auth.ts", text: "a hotfix" }],
    });
    expect(heard.text).toContain(`Reply: headgate answer ${id} yes|no|later TEXT`);
    const quiet = async () => (await call(alice, "inbox", {})).data["notices"];
    expect(await quiet()).toEqual([]);
    expect(
      await call(alice, "answer", { request: id, answer: "later", text: "soon" }),
    ).toMatchObject({
      data: { request: { answer: "deferred", note: "soon" } },
    });
    await call(alice, "tell", { to: "bob", text: "one\u001b[2J\ntwo" });
    const inbox = await call(bob, "inbox", {});
    expect(inbox.data).toMatchObject({
      notices: [
        { kind: "answer", from: "alice", replyTo: id, text: "later: soon" },
        { kind: "message", from: "alice", text: "one two" },
      ],
      more: 0,
    });
    await expect.poll(() => heardSince(bob)).toHaveLength(2);
    for (const [tool, args, code] of [
      ["tell", { to: "nemo", text: "x" }, "ACTOR_UNKNOWN"],
      ["ask", { target: "docs", text: "x" }, "CLAIM_UNKNOWN"],
      ["answer", { request: "rq_none", answer: "yes" }, "REQUEST_UNKNOWN"],
      ["tell", { to: "bob", text: "x".repeat(3000) }, "USAGE"],
    ] as const) {
      expect(await call(alice, tool, args)).toMatchObject({ isError: true, data: { code } });
    }
    // A tool that fails carries what waits as well.
    await call(bob, "tell", { to: "alice", text: "the tests are red" });
    const failed = await call(alice, "renew", { claims: ["cl_none"] });
    expect(failed).toMatchObject({
      ...{ isError: true, text: expect.stringContaining('"the tests are red"') },
      data: { ok: false, notices: [{ text: "the tests are red" }], moreNotices: 0 },
    });
    const wrong = await call(alice, "check", { targets: 7 });
    expect(wrong).toMatchObject({ isError: true, data: { code: "USAGE" } });
    expect(wrong.data).not.toHaveProperty("notices");
  });

  it("claims are granted, refused with who and why, listed, renewed and released", async () => {
    const { alice: client, bob, since } = await meet({ way, revision });
    const granted = await call(client, "claim", {
      targets: ["src/auth.ts#Auth.login"],
      reason: "fix login",
    });
    expect(granted.isError).toBe(false);
    expect(granted.data).toMatchObject({
      ok: true,
      claims: [{ actor: "alice", target: "src/auth.ts#Auth.login" }],
    });
    expect(granted.text).toContain("claimed: cl_");

    const refused = await call(bob, "claim", { targets: ["src"] });
    expect(refused.isError).toBe(true);
    expect(refused.data).toMatchObject({
      ok: false,
      code: "CLAIM_CONFLICT",
      blockers: [{ actor: "alice", reason: "fix login" }],
    });
    expect(refused.data.remedy).not.toBe("");
    const check = await call(bob, "check", { targets: ["src/auth.ts"] });
    expect(check).toMatchObject({ isError: false, data: { ok: true, clear: false } });
    const waited = await call(bob, "wait", { targets: ["src/auth.ts"], waitMs: 100 });
    expect(waited).toMatchObject({ isError: false, data: { clear: false } });

    const [claim] = granted.data.claims;
    const asked = await call(bob, "release", { ask: { claim: claim.id, reason: "hotfix" } });
    expect(asked.data.request).toMatchObject({ holder: "alice", asker: "bob" });
    const renewed = await call(client, "renew", {});
    expect(renewed.data).toMatchObject({ ok: true, asked: [{ asker: "bob", reason: "hotfix" }] });
    const list = await call(client, "claims", { mine: true });
    expect(list.data).toMatchObject({
      you: "alice",
      claims: [{ id: claim.id, liveness: {} }],
      cut: false,
    });
    const other = await call(client, "claim", { targets: ["a.txt"] });
    const target = { claim: other.data.claims[0].id, reason: "soon" };
    expect((await call(bob, "release", { ask: target })).data.ok).toBe(true);
    const cut = await call(client, "claims", { mine: true, limit: 1 });
    expect(cut.data).toMatchObject({ cut: true, leftOut: { waiters: 0, requests: 1 } });
    expect(cut.data.requests).toHaveLength(1);
    expect(cut.text).toMatch(/^… and more claims: name a target or an actor$/m);
    expect(cut.text).toMatch(/^… and 1 more request$/m);
    await call(client, "release", { claims: [target.claim] });
    const answered = await call(client, "release", { answer: { request: asked.data.request.id } });
    expect(answered.data.request.answer).toBe("released");
    expect((await call(bob, "claim", { targets: ["src"] })).data.ok).toBe(true);
    expect((await call(bob, "release", { all: true })).data.released).toHaveLength(1);
    const events = await call(bob, "events", { kind: "claim.*", since });
    expect(events.data.events.length).toBeGreaterThan(2);
  });

  it("files are outlined, found, read, edited, patched, judged and taken back", async () => {
    const { cwd, alice: client } = await meet({ way, revision });
    const file = join(cwd, "src/auth.ts");
    const outline = await call(client, "outline", { files: ["src/auth.ts"] });
    expect(outline.data.files[0].symbols.map((one: { path: string }) => one.path)).toEqual([
      "Auth",
      "Auth.login",
      "Auth.logout",
    ]);
    expect(outline.text).toContain("2-4 method Auth.login");
    const found = await call(client, "find_symbol", { name: "login" });
    expect(found.data).toMatchObject({
      complete: true,
      found: [{ file: "src/auth.ts", path: "Auth.login", lines: [2, 4] }],
    });

    writeFileSync(join(cwd, "src/data.ts"), `export const login = 1; //${"x".repeat(4 << 20)}\n`);
    const partly = await call(client, "find_symbol", { name: "login" });
    expect(partly.data).toMatchObject({
      complete: false,
      notJudged: [{ where: "src/data.ts", why: "structure not analysed: it is larger than 4 MB" }],
    });
    expect(partly.data.found).toEqual(found.data.found);
    expect(partly.text).toMatch(/1 definition so far[^]*not judged: src\/data\.ts: structure not/);
    rmSync(join(cwd, "src/data.ts"));

    const read = await call(client, "read", { file: "src/auth.ts" });
    expect(read.data).toMatchObject({ content: source, lines: [1, 7], total: 7 });
    expect(read.text).toBe(source);
    const part = await call(client, "read", { file, from: 2, to: 3, numbers: true });
    expect(part.data).toMatchObject({ lines: [2, 3], next: 4 });
    expect(part.data.content).toBe(
      '2\t  login(name: string): boolean {\n3\t    return name !== "";\n',
    );

    const twice = await call(client, "edit", {
      operations: [{ do: "add", file: "src/auth.ts", into: "Auth", code: "login(): void {}" }],
    });
    expect(twice).toMatchObject({ isError: true, data: { ok: false, code: "DUPLICATE_SYMBOL" } });
    expect(twice.data.reasons[0]).toMatchObject({ path: "src/auth.ts", code: "DUPLICATE_SYMBOL" });
    expect(readFileSync(file, "utf8")).toBe(source);

    const edited = await call(client, "edit", {
      operations: [
        { do: "add", file, into: "Auth", code: "reset(): void {}" },
        { do: "replace", file: "a.txt", old: "one", new: "two" },
      ],
      reason: "reset",
    });
    expect(edited).toMatchObject({ isError: false, data: { ok: true, dryRun: false } });
    expect(readFileSync(file, "utf8")).toContain("reset(): void {}");
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");

    const patched = await call(client, "apply", {
      patch: "*** Begin Patch\n*** Update File: a.txt\n-two\n+three\n*** End Patch\n",
    });
    expect(patched.data.ok).toBe(true);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("three\n");

    const judged = await call(client, "judge", {
      writes: [{ path: "src/auth.ts", after: `${source}}` }],
    });
    expect(judged).toMatchObject({ isError: false, data: { ok: true, verdict: "deny" } });
    const undone = await call(client, "undo", { id: edited.data.id, file: "src/auth.ts" });
    expect(undone.data.ok).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(source);
  });

  it("E-07 a whole file is not written over a version that was not read", async () => {
    const { cwd, alice: client } = await meet({ way, revision });
    await call(client, "read", { file: "a.txt" });
    writeFileSync(join(cwd, "a.txt"), "changed by somebody\n");
    const write = { operations: [{ do: "write", file: "a.txt", content: "mine\n" }] };
    const refused = await call(client, "edit", write);
    expect(refused).toMatchObject({ isError: true, data: { ok: false, code: "STALE_VIEW" } });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("changed by somebody\n");
    await call(client, "read", { file: "a.txt" });
    expect((await call(client, "edit", write)).data.ok).toBe(true);
  });

  it("wrong arguments and unknown things are coded answers, unknown tools protocol errors", async () => {
    const { alice: client } = await meet({ way, revision });
    const wrong = [
      ["claim", {}, "USAGE"],
      ["claim", { targets: ["a.txt"], actor: "bob" }, "USAGE"],
      ["claim", { targets: ["../outside"] }, "PATH_OUTSIDE"],
      ["wait", { targets: ["a.txt"], waitMs: 110_001 }, "USAGE"],
      ["release", {}, "USAGE"],
      ["release", { all: true, claims: ["a.txt"] }, "USAGE"],
      ["renew", {}, "CLAIM_UNKNOWN"],
      ["read", { file: "no-such.txt" }, "FILE_ABSENT"],
      ["read", { file: "../outside.txt" }, "PATH_OUTSIDE"],
      ["read", { file: ".git/config" }, "PATH_GIT"],
      ["read", { file: ".headgate/local/token" }, "PATH_OWN"],
      ["edit", { operations: [{ do: "modify", file: "a.txt" }] }, "USAGE"],
      ["edit", { operations: [{ do: "nothing" }] }, "USAGE"],
      ["undo", { id: "ed_none" }, "EDIT_UNKNOWN"],
      ["events", { since: 1, last: 1 }, "USAGE"],
    ] as const;
    for (const [name, args, code] of wrong) {
      const answer = await call(client, name, args);
      expect({ name, args, isError: answer.isError, code: answer.data.code }).toEqual({
        name,
        args,
        isError: true,
        code,
      });
      expect(answer.data.message).not.toBe("");
      expect(answer.data.remedy).not.toBe("");
      expect(JSON.stringify(answer)).not.toMatch(/\bat .*\.[tj]s:\d/);
    }
    await expect(call(client, "no-such-tool")).rejects.toThrow(/no such tool/);
  });

  it("resources are the rules, the claims, the events and the reviews", async () => {
    const { alice: client } = await meet({ way, revision });
    await call(client, "claim", { targets: ["a.txt"] });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "headgate://rules",
      "headgate://claims",
      "headgate://events",
      "headgate://reviews",
    ]);
    const textOf = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      return (contents[0] as { text: string }).text;
    };
    expect(await textOf("headgate://rules")).toContain("Claim before you write");
    expect(JSON.parse(await textOf("headgate://claims")).claims).toMatchObject([
      { actor: "alice", target: "a.txt" },
    ]);
    expect(JSON.parse(await textOf("headgate://events")).events.length).toBeGreaterThan(0);
    await expect(client.readResource({ uri: "headgate://../../etc/passwd" })).rejects.toThrow(
      /no such resource/,
    );
  });

  it("a claim that becomes free while its waiter waits is handed over", async () => {
    const { alice: client, bob } = await meet({ way, revision });
    const { data } = await call(client, "claim", { targets: ["a.txt"] });
    const waiting = call(bob, "claim", { targets: ["a.txt"], waitMs: 100_000 });
    await expect.poll(async () => (await call(client, "claims")).data.waiters.length).toBe(1);
    await call(client, "release", { claims: [data.claims[0].id] });
    expect((await waiting).data).toMatchObject({ ok: true, claims: [{ actor: "bob" }] });
  });
});

describe("MCP tools over every way, in every revision", () => {
  // At the same time: the first word about progress comes after two seconds.
  it("waiting tells its progress, and a cancelled wait leaves the line", async () => {
    const cancelled = ways.map(async (one) => {
      const { alice, bob } = await meet(one);
      await call(alice, "claim", { targets: ["a.txt"] });
      const told: { progress: number; total?: number | undefined }[] = [];
      const cancelling = new AbortController();
      const waiting = call(
        bob,
        "claim",
        { targets: ["a.txt"], waitMs: 100_000 },
        { onprogress: (word) => void told.push(word), signal: cancelling.signal },
      );
      await expect.poll(() => told.length).toBeGreaterThan(0);
      expect(told[0]).toMatchObject({ total: 100_000 });
      expect((await call(alice, "claims")).data.waiters).toMatchObject([{ actor: "bob" }]);
      cancelling.abort();
      await expect(waiting).rejects.toThrow(/abort/i);
      await expect.poll(async () => (await call(alice, "claims")).data.waiters).toEqual([]);
      return `${one.way} ${one.revision}`;
    });
    expect(await Promise.all(cancelled)).toEqual([
      "stdio 2025-11-25",
      "http 2025-11-25",
      "stdio 2026-07-28",
      "http 2026-07-28",
    ]);
  });
});
