import { mkdirSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Environment, systemEnvironment } from "../../src/base/environment.ts";
import { limits } from "../../src/base/limits.ts";
import { actorFromEnvironment, parseActor } from "../../src/claims/actors/actor.ts";

const environment = (variables: Record<string, string>): Environment => ({
  ...systemEnvironment(),
  variables,
});

const noTree = () => undefined;

describe("names of actors", () => {
  it("C-02 session, sub-agent and client are told apart", () => {
    expect(parseActor("alice")).toEqual({ id: "alice", session: "alice" });
    expect(parseActor("alice/tests")).toEqual({ id: "alice/tests", session: "alice" });
    expect(parseActor("alice/tests/unit")).toEqual({ id: "alice/tests/unit", session: "alice" });
    expect(parseActor("claude:0199-c2")).toEqual({
      id: "claude:0199-c2",
      session: "claude:0199-c2",
      harness: "claude",
    });
    expect(parseActor("codex:t1/reviewer")).toEqual({
      id: "codex:t1/reviewer",
      session: "codex:t1",
      harness: "codex",
    });
    for (const id of ["user:ada", "claude", "claudes:1", "Claude:1", "x claude:1", ":", "a:b:c"]) {
      expect(parseActor(id), id).toEqual({ id, session: id });
    }
  });

  it("C-02 quotes, shell words and line breaks stay as they are", () => {
    for (const id of [
      `"; DROP TABLE claims; --`,
      "$(touch x)",
      "`id`",
      "line\nbreak\r\n",
      "tab\t",
      "\u001b[31mred",
      "'",
      "\\",
      " ",
      "-rf",
      "名前/試験",
      "e\u0301",
      "__proto__",
    ]) {
      expect(parseActor(id).id, id).toBe(id);
      expect(actorFromEnvironment(environment({}), { as: id }).id, id).toBe(id);
      expect(actorFromEnvironment(environment({ HEADGATE_ACTOR: id })).id, id).toBe(id);
    }
  });

  it("C-02 any text is either refused by its code or comes back byte for byte", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (id) => {
        try {
          expect(parseActor(id).id).toBe(id);
          expect(`${id}/`.startsWith(`${parseActor(id).session}/`)).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: "ACTOR_INVALID" });
        }
      }),
    );
  });

  it("C-02 what no store keeps or no reader can trust is refused", () => {
    const longest = "é".repeat(limits.actorBytesMax / 2);
    expect(parseActor(longest).id).toBe(longest);
    for (const id of [
      "",
      `${longest}a`,
      "a\0b",
      "a\ud800b",
      "\udc00",
      "admin\u202enimda",
      "a\u2066",
      "/",
      "/a",
      "a/",
      "a//b",
      "claude:",
      "claude:/x",
    ]) {
      const refusal = expect.objectContaining({ code: "ACTOR_INVALID" });
      expect(() => parseActor(id), JSON.stringify(id)).toThrow(refusal);
      expect(() => actorFromEnvironment(environment({}), { as: id })).toThrow(refusal);
    }
  });

  it("C-02 the refusal is one safe line", () => {
    try {
      parseActor("evil\n\u001b[2J\u202e");
      expect.unreachable();
    } catch (error) {
      const { message } = error as Error;
      expect(message).toMatch(/^[ -~]+$/);
    }
  });
});

describe("who acts here", () => {
  const claude = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "0199c2aa-1" };

  it("T-03 outside of a session --as names the actor, before HEADGATE_ACTOR", () => {
    const variables = { HEADGATE_ACTOR: "worker" };
    expect(actorFromEnvironment(environment(variables)).id).toBe("worker");
    expect(actorFromEnvironment(environment(variables), { as: "alice" }).id).toBe("alice");
  });

  it("T-03 inside a session no name changes who acts, but its own sub-agents can be named", () => {
    const session = "claude:0199c2aa-1";
    for (const HEADGATE_ACTOR of ["", "worker", "claude:other", "user:ada", session]) {
      const found = actorFromEnvironment(environment({ ...claude, HEADGATE_ACTOR }));
      expect(found.id, HEADGATE_ACTOR).toBe(session);
    }
    for (const as of [
      "alice",
      "claude:other",
      "claude:0199c2aa-1x",
      "user:ada",
      "codex:0199c2aa-1",
    ]) {
      expect(() => actorFromEnvironment(environment(claude), { as }), as).toThrow(
        expect.objectContaining({ code: "ACTOR_NOT_YOURS" }),
      );
    }
    for (const as of [session, `${session}/builder`, `${session}/builder/two`]) {
      expect(actorFromEnvironment(environment(claude), { as }).id).toBe(as);
      expect(actorFromEnvironment(environment({ ...claude, HEADGATE_ACTOR: as })).id).toBe(as);
    }
    // Only a mark of an agent: its session is not known, but it is nobody else.
    expect(() => actorFromEnvironment(environment({ AI_AGENT: "x" }), { as: "bob" })).toThrow(
      expect.objectContaining({ code: "ACTOR_NOT_YOURS" }),
    );
  });

  it("C-03 each client is known by its own variable", () => {
    for (const [variable, id] of [
      ["CLAUDE_CODE_SESSION_ID", "claude:s-1"],
      ["CODEX_THREAD_ID", "codex:s-1"],
      ["GEMINI_SESSION_ID", "gemini:s-1"],
    ] as const) {
      const found = actorFromEnvironment(environment({ [variable]: "s-1" }), { readTree: noTree });
      expect(found).toEqual({ id, session: id, harness: id.split(":")[0] });
    }
  });

  it("C-03 without a client it is the user", () => {
    const ask = (variables: Record<string, string>, loginName?: () => string | undefined) =>
      actorFromEnvironment(environment(variables), {
        readTree: noTree,
        ...(loginName && { loginName }),
      });
    expect(ask({}, () => "ada")).toEqual({ id: "user:ada", session: "user:ada" });
    expect(ask({ USER: "eve" }, () => "ada").id).toBe("user:ada");
    expect(ask({ USER: "eve" }, () => undefined).id).toBe("user:eve");
    expect(ask({ USER: "../x" }, () => "a/b").id).toBe("user:unknown");
    expect(ask({}).id).toMatch(/^user:./);
    expect(ask({ HEADGATE_ACTOR: "bob" }).id).toBe("bob");
  });

  it("C-03 a variable that holds no session id is as if it were not there", () => {
    for (const value of ["", "a/b", "../x", "a b", "x\n", "\0", "\u202e", "x".repeat(1000), "é"]) {
      const found = actorFromEnvironment(environment({ CLAUDE_CODE_SESSION_ID: value }), {
        readTree: noTree,
        loginName: () => "ada",
      });
      expect(found.id, JSON.stringify(value)).toBe("user:ada");
    }
    // Only the mark of a client, and no process to name the session by.
    const marked = actorFromEnvironment(environment({ CLAUDECODE: "1", CODEX_THREAD_ID: "t" }), {
      readTree: noTree,
    });
    expect(marked.id).toBe("codex:t");
  });

  it("C-03 where processes cannot be looked at, the session is still known", () => {
    const unreadable = () => {
      mkdirSync("/proc/no/such/place");
      return undefined;
    };
    const found = actorFromEnvironment(environment(claude), { readTree: unreadable });
    expect(found).toEqual({
      id: "claude:0199c2aa-1",
      session: "claude:0199c2aa-1",
      harness: "claude",
    });
  });
});
