// A durable replacement of one small file: ours, the hand-written floor and the usual packages; and
// what each does to a good file when the disk is full.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFile as atomically } from "atomically";
import { Writer } from "steno";
import writeFileAtomicPeer from "write-file-atomic";
import { writeFileAtomic } from "../src/state/index.ts";
import { type Contender, compare, printTable, saveResult } from "./harness.ts";

const content = (index: number) => `${JSON.stringify({ index, text: "x".repeat(1000) })}\n`;

/** The physical floor: the system calls that durability needs, and nothing else. */
const floor = (path: string, text: string): void => {
  const data = Buffer.from(text);
  const temporary = `${path}.new`;
  const file = fs.openSync(temporary, "wx", 0o600);
  fs.writeSync(file, data);
  fs.fsyncSync(file);
  fs.closeSync(file);
  fs.renameSync(temporary, path);
  const directory = fs.openSync(join(path, ".."), "r");
  fs.fsyncSync(directory);
  fs.closeSync(directory);
};

type Writing = (path: string, text: string) => void | Promise<void>;
const ways: readonly (readonly [name: string, syncsDirectory: string, write: Writing])[] = [
  ["floor (open, write, fsync, rename, fsync dir)", "yes", floor],
  ["headgate writeFileAtomic", "yes", (path, text) => writeFileAtomic(path, text)],
  [
    "headgate, durability cache",
    "no (asked)",
    (path, text) => writeFileAtomic(path, text, { durability: "cache" }),
  ],
  ["write-file-atomic 8.0.0", "no", (path, text) => writeFileAtomicPeer(path, text)],
  ["atomically 2.1.1", "no", (path, text) => atomically(path, text)],
  ["steno 4.0.2", "no", (path, text) => new Writer(path).write(text)],
];

const folder = fs.mkdtempSync(join(tmpdir(), "headgate-bench-"));
try {
  const contenders = ways.map(([name, , write], which): Contender => {
    const path = join(folder, `file-${which}.json`);
    fs.writeFileSync(path, content(0));
    return { name, run: (index) => write(path, content(index)) };
  });
  const rounds = 31;
  const measured = await compare(contenders, { rounds, perRound: 20 });
  const fullDisk = await onFullDisk();
  printTable(
    `Durable write of 1 KB (median of ${rounds} interleaved rounds of 20)`,
    ["writer", "ms", "ratio", "syncs directory", "good file after a full disk"],
    measured.map(({ name, medianMs, ratio }, which) => [
      name,
      medianMs.toFixed(3),
      ratio.toFixed(2),
      ways[which]![1],
      fullDisk[which]!,
    ]),
  );
  saveResult("durable-write", {
    rounds,
    measured: measured.map((one, which) => ({ ...one, fullDisk: fullDisk[which] })),
  });
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** 200 KB over a good 4 KB file on a 64 KB disk: is the good file still whole, is there an error? */
async function onFullDisk(): Promise<string[]> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return ways.map(() => "not run: needs root on Linux");
  }
  const results: string[] = [];
  for (const [, , write] of ways) {
    const disk = fs.mkdtempSync(join(tmpdir(), "headgate-full-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]);
    try {
      const path = join(disk, "state.json");
      const good = "g".repeat(4096);
      fs.writeFileSync(path, good);
      let error = "no error";
      try {
        await write(path, "n".repeat(200 * 1024));
      } catch {
        error = "error raised";
      }
      const after = fs.readFileSync(path, "utf8");
      const state = after === good ? "kept" : `LOST (${after.length} bytes of the new one)`;
      const left = fs.readdirSync(disk).length - 1;
      results.push(`${state}, ${error}${left > 0 ? `, ${left} left over` : ""}`);
    } finally {
      execFileSync("umount", [disk]);
      fs.rmdirSync(disk);
    }
  }
  return results;
}
