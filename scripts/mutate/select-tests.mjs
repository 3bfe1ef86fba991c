// Which tests belong to a source file: those of its room that reach it by imports; where there are none, the nearest
// of other rooms.
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseSync } from "oxc-parser";

/** Rooms whose contract and surface tests have another name than the room's folder. */
const otherNames = {
  edit: ["edits"],
  review: ["ledger", "reviews"],
  runs: ["run"],
  structure: ["outline"],
};

/** Helpers that start the built program. */
const builtHelpers = ["test/helpers/program.ts", "test/helpers/shim.ts"];

/** Tests that inject faults for minutes, or need clients and browsers. */
const slow = /^test\/(?:attack|browser|clients|eval|fault)\//;

/**
 * Returns the tests for one source file, relative to the root. `vitest related` follows the same imports, but would
 * run half of the suite for a file of src/base, and misses programs that a test starts by their path.
 */
export const openTestSelection = (root, { others }) => {
  const imports = new Map();
  const importsFrom = (path) => {
    if (!imports.has(path)) imports.set(path, readImports(path, root));
    return imports.get(path);
  };
  const tests = globSync("test/**/*.test.ts", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => !slow.test(path))
    .map((path) => ({ path, distances: measureDistances(resolve(root, path), importsFrom) }))
    // The built program does not change with the mutant.
    .filter(({ distances }) => !builtHelpers.some((name) => distances.has(resolve(root, name))));
  return (file) => {
    const target = resolve(root, file);
    const reaching = tests
      .filter(({ distances }) => distances.has(target))
      .toSorted((a, b) => a.distances.get(target) - b.distances.get(target))
      .map(({ path }) => path);
    const room = file.split("/")[1].replace(/\.ts$/, "");
    const own = reaching.filter((path) => belongsTo(room, path));
    return own.length > 0 ? own : reaching.slice(0, others);
  };
};

const belongsTo = (room, path) =>
  path.startsWith(`test/${room}/`) ||
  [room, ...(otherNames[room] ?? [])].some((name) =>
    new RegExp(`^test/(?:contract|surfaces)/(?:.*/)?${name}[-./]`).test(path),
  );

/** How many imports away each file is. */
const measureDistances = (start, importsFrom) => {
  const distances = new Map([[start, 0]]);
  for (const path of distances.keys()) {
    for (const next of importsFrom(path)) {
      if (!distances.has(next)) distances.set(next, distances.get(path) + 1);
    }
  }
  return distances;
};

const readImports = (path, root) => {
  const text = readFileSync(path, "utf8");
  const { module } = parseSync(path, text);
  const specifiers = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) =>
      one.entries.map((entry) => entry.moduleRequest?.value),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      text.slice(start + 1, end - 1),
    ),
  ];
  // A program of our own that is started: named by a string, not by an import.
  const started = [...text.matchAll(/["'`]([\w./-]+\.ts)["'`]/g)].flatMap(([, name]) => [
    resolve(dirname(path), name),
    ...(path.startsWith(join(root, "test")) ? [resolve(root, "test/helpers", basename(name))] : []),
  ]);
  return [
    ...specifiers
      .filter((name) => name?.startsWith("."))
      .map((name) => resolve(dirname(path), name)),
    ...started,
  ].filter((one) => /\.tsx?$/.test(one) && existsSync(one));
};
