import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/base/clock.ts";
import { git } from "../../helpers/git-repository.ts";
import { parsersBelow, stopParsers } from "../../helpers/stopped-parsers.ts";
import { programPath } from "../../helpers/program.ts";
import { type SetupTestPlace, setupPlace } from "../../helpers/setup-place.ts";
import { environmentOf, gitAs, headgateAs, hookedRepository } from "../git/hooked-repository.ts";

const content = "export const a = ;\n";

const payload = (root: string, event: string): string =>
  JSON.stringify({
    ...{ session_id: "s1", cwd: root, hook_event_name: event, tool_use_id: "t1" },
    ...{ tool_name: "Write", tool_input: { file_path: join(root, "new.ts"), content } },
  });

const startHook = (root: string, event: string) => {
  const child = spawn(process.execPath, [programPath, "hook", "claude", "--repo", root], {
    ...{ cwd: root, env: environmentOf(root), stdio: ["pipe", "pipe", "pipe"] as const },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.end(payload(root, event));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return { pid: child.pid ?? 0, ended, isOver };
};

/** A parser that answers before it is stopped has the edit refused, which leaves nothing: then the client asks again. */
const askWithoutParsers = async (root: string) => {
  for (;;) {
    const asked = startHook(root, "PreToolUse");
    let parsers: number[] = [];
    while (!asked.isOver() && parsers.length === 0) {
      await systemClock.sleep(1);
      parsers = parsersBelow(asked.pid);
    }
    if (parsers.length > 0) stopParsers(asked.pid, parsers);
    const answer = await asked.ended;
    if (answer.code === 0) return answer;
    expect(answer.stderr).toContain("SYNTAX_ERROR");
  }
};

/** As a client calls the shim that `init` puts in place. */
const callShim = (place: SetupTestPlace, payloadText: string) => {
  const child = spawn(join(place.root, ".headgate/hook"), ["claude"], {
    ...{ cwd: place.root, stdio: ["pipe", "pipe", "pipe"] as const },
    env: { PATH: "/usr/bin:/bin", HOME: place.home },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.end(payloadText);
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
};

const contextOf = (stdout: string): string =>
  JSON.parse(stdout).hookSpecificOutput.additionalContext as string;

it.runIf(process.platform === "linux")(
  "G13 a real hook whose parsers get no time lets the edit pass unjudged; status shows it, the next hook says that it is wrong, and the commit is refused until it is right",
  async () => {
    const root = await hookedRepository();
    const passed = await askWithoutParsers(root);
    expect(passed).toMatchObject({ code: 0, stderr: "" });
    expect(contextOf(passed.stdout)).toMatch(/^Headgate let this Write pass unjudged/);

    const status = headgateAs("ada", root, "status");
    expect(status.stdout).toMatch(/not judged {2,}1 write, since \S+.*: new\.ts/);
    expect(JSON.parse(headgateAs("ada", root, "status", "--json").stdout)).toMatchObject({
      unjudged: { count: 1, writes: [{ path: "new.ts", actor: "claude:s1", tool: "Write" }] },
    });

    writeFileSync(join(root, "new.ts"), content);
    git(root, "add", "new.ts");
    const refused = gitAs("claude:s1", root, ["commit", "--quiet", "-m", "x"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Headgate refused this git commit: SYNTAX_ERROR new.ts");

    // On a busy machine one hook's time may not be enough; then the one after it says the result.
    let said = "";
    for (let count = 0; !said.includes("Judged now") && count < 20; count += 1) {
      const { code, stdout } = await startHook(root, "PostToolUse").ended;
      expect(code).toBe(0);
      said += stdout === "" ? "" : contextOf(stdout);
    }
    expect(said).toContain("the gate would have refused it: SYNTAX_ERROR");
    expect(headgateAs("ada", root, "status").stdout).not.toContain("not judged");

    writeFileSync(join(root, "new.ts"), "export const a = 1;\n");
    git(root, "add", "new.ts");
    expect(gitAs("claude:s1", root, ["commit", "--quiet", "-m", "x"])).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, "new.ts"), "utf8")).toBe("export const a = 1;\n");
  },
  180_000,
);

it.runIf(process.platform === "linux")(
  "G13 through the shim and the server: the edit passes unjudged, the server judges it by itself, and the next hook says the result",
  async () => {
    const place = setupPlace();
    expect((await place.headgate("init", "--yes", "--client", "claude")).code).toBe(0);
    onTestFinished(async () => void (await place.headgate("up", "--stop")));
    expect((await place.headgate("up", "--detach")).code).toBe(0);
    const status = async () => JSON.parse((await place.headgate("status", "--json")).stdout);
    const { pid } = (await status()).server;
    const warm = payload(place.root, "PreToolUse")
      .replace("= ;", "= 1;")
      .replace("new.ts", "old.ts");
    expect(await callShim(place, warm)).toMatchObject({ code: 0, stdout: "" });
    const goOn = stopParsers(pid);
    const passed = await callShim(place, payload(place.root, "PreToolUse"));
    expect(passed).toMatchObject({ code: 0, stderr: "" });
    expect(contextOf(passed.stdout)).toMatch(/^Headgate let this Write pass unjudged/);
    expect((await status()).unjudged).toMatchObject({ count: 1 });
    writeFileSync(join(place.root, "new.ts"), content);
    goOn();
    while ((await status()).unjudged.count > 0) await systemClock.sleep(200);
    const { stdout } = await callShim(place, payload(place.root, "PostToolUse"));
    expect(contextOf(stdout)).toContain("the gate would have refused it: SYNTAX_ERROR");
  },
  180_000,
);
