import { readFileSync, writeFileSync } from "node:fs";
import { hash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { sharedParsers } from "../helpers/shared-parsers.ts";

const before = `class Store:
    def read(self):
        return 1

    def write(self):
        return 2
`;

const open = async () => {
  const root = makeRepository(temporaryFolder());
  writeFileSync(join(root, "store.py"), before);
  const options = { repo: root, actor: "user:ada", shared: sharedParsers };
  return { root, headgate: await openHeadgate(options) };
};

const change = (from: string, to: string) => ({
  writes: [{ path: "store.py", before, after: before.replace(from, to) }],
});

describe("admitting a write that somebody else makes", () => {
  it("C-13 claims the changed symbols in the same call, and keeps them", async () => {
    const { headgate } = await open();
    await using gate = headgate;
    const one = gate.as("claude:s1");
    const { verdict, claims } = await one.gate.admit(change("return 1", "return 10"));
    expect(verdict.verdict).toBe("allow");
    expect(claims.map(({ target, actor }) => [target, actor])).toEqual([
      ["store.py#Store.read", "claude:s1"],
    ]);
    expect((await gate.claims.list()).claims).toHaveLength(1);
  });

  it("C-13 N-08 lets two sessions work in one file, and refuses the second on the same lines", async () => {
    const { headgate } = await open();
    await using gate = headgate;
    await gate.as("claude:s1").gate.admit(change("return 1", "return 10"));
    const other = gate.as("codex:s2");
    expect((await other.gate.admit(change("return 2", "return 20"))).verdict.verdict).toBe("allow");
    const refused = await other.gate.admit(change("return 1", "return 11"));
    expect(refused.verdict.verdict).toBe("deny");
    expect(refused.claims).toEqual([]);
    expect(refused.verdict.reasons[0]).toMatchObject({
      code: "LINES_HELD",
      path: "store.py",
      message: expect.stringContaining("claude:s1"),
    });
  });

  it("N-08 a claim that somebody asked for stops every edit under it, and says who and what for", async () => {
    const { headgate } = await open();
    await using gate = headgate;
    const reason = "moving it to another folder";
    await gate.as("alice").claims.claim({ targets: ["store.py"], reason });
    const refused = await gate.as("claude:s1").gate.admit(change("return 1", "return 10"));
    expect(refused.verdict.reasons[0]).toMatchObject({
      code: "CLAIM_CONFLICT",
      message: expect.stringMatching(/alice.*moving it to another folder/s),
    });
    const asked = await gate.as("bob").claims.claim({ targets: ["store.py"] });
    expect(asked.ok).toBe(false);
  });

  it("N-08 whoever asks for a claim is stopped by edits that are not committed", async () => {
    const { headgate } = await open();
    await using gate = headgate;
    await gate.as("claude:s1").gate.admit(change("return 1", "return 10"));
    const asked = await gate.as("alice").claims.claim({ targets: ["store.py"] });
    expect(asked).toMatchObject({ ok: false, blockers: [{ actor: "claude:s1", mode: "edit" }] });
  });

  it("claims nothing for what is denied", async () => {
    const { headgate } = await open();
    await using gate = headgate;
    const { verdict } = await gate.as("claude:s1").gate.admit(change("return 1", "return (1"));
    expect(verdict.reasons.map(({ code }) => code)).toContain("SYNTAX_ERROR");
    expect((await gate.claims.list()).claims).toEqual([]);
  });

  it("C-03 a session and its sub-agents are one: their edits do not wait for each other", async () => {
    const { headgate } = await open();
    await using gate = headgate;
    const verdictOf = async (actor: string, from: string, to: string) =>
      (await gate.as(actor).gate.admit(change(from, to))).verdict.verdict;
    expect(await verdictOf("claude:s1", "return 1", "return 10")).toBe("allow");
    expect(await verdictOf("claude:s1/a", "return 1", "return 11")).toBe("allow");
    expect(await verdictOf("claude:s1/a", "return 2", "return 20")).toBe("allow");
    expect(await verdictOf("claude:s1/b", "return 2", "return 21")).toBe("allow");
    expect(await verdictOf("claude:s2", "return 2", "return 22")).toBe("deny");
  });

  it("E-07 refuses to overwrite a version that the actor has not seen", async () => {
    const { root, headgate } = await open();
    await using gate = headgate;
    const one = gate.as("claude:s1");
    await one.seen.remember([{ path: "store.py", hash: hash("sha256", before) }]);
    writeFileSync(join(root, "store.py"), before.replace("return 2", "return 20"));
    const whole = { writes: [{ path: "store.py", after: before.replace("return 1", "return 9") }] };
    expect((await one.gate.admit(whole)).verdict.reasons[0]?.code).toBe("STALE_VIEW");
    await one.seen.remember([
      { path: "store.py", hash: hash("sha256", readFileSync(join(root, "store.py"))) },
    ]);
    expect((await one.gate.admit(whole)).verdict.verdict).toBe("allow");
  });
});
