// What `headgate --version`, `--help` and a small command cost over an empty program of the same Node.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compare, measuredRows, printTable, saveResult } from "./harness.ts";

const bin = resolve(import.meta.dirname, "../bin/headgate.js");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-"));
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
const program = (name: string, args: readonly string[]) => ({
  name,
  run: () => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env });
    if (status !== 0) throw new Error(`${name}: ${status} ${stderr}`);
  },
});

try {
  const measured = await compare(
    [
      program("node -e 0 (floor)", ["-e", "0"]),
      program("headgate --version", [bin, "--version"]),
      program("headgate --help", [bin, "--help"]),
      program("headgate status", [bin, "status"]),
      program("headgate events", [bin, "events"]),
    ],
    { rounds: 31, perRound: 1 },
  );
  printTable(
    "Start-up (median of 31 interleaved rounds)",
    ["program", "ms", "ratio"],
    measuredRows(measured),
  );
  saveResult("start-up", { rounds: 31, measured });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
