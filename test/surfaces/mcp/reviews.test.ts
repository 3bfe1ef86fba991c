import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, connectStdio, revisions } from "../../helpers/mcp.ts";
import { looks, type Place, report, says, scriptedPlace } from "../../review/conduct/scripted.ts";

const leak = { title: "Name from outside \u001b[31m reaches the file system", severity: "P1" };
const revision = revisions[0]!;

const connect = async (place: Place, actor = "alice") => {
  const { variables } = place.environment;
  const env = { ...(variables as Record<string, string>), HEADGATE_ACTOR: actor };
  const client = await connectStdio({ cwd: place.cwd, revision, env });
  // From here on the client checks every answer against the schema.
  await client.listTools();
  return client;
};

const untilDone = async (client: Awaited<ReturnType<typeof connect>>, review: string) => {
  const status = async () => (await call(client, "review_status", { review })).data.review;
  await expect.poll(async () => (await status()).state).not.toBe("running");
  return status();
};

describe("MCP tools for reviews", () => {
  it("V-02 V-04 a review in the background, one at a time; its result; decisions under the caller's name", async () => {
    const place = await scriptedPlace([
      says("safety", { untilFile: "GATE", text: report("safety", [leak]) }),
      looks({ "reaches the file system": "confirmed" }),
    ]);
    const client = await connect(place);
    const started = await call(client, "review_start", { reviewers: ["safety"] });
    expect(started.data).toMatchObject({ ok: true, state: "running" });
    const { review } = started.data;
    const second = await call(client, "review_start", {});
    expect(second).toMatchObject({ isError: true, data: { code: "REVIEW_RUNNING" } });
    const early = await call(client, "review_result", {});
    expect(early.data).toMatchObject({ ok: true, done: false, findings: [] });
    writeFileSync(join(place.folder, "GATE"), "");
    expect(await untilDone(client, review)).toMatchObject({ state: "done" });
    const result = await call(client, "review_result", { review });
    expect(result.data).toMatchObject({
      done: true,
      review: { verdict: "needs-changes" },
      findings: [{ severity: "P1", state: "new", path: "src/store.js" }],
    });
    expect(result.text).not.toContain("\u001b");
    const [finding] = result.data.findings;
    const bare = await call(client, "findings", { action: "dismiss", finding: finding.id });
    expect(bare).toMatchObject({ isError: true, data: { code: "USAGE" } });
    const dismissed = await call(client, "findings", {
      ...{ action: "dismiss", finding: finding.id, reason: "wrong", note: "checked" },
    });
    expect(dismissed.data.findings).toMatchObject([{ id: finding.id, state: "dismissed" }]);
    const shown = await place.json(["findings", "show", finding.id]);
    expect(shown.finding.decision).toMatchObject({ reason: "wrong", note: "checked" });
    expect(shown.finding.decision.by).toContain("alice");
    expect((await call(client, "findings", {})).data.findings).toEqual([]);
    const unknown = await call(client, "review_start", { reviewers: ["saftey"] });
    expect(unknown.data.message).toContain("did you mean safety?");
    const kinds = await call(client, "profile", {});
    expect(kinds.data).toMatchObject({ ok: true, domains: expect.any(Array) });
    const resource = await client.readResource({ uri: "headgate://reviews" });
    expect(JSON.stringify(resource)).toContain(review);
  });

  it("V-02 when the client goes away, the review is interrupted and can be resumed", async () => {
    const place = await scriptedPlace([
      says("safety", { untilFile: "GATE", text: report("safety", []) }),
    ]);
    const client = await connect(place);
    const { data } = await call(client, "review_start", { reviewers: ["safety"] });
    await client.close();
    await expect
      .poll(async () => (await place.json(["review", "list"])).reviews[0].state)
      .toBe("interrupted");
    writeFileSync(join(place.folder, "GATE"), "");
    const resumed = await place.json(["review", "resume", data.review]);
    expect(resumed).toMatchObject({ exit: 0, verdict: "go", review: data.review });
  });
});
