// From vitest's JSON report to the results of one run, and from several runs to the tests that differ.
import { readFileSync } from "node:fs";
import { relative } from "node:path";

const shownLines = 6;

/** Every test of one run by file and name. A file that cannot be loaded is a failed test of its own. */
export const readResults = (path, root) => {
  const report = JSON.parse(readFileSync(path, "utf8"));
  const files = report.testResults.toSorted((a, b) => a.startTime - b.startTime);
  return files.flatMap((file, index) => {
    const place = {
      file: relative(root, file.name).replaceAll("\\", "/"),
      position: `${index + 1} of ${files.length}`,
    };
    const tests = file.assertionResults.map(({ fullName, status, failureMessages }) => ({
      ...place,
      name: fullName,
      status,
      ...(status === "failed" && { message: firstLines(failureMessages?.join("\n")) }),
    }));
    if (file.status !== "failed" || tests.some(({ status }) => status === "failed")) return tests;
    const message = firstLines(file.message);
    return [...tests, { ...place, name: "(the file itself)", status: "failed", message }];
  });
};

/** The tests that failed or changed, each with what it did in every run. */
export const findUnsteady = (runs) => {
  const byTest = new Map();
  for (const run of runs) {
    for (const test of run.tests) {
      const key = `${test.file} > ${test.name}`;
      const seen = byTest.get(key) ?? [];
      byTest.set(key, [...seen, { ...test, seed: run.seed }]);
    }
  }
  return [...byTest].flatMap(([name, seen]) => {
    const failures = seen.filter(({ status }) => status === "failed");
    const hasChanged = new Set(seen.map(({ status }) => status)).size > 1;
    if (failures.length === 0 && !hasChanged) return [];
    return [{ name, failures, hasChanged, count: runs.length }];
  });
};

/**
 * A table of the log: a row per commit, suite and pattern, and one over all of them. A test has changed
 * when it failed in some runs of a row and not in others.
 */
export const reportLog = (records) => {
  const groups = Object.values(
    Object.groupBy(records, ({ commit, suite, pattern }) => [commit, suite, ...pattern].join(" ")),
  ).map((runs) => {
    const failures = new Map();
    for (const { file, name } of runs.flatMap(({ failedTests }) => failedTests)) {
      const test = `${file} > ${name}`;
      failures.set(test, (failures.get(test) ?? 0) + 1);
    }
    const changed = [...failures.values()].filter((count) => count < runs.length).length;
    return { runs, failures, changed };
  });
  const rows = groups.map(({ runs, failures, changed }) => {
    const [{ commit, suite, pattern }] = runs;
    return [
      commit,
      [suite, ...pattern].join(" "),
      ...countRuns(runs),
      failures.size - changed,
      changed,
    ];
  });
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0);
  const range = `${records[0].commit}..${records.at(-1).commit}`;
  const table = [
    ["commit", "suite", "quiet", "busy", "tests", "always failed", "changed"],
    ...rows,
    [range, "all", ...countRuns(records), sum(5), sum(6)],
  ].map((row) => row.map(String));
  const widths = table[0].map((_, at) => Math.max(...table.map((row) => row[at].length)));
  const lines = table.map((row) => row.map((cell, at) => cell.padEnd(widths[at])).join("  "));
  const tests = groups.flatMap(({ runs, failures }) =>
    [...failures].map(
      ([name, count]) => `${runs[0].commit} failed ${count} of ${runs.length}: ${name}`,
    ),
  );
  return [...lines.map((line) => line.trimEnd()), ...tests].join("\n");
};

/** Quiet runs, busy runs, and the most tests that one of them had. */
const countRuns = (runs) => {
  const busy = runs.filter((run) => run.busy).length;
  return [runs.length - busy, busy, Math.max(...runs.map((run) => run.tests))];
};

const firstLines = (text = "") =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !line.includes("/node_modules/"))
    .slice(0, shownLines)
    .join("\n");
