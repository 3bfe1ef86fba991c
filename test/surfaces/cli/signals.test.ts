import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../helpers/git-repository.ts";
import { start } from "../../helpers/program.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

/** In the main thread, once the guard is there: a regular expression or a loop without an end. */
const stuckIn = (work: string): readonly string[] => {
  const preload = put(
    join(temporaryFolder(), "stuck.cjs"),
    `const { isMainThread } = require("node:worker_threads");
const look = () => {
  if (!globalThis[Symbol.for("headgate.let-signals-go")]) return void setTimeout(look, 1);
  require("node:fs").writeSync(1, "stuck\\n");
  ${work}
};
if (isMainThread) look();`,
  );
  return ["--require", preload];
};
const works = {
  regex: '/(a+)+$/.test("a".repeat(60) + "b");',
  loop: "for (;;);",
};

describe("T-05 a command whose main thread is busy without end", () => {
  it.each([
    { command: "mine", work: works.regex, signal: "SIGTERM" },
    { command: "review", work: works.loop, signal: "SIGINT" },
    { command: "up", work: works.regex, signal: "SIGTERM" },
    // Not known as a long one: it waits for its input.
    { command: "judge", work: works.loop, signal: "SIGINT" },
    { command: "events --follow", work: works.regex, signal: "SIGTERM" },
  ] as const)("T-05 $command ends on $signal", async ({ command, work, signal }) => {
    const cwd = makeRepository(join(temporaryFolder(), "repo"));
    const nodeArgs = stuckIn(work);
    const started = start(command.split(" "), { cwd, nodeArgs, input: "open" });
    onTestFinished(() => void started.child.kill("SIGKILL"));
    await started.until(/stuck/);
    // The first may come before the thread has seen it; what a person or a supervisor does is ask again.
    const asking = setInterval(() => started.child.kill(signal), 200);
    onTestFinished(() => clearInterval(asking));
    expect(await started.ended).toMatchObject({ signal });
  });

  it("T-05 a loop that does not turn for its limit ends the process without a signal, with a word", async () => {
    const program = resolve(import.meta.dirname, "../../helpers/stuck-loop.ts");
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part));
    const ended = await new Promise((done) => child.on("close", (_code, signal) => done(signal)));
    expect(ended).toBe("SIGKILL");
    expect(text).toContain("headgate: stuck for 1.5 s, so it ends itself");
  });
});
