import { join } from "node:path";
import { expect, it } from "vitest";
import { put } from "../helpers/temporary-folder.ts";
import { armClients, replaceShim } from "./helpers/arm-client.ts";
import { asks, type ClientName } from "./helpers/client.ts";
import { makeStage } from "./helpers/stage.ts";
import { describeEachClient } from "./helpers/suite.ts";
import { stateFolder } from "../helpers/state-folder.ts";

/** What the program behind the hook does, by the file it is asked about. */
const faults = {
  "exit1.ts": "echo no >&2; exit 1",
  "killed.ts": "kill -9 $$",
  "missing.ts": "echo 'sh: 1: headgate: not found' >&2; exit 127",
  "cut.ts": `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDeci'; exit 0`,
  "silent.ts": "exit 2",
  "exit2.ts": "echo no >&2; exit 2",
};
type Fault = keyof typeof faults;

/**
 * Measured: which faults of the shim itself stop an edit. Where a client goes on, nothing in our hand
 * can stop it; that is why the shim turns every failure into exit 2 and never answers with JSON.
 */
const stops: Readonly<Record<ClientName, readonly Fault[]>> = {
  claude: ["exit1.ts", "killed.ts", "missing.ts", "silent.ts", "exit2.ts"],
  codex: ["exit2.ts"],
  copilot: ["exit1.ts", "killed.ts", "missing.ts", "silent.ts", "exit2.ts"],
  gemini: ["missing.ts", "exit2.ts"],
  opencode: ["exit1.ts", "killed.ts", "missing.ts", "silent.ts", "exit2.ts"],
  qwen: ["exit2.ts"],
};

describeEachClient("a broken hook", (client, network) => {
  it("a shim that fails stops the edits it is known to stop, and no others", async () => {
    const stage = makeStage(network(), { "a.txt": "" });
    await armClients(stage, client);
    const cases = Object.entries(faults).map(([file, does]) => `  *${file}*) ${does} ;;`);
    // Only before the tool: what it says afterwards stops nobody.
    replaceShim(
      stage.repo,
      `[ "$1" = mcp ] && exit 1
text=$(cat)
case "$text" in *PostToolUse*|*AfterTool*|*tool.execute.after*) exit 0 ;; esac
case "$text" in *PreToolUse*|*BeforeTool*|*tool.execute.before*) ;; *) exit 0 ;; esac
case "$text" in
${cases.join("\n")}
esac
exit 0`,
    );
    const names = Object.keys(faults) as Fault[];
    const run = await stage.run(client, (place) => [
      ...names.map((file) => asks(client.write(place, file, "export {};\n"))),
      { text: "done" },
    ]);
    expect(run.code, run.stdout + run.stderr).toBe(0);
    const isWritten = (file: Fault): boolean => {
      try {
        return stage.file(file) !== "";
      } catch {
        return false;
      }
    };
    const stopped = names.filter((file) => !isWritten(file));
    console.log(`${client.name} ${client.version} stops at: ${stopped.join(" ") || "nothing"}`);
    expect(stopped).toEqual(names.filter((file) => stops[client.name].includes(file)));
  });

  it("B10 a hook that crashes behind the real shim stops the edit, and the model is told how to repair", async () => {
    const stage = makeStage(network(), { "a.txt": "" });
    await armClients(stage, client);
    const crashing = put(join(stage.repo, "../crashing.js"), "throw new Error('boom');\n");
    put(join(stateFolder(stage.repo), "runtime"), `${process.execPath}\n${crashing}\n`);
    const run = await stage.run(
      client,
      (place) => [asks(client.write(place, "a.ts", "export {};\n")), { text: "done" }],
      // Codex and Gemini CLI would go on without end if they were refused the end of their turn, too.
      { timeoutMs: 300_000 },
    );
    expect(run.requests().length, "requests to the model").toBeLessThan(12);
    expect(run.code, run.stdout + run.stderr).toBe(0);
    expect(() => stage.file("a.ts")).toThrow("ENOENT");
    expect(run.toldAfter(0)).toContain("headgate doctor");
  });
});
