import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRunFolder, removeLeftovers } from "../../scripts/leftovers.mjs";
import { mount } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";

const runFolder = (): string => {
  const folder = makeRunFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

describeWith({ platforms: ["linux"] }, "what a test run leaves", () => {
  it("is nothing when all was removed", async () => {
    const folder = runFolder();
    expect(await removeLeftovers(folder)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });

  it.each(["environment", "working folder", "command line"])(
    "is a process, known by its %s: named and ended",
    async (mark) => {
      const folder = runFolder();
      const code = "setInterval(() => {}, 1000)";
      const argv = mark === "command line" ? ["-e", code, folder] : ["-e", code];
      const env = mark === "environment" ? { TMPDIR: folder } : {};
      const cwd = mark === "working folder" ? folder : "/";
      const child = spawn(process.execPath, argv, { cwd, env, stdio: "ignore" });
      const ended = new Promise((done) => child.on("exit", (_, signal) => done(signal)));
      await new Promise((done) => child.on("spawn", done));
      const left = await removeLeftovers(folder, { graceMs: 0 });
      expect(left).toEqual([expect.stringMatching(new RegExp(`^process ${child.pid}: .*-e set`))]);
      expect(await ended).toBe("SIGKILL");
    },
  );

  it("does not include a process that ends by itself, and names the one it waits for", async () => {
    const folder = runFolder();
    const code = "process.stdin.on('end', () => {}).resume()";
    const stdio = ["pipe", "ignore", "ignore"] as const;
    const child = spawn(process.execPath, ["-e", code], { cwd: folder, stdio: [...stdio] });
    await new Promise((done) => child.on("spawn", done));
    const said: string[] = [];
    const sayWaiting = (processes: readonly string[]): void => {
      said.push(...processes);
      child.stdin?.end();
    };
    expect(await removeLeftovers(folder, { patienceMs: -1, sayWaiting })).toEqual([]);
    expect(said).toEqual([expect.stringContaining(`process ${child.pid}: `)]);
  });

  it("is a temporary folder: named and removed", async () => {
    const folder = runFolder();
    mkdirSync(join(folder, "headgate-test-x/repo"), { recursive: true });
    expect(await removeLeftovers(folder)).toEqual(["temporary headgate-test-x (repo)"]);
    expect(existsSync(folder)).toBe(false);
  });
});

describeWith(
  { platforms: ["linux"], root: true, programs: ["mount"] },
  "a mount that a test run leaves",
  () => {
    it("is named, and its content stays", async () => {
      const folder = runFolder();
      const place = join(folder, "disk");
      mkdirSync(place);
      mount(place, "-t", "tmpfs", "tmpfs");
      mkdirSync(join(place, "content"));
      expect(await removeLeftovers(folder)).toEqual([`mount ${place}`, "temporary disk (content)"]);
      expect(existsSync(join(place, "content"))).toBe(true);
    });
  },
);
