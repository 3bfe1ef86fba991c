// The three suites, declared once: the runner, vitest's settings and the set-up read them from here.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { root } from "./setup/step.mjs";

const testFolder = resolve(root, "test");

/**
 * Not in the quick suite: what needs a download, a browser for minutes, or real time-outs; proofs at a scale of
 * thousands; and faults of a kind that another file of the quick suite has, too.
 */
const fullOnly = [
  "test/browser/",
  "test/clients/",
  "test/eval/",
  "test/architecture/slow-regexes.test.ts",
  "test/attack/b13-every-name.test.ts",
  "test/attack/d07-many-claims.test.ts",
  "test/attack/d09-hostile-inputs.test.ts",
  "test/claims/linearizability.test.ts",
  "test/claims/overlap-cost.test.ts",
  "test/edit/own-source.test.ts",
  "test/profile/large.test.ts",
  "test/surfaces/cli/demo.test.ts",
  "test/surfaces/cli/routing-whole.test.ts",
  "test/surfaces/cli/screens.test.ts",
  "test/surfaces/git/formatting-hooks.test.ts",
  "test/surfaces/git/hook-managers.test.ts",
  "test/surfaces/hooks/late-hook-process.test.ts",
  "test/surfaces/hooks/shell/read-command-real-bash.test.ts",
  ...[
    ...["claims-clock", "claims-kill", "claims-postgres", "claims-processes", "commit-kill"],
    ...[
      "edit-errors",
      "edit-store-fails",
      "edit-kill",
      "edit-races",
      "ledger-processes",
      "profile-processes",
      "reviewers-processes",
    ],
    ...[
      "next-command",
      "routing-kill",
      "routing-read-only",
      "runs-crash",
      "runs-disk",
      "runs-sleep",
    ],
    ...["state-delays", "state-errors", "store-postgres", "store-silence", "two-editors"],
  ].map((name) => `test/fault/${name}.test.ts`),
];

/**
 * Their files run one after the other in the same processes, which saves each of them the start of a process, the
 * loading of the sources and the start of parsers. Not for files that start hundreds of programs: each start
 * copies the tables of the process, which is larger there.
 */
const inOneProcess = [
  ...["base/", "claims/", "config/", "edit/", "gate/", "lines/", "review/", "reviewers/", "state/"],
  "structure/",
];
/** Of these, the files that start no programs themselves. */
const inOneProcessByContent = ["attack/", "surfaces/"];
const startsPrograms =
  /node:child_process|\/(?:agent-shell|browser|claims-program|dashboard|hooked-repository|inside|mount|postgres|program|scripted|served-folders|setup-place|shared-checkout|shim|stopped-parsers|store-backends|strace|terminal)\.ts"/;
const apart = [
  ...[
    "attack/d08-long-runs",
    "attack/d09-hostile-inputs",
    "claims/linearizability",
    "claims/rescue",
  ],
  ...["edit/own-source", "review/subject/"],
];

/** Folders that start processes and services; the rooms before them take seconds. */
const laterFolders = [
  "attack",
  "browser",
  "clients",
  "contract",
  "eval",
  "fault",
  "prove",
  "surfaces",
];

/**
 * Files that take longest, in the order of their time. Started last they would keep one core busy while
 * the others are idle.
 */
const longest = [
  "clients/runners",
  "clients/refusals",
  "clients/contention",
  "browser/dashboard-scale",
  "surfaces/git/own-lines",
  "surfaces/git/commit",
  "surfaces/mcp/tools",
  "fault/claims-races",
  "fault/routing-kill",
  "surfaces/cli/review",
  "surfaces/hooks/late-hook-process",
  "fault/runs-crash",
  "surfaces/cli/demo",
  "fault/claims-soak",
  "surfaces/git/commit-trouble",
  "fault/claims-model",
  "fault/claims-histories",
  "fault/claims-postgres",
];

export const suites = {
  quick: {
    command: "npm test",
    says: "all rooms, both stores, faults and attacks at a tenth of their rounds, recorded client payloads, every page in a browser",
    has: (path) => !isFullOnly(path),
  },
  rest: {
    command: "npm run test:rest",
    says: "what the full suite has and the quick one has not: real agent clients (about 1.5 GB, once), the browser set and one round of each fault",
    has: isFullOnly,
  },
  soak: {
    command: "npm run soak",
    says: "races, models, kills, power cuts and long runs at their full rounds",
    has: (path) => path.startsWith("test/fault/") || usesRounds(path),
    rounds: "1",
  },
};

export const isSuite = (name) => Object.hasOwn(suites, name);

/** Paths from the root, with slashes. */
export const listSuiteFiles = (name) => listTestFiles().filter((path) => suites[name].has(path));

export const listTestFiles = () =>
  readdirSync(testFolder, { recursive: true, encoding: "utf8" })
    .map((name) => join("test", name).split(sep).join("/"))
    .filter((path) => path.endsWith(".test.ts"))
    .toSorted();

function isFullOnly(path) {
  return fullOnly.some((folder) => path.startsWith(folder));
}

/** Whether a test file shares its process with others. */
export const sharesProcess = (path) => {
  const startsWithOne = (list) => list.some((name) => path.startsWith(`test/${name}`));
  if (startsWithOne(apart)) return false;
  if (startsWithOne(inOneProcess)) return true;
  return (
    startsWithOne(inOneProcessByContent) &&
    !startsPrograms.test(readFileSync(resolve(root, path), "utf8"))
  );
};

function usesRounds(path) {
  return readFileSync(resolve(root, path), "utf8").includes("helpers/rounds.ts");
}

/** Rooms and architecture first, so that a red shows early; then the rest, the longest file first. */
export const rankTestFile = (file) => {
  const path = relative(testFolder, file).split(sep).join("/");
  if (!laterFolders.includes(path.split("/")[0])) return 0;
  const place = longest.findIndex((name) => path.startsWith(`${name}.`));
  return 1 + (place < 0 ? longest.length : place);
};

/** Patterns come before options: npm test -- test/state -t "S-05". */
export const isPattern = (word) => word !== undefined && !word.startsWith("-");

export const helpText = `npm test -- [options] [pattern…]

Three suites:
${[
  ["npm test", "quick", suites.quick.says],
  [
    "npm run test:full",
    "full",
    "the quick suite, then real agent clients (about 1.5 GB, once), the browser set and one round of each fault",
  ],
  ["npm run soak", "soak", suites.soak.says],
]
  .map(([command, name, says]) => `  ${command.padEnd(18)} ${name.padEnd(6)} ${says}`)
  .join("\n")}

A pattern runs the files whose path contains it, whatever suite they are in: npm test -- test/state
Other options go to vitest: npm test -- -t "S-05", npm test -- test/base --reporter=verbose

HEADGATE_ROUNDS=0.5    share of the full rounds of races, models and kills (1 in npm run soak, else 0.1)
HEADGATE_SEED=N        repeats the random inputs of a red test; each red test prints its seed
HEADGATE_ORDER_SEED=N  runs files and tests in a random order (npm run flakes prints the seed)
`;
