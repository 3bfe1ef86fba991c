// Rules about the tree itself that no linter knows.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path/posix";
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

// Links between our own documents: the file must be there, and the heading where one is named.
const documents = files.filter((path) => /^(docs\/.*|[^/]+)\.md$/.test(path));
const headingsOf = (text) =>
  [...text.replace(/^```[^]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
const linked = new Set();
for (const path of documents) {
  for (const [, link] of read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
    const [file, heading] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    linked.add(target.endsWith("/") ? `${target}README.md` : target);
    if (!existsSync(resolve(root, target))) problems.push(`${path}: ${link} leads nowhere`);
    else if (heading && !headingsOf(read(target)).includes(heading))
      problems.push(`${path}: ${link} names no heading of ${target}`);
  }
}
for (const path of documents.filter((path) => path.startsWith("docs/"))) {
  if (!linked.has(path)) problems.push(`${path}: no document links to it`);
}

const sources = files
  .filter((path) => /^(src|test|scripts|eval|examples|bin)\/.*\.(m?[jt]sx?)$/.test(path))
  .map(read)
  .join("\n");
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json"));
for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
  // Types are used by the compiler; programs are named by their command.
  if (!name.startsWith("@types/") && !new RegExp(`["'\`/@]${name}["'\`/]`).test(sources))
    problems.push(`package.json: nothing uses ${name}`);
}

for (const problem of problems) console.error(`tree: ${problem}`);
console.log(
  problems.length === 0
    ? `tree: ${files.length} files, no problems`
    : `tree: ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
