import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { LineWorker } from "../helpers/line-worker.ts";
import { mount, runProgram } from "../helpers/mount.ts";
import { describeWith } from "../helpers/not-run.ts";
import { startStateWorker } from "../helpers/state-worker.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const nobody = 65_534;
const needs = { platforms: ["linux"], root: true, programs: ["mount", "prlimit"] } as const;

describeWith(needs, "state: no room, no rights, no handles", () => {
  const startWorker = async (before: readonly string[] = []): Promise<LineWorker> => {
    const worker = await startStateWorker(before);
    onTestFinished(() => worker.end());
    return worker;
  };
  /** The folder holds the old file and nothing else. */
  const expectUntouched = (folder: string): void => {
    expect(readdirSync(folder).filter((name) => name.startsWith(".state"))).toEqual([]);
    expect(readFileSync(join(folder, "state.txt"), "utf8")).toBe("old");
  };

  it("S-09 a full disk is an error, although the write call reports success", async () => {
    const folder = join(temporaryFolder(), "small");
    mkdirSync(folder);
    mount(folder, "-t", "tmpfs", "-o", "size=64k", "none");
    put(join(folder, "state.txt"), "old");
    const worker = await startWorker();
    const answer = await worker.ask({ op: "write-size", folder, size: 200 * 1024 });
    expect(answer).toMatchObject({ code: "STATE_DISK_FULL" });
    expect(answer?.message).toContain(join(folder, "state.txt"));
    expectUntouched(folder);
    // The failed attempt gave its room back.
    expect(await worker.ask({ op: "write-size", folder, size: 20 * 1024 })).toEqual({ ok: true });
  });

  it("S-09 a file system without free inodes is an error", async () => {
    const folder = join(temporaryFolder(), "small");
    mkdirSync(folder);
    mount(folder, "-t", "tmpfs", "-o", "nr_inodes=2", "none");
    put(join(folder, "state.txt"), "old");
    const worker = await startWorker();
    const answer = await worker.ask({ op: "write-size", folder, size: 10 });
    expect(answer).toMatchObject({ code: "STATE_DISK_FULL" });
    expectUntouched(folder);
  });

  it("S-09 a file-size limit is an error", async () => {
    const folder = temporaryFolder();
    put(join(folder, "state.txt"), "old");
    const worker = await startWorker(["prlimit", "--fsize=4096"]);
    const answer = await worker.ask({ op: "write-size", folder, size: 10_000 });
    expect(answer).toMatchObject({ code: "STATE_DISK_FULL" });
    expectUntouched(folder);
  });

  it("S-09 a read-only file system is an error", async () => {
    const folder = join(temporaryFolder(), "fixed");
    mkdirSync(folder);
    put(join(folder, "state.txt"), "old");
    mount(folder, "--bind", folder);
    runProgram("mount", "-o", "remount,bind,ro", folder);
    const worker = await startWorker();
    const answer = await worker.ask({ op: "write-size", folder, size: 10 });
    expect(answer).toMatchObject({ code: "STATE_NOT_WRITABLE" });
    expect(answer?.message).toMatch(/read-only/);
    expectUntouched(folder);
  });

  it("S-09 a folder or file without write permission is an error", async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    put(join(folder, "state.txt"), "old");
    chownSync(join(folder, "state.txt"), nobody, nobody);
    const worker = await startWorker();
    expect(await worker.ask({ op: "become-nobody", folder })).toEqual({ ok: true });
    const inFolder = await worker.ask({ op: "write-size", folder, size: 10 });
    expect(inFolder).toMatchObject({ code: "STATE_NOT_WRITABLE" });
    expectUntouched(folder);
    chownSync(folder, nobody, nobody);
    chmodSync(join(folder, "state.txt"), 0o444);
    const onFile = await worker.ask({ op: "write-size", folder, size: 10 });
    expect(onFile).toMatchObject({ code: "STATE_NOT_WRITABLE" });
    expectUntouched(folder);
    chmodSync(join(folder, "state.txt"), 0o644);
    // This process may not look into its own /proc: names are reached without the folder's handle.
    expect(await worker.ask({ op: "write-size", folder, size: 10 })).toEqual({ ok: true });
  });

  it("S-09 running out of file handles at any point is an error", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "state.txt"), "old");
    const worker = await startWorker();
    const inUse = new Set(readdirSync(`/proc/${worker.pid}/fd`).map(Number));
    const free = Array.from({ length: 100 }, (_, fd) => fd).filter((fd) => !inUse.has(fd));
    const codes: string[] = [];
    for (const fd of free) {
      runProgram("prlimit", "--pid", String(worker.pid), `--nofile=${fd}:`);
      const answer = await worker.ask({ op: "write-size", folder, size: 10 });
      codes.push(answer?.code ?? "ok");
      if (answer?.ok) break;
      expectUntouched(folder);
    }
    expect(codes.at(-1)).toBe("ok");
    expect(new Set(codes.slice(0, -1))).toEqual(new Set(["STATE_TOO_MANY_FILES"]));
  });
});
