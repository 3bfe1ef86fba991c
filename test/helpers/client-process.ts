import { spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

/**
 * A process that looks like the client, and a shell below it such as clients start hooks in. The shell waits by itself:
 * a program that it waited for would outlive it.
 */
export const clientProcess = async (
  name: string,
): Promise<{ readonly pid: number; readonly shell: number }> => {
  const program = join(temporaryFolder(), name);
  symlinkSync(process.execPath, program);
  const script = `const c = require("child_process").spawn("sh", ["-c", "read line; :"]); console.log(c.pid); process.stdin.resume().on("end", () => { c.kill("SIGKILL"); process.exit(); });`;
  const child = spawn(program, ["-e", script], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.stdin.end());
  const [line] = (await new Promise<Buffer>((done) => child.stdout.once("data", done)))
    .toString()
    .split("\\n");
  return { pid: child.pid ?? 0, shell: Number(line) };
};
