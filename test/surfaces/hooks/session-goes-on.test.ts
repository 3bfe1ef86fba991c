import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lineSpans } from "../../../src/lines/index.ts";
import { dialectOf } from "../../../src/surfaces/hooks/harness/index.ts";
import { actorOfCall } from "../../../src/surfaces/hooks/hook-actor.ts";
import { hookParts } from "../../../src/surfaces/hooks/parts.ts";
import { clientProcess } from "../../helpers/client-process.ts";
import { git } from "../../helpers/git-repository.ts";
import { hookPlace } from "../../helpers/hook-place.ts";

const fixtures = join(import.meta.dirname, "../../fixtures/hooks");
type Payload = Readonly<Record<string, unknown>>;

/** Clients in processes of their own; their hooks get recorded payloads with other ids. */
const scene = async (harness: "claude" | "codex" = "claude") => {
  const place = await hookPlace();
  const { root, headgate } = place;
  const file = place.file("a.txt", "one\ntwo\nthree\n");
  git(root, "add", "a.txt");
  git(root, "commit", "--quiet", "--message", "One");
  const ask = async (pid: number, session: string, payload: Payload) => {
    const context = { variables: {}, cwd: root };
    const whole = { ...payload, session_id: session, cwd: root };
    const call = dialectOf(harness, whole, context).read(whole, context);
    const decision = await place.ask(call, { actorOf: (one) => actorOfCall(one, pid) });
    expect(decision).not.toMatchObject({ kind: "refuse" });
  };
  const recorded = (name: string): Payload =>
    JSON.parse(readFileSync(join(fixtures, harness, `${name}.json`), "utf8"));
  const start = (pid: number, session: string, source: string) =>
    ask(pid, session, { ...recorded("session-start"), source });
  return {
    client: async () => (await clientProcess(harness)).pid,
    start,
    end: (pid: number, session: string, reason: string) =>
      ask(pid, session, { ...recorded("session-end"), reason }),
    stop: async (pid: number, session: string) => {
      const context = { variables: {}, cwd: root };
      const whole = { ...recorded("stop"), session_id: session, cwd: root };
      const dialect = dialectOf(harness, whole, context);
      const call = dialect.read(whole, context);
      const parts = { ...hookParts, actorOf: (one: typeof call) => actorOfCall(one, pid) };
      return dialect.answer(await place.ask(call, parts), call);
    },
    /** Adds a line after another one. */
    edit: async (pid: number, session: string, after: string, line: string) => {
      const text = readFileSync(file, "utf8");
      const tool = {
        tool_name: "Edit",
        tool_input: {
          file_path: file,
          old_string: `${after}\n`,
          new_string: `${after}\n${line}\n`,
        },
        tool_use_id: `use-${line}`,
      };
      await ask(pid, session, { hook_event_name: "PreToolUse", ...tool });
      writeFileSync(file, text.replace(`${after}\n`, `${after}\n${line}\n`));
      await ask(pid, session, { hook_event_name: "PostToolUse", ...tool, tool_response: {} });
    },
    authors: async () => {
      const record = await headgate.lines.record("a.txt");
      return record ? lineSpans(record.weave).map(({ edit }) => edit.actor) : [];
    },
    holders: async () => (await headgate.claims.list()).claims.map(({ actor }) => actor),
    states: async () =>
      Object.fromEntries(
        [...(await headgate.lines.presence())].map(([session, { state }]) => [session, state]),
      ),
    place,
  };
};

describe("the end of a turn", () => {
  it("N-02 reminds of the session's uncommitted lines, once until it writes again", async () => {
    const { client, edit, stop, place } = await scene();
    const pid = await client();
    const silent = { exit: 0, stdout: "", stderr: "" };
    expect(await stop(pid, "s1")).toEqual(silent);
    await edit(pid, "s1", "one", "of s1");
    await edit(pid, "s2", "three", "of s2");
    const { stdout, ...rest } = await stop(pid, "s1");
    expect(rest).toEqual({ exit: 0, stderr: "" });
    // Nothing in it that would make the agent go on.
    expect(JSON.parse(stdout)).toEqual({
      systemMessage: expect.stringMatching(/1 edit of this session not committed yet, in a\.txt\./),
    });
    expect(await stop(pid, "s1")).toEqual(silent);
    await edit(pid, "s1", "of s1", "more of s1");
    expect(await stop(pid, "s1")).toMatchObject({ stdout: expect.stringContaining("2 edits") });
    expect(await stop(pid, "s1")).toEqual(silent);
    git(place.root, "commit", "--quiet", "--all", "--message", "All of it");
    expect(await stop(pid, "s1")).toEqual(silent);
    expect(await stop(pid, "s2")).toEqual(silent);
  });
});

describe("a session that goes on in the same client process under a new id", () => {
  it.each([
    ["clear", "clear"],
    ["resume", "resume"],
  ])("N-01 keeps its lines and claims (%s)", async (reason, source) => {
    const { client, start, edit, end, authors, holders, states, place } = await scene();
    const pid = await client();
    await start(pid, "s1", "startup");
    await edit(pid, "s1", "one", "of s1");
    await end(pid, "s1", reason);
    expect(await authors()).toEqual(["claude:s1"]);
    await start(pid, "s2", source);
    expect(await authors()).toEqual(["claude:s2"]);
    expect(await holders()).toEqual(["claude:s2"]);
    expect(await states()).toEqual({ "claude:s1": "ended", "claude:s2": "here" });
    expect(await place.events("lines.passed")).toMatchObject([
      { actor: "claude:s2", data: { from: "claude:s1", files: 1 } },
    ]);
    await edit(pid, "s2", "of s1", "of s2");
    expect(new Set(await authors())).toEqual(new Set(["claude:s2"]));
  });

  it("N-01 keeps them where the client did not tell of the end", async () => {
    const { client, start, edit, authors } = await scene();
    const pid = await client();
    await edit(pid, "s1", "one", "of s1");
    await start(pid, "s2", "clear");
    expect(await authors()).toEqual(["claude:s2"]);
    // And so on, from one to the next.
    await start(pid, "s3", "clear");
    expect(await authors()).toEqual(["claude:s3"]);
  });

  it("N-01 gets nothing of a session in another process, of one that has ended, and of one that merely began before", async () => {
    const { client, start, edit, end, authors, holders } = await scene();
    const [one, other] = [await client(), await client()];
    await edit(one, "s1", "one", "of s1");
    await start(other, "s2", "clear");
    await start(other, "s2", "resume");
    await start(one, "s3", "startup");
    expect(await authors()).toEqual(["claude:s1"]);
    await end(one, "s1", "prompt_input_exit");
    await start(one, "s4", "clear");
    expect(await authors()).toEqual(["claude:s1"]);
    expect(await holders()).toEqual([]);
  });

  it("N-01 gets nothing where two sessions of the process may be meant", async () => {
    const { client, start, edit, authors } = await scene("codex");
    const pid = await client();
    await edit(pid, "s1", "one", "of s1");
    // Of this client's process another session may have gone on, and this one stays.
    await start(pid, "s2", "resume");
    expect(await authors()).toEqual(["codex:s1"]);
    await edit(pid, "s2", "three", "of s2");
    await start(pid, "s3", "clear");
    expect(await authors()).toEqual(["codex:s1", "codex:s2"]);
  });
});
