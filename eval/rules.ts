// `npm run eval -- rules DIR [--fixes 60] [--commits 200] [--linters ruff,oxlint] [--json]`: what the static rules and the linters say of
// fixes of public histories, taken back, and of ordinary commits. DIR has a git folder per repository, named
// owner+name. A fix is a commit whose message says so and that changes at most four sources; the same DIR gives the same commits.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemEnvironment } from "../src/base/environment.ts";
import { findRepository } from "../src/git/index.ts";
import {
  changedLines,
  readSubject,
  runLinters,
  runStatic,
  type Subject,
} from "../src/review/index.ts";
import { Analyser } from "../src/structure/index.ts";
import { gitFolder } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    fixes: { type: "string", default: "60" },
    commits: { type: "string", default: "200" },
    minutes: { type: "string", default: "120" },
    linters: { type: "string", default: "ruff,oxlint" },
    json: { type: "boolean", default: false },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  throw new Error("use: npm run eval -- rules DIR [--fixes N] [--commits N] [--json]");
}

interface Taken {
  readonly repository: string;
  readonly commit: string;
  readonly isFix: boolean;
  readonly message: string;
}

interface Hit {
  readonly by: string;
  readonly rule: string;
  readonly place: string;
  readonly title: string;
}

const isSource = (path: string): boolean =>
  /\.(?:py|[cm]?[jt]sx?|go|sh|bash)$/.test(path) &&
  !/(?:^|\/)(?:tests?|__tests__|testdata|vendor|examples?|docs?)\/|_test\.go$|\.(?:test|spec)\./.test(
    path,
  );
const saysFix =
  /\b(?:fix(?:es|ed)?|bug|crash|race|leak|inject|deadlock|overflow|CVE|traversal|vulnerab|security|regress)/i;
const isNoFix =
  /\b(?:typo|lint|docs?|comment|format|style|test|ci|flak|bump|deps?|merge|readme|chore)\b/i;
const rank = (text: string): string => createHash("sha256").update(text).digest("hex");

const gitOut = (git: string, ...args: string[]): string =>
  spawnSync("git", ["--git-dir", git, ...args], { maxBuffer: 1 << 30 }).stdout.toString();

/** Of each repository as many as it takes, in the order of a hash of the commit's name. */
const takenFrom = (name: string, git: string): Taken[] => {
  const log = gitOut(
    git,
    "log",
    "--no-merges",
    "--min-parents=1",
    "-n",
    "500",
    "--format=%x01%H%x02%s",
    "--name-only",
    "HEAD",
  );
  return log
    .split("\u0001")
    .slice(1)
    .flatMap((entry): Taken[] => {
      const [head = "", ...paths] = entry.split("\n").filter(Boolean);
      const [commit = "", message = ""] = head.split("\u0002");
      const sources = paths.filter(isSource);
      if (sources.length === 0 || sources.length > 8) return [];
      const isFix = saysFix.test(message) && !isNoFix.test(message) && sources.length <= 4;
      return [{ repository: name, commit, isFix, message }];
    })
    .toSorted((a, b) => (rank(a.commit) < rank(b.commit) ? -1 : 1));
};

/** One of each repository in turn, so that none decides. */
const inTurn = (lists: readonly (readonly Taken[])[], count: number): Taken[] => {
  const found: Taken[] = [];
  for (let at = 0; found.length < count && lists.some((list) => list.length > at); at += 1) {
    for (const list of lists) {
      const one = list[at];
      if (one && found.length < count) found.push(one);
    }
  }
  return found;
};

const names = readdirSync(directory)
  .filter((name) => name.includes("+") && gitFolder(directory, name) !== undefined)
  .toSorted();
const lists = names.map((name) => takenFrom(name, gitFolder(directory, name) ?? ""));
const chosen = [
  ...inTurn(
    lists.map((list) => list.filter(({ isFix }) => isFix)),
    Number(values.fixes),
  ),
  ...inTurn(
    lists.map((list) => list.filter(({ isFix }) => !isFix)),
    Number(values.commits),
  ),
];

const analyser = new Analyser();
const program = resolve(import.meta.dirname, "../node_modules/.bin/oxlint");
const hitsIn = async (
  subject: Subject,
  repository: Awaited<ReturnType<typeof findRepository>>,
): Promise<Hit[]> => {
  const files = subject.files.flatMap(({ path, after }) =>
    after === undefined ? [] : [{ path, content: after }],
  );
  const lines = changedLines(subject);
  const { findings } = await runStatic(files, { analyser, changedLines: lines });
  const linted = await runLinters(subject, {
    ...{ repository, environment: systemEnvironment(), review: "eval" },
    // As a project would that has never configured one.
    linters: Object.fromEntries(values.linters.split(",").map((name) => [name, "always" as const])),
    programs: { oxlint: program },
  });
  return [...findings, ...linted.findings].map(({ reviewer, rule = "", path, line, title }) => ({
    ...{ by: reviewer, rule, title, place: `${path}:${line}` },
  }));
};

const rows: (Taken & { readonly hits: readonly Hit[] })[] = [];
const endMs = Date.now() + Number(values.minutes) * 60_000;
for (const [name, own] of Map.groupBy(chosen, ({ repository }) => repository)) {
  const tree = mkdtempSync(join(tmpdir(), "headgate-rules-"));
  try {
    spawnSync("git", [
      "clone",
      "-q",
      "--shared",
      "--no-checkout",
      gitFolder(directory, name) ?? "",
      tree,
    ]);
    const repository = await findRepository(tree, { environment: systemEnvironment() });
    for (const one of own) {
      // What was taken up to here is measured; the table says how many that is.
      if (Date.now() > endMs) break;
      const target = one.isFix ? `${one.commit}..${one.commit}^` : `${one.commit}^..${one.commit}`;
      try {
        const subject = await readSubject(
          { target },
          { repository, environment: systemEnvironment() },
        );
        const hits = await hitsIn(subject, repository);
        rows.push({ ...one, hits });
        for (const { by, rule, place, title } of hits) {
          const kind = one.isFix ? "taken back" : "ordinary";
          console.error(
            `${kind} ${name} ${one.commit.slice(0, 9)} "${one.message}": ${by} ${rule} ${place} ${title}`,
          );
        }
      } catch (error) {
        console.error(`${name} ${one.commit.slice(0, 9)} is left out: ${(error as Error).message}`);
      }
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
analyser.close();

const [fixes, ordinary] = [rows.filter(({ isFix }) => isFix), rows.filter(({ isFix }) => !isFix)];
const having = (list: typeof rows, is: (hit: Hit) => boolean): string => {
  const count = list.filter(({ hits }) => hits.some(is)).length;
  return `${count} (${((count / Math.max(1, list.length)) * 100).toFixed(1)} %)`;
};
if (values.json) console.log(JSON.stringify(rows));
else {
  console.log(
    `${fixes.length} fixes taken back and ${ordinary.length} ordinary commits of ${names.length} repositories.\n`,
  );
  console.log(
    "| by | rule | fixes taken back with a hit | ordinary commits with a hit |\n| --- | --- | --- | --- |",
  );
  const all = new Set(
    rows.flatMap(({ hits }) => hits.flatMap(({ by, rule }) => [by, `${by} ${rule}`])),
  );
  for (const key of [...all].toSorted()) {
    const [by = "", rule] = key.split(" ");
    const is = (hit: Hit): boolean => hit.by === by && (rule === undefined || hit.rule === rule);
    console.log(`| ${by} | ${rule ?? "all"} | ${having(fixes, is)} | ${having(ordinary, is)} |`);
  }
}
