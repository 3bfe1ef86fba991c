import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { openHeadgate } from "../../../src/compose.ts";
import { openRing } from "../../../src/surfaces/hooks/ring/index.ts";
import type { HookCall, HookDecision, ToolUse } from "../../../src/surfaces/hooks/types.ts";
import { statusReport } from "../../../src/surfaces/status-report.ts";
import { UnjudgedWrites } from "../../../src/surfaces/unjudged/index.ts";
import { git } from "../../helpers/git-repository.ts";
import { type HookPlace, hookPlace } from "../../helpers/hook-place.ts";
import { stopParsers } from "../../helpers/stopped-parsers.ts";

const good = "export const a = 2;\n";
const broken = "export const a = ;\n";

/** A repository whose parsers have started; `a.ts` is committed. */
const place = async (): Promise<HookPlace> => {
  const made = await hookPlace(undefined, { ownParsers: true });
  made.file("a.ts", "export const a = 1;\n");
  git(made.root, "add", "a.ts");
  git(made.root, "commit", "--quiet", "--message", "One");
  const { headgate } = made;
  await headgate.gate.judge({ writes: [{ path: "warm.ts", after: "export const w = 1;\n" }] });
  return made;
};

const writing = ({ root }: HookPlace, content: string, name = "a.ts"): ToolUse => ({
  ...{ kind: "write", name: "Write", file: join(root, name), content },
});

/** Asked while the judgement cannot be ready in time. */
const askLate = (
  at: HookPlace,
  tool: ToolUse,
  { lateMs, ...more }: Partial<HookCall> & { readonly lateMs?: number } = {},
) =>
  at.ask(at.call(tool, { toolUseId: "t1", ...more }), {
    ...{ answerMs: 300, ring: openRing },
    ...(lateMs !== undefined && { lateMs }),
  });

/** The hook after the tool, with all the time it may take. */
const askAfter = (at: HookPlace, tool: ToolUse, more: Partial<HookCall> = {}) =>
  at.ask(at.call(tool, { event: "after-tool", toolUseId: "t1", ...more }), { ring: openRing });

const register = ({ headgate }: HookPlace) =>
  new UnjudgedWrites({ localDir: headgate.repository.localDir });

const textOf = (decision: HookDecision): string => (decision.kind === "pass" ? "" : decision.text);

describe.runIf(process.platform === "linux")("a judgement that is late", () => {
  it("G13 T-06 the edit passes unjudged and says so, is claimed as a whole, is in the log and in status", async () => {
    const at = await place();
    stopParsers();
    const decision = await askLate(at, writing(at, broken));
    expect(decision).toMatchObject({ kind: "tell" });
    expect(textOf(decision)).toMatch(
      /^Headgate let this Write pass unjudged \(no answer within 0\.3 s\): a\.ts\. /,
    );
    const { claims } = await at.headgate.claims.list();
    expect(claims).toMatchObject([{ actor: "claude:s1", target: "a.ts" }]);
    expect(await at.events("write.unjudged")).toMatchObject([
      { actor: "claude:s1", data: { paths: ["a.ts"], count: 1, tool: "Write" } },
    ]);
    expect(await at.events("gate.refused")).toEqual([]);
    expect((await statusReport(at.headgate, systemEnvironment())).unjudged).toMatchObject({
      count: 1,
      writes: [
        { path: "a.ts", worktree: at.root, actor: "claude:s1", why: "no answer within 0.3 s" },
      ],
    });
  });

  it.each([
    ["right", good, /Judged now: no problems\.$/],
    [
      "wrong",
      broken,
      /the gate would have refused it: SYNTAX_ERROR .* a commit with it is refused\.$/,
    ],
    [
      "a call of what a library does not have",
      "export const a = JSON.stringfy({});\n",
      /the gate would have refused it: CALL_UNKNOWN .* a commit with it is refused\.$/,
    ],
  ])("G13 the next hook of the session says the result: what is %s", async (_, content, said) => {
    const at = await place();
    const goOn = stopParsers();
    expect(await askLate(at, writing(at, content))).toMatchObject({ kind: "tell" });
    // The client has not written yet: there is nothing to judge.
    goOn();
    expect(await askAfter(at, writing(at, content))).toEqual({ kind: "pass" });
    expect(register(at).waiting()).toHaveLength(1);
    writeFileSync(join(at.root, "a.ts"), content);
    const heard = await askAfter(at, writing(at, content));
    expect(textOf(heard)).toMatch(
      /^Headgate: a\.ts, written at \S+, passed unjudged \(no answer within 0\.3 s\)\. /,
    );
    expect(textOf(heard)).toMatch(said);
    expect(register(at).waiting()).toEqual([]);
    expect(await askAfter(at, writing(at, content))).toEqual({ kind: "pass" });
  });

  it("G13 another session's hook judges it as well, and its writer hears of it later", async () => {
    const at = await place();
    const goOn = stopParsers();
    await askLate(at, writing(at, broken));
    goOn();
    writeFileSync(join(at.root, "a.ts"), broken);
    const read: ToolUse = { kind: "read", file: join(at.root, "a.ts"), name: "Read" };
    expect(await askAfter(at, read, { session: "s2" })).toEqual({ kind: "pass" });
    expect(register(at).waiting()).toEqual([]);
    expect(textOf(await askAfter(at, read))).toContain("SYNTAX_ERROR");
  });

  it("G13 G1 a write on another's claim is refused, however late the judgement is", async () => {
    const at = await place();
    const other = at.headgate.claims.as("codex:bob");
    expect(await other.claim({ targets: ["a.ts#a"], reason: "mine" })).toMatchObject({ ok: true });
    stopParsers();
    expect(await askLate(at, writing(at, good))).toMatchObject({
      ...{ kind: "refuse", code: "CLAIM_CONFLICT" },
      text: expect.stringContaining("codex:bob"),
    });
    expect(register(at).waiting()).toEqual([]);
    expect(await at.events("gate.refused")).toMatchObject([{ data: { code: "CLAIM_CONFLICT" } }]);
  });

  it("G13 B05 the rules about paths hold: git's files, and what arms the hooks", async () => {
    const at = await place();
    const armed = `{\n  "command": ".headgate/hook claude"\n}\n`;
    at.file(".claude/settings.json", armed);
    stopParsers();
    // The first file keeps the judgement from getting to the second.
    const both: ToolUse = {
      ...{ kind: "replace", name: "MultiEdit", file: join(at.root, "a.ts"), exact: true },
      edits: [
        { old: "1", new: "2", all: false },
        { old: "[core]", new: "[kore]", all: false, file: join(at.root, ".git/config") },
      ],
    };
    expect(await askLate(at, both)).toMatchObject({ code: "PATH_GIT" });
    expect(await askLate(at, writing(at, "{}\n", ".claude/settings.json"))).toMatchObject({
      code: "PATH_PROTECTED",
    });
    expect(register(at).waiting()).toEqual([]);
  });

  it("G13 E-07 what was changed since it was seen is refused without a parser, too", async () => {
    const at = await place();
    const read: ToolUse = { kind: "read", file: join(at.root, "a.ts"), name: "Read" };
    await askAfter(at, read);
    at.file("a.ts", "export const a = 9;\n");
    stopParsers();
    expect(await askLate(at, writing(at, good))).toMatchObject({ code: "STALE_VIEW" });
  });

  it("G13 a store that does not answer refuses", async () => {
    const at = await place();
    const other = await openHeadgate({ repo: at.root, actor: "other" });
    const store = await other.store();
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = store.write({ scope: await other.scope() }, async () => {
      held.resolve();
      await released.promise;
      return null;
    });
    onTestFinished(async () => {
      released.resolve();
      await holding.catch(() => {});
      await other.close();
    });
    await held.promise;
    stopParsers();
    expect(await askLate(at, writing(at, good), { lateMs: 300 })).toMatchObject({
      ...{ kind: "refuse", code: "HOOK_TIMEOUT" },
      text: expect.stringContaining("headgate status"),
    });
    expect(register(at).waiting()).toEqual([]);
  });

  it("G13 T-06 a second time-out on the same content is refused; other content passes, and so does the same tool use", async () => {
    const at = await place();
    stopParsers();
    expect(await askLate(at, writing(at, good))).toMatchObject({ kind: "tell" });
    expect(await askLate(at, writing(at, good))).toMatchObject({ kind: "tell" });
    expect(await askLate(at, writing(at, good), { toolUseId: "t2" })).toMatchObject({
      ...{ kind: "refuse", code: "HOOK_TIMEOUT" },
      text: expect.stringMatching(/^Headgate refused this Write: HOOK_TIMEOUT a\.ts\n/),
    });
    const other = writing(at, "export const a = 3;\n");
    expect(await askLate(at, other, { toolUseId: "t3" })).toMatchObject({ kind: "tell" });
  });

  it("G13 a content that was judged wrong and runs out of time again is refused", async () => {
    const at = await place();
    const goOn = stopParsers();
    await askLate(at, writing(at, broken));
    goOn();
    writeFileSync(join(at.root, "a.ts"), broken);
    expect(textOf(await askAfter(at, writing(at, broken)))).toContain("SYNTAX_ERROR");
    at.file("a.ts", "export const a = 1;\n");
    await askAfter(at, { kind: "read", file: join(at.root, "a.ts"), name: "Read" });
    // Another process has no memory of the first judgement.
    const fresh = await openHeadgate({ repo: at.root, actor: "test" });
    onTestFinished(() => fresh.close());
    await fresh.gate.judge({ writes: [{ path: "warm.ts", after: "export const w = 1;\n" }] });
    stopParsers();
    const again = at.call(writing(at, broken), { toolUseId: "t2" });
    const options = { answerMs: 300, ring: openRing, open: async () => fresh };
    expect(await at.ask(again, options)).toMatchObject({ code: "HOOK_TIMEOUT" });
  });

  it("G13 a parser that cannot answer at all is the same as one that is late", async () => {
    const at = await place();
    const closed = await openHeadgate({ repo: at.root, actor: "test" });
    await closed.gate.judge({ writes: [{ path: "w.ts", after: "export const w = 1;\n" }] });
    const acting = closed.as("claude:s1");
    const gate = {
      ...acting.gate,
      admit: async (): Promise<never> => {
        // As the real gate does when its parser is away.
        await closed.close();
        return closed.gate.judge({ writes: [{ path: "x.ts", after: broken }] }) as Promise<never>;
      },
      admitUnjudged: at.headgate.as("claude:s1").gate.admitUnjudged,
    };
    const headgate = { ...at.headgate, as: () => ({ ...at.headgate.as("claude:s1"), gate }) };
    const decision = await at.ask(at.call(writing(at, broken)), { open: async () => headgate });
    expect(textOf(decision)).toMatch(/pass unjudged \(x\.ts was not judged: .*it was closed\)/);
  });

  it("G14 what is kept is for its owner only; damaged files are as if they were not there", async () => {
    const at = await place();
    stopParsers();
    await askLate(at, writing(at, good));
    const folder = join(at.headgate.repository.localDir, "unjudged");
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    writeFileSync(join(folder, names[0] ?? ""), "{");
    expect(register(at).waiting()).toEqual([]);
    expect((await statusReport(at.headgate, systemEnvironment())).unjudged).toEqual({
      count: 0,
      writes: [],
    });
  });
});
