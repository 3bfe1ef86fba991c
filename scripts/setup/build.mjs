// Compiles src to dist when it is stale, copies what the compiler leaves behind, and bundles the
// command line.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { hashOf, readStamp, root, runQuietly, say, writeStamp } from "./step.mjs";

const source = resolve(root, "src");
const target = resolve(root, "dist");
const page = resolve(source, "surfaces/dashboard");
const stampPath = resolve(root, ".tools/build.stamp");

export async function ensureBuild(node) {
  const files = listFiles(source);
  const inputs = [
    "tsconfig.json",
    "tsconfig.build.json",
    "package-lock.json",
    "scripts/bundle.mjs",
    "scripts/bundle-dashboard.mjs",
  ];
  const stamp = hashOf(
    ...[...files, ...inputs.map((name) => resolve(root, name))].map((path) => {
      const { mtimeMs, size } = statSync(path);
      return `${relative(root, path)} ${mtimeMs} ${size}`;
    }),
  );
  if (readStamp(stampPath) === stamp && statSync(target, { throwIfNoEntry: false })) return;
  say("building");
  rmSync(stampPath, { force: true });
  // A program that ends just now may still put its compiled form there.
  rmSync(target, { recursive: true, force: true, maxRetries: 5 });
  const tsc = resolve(root, "node_modules/typescript/bin/tsc");
  await runQuietly(node.path, [tsc, "-p", "tsconfig.build.json"], { env: node.env });
  for (const path of files) {
    // The dashboard is built for browsers, by its own script.
    if (path.endsWith(".ts") || path.startsWith(page)) continue;
    const copy = resolve(target, relative(source, path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(path, copy);
  }
  await runQuietly(node.path, ["scripts/bundle.mjs"], { env: node.env });
  await runQuietly(node.path, ["scripts/bundle-dashboard.mjs"], { env: node.env });
  writeStamp(stampPath, stamp);
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = resolve(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
