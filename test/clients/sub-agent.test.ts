import { join } from "node:path";
import { expect, it } from "vitest";
import { put } from "../helpers/temporary-folder.ts";
import { armClients } from "./helpers/arm-client.ts";
import { asks } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { type ClientRun, makeStage, type Stage } from "./helpers/stage.ts";
import { describeInNetwork } from "./helpers/suite.ts";

const { claude } = clients;
const files = {
  "helper.ts": "export const helper = 1;\n",
  "parent.ts": "export const parent = 1;\n",
};

const claimsOf = async (stage: Stage): Promise<Record<string, string>> => {
  const { stdout } = await stage.headgate("claims", "--json");
  const { claims } = JSON.parse(stdout) as { claims: { actor: string; target: string }[] };
  return Object.fromEntries(
    claims.map(({ actor, target }) => [target.replace(/#.*/, ""), actor] as const),
  );
};

/** What the model was told in answer to this step of this conversation, agents before the main one. */
const told = (run: ClientRun, conversation: number, step: number): string | undefined =>
  run
    .requests()
    .findLast((request) => request.conversation === conversation && request.step === step + 1)
    ?.results.map(({ text }) => text)
    .join("\n");

const until = async (isThere: () => boolean, run: ClientRun): Promise<void> => {
  let hasEnded = false;
  run.ended.finally(() => (hasEnded = true)).catch(() => {});
  while (!isThere()) {
    if (hasEnded) throw new Error(`ended too early: ${JSON.stringify(await run.ended)}`);
    await new Promise((done) => setTimeout(done, 30));
  }
};

const [helperTalk, mainTalk] = [0, 1];
const prompt = "You are the helper.";
const startHelper = (inBackground: boolean) =>
  asks({
    name: "Agent",
    input: {
      description: "Change a file",
      prompt,
      subagent_type: "general-purpose",
      run_in_background: inBackground,
    },
  });

describeInNetwork("Claude Code's sub-agents", [claude], (network) => {
  it.each([{ up: false }, { up: true }])(
    "a sub-agent is an actor of its own that may work on its parent's file; what it held is free when it ends (server: $up)",
    async ({ up }) => {
      const stage = makeStage(network(), files);
      await armClients(stage, claude);
      if (up) await stage.up();
      else stage.forbidServer();
      const go = join(stage.repo, "../go");
      const run = await stage.start(claude, (place) => ({
        main: [
          asks(claude.read(place, "parent.ts")),
          asks(claude.replace(place, "parent.ts", "parent = 1", "parent = 2")),
          startHelper(false),
          asks(claude.read(place, "helper.ts")),
          asks(claude.replace(place, "helper.ts", "helper = 2", "helper = 3")),
          { text: "done" },
        ],
        agents: {
          [prompt]: [
            asks(claude.read(place, "helper.ts")),
            asks(claude.replace(place, "helper.ts", "helper = 1", "helper = 2")),
            asks(claude.read(place, "parent.ts")),
            asks(claude.replace(place, "parent.ts", "parent = 2", "parent = 3")),
            { text: "done", untilFile: go },
          ],
        },
      }));
      await until(() => told(run, helperTalk, 3) !== undefined, run);
      expect(told(run, helperTalk, 3)).not.toContain("refused");
      expect(stage.file("parent.ts")).toBe("export const parent = 3;\n");
      expect(stage.file("helper.ts")).toBe("export const helper = 2;\n");
      const held = await claimsOf(stage);
      expect(held).toEqual({
        "parent.ts": expect.stringMatching(/^claude:[^/]+$/),
        "helper.ts": expect.stringMatching(/^claude:[^/]+\/[^/]+$/),
      });
      expect(held["helper.ts"]?.split("/")[0]).toBe(held["parent.ts"]);
      put(go);
      const { code, stdout } = await run.ended;
      expect(code, stdout).toBe(0);
      expect(told(run, mainTalk, 4)).not.toContain("refused");
      expect(stage.file("helper.ts")).toBe("export const helper = 3;\n");
      expect(await claimsOf(stage)).toEqual({});
    },
  );

  it("N-08 a parent and its sub-agent in the background are one session: neither waits for the other", async () => {
    const stage = makeStage(network(), files);
    await armClients(stage, claude);
    stage.forbidServer();
    const [go, helperEnds] = [join(stage.repo, "../go"), join(stage.repo, "../helper-ends")];
    const run = await stage.start(claude, (place) => ({
      main: [
        startHelper(true),
        { ...asks(claude.read(place, "helper.ts")), untilFile: go },
        asks(claude.replace(place, "helper.ts", "helper = 2", "helper = 3")),
        { text: "done", untilFile: helperEnds },
      ],
      agents: {
        [prompt]: [
          asks(claude.read(place, "helper.ts")),
          asks(claude.replace(place, "helper.ts", "helper = 1", "helper = 2")),
          { text: "done", untilFile: helperEnds },
        ],
      },
    }));
    await until(() => told(run, helperTalk, 1) !== undefined, run);
    expect(Object.keys(await claimsOf(stage))).toEqual(["helper.ts"]);
    put(go);
    await until(() => told(run, mainTalk, 2) !== undefined, run);
    expect(told(run, mainTalk, 2)).not.toContain("refused");
    expect(stage.file("helper.ts")).toBe("export const helper = 3;\n");
    put(helperEnds);
    const { code, stdout } = await run.ended;
    expect(code, stdout).toBe(0);
    expect(await claimsOf(stage)).toEqual({});
  });
});
