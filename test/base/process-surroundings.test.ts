import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemFiles } from "../../src/base/files.ts";
import { readSurroundings } from "../../src/base/process-surroundings.ts";
import { readProcessTree } from "../../src/base/process-tree.ts";
import { describeWith } from "../helpers/not-run.ts";

describeWith({ platforms: ["linux"] }, "the surroundings of a process", () => {
  it("T-03 are those it was started with, in a bounded time of now", () => {
    const child = spawn("sleep", ["60"], { env: { CLAUDECODE: "1", OTHER: "CLAUDECODE=2" } });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { startVariables, startedAtMs, hasTerminal } = readSurroundings();
    const pid = child.pid ?? 0;
    const found = startVariables([pid, 4_194_305], ["CLAUDECODE", "OTHER_"]);
    expect(found.get(pid)).toEqual({ CLAUDECODE: "1" });
    expect(found.get(4_194_305)).toEqual({});
    const own = readProcessTree()?.own;
    const started = startedAtMs(own!);
    expect(Math.abs((started ?? 0) - performance.timeOrigin)).toBeLessThan(5000);
    expect(hasTerminal(4_194_305)).toBe(false);
  });
});

describe("the surroundings on other systems", () => {
  const files = systemFiles;
  it("T-03 macOS tells them by ps, Windows not at all", () => {
    const answers: Record<string, string> = {
      "-Eww": "  200 /bin/zsh -l HOME=/Users/ada CLAUDECODE=1 X=2\n  1 /sbin/launchd\n",
      "-o": "ttys003\n",
    };
    const readProgram = (argv: readonly string[]) => answers[argv[1] ?? ""];
    const mac = readSurroundings({ platform: "darwin", files, readProgram });
    const found = mac.startVariables([200, 1], ["CLAUDECODE", "HOME", "AUDECODE"]);
    expect(found.get(200)).toEqual({ CLAUDECODE: "1", HOME: "/Users/ada" });
    expect(found.get(1)).toEqual({});
    expect(mac.hasTerminal(200)).toBe(true);
    answers["-o"] = "??\n";
    expect(mac.hasTerminal(200)).toBe(false);
    expect(mac.startedAtMs({ startTime: "12" })).toBe(12_000);
    const other = readSurroundings({ platform: "win32", files, readProgram });
    expect(other.startVariables([1], ["HOME"]).size).toBe(0);
    expect(other.hasTerminal(1)).toBe(false);
  });
});
