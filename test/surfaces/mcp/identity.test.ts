import { describe, expect, it } from "vitest";
import type { Environment } from "../../../src/base/environment.ts";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { identifyByProcess, identifyByRequest } from "../../../src/surfaces/mcp/identity.ts";

const environment = (variables: Record<string, string>): Environment => ({
  ...systemEnvironment(),
  variables,
});
const nothing = { meta: {}, clientName: "" };
const codexMeta = (session: string, thread = session) => ({
  "x-codex-turn-metadata": { session_id: session, thread_id: thread, turn_id: "t1" },
});

describe("who calls over MCP", () => {
  it("C-02 over standard input a session has the name its hooks have", () => {
    const claude = identifyByProcess(
      environment({ CLAUDE_CODE_SESSION_ID: "abc-1", CLAUDECODE: "1" }),
    );
    expect(claude({ meta: {}, clientName: "claude-code" })).toMatchObject({
      id: "claude:abc-1",
      harness: "claude",
    });
    const gemini = identifyByProcess(environment({ GEMINI_SESSION_ID: "g1" }));
    expect(gemini({ meta: {}, clientName: "gemini-cli-mcp-client" })?.id).toBe("gemini:g1");
    const codex = identifyByProcess(environment({}));
    expect(codex({ meta: codexMeta("s1"), clientName: "codex-mcp-client" })?.id).toBe("codex:s1");
    expect(codex({ meta: { threadId: "s2" }, clientName: "codex-mcp-client" })?.id).toBe(
      "codex:s2",
    );
    expect(codex({ meta: codexMeta("s1", "t9"), clientName: "codex-mcp-client" })).toMatchObject({
      id: "codex:s1/t9",
      session: "codex:s1",
    });
  });

  it("C-02 Codex 0.166 as recorded: the session of its hooks, whatever else _meta holds", () => {
    const id = "01a1e2cb-b698-7271-8d1c-82cd5c0b7a5c";
    const meta = {
      progressToken: 1,
      callId: "call_1",
      "x-codex-turn-metadata": {
        session_id: id,
        thread_id: id,
        turn_id: "01a1e2cb-b710-76e1-9bd7-9a33900c171d",
        model: "gpt-5.5",
        thread_source: "user",
        codex_version: "0.166.0",
      },
      threadId: id,
      sessionId: id,
      windowId: `${id}:0`,
      itemId: "fc1",
    };
    const hookSession = id;
    const codex = identifyByProcess(environment({ HOME: "/nowhere" }));
    expect(codex({ meta, clientName: "codex-mcp-client" })?.id).toBe(`codex:${hookSession}`);
    expect(identifyByRequest({ meta, clientName: "" })?.id).toBe(`codex:${hookSession}`);
    const { "x-codex-turn-metadata": _, ...less } = meta;
    expect(identifyByRequest({ meta: less, clientName: "" })?.id).toBe(`codex:${hookSession}`);
  });

  it("C-02 a configured name stands before all, then _meta, then the variables", () => {
    const given = identifyByProcess(environment({ HEADGATE_ACTOR: "ci" }));
    expect(given({ meta: codexMeta("s1"), clientName: "codex" })?.id).toBe("ci");
    const named = environment({ HEADGATE_ACTOR: "ci" });
    expect(identifyByProcess(named, { as: "alice" })(nothing)?.id).toBe("alice");
    const plain = identifyByProcess(environment({}));
    expect(plain({ meta: { "headgate/actor": "bob/tests" }, clientName: "x" })?.id).toBe(
      "bob/tests",
    );
  });

  it("T-03 over standard input a session stays itself, whatever is configured or sent", () => {
    const variables = { CLAUDE_CODE_SESSION_ID: "abc-1", HEADGATE_ACTOR: "ci" };
    const inside = identifyByProcess(environment(variables));
    expect(inside(nothing)?.id).toBe("claude:abc-1");
    const meta = (actor: string) => ({ meta: { "headgate/actor": actor }, clientName: "x" });
    expect(inside(meta("claude:abc-1/tests"))?.id).toBe("claude:abc-1/tests");
    const refusal = expect.objectContaining({ code: "ACTOR_NOT_YOURS" });
    expect(() => inside(meta("claude:abc-2"))).toThrow(refusal);
    const named = identifyByProcess(environment(variables), { as: "alice" });
    expect(() => named(nothing)).toThrow(refusal);
  });

  it("C-02 a client inside another does not act for the outer one", () => {
    const inside = identifyByProcess(
      environment({ CLAUDE_CODE_SESSION_ID: "outer", CLAUDECODE: "1" }),
    );
    expect(inside({ meta: codexMeta("s1"), clientName: "codex-mcp-client" })?.id).toBe("codex:s1");
    expect(inside({ meta: {}, clientName: "codex-mcp-client" })?.id).not.toContain("outer");
    expect(inside({ meta: {}, clientName: "gemini-cli-mcp-client" })?.id).not.toContain("outer");
  });

  it("C-02 over HTTP the header counts, then _meta; otherwise nobody is known", () => {
    const codex = codexMeta("s1");
    expect(identifyByRequest({ meta: codex, clientName: "", header: "claude:x" })?.id).toBe(
      "claude:x",
    );
    expect(identifyByRequest({ meta: codex, clientName: "" })?.id).toBe("codex:s1");
    expect(identifyByRequest({ meta: {}, clientName: "claude-code" })).toBeUndefined();
  });

  it("C-02 names that are none are refused, ids that are none are as if not there", () => {
    for (const header of ["", "a//b", "a\0", "claude:", "x".repeat(300), "a\u202eb"]) {
      expect(() => identifyByRequest({ ...nothing, header }), JSON.stringify(header)).toThrow(
        /actor's name/,
      );
    }
    expect(() => identifyByRequest({ meta: { "headgate/actor": 7 }, clientName: "" })).toThrow(
      /not a text/,
    );
    for (const id of ["", "a/b", "a b", "$(x)", 7, null, {}, "x".repeat(200)]) {
      expect(identifyByRequest({ meta: { threadId: id }, clientName: "" })).toBeUndefined();
    }
    const odd = { meta: { "x-codex-turn-metadata": "{not json" }, clientName: "" };
    expect(identifyByRequest(odd)).toBeUndefined();
  });
});
