import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, connectHttp, connectStdio, revisions, startMcpHttp } from "../../helpers/mcp.ts";
import { run } from "../../helpers/program.ts";
import { put } from "../../helpers/temporary-folder.ts";
import { read, startScene } from "../../runs/scene.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const asking = (question: string) =>
  startScene([
    {
      id: "01",
      tasks: [
        {
          name: "ask",
          files: "b.txt",
          run: `grep -q 'says[ ]bob' "$PROMPT" && echo tabs > b.txt || echo 'HEADGATE: needs-decision ${question}'`,
          verify: "test -f b.txt",
        },
      ],
    },
  ]);

/** The scripted agent keeps its prompt where its lines can look at it. */
const exec = [
  "sh",
  "-c",
  `PROMPT=$(mktemp); trap 'rm -f "$PROMPT"' EXIT; cat > "$PROMPT"; script=$(sed -n "s/^RUN: //p" "$PROMPT"); eval "$script"`,
];

describe.each(revisions)("MCP tools for runs and routing, revision %s", (revision) => {
  it("L-05 a clarification is answered by MCP under the caller's name, once, and the run goes on", async () => {
    const scene = await asking("tabs or spaces?");
    const client = async (actor: string) => {
      const one = await connectStdio({
        cwd: scene.root,
        revision,
        env: { HEADGATE_ACTOR: actor },
      });
      await one.listTools();
      return one;
    };
    const bob = await client("bob");
    expect((await scene.execute({ change: { exec } })).state).toBe("needs-decision");
    const status = await call(bob, "run_status", {});
    expect(status.data).toMatchObject({
      ok: true,
      cut: false,
      run: {
        id: scene.id,
        state: "needs-decision",
        plans: [{ plan: "01", tasks: [{ number: 1 }] }],
      },
      questions: [{ id: "c1", kind: "question", text: "tabs or spaces?", answer: null }],
    });
    expect(status.text).toContain("c1 question: tabs or spaces?");
    const itself = await client(`run:${scene.id}/plan-01`);
    const own = await call(itself, "run_decide", { question: "c1", answer: "as I like" });
    expect(own).toMatchObject({ isError: true, data: { code: "RUN_STATE" } });
    const answered = await call(bob, "run_decide", { question: "c1", answer: " tabs, says bob " });
    expect(answered).toMatchObject({
      isError: false,
      data: { run: scene.id, question: { answer: "tabs, says bob" } },
    });
    const again = await call(bob, "run_decide", { question: "c1", answer: "spaces" });
    expect(again).toMatchObject({ isError: true, data: { code: "RUN_STATE" } });
    const page = await scene.headgate.events.page({ last: 10, kind: "run.answered" });
    expect(page.events).toMatchObject([{ actor: "bob", data: { note: "c1" } }]);
    const clarifications = join(stateFolder(scene.root), "runs", scene.id, "clarifications.md");
    expect(read(clarifications)).toContain("tabs, says bob");
    expect((await scene.execute()).state).toBe("done");
    expect(read(scene.root, "b.txt")).toBe("tabs\n");
    expect((await call(bob, "run_status", { run: scene.id.slice(0, 12) })).data.run.state).toBe(
      "done",
    );
  });

  it("L-05 what cannot be answered is refused with a code, and words of agents stay data", async () => {
    const scene = await asking("which? \\033[31m");
    await scene.execute({ change: { exec } });
    const place = await startMcpHttp(scene.root);
    const nobody = await connectHttp(place, { revision });
    const unnamed = await call(nobody, "run_decide", { question: "c1", answer: "x" });
    expect(unnamed).toMatchObject({ isError: true, data: { code: "ACTOR_INVALID" } });
    const shown = await call(nobody, "run_status", {});
    expect(shown.isError).toBe(false);
    expect(JSON.stringify(shown)).not.toContain("\u001b");
    const bob = await connectHttp(place, { revision, actor: "bob" });
    const codes: [object, string][] = [
      [{ question: "c2", answer: "x" }, "RUN_UNKNOWN"],
      [{ question: "c1", answer: "x", run: "rn_none" }, "RUN_UNKNOWN"],
      [{ question: "c1", answer: "  " }, "USAGE"],
      [{ question: "c1", answer: "a\nb" }, "USAGE"],
      [{ question: "c1", answer: "x".repeat(2_001) }, "USAGE"],
      [{ question: "1; DROP TABLE run_notes", answer: "x" }, "USAGE"],
      [{ answer: "x" }, "USAGE"],
    ];
    for (const [args, code] of codes) {
      const { isError, data } = await call(bob, "run_decide", { ...args });
      expect({ isError, code: data.code }, JSON.stringify(args).slice(0, 80)).toEqual({
        isError: true,
        code,
      });
    }
    expect((await scene.runs.status(scene.id)).notes).toMatchObject([{ id: "c1" }]);
    expect((await scene.runs.status(scene.id)).notes[0]).not.toHaveProperty("answer");
  });

  it("R-01 routing_status shows overrides and proposals, and writes nothing", async () => {
    const scene = await asking("?");
    const bob = await connectStdio({ cwd: scene.root, revision, env: { HEADGATE_ACTOR: "bob" } });
    await bob.listTools();
    const none = await call(bob, "routing_status", {});
    expect(none.data).toMatchObject({ ok: true, overrides: [], proposals: [], canaries: [] });
    const args = [
      "routing",
      "propose",
      "quality",
      "--action",
      "floor",
      "--floor",
      "P1",
      "--insist",
    ];
    const proposed = await run([...args, "--as", "ada"], { cwd: scene.root });
    expect(proposed.stderr + proposed.stdout).toContain("floor P1");
    const path = ".headgate/routing-overrides.json";
    const override = { agent: "quality", action: "exclude", reason: "noise \u001b[31m" };
    const created = { created: "2026-11-01T00:00:00Z", created_by: "ada" };
    put(
      join(scene.root, path),
      JSON.stringify({ version: 1, overrides: [{ ...override, ...created }] }),
    );
    const shown = await call(bob, "routing_status", {});
    expect(shown.data).toMatchObject({
      ok: true,
      overrides: [{ reviewer: "quality", action: "exclude", commit: null }],
      proposals: [{ reviewer: "quality", action: "floor", floor: "P1", proposer: "ada" }],
    });
    expect(JSON.stringify(shown)).not.toContain("\u001b");
    put(join(scene.root, path), "{");
    expect((await call(bob, "routing_status", {})).data.problem).toContain("malformed");
  });
});
