import { describe, expect, it } from "vitest";
import {
  call,
  connectHttp,
  type HttpPlace,
  mcpRepository,
  startMcpHttp,
} from "../../helpers/mcp.ts";

const post = ({ url, token }: HttpPlace, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    body,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });

const modernCall = (name: string, args: object, id = 1): [string, Record<string, string>] => [
  JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: {
      name,
      arguments: args,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  }),
  { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name },
];

describe("MCP at /mcp of the server", () => {
  it("without a name everything can be looked at and nothing changed or claimed", async () => {
    const place = await startMcpHttp();
    const client = await connectHttp(place);
    await client.listTools();
    for (const [name, args] of [
      ["claim", { targets: ["a.txt"] }],
      ["release", { all: true }],
      ["renew", {}],
      ["edit", { operations: [{ do: "delete", file: "a.txt" }] }],
      ["apply", { patch: "x" }],
      ["undo", {}],
      ["claims", { mine: true }],
    ] as const) {
      const answer = await call(client, name, args);
      expect({ name, code: answer.data.code }).toEqual({ name, code: "ACTOR_INVALID" });
      expect(answer.data.message).toContain("X-Headgate-Actor");
    }
    for (const [name, args] of [
      ["check", { targets: ["a.txt"] }],
      ["claims", {}],
      ["read", { file: "a.txt" }],
      ["outline", { files: ["src/auth.ts"] }],
      ["judge", { writes: [{ path: "a.txt", after: "x\n" }] }],
      ["events", {}],
    ] as const) {
      expect({ name, ok: (await call(client, name, args)).data.ok }).toEqual({ name, ok: true });
    }
  });

  it("a name that is none is refused with its code", async () => {
    const place = await startMcpHttp();
    const client = await connectHttp(place, { actor: "claude:" });
    expect((await call(client, "claim", { targets: ["a.txt"] })).data.code).toBe("ACTOR_INVALID");
  });

  it("E03 no token, E01 a foreign Host, E02 a foreign Origin: refused before MCP sees anything", async () => {
    const place = await startMcpHttp();
    const [body, headers] = modernCall("claims", {});
    expect((await post(place, body, headers)).status).toBe(200);
    expect((await post(place, body, { ...headers, authorization: "" })).status).toBe(401);
    expect((await post(place, body, { ...headers, authorization: "Bearer no" })).status).toBe(401);
    expect((await post(place, body, { ...headers, origin: "http://evil.example" })).status).toBe(
      403,
    );
    expect((await post(place, body, { ...headers, "content-type": "text/plain" })).status).toBe(
      400,
    );
  });

  it("odd requests get an answer of the protocol: no body, no JSON, batches, GET, DELETE, unknown sessions", async () => {
    const place = await startMcpHttp();
    for (const body of [
      "",
      "[]",
      "null",
      "7",
      "{}",
      '{"jsonrpc":"2.0"}',
      `[${"1,".repeat(10)}1]`,
    ]) {
      const answer = await post(place, body);
      expect(answer.status, body).toBeGreaterThanOrEqual(400);
      expect(answer.status, body).toBeLessThan(500);
    }
    const headers = { authorization: `Bearer ${place.token}`, "content-type": "application/json" };
    for (const method of ["GET", "DELETE"]) {
      const answer = await fetch(place.url, {
        method,
        headers: { ...headers, "mcp-session-id": "x" },
      });
      expect(answer.status).toBe(405);
    }
  });

  it("a call that waits is a stream from the start, so that a quiet connection is not dropped", async () => {
    const place = await startMcpHttp();
    const [body, headers] = modernCall("wait", { targets: ["a.txt"], waitMs: 100 });
    const answer = await post(place, body, headers);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(await answer.text()).toContain('"clear":true');
    const quick = await post(place, ...modernCall("claims", {}));
    expect(quick.headers.get("content-type")).toContain("application/json");
  });

  it("G8 a connection that breaks while waiting leaves the line", async () => {
    const place = await startMcpHttp();
    const alice = await connectHttp(place, { actor: "alice" });
    await call(alice, "claim", { targets: ["a.txt"] });
    const [body, headers] = modernCall("claim", { targets: ["a.txt"], waitMs: 100_000 });
    const cutting = new AbortController();
    const waiting = fetch(place.url, {
      method: "POST",
      body,
      signal: cutting.signal,
      headers: {
        authorization: `Bearer ${place.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "x-headgate-actor": "bob",
        ...headers,
      },
    })
      .then((answer) => answer.text())
      .catch(() => "cut");
    const waiters = async () => (await call(alice, "claims")).data.waiters.length;
    await expect.poll(waiters).toBe(1);
    cutting.abort();
    expect(await waiting).toBe("cut");
    await expect.poll(waiters).toBe(0);
  });

  it("E-02 two actors on one server keep out of each other's way, one actor on two connections does not", async () => {
    const place = await startMcpHttp(mcpRepository());
    const [alice, again, bob] = [
      await connectHttp(place, { actor: "claude:s1" }),
      await connectHttp(place, { actor: "claude:s1", revision: "2025-11-25" }),
      await connectHttp(place, { actor: "codex:s2" }),
    ];
    const edit = { operations: [{ do: "replace", file: "a.txt", old: "one", new: "two" }] };
    expect((await call(alice, "claim", { targets: ["a.txt"] })).data.ok).toBe(true);
    const refused = await call(bob, "edit", edit);
    expect(refused).toMatchObject({ isError: true, data: { code: "CLAIM_CONFLICT" } });
    expect((await call(again, "edit", edit)).data.ok).toBe(true);
  });
});
