import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../../src/base/ids.ts";
import { recordLauncher } from "../../../src/claims/index.ts";
import { actorOfCall } from "../../../src/surfaces/hooks/hook-actor.ts";
import type { HookCall } from "../../../src/surfaces/hooks/types.ts";
import { clientProcess } from "../../helpers/client-process.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const call: HookCall = { harness: "codex", event: "before-tool", session: "s1", cwd: "/" };
describe("who acts in a hook's call", () => {
  it("is the session of the payload, whatever the variables say", () => {
    expect(actorOfCall(call, 0)).toMatchObject({
      id: "codex:s1",
      session: "codex:s1",
      harness: "codex",
    });
    expect(actorOfCall({ ...call, agent: "a1" }, 0)).toMatchObject({
      id: "codex:s1/a1",
      session: "codex:s1",
    });
  });

  it("L-01 is the run's plan for a client that a run has started, and nobody else's by a mere variable", () => {
    const run = newId("run");
    const startedWith = (env: Record<string, string>): number => {
      const child = spawn("sleep", ["30"], { env: { ...process.env, ...env }, stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child.pid ?? 0;
    };
    const mark = `${run}/${newId("agent")}`;
    const own = startedWith({ HEADGATE_AGENT: mark, HEADGATE_ACTOR: `run:${run}/plan-02` });
    expect(actorOfCall(call, own)).toMatchObject({ id: `run:${run}/plan-02` });
    for (const env of [
      { HEADGATE_ACTOR: `run:${run}/plan-02` },
      { HEADGATE_AGENT: mark, HEADGATE_ACTOR: "alice" },
      { HEADGATE_AGENT: mark, HEADGATE_ACTOR: `run:${newId("run")}/plan-02` },
    ]) {
      expect(actorOfCall(call, startedWith(env)).id).toBe("codex:s1");
    }
    // T-03: the variables are an agent's to set; that the run is above it is not.
    const stateFolder = temporaryFolder();
    expect(actorOfCall(call, own, stateFolder).id).toBe("codex:s1");
    const end = recordLauncher(stateFolder, `run:${run}`);
    expect(actorOfCall(call, own, stateFolder).id).toBe(`run:${run}/plan-02`);
    end();
    expect(actorOfCall(call, own, stateFolder).id).toBe("codex:s1");
  });

  it.each(["codex", "claude", "gemini", "opencode", "cursor"] as const)(
    "C-03 has the process of %s, so that its death frees what it holds",
    async (harness) => {
      const { pid } = await clientProcess(harness);
      expect(actorOfCall({ ...call, harness }, pid).process).toMatchObject({ pid });
    },
  );

  it("has the client's process, found from whatever the client started the hook with", async () => {
    const { pid, shell } = await clientProcess("codex");
    expect(actorOfCall(call, pid).process).toMatchObject({ pid });
    expect(actorOfCall(call, shell).process).toMatchObject({ pid });
    expect(actorOfCall({ ...call, agent: "a1" }, pid).process).toMatchObject({ pid });
  });

  it("has none where no client is to be seen: the end of a stranger frees nothing", async () => {
    const { pid } = await clientProcess("make");
    expect(actorOfCall(call, pid).process).toBeUndefined();
    expect(actorOfCall(call, 0).process).toBeUndefined();
  });
});
