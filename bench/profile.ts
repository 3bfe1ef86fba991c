// How long it takes to tell what kind of project a tree is. The floor is git's own list of the files plus
// reading the manifests; the peers look at the same trees, each in its own way, without the network.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openHeadgate } from "../src/index.ts";
import { detectProfile } from "../src/profile/index.ts";
import { compare, type Contender, measuredRows, printTable, saveResult } from "./harness.ts";
import { git, makeTree } from "./large-tree.ts";

interface Payload {
  readonly techs: Iterable<string>;
  readonly tech: string | null;
  readonly childs: readonly Payload[];
}
interface StackAnalyser {
  analyser(options: { provider: unknown }): Promise<Payload>;
  FSProvider: new (options: { path: string }) => unknown;
}
const techsIn = (one: Payload): string[] => [
  ...(one.tech ? [one.tech] : []),
  ...one.techs,
  ...one.childs.flatMap(techsIn),
];
type Linguist = (path: string, options: object) => Promise<{ languages: { results: object } }>;

const peers = async (root: string, found: Map<string, string>): Promise<Contender[]> => {
  const { analyser, FSProvider } = (await import(
    "@specfy/stack-analyser" as string
  )) as StackAnalyser;
  await import(
    resolve(import.meta.dirname, "node_modules/@specfy/stack-analyser/dist/autoload.js")
  );
  const linguist = ((await import("linguist-js" as string)) as { default: Linguist }).default;
  return [
    {
      name: "@specfy/stack-analyser",
      run: async () => {
        const result = await analyser({ provider: new FSProvider({ path: root }) });
        found.set("@specfy/stack-analyser", [...new Set(techsIn(result))].slice(0, 12).join(", "));
      },
    },
    {
      name: "linguist-js (offline)",
      run: async () => {
        const { languages } = await linguist(root, { offline: true, keepVendored: false });
        found.set("linguist-js (offline)", Object.keys(languages.results).slice(0, 12).join(", "));
      },
    },
  ];
};

const measure = async (title: string, root: string, whom: "all peers" | "quick ones") => {
  const found = new Map<string, string>();
  const manifests = git(root, "ls-files", "-z")
    .split("\0")
    .filter((path) => /(^|\/)package\.json$/.test(path));
  const ours: Contender[] = [
    {
      name: "git ls-files -s -z, and reading the manifests (floor)",
      run: () => {
        git(root, "ls-files", "-s", "-z");
        for (const path of manifests) readFileSync(join(root, path));
      },
    },
    {
      name: "git ls-files for untracked files",
      run: () => void git(root, "ls-files", "-o", "-z", "--exclude-standard"),
    },
    {
      name: "headgate",
      run: async () => {
        const { domains } = await detectProfile(root);
        found.set(
          "headgate",
          domains.map(({ name, confidence }) => `${name} ${confidence}`).join(", "),
        );
      },
    },
  ];
  const fast = await compare(ours, { rounds: 11, perRound: 1, warmUpRounds: 2 });
  // linguist-js takes many minutes for the largest tree.
  const others = (await peers(root, found)).slice(0, whom === "all peers" ? undefined : 1);
  const slow = await compare([ours[2]!, ...others], { rounds: 3, perRound: 1, warmUpRounds: 0 });
  printTable(`${title}: against the floor`, ["way", "ms", "ratio"], measuredRows(fast));
  printTable(`${title}: against peers`, ["way", "ms", "ratio"], measuredRows(slow));
  printTable(
    `${title}: what was found`,
    ["way", "found"],
    [...found].map(([way, what]) => [way, what || "nothing"]),
  );
  return {
    title,
    files: git(root, "ls-files").split("\n").length - 1,
    fast,
    slow,
    found: Object.fromEntries(found),
  };
};

/** Each kind of answer, with `git status` on the same tree as the floor. */
const measureChecks = async (title: string, root: string) => {
  await using headgate = await openHeadgate({ repo: root });
  await headgate.profile.detect();
  const program = resolve(import.meta.dirname, "../bin/headgate.js");
  const manifest = readFileSync(join(root, "packages/p1/package.json"), "utf8");
  const situations: [name: string, path: string, text: string][] = [
    ["nothing changed", "packages/p1/src/module1/file1.ts", ""],
    ["a source changed", "packages/p1/src/module1/file1.ts", "export {};\n"],
    ["a manifest changed, not what it says", "packages/p1/package.json", `${manifest}\n`],
    ["a dependency came", "packages/p1/package.json", manifest.replace("express", "discord.js")],
  ];
  const results = [];
  for (const [name, path, text] of situations) {
    const before = readFileSync(join(root, path), "utf8");
    if (text !== "") writeFileSync(join(root, path), text);
    const states = new Set<string>();
    const measured = await compare(
      [
        {
          name: "git status --porcelain (floor)",
          run: () => void git(root, "--no-optional-locks", "status", "--porcelain"),
        },
        {
          name: "profile check",
          run: async () => void states.add((await headgate.profile.check()).state),
        },
        {
          name: "profile check, a process of its own",
          run: () => void spawnSync(process.execPath, [program, "profile", "check"], { cwd: root }),
        },
      ],
      { rounds: 11, perRound: 1, warmUpRounds: 2 },
    );
    writeFileSync(join(root, path), before);
    git(root, "update-index", "-q", "--refresh");
    printTable(
      `${title}: ${name}: ${[...states].join()}`,
      ["way", "ms", "ratio"],
      measuredRows(measured),
    );
    results.push({ name, states: [...states], measured });
  }
  return { title, situations: results };
};

const root = mkdtempSync(join(tmpdir(), "headgate-bench-"));
try {
  const own = resolve(import.meta.dirname, "..");
  // A clone: the peers would otherwise read all installed packages.
  git(own, "clone", "--quiet", "--shared", own, join(root, "own"));
  for (const packages of [4, 50]) {
    mkdirSync(join(root, `${packages}`));
    makeTree(join(root, `${packages}`), packages);
  }
  saveResult("profile", {
    trees: [
      await measure("this repository", join(root, "own"), "all peers"),
      await measure("4,000 files", join(root, "4"), "all peers"),
      await measure("50,000 files", join(root, "50"), "quick ones"),
    ],
    checks: await measureChecks("50,000 files", join(root, "50")),
  });
} finally {
  rmSync(root, { recursive: true, force: true });
}
