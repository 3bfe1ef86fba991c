// `npm run bench [name…]`: installs the peers, runs each benchmark in a process of its own, one after
// the other, and keeps the results. Ratios are within one run; absolute times mean nothing elsewhere.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installLocked } from "../scripts/setup/packages.mjs";
import { root } from "../scripts/setup/step.mjs";

const all = [
  "durable-write",
  "events",
  "fairness",
  "start-up",
  "overlap",
  "claims",
  "claims-shares",
  "judge",
  "judge-tree",
  "hooks",
  "busy-agent",
  "lines",
  "notices",
  "clients",
  "profile",
  "synthesis",
  "curves",
  "scale",
  "routing",
  "runs",
  "dashboard",
];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(", ")}; one of: ${all.join(", ")}`);
  process.exitCode = 2;
} else {
  await installLocked(
    { path: process.execPath, env: process.env },
    resolve(root, "bench"),
    "peers",
  );
  for (const name of wanted.length > 0 ? wanted : all) {
    const { status } = spawnSync(process.execPath, [`bench/${name}.ts`], {
      cwd: root,
      stdio: "inherit",
    });
    if (status !== 0) process.exitCode = 1;
  }
  spawnSync(process.execPath, ["bench/report.ts"], { cwd: root, stdio: "inherit" });
}
