// Runs the whole suite and closes with what could not run here and why, so that nothing is skipped silently.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "./setup/step.mjs";

const listPath = resolve(root, ".tools/not-run.txt");
rmSync(listPath, { force: true });
const vitest = resolve(root, "node_modules/vitest/vitest.mjs");
const child = spawn(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, HEADGATE_NOT_RUN_LIST: listPath },
});
process.on("SIGINT", () => child.kill("SIGINT")).on("SIGTERM", () => child.kill("SIGTERM"));
child.on("close", (code, signal) => {
  const lines = existsSync(listPath) ? readFileSync(listPath, "utf8").trim().split("\n") : [];
  console.log(lines.length === 0 ? "not run: nothing" : `not run:\n  ${lines.join("\n  ")}`);
  process.exitCode = signal ? 130 : (code ?? 1);
});
