/** What was played, one line of JSON for each commit, and the table made of all of it. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { table } from "../table.ts";
import { modes, type Mode, type Refusal, type Step } from "./play.ts";

const folder = resolve(import.meta.dirname, "../results/tree");

export interface Played {
  readonly repo: string;
  readonly seed: string;
  readonly commit: string;
  /** With the packages that the project needs on the disk. */
  readonly installed?: boolean;
  readonly steps: readonly Step[];
}

/** `owner+name/repo` and `name.git` are called by their name. */
export const repoName = (repo: string): string => {
  const parts = resolve(repo).split("/");
  const last = /^(repo|\.git)$/.test(parts.at(-1) ?? "") ? parts.at(-2) : parts.at(-1);
  return basename((last ?? "").split("+").at(-1) ?? "", ".git");
};

export const openResults = (repo: string, seed: string, isFresh: boolean) => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${repoName(repo)}.jsonl`);
  if (isFresh) rmSync(file, { force: true });
  const known = new Set(
    readPlayed(file)
      .filter((one) => one.seed === seed)
      .map(({ commit }) => commit),
  );
  return {
    has: (commit: string): boolean => known.has(commit),
    add: (commit: string, steps: readonly Step[], installed: boolean): void => {
      const played: Played = { repo: repoName(repo), seed, commit, installed, steps };
      appendFileSync(file, `${JSON.stringify(played)}\n`);
    },
  };
};

const readPlayed = (file: string): Played[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as Played)
    : [];

export const allPlayed = (): Played[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((name) => readPlayed(join(folder, name))) : [];

/** In the middle of a move a thing is there twice: refused rightly, and the commit ends without it. */
const isMove = (step: Step, played: Played): boolean =>
  step.mode === "hunks" &&
  step.refused.every(isTwice) &&
  played.steps.every(({ mode, path, refused }) => {
    const isSame = mode === "commit" && path === step.path;
    return !isSame || !refused.some(isTwice);
  });

const isTwice = ({ code, message }: Refusal): boolean =>
  code.startsWith("DUPLICATE_") || /already been declared|[Dd]uplicated export/.test(message);

/** What earlier builds played, of which only the counts are kept. */
export interface Earlier {
  readonly commits: number;
  readonly edits: number;
  readonly installed: number;
  readonly repos: readonly string[];
  /** Language, way of playing, and the counts in the order of the table. */
  readonly rows: readonly (readonly (string | number)[])[];
}

const noEarlier: Earlier = { commits: 0, edits: 0, installed: 0, repos: [], rows: [] };

export const readEarlier = (): Earlier =>
  JSON.parse(readFileSync(join(import.meta.dirname, "earlier.json"), "utf8")) as Earlier;

/** Results of earlier runs do not say it. */
const leftOpen = ({ open }: Partial<Step>): readonly string[] => open ?? [];

export interface Mistake extends Refusal {
  readonly repo: string;
  readonly step: Step;
}

export interface TreeResult {
  readonly edits: number;
  /** Of these, played by earlier builds. */
  readonly earlier: number;
  /** Of these, with installed dependencies. */
  readonly installed: number;
  readonly commits: number;
  readonly repos: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly wrong: readonly Mistake[];
  readonly errors: readonly { readonly repo: string; readonly step: Step }[];
  /** Whole commits that would be refused at the commit, on the default branch. */
  readonly open: readonly { readonly repo: string; readonly step: Step }[];
}

const newCount = () => ({
  ...{ edits: 0, wrong: 0, right: 0, moves: 0, asked: 0, noted: 0, open: 0, errors: 0 },
});

type Count = ReturnType<typeof newCount>;
const countNames = Object.keys(newCount()) as (keyof Count)[];

export const summarise = (all: readonly Played[], earlier: Earlier = noEarlier): TreeResult => {
  const counts = new Map<string, Count>();
  for (const [language, mode, ...numbers] of earlier.rows) {
    for (const key of [`${language} ${mode}`, `all ${mode}`]) {
      const count = counts.get(key) ?? newCount();
      for (const [at, name] of countNames.entries()) count[name] += Number(numbers[at] ?? 0);
      counts.set(key, count);
    }
  }
  const wrong: Mistake[] = [];
  const errors: { repo: string; step: Step }[] = [];
  const open: { repo: string; step: Step }[] = [];
  for (const played of all) {
    const { repo } = played;
    for (const step of played.steps) {
      for (const key of [`${step.language} ${step.mode}`, `all ${step.mode}`]) {
        const count = counts.get(key) ?? newCount();
        counts.set(key, count);
        count.edits += 1;
        if (step.isAsked) count.asked += 1;
        if (step.noted.some((code) => code !== "NOT_ANALYSED")) count.noted += 1;
        if (leftOpen(step).length > 0) count.open += 1;
        if (step.error !== undefined) count.errors += 1;
        if (step.refused.length === 0) continue;
        if (step.refused.some(({ isRight }) => isRight)) count.right += 1;
        else if (isMove(step, played)) count.moves += 1;
        else count.wrong += 1;
      }
      if (step.error !== undefined) errors.push({ repo, step });
      if (step.mode === "commit" && leftOpen(step).length > 0) open.push({ repo, step });
      const isWrong = step.refused.length > 0 && !step.refused.some(({ isRight }) => isRight);
      const [first] = step.refused;
      if (isWrong && first && !isMove(step, played)) wrong.push({ ...first, repo, step });
    }
  }
  const languages = [...new Set([...counts.keys()].map((key) => key.split(" ")[0]!))];
  const order = (name: string): string => (name === "all" ? "~" : name);
  const rows = languages
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    .flatMap((language) =>
      modes.flatMap((mode: Mode) => {
        const count = counts.get(`${language} ${mode}`);
        return count ? [[language, mode, ...Object.values(count).map(String)]] : [];
      }),
    );
  return {
    edits: earlier.edits + countSteps(all),
    earlier: earlier.edits,
    installed: earlier.installed + countSteps(all.filter(({ installed }) => installed)),
    commits: earlier.commits + all.length,
    repos: [...new Set([...earlier.repos, ...all.map(({ repo }) => repo)])].toSorted(),
    ...{ rows, wrong, errors, open },
  };
};

const countSteps = (all: readonly Played[]): number =>
  all.reduce((sum, { steps }) => sum + steps.length, 0);

const head = ["language", "played", ...Object.keys(newCount())].map((name) =>
  name === "wrong" ? "wrong refusals" : name === "right" ? "right refusals" : name,
);

export const treeTable = ({ rows }: TreeResult): string => table(head, rows);

const placeOf = (repo: string, { mode, commit, path }: Step, line = 0): string =>
  `${repo} ${commit.slice(0, 9)} ${path}:${line} (${mode})`;

export const mistakeLines = ({ wrong, errors, open }: TreeResult): string[] => [
  ...wrong.map(
    ({ repo, step, line, code, message }) => `${code} ${placeOf(repo, step, line)}: ${message}`,
  ),
  ...errors.map(({ repo, step }) => `${step.error} ${placeOf(repo, step)}`),
  ...open.map(({ repo, step }) => `at the commit: ${leftOpen(step)[0]}, ${placeOf(repo, step)}`),
];

const wantedEdits = { all: 20_000, each: 500 };
const noCode = new Set(["markdown", "other", "all"]);

const shortOf = ({ edits, rows }: TreeResult): string => {
  const played = new Map<string, number>();
  for (const [language = "", , count] of rows)
    played.set(language, (played.get(language) ?? 0) + Number(count));
  const short = [...played].filter(
    ([name, count]) => !noCode.has(name) && count < wantedEdits.each,
  );
  const list = short.map(([name, count]) => `${name} ${count}`).join(", ");
  const all = edits >= wantedEdits.all ? "The first is reached" : "The first is not reached yet";
  return `${all}; fewer than ${wantedEdits.each} were played of: ${list || "none"}.`;
};

/** A section of docs/evaluation.md, which `npm run eval` leaves as it is. */
export const treeSection = (result: TreeResult): string => {
  const mistakes = mistakeLines(result).map((line) => `- ${line.replaceAll("\n", " ")}`);
  return `## Landed commits in a tree

Made by \`npm run eval -- tree\`: ${result.commits} landed commits of ${result.repos.join(", ")}, ${result.edits} edits (${result.earlier} of them by earlier builds), ${result.installed} with the project's dependencies installed. The parent of
each was checked out, and the commit played as one proposal, file by file, and hunk by hunk in random order where the text in
between still parses; every rule was live, and nothing but the proposal was handed in. All of it landed, so a refusal is wrong
unless an independent parser confirms it ("right") or a thing is there twice in the middle of a move ("moves"). "Errors" came in
place of a verdict; "asked" is refused once and passes when it is repeated. "Open" is a note about a name, an import or an argument that
does not fit yet: the edit passes, and a commit of the tree as it is then would be refused.

${treeTable(result)}

Goal: 20,000 edits, and 500 of each language that may refuse. ${shortOf(result)}

${mistakes.length === 0 ? "No wrong refusals, no errors." : `Wrong refusals and errors:\n\n${mistakes.slice(0, 60).join("\n")}`}
`;
};
