// What `headgate --version`, `--help`, a small command and the import of each runtime package cost over
// an empty program of the same Node.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compare, measuredRows, printTable, saveResult } from "./harness.ts";

const bin = resolve(import.meta.dirname, "../bin/headgate.js");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-"));
const { dependencies } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"),
) as { dependencies: Record<string, string> };
const packages = ["node:crypto", ...Object.keys(dependencies)];
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
const root = resolve(import.meta.dirname, "..");
const program = (name: string, args: readonly string[], cwd = folder) => ({
  name,
  run: () => {
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, env });
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
      ...packages.map((name) =>
        program(`import ${name}`, ["--input-type=module", "-e", `import "${name}"`], root),
      ),
    ],
    { rounds: 21, perRound: 1 },
  );
  printTable(
    "Start-up (median of 21 interleaved rounds)",
    ["program", "ms", "ratio"],
    measuredRows(measured),
  );
  saveResult("start-up", { rounds: 21, measured });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
