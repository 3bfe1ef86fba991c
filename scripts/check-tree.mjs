// Rules about the tree itself that no linter knows.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "./setup/step.mjs";

const files = execFileSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\0")
  .filter((path) => path && existsSync(resolve(root, path)));
const problems = [];
const read = (path) => readFileSync(resolve(root, path), "utf8");

for (const path of files.filter((path) => path.endsWith("package-lock.json"))) {
  const lock = JSON.parse(read(path));
  for (const [name, entry] of Object.entries(lock.packages)) {
    if (entry.resolved) problems.push(`${path}: ${name} carries a download address`);
    if (name && !entry.integrity && !entry.link)
      problems.push(`${path}: ${name} has no integrity hash`);
    // The programs that tests drive are others' and have some; they are installed without running them.
    const isDriven = /^tools\/(clients|mcp|hook-managers)\//.test(path);
    if (entry.hasInstallScript && !entry.dev && !entry.devOptional && !isDriven) {
      problems.push(`${path}: ${name} has an install script`);
    }
  }
}
for (const path of files.filter((path) => /^src\/.*\.tsx?$/.test(path))) {
  const lines = read(path).split("\n").length - 1;
  if (lines > 400) problems.push(`${path}: ${lines} lines, split it (400 is the limit)`);
}
if (read("README.md").split("\n").length > 200) problems.push("README.md: over 200 lines");
for (const path of files.filter(
  (path) => /\.(md|tsx?|mjs|json|yml)$/.test(path) && !path.endsWith("package-lock.json"),
)) {
  if (/(^|[\s"'`(])\/(work|root)\//m.test(read(path)))
    problems.push(`${path}: names a machine path`);
}

for (const problem of problems) console.error(`tree: ${problem}`);
console.log(
  problems.length === 0
    ? `tree: ${files.length} files, no problems`
    : `tree: ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
