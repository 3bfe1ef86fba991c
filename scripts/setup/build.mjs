// Compiles src to dist when it is stale, copies what the compiler leaves behind, bundles the command line,
// and lists what all of it is made of.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import {
  buildFolder as target,
  buildStampPath as stampPath,
  computeBuildStamp,
  isBuildFresh,
  listFiles,
  sourceFolder as source,
} from "./build-stamp.mjs";
import { makeSbom } from "../sbom.mjs";
import { root, runQuietly, say, writeStamp } from "./step.mjs";

const page = resolve(source, "surfaces/dashboard");

export async function ensureBuild(node) {
  const files = listFiles(source);
  const stamp = computeBuildStamp(files);
  if (isBuildFresh(stamp)) return;
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
  const sbom = JSON.stringify(makeSbom(root), null, 1);
  writeFileSync(resolve(target, "sbom.cdx.json"), `${sbom}\n`);
  writeStamp(stampPath, stamp);
}
