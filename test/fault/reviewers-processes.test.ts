import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "../helpers/bundled-program.ts";
import { countRounds } from "../helpers/rounds.ts";
import { newerDocuments, newProject, shippedDocuments } from "../reviewers/project.ts";

const startWorker = async (...args: string[]) => {
  const { argv, env } = await bundleProgram(join(import.meta.dirname, "reviewers-worker.ts"));
  const [file, program] = argv;
  const child = spawn(file, [program, ...args], { stdio: ["ignore", "pipe", "pipe"], env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (text += part));
  const ended = new Promise<string>((done) => child.on("close", () => done(text)));
  const ready = new Promise<void>((done) => {
    child.stdout.on("data", () => text.includes("ready") && done());
    child.on("close", () => done());
  });
  return { child, ended, ready };
};

describe("several processes", () => {
  it("A-01 that generate at once make each file once, and one manifest with all of them", async () => {
    const project = newProject();
    const workers = await Promise.all(
      Array.from({ length: 6 }, () => startWorker(project.root, "once")),
    );
    const ends = (await Promise.all(workers.map(({ ended }) => ended))).map(
      (text) => JSON.parse(text) as { ok: boolean; done: number },
    );
    expect(ends.map(({ ok }) => ok)).toEqual(Array.from({ length: 6 }, () => true));
    expect(ends.reduce((sum, { done }) => sum + done, 0)).toBe(6);
    expect(project.files()).toHaveLength(6);
    expect(Object.keys(project.entries())).toHaveLength(6);
  });

  it("A-05 killed at any moment, every file is whole, and the next run completes the batch", async () => {
    const newer = newerDocuments();
    const project = newProject();
    const bodies = async (documents: string) => {
      const other = newProject();
      const domains = ["game-simulation", "web-api", "networking"];
      await (await other.open(documents)).generate({ domains });
      return new Map(other.files().map((file) => [file, other.read(file)]));
    };
    const [old, now] = [await bodies(shippedDocuments), await bodies(newer)];
    const rounds = countRounds("kills of a process that generates reviewers", 80);
    for (let round = 0; round < rounds; round += 1) {
      const { child, ended, ready } = await startWorker(
        project.root,
        "turns",
        shippedDocuments,
        newer,
      );
      await ready;
      await new Promise((done) => setTimeout(done, 11 * (round % 8)));
      child.kill("SIGKILL");
      await ended;
      for (const [file, text] of old) expect([text, now.get(file)]).toContain(project.read(file));
      const reviewers = await project.open(newer);
      const domains = ["game-simulation", "web-api", "networking"];
      expect((await reviewers.generate({ domains, update: true })).ok).toBe(true);
      expect(new Map(project.files().map((file) => [file, project.read(file)]))).toEqual(now);
      expect(readdirSync(project.agents).filter((name) => name.startsWith("."))).toEqual([]);
      expect(JSON.parse(readFileSync(project.manifest, "utf8")).version).toBe(1);
    }
  });
});
