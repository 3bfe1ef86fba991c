// Whether dist is what src makes: the inputs of the build, by name, time and size.
import { readdirSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { hashOf, readStamp, root } from "./step.mjs";

export const sourceFolder = resolve(root, "src");
export const buildFolder = resolve(root, "dist");
export const buildStampPath = resolve(root, ".tools/build.stamp");

const settings = [
  "tsconfig.json",
  "tsconfig.build.json",
  "package-lock.json",
  "scripts/bundle.mjs",
  "scripts/bundle-dashboard.mjs",
  "scripts/sbom.mjs",
];

export const computeBuildStamp = (files = listFiles(sourceFolder)) =>
  hashOf(
    ...[...files, ...settings.map((name) => resolve(root, name))].map((path) => {
      const { mtimeMs, size } = statSync(path);
      return `${relative(root, path)} ${mtimeMs} ${size}`;
    }),
  );

export const isBuildFresh = (stamp = computeBuildStamp()) =>
  readStamp(buildStampPath) === stamp &&
  statSync(buildFolder, { throwIfNoEntry: false }) !== undefined;

export function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = resolve(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [path];
  });
}
