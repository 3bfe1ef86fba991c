// What a command costs over an empty program of the same Node: `--version`, `--help`, looking, and a
// claim, which opens the store and commits one transaction. For comparison the least that any program
// with this database pays, and the import of each runtime package.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compare, measuredRows, printTable, saveResult } from "./harness.ts";

const root = resolve(import.meta.dirname, "..");
const bin = join(root, "bin/headgate.js");
const folder = mkdtempSync(join(tmpdir(), "headgate-bench-"));
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
};
const packages = ["node:crypto", ...Object.keys(dependencies)];
const env = { PATH: process.env["PATH"] ?? "", HOME: folder };

// A small repository, as agents work in one.
const repository = join(folder, "repository");
mkdirSync(repository);
execFileSync("git", ["init", "--quiet"], { cwd: repository, env });
writeFileSync(join(repository, "a.ts"), "export {};\n");

/** One durable commit with the database alone. */
const bare = join(folder, "bare.cjs");
writeFileSync(
  bare,
  `const Database = require(${JSON.stringify(join(root, "node_modules/better-sqlite3"))});
const database = new Database(${JSON.stringify(join(folder, "bare.db"))});
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec("BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS t (x); INSERT INTO t VALUES (1); COMMIT");
database.close();
`,
);

const program = (
  name: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Record<string, string> } = {},
) => ({
  name,
  run: () => {
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: options.cwd ?? repository,
      env: { ...env, ...options.env },
    });
    if (status !== 0) throw new Error(`${name}: ${status} ${stderr}`);
  },
});

try {
  const measured = await compare(
    [
      program("node -e 0 (floor)", ["-e", "0"]),
      program("node, better-sqlite3, one transaction", [bare]),
      program("headgate --version", [bin, "--version"]),
      program("headgate --help", [bin, "--help"]),
      program("headgate status", [bin, "status"]),
      program("headgate events", [bin, "events"]),
      program("headgate claim a.ts", [bin, "claim", "a.ts"]),
      program("headgate claim a.ts, nothing kept compiled", [bin, "claim", "a.ts"], {
        env: { NODE_DISABLE_COMPILE_CACHE: "1" },
      }),
      ...packages.map((name) =>
        program(`import ${name}`, ["--input-type=module", "-e", `import "${name}"`], { cwd: root }),
      ),
    ],
    { rounds: 21, perRound: 1, warmUpRounds: 2 },
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
