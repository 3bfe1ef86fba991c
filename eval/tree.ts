// `npm run eval -- tree --repo FOLDER…`: plays landed commits of real repositories against the gate in a tree and
// says how often it refused what landed. What was played is kept, so that a run goes on where it stopped.
import { parseArgs } from "node:util";
import { openHeadgate } from "../src/compose.ts";
import { Random } from "./random.ts";
import { keepSection } from "./report.ts";
import { openScratch } from "./tree/history.ts";
import { openParsers } from "./tree/parses.ts";
import { playCommit } from "./tree/play.ts";
import {
  allPlayed,
  mistakeLines,
  openResults,
  readEarlier,
  repoName,
  summarise,
  treeSection,
  treeTable,
} from "./tree/results.ts";

const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: [] },
    commits: { type: "string", default: "50" },
    seed: { type: "string", default: "headgate" },
    /** Only these. */
    commit: { type: "string", multiple: true, default: [] },
    /** Only commits that change such a file, as `*.sql`. */
    path: { type: "string", multiple: true, default: [] },
    "with-dependencies": { type: "string" },
    /** Forget what was played of these repositories before. */
    fresh: { type: "boolean", default: false },
    /** Into docs/evaluation.md. */
    keep: { type: "boolean", default: true },
  },
  allowNegative: true,
});

const playRepo = async (repo: string): Promise<void> => {
  const results = openResults(repo, values.seed, values.fresh);
  const random = new Random(`${values.seed} ${repoName(repo)}`);
  const scratch = openScratch(repo, values["with-dependencies"]);
  try {
    const commits =
      values.commit.length > 0
        ? values.commit
        : scratch.commits(Number(values.commits), random, values.path);
    await using headgate = await openHeadgate({ repo: scratch.folder, actor: "agent/replay" });
    const parsers = openParsers(headgate.structure);
    const started = performance.now();
    let [edits, refused] = [0, 0];
    for (const [at, commit] of commits.entries()) {
      if (results.has(commit)) continue;
      const changes = scratch.open(commit);
      const own = new Random(`${values.seed} ${commit}`);
      const board = { scratch, headgate, parsers, random: own };
      const steps = changes ? await playCommit(commit, changes, board) : [];
      results.add(commit, steps, values["with-dependencies"] !== undefined);
      edits += steps.length;
      refused += steps.filter((step) => step.refused.length > 0 || step.error).length;
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      if (at % 5 === 4 || at === commits.length - 1) {
        const done = `${at + 1} of ${commits.length} commits`;
        console.error(
          `${repoName(repo)}: ${done}, ${edits} edits, ${refused} refused, ${seconds} s`,
        );
      }
    }
    parsers.close();
  } finally {
    scratch.close();
  }
};

if (values.repo.length === 0 || !(Number(values.commits) > 0)) {
  console.error(
    "use: npm run eval -- tree --repo FOLDER [--commits N | --commit HASH] [--seed S] [--path PATTERN] [--with-dependencies FOLDER]",
  );
  process.exitCode = 2;
} else {
  for (const repo of values.repo) await playRepo(repo);
  const result = summarise(allPlayed(), readEarlier());
  console.log(treeTable(result));
  for (const line of mistakeLines(result)) console.log(line);
  if (values.keep) keepSection("tree", treeSection(result));
  process.exitCode = result.wrong.length + result.errors.length === 0 ? 0 : 1;
}
