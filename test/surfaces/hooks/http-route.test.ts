import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { answerHookRequest } from "../../../src/surfaces/hooks/http-route.ts";
import { type HookPlace, hookPlace } from "../../helpers/hook-place.ts";

const fixtures = resolve(import.meta.dirname, "../../fixtures/hooks");
const bodyFor = ({ root }: HookPlace, name: string): string =>
  readFileSync(join(fixtures, `${name}.json`), "utf8").replaceAll("/repo", root);

const ask = async (
  place: HookPlace,
  harness: string,
  body: string,
  headers: Record<string, string> = {},
) => {
  const request = new Request("http://127.0.0.1/hooks/x", { method: "POST", body, headers });
  return answerHookRequest(harness, request, { ...place.dependencies, mark: "." });
};
const shim = { "x-headgate-pid": String(process.pid) };

describe("POST /hooks/:harness", () => {
  it("answers the shim in lines that cannot be mistaken when they are cut", async () => {
    const place = await hookPlace();
    const good = await ask(place, "claude", bodyFor(place, "claude/write"), shim);
    expect(await good?.text()).toBe("0\n.\n");
    const wrong = bodyFor(place, "gemini/write-file").replace("export {};", "export {;");
    const bad = await ask(place, "gemini", wrong, shim);
    expect(bad?.status).toBe(200);
    expect(await bad?.text()).toMatch(
      /^2\nHeadgate refused this write_file: SYNTAX_ERROR src\/a\.ts\n[^]*\nheadgate: \{.*\}\n\.\n$/,
    );
    const started = await ask(place, "codex", bodyFor(place, "codex/session-start"), shim);
    expect(await started?.text()).toMatch(/^0\n\{"hookSpecificOutput":.*\}\n\.\n$/);
  });

  it("answers a client's own http hook with nothing, or with Claude Code's JSON", async () => {
    const place = await hookPlace();
    const good = await ask(place, "claude", bodyFor(place, "claude/write"));
    expect([good?.status, await good?.text()]).toEqual([204, ""]);
    const wrong = bodyFor(place, "claude/write").replace("allowed.txt", "a.json");
    const bad = await ask(place, "claude", wrong);
    expect([bad?.status, bad?.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await bad?.json()).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringMatching(
          /^Headgate refused this Write: SYNTAX_ERROR a\.json\n/,
        ),
      },
    });
  });

  it("refuses what it cannot read, in both forms", async () => {
    const place = await hookPlace();
    for (const body of ["", "{", '{"a":1,"a":2}', '{"session_id":"x"}']) {
      expect(await (await ask(place, "claude", body, shim))?.text()).toMatch(
        /^2\nHeadgate refused this tool: HOOK_INPUT_INVALID\n/,
      );
      expect(await (await ask(place, "claude", body))?.json()).toMatchObject({
        hookSpecificOutput: { permissionDecision: "deny" },
      });
    }
  });

  it("knows no other client", async () => {
    const place = await hookPlace();
    for (const name of ["nobody", "__proto__", "constructor", ""]) {
      expect(await ask(place, name, "{}", shim)).toBeUndefined();
    }
  });

  it("takes the claims for the session of the payload, not for the server", async () => {
    const place = await hookPlace();
    await ask(place, "claude", bodyFor(place, "claude/sub-agent-write"), shim);
    const { claims } = await place.headgate.claims.list();
    expect(claims.map(({ actor }) => actor)).toEqual([
      "claude:a3aa949c-5f0e-4d0b-9d53-2f2f5f6a0001/ag_01",
    ]);
  });
});
