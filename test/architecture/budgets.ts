import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import {
  type CountedBudgets,
  type CountedPlace,
  countTree,
  repositoryRoot,
} from "./budget-counts.ts";

/** Numbers of the tree that may only fall, next to scores that may only rise (`npm run mutate`). */
export const budgetsPath = resolve(import.meta.dirname, "budgets.json");

type BudgetNumbers = { -readonly [Name in keyof CountedBudgets]: number | Record<string, number> };

export interface BudgetsFile extends BudgetNumbers {
  /** Share of mutants killed, by folder. */
  mutation: Record<string, number>;
}

export interface BudgetDifference {
  /** The group and, for a word, its name: `bannedWordsInDocs: told`. */
  readonly name: string;
  readonly group: keyof CountedBudgets;
  readonly word: string | undefined;
  readonly count: number;
  readonly budget: number;
  readonly message: string;
}

export interface BudgetComparison {
  readonly now: CountedBudgets;
  readonly higher: readonly BudgetDifference[];
  readonly lower: readonly BudgetDifference[];
}

const shownPlaces = 10;

export const readBudgets = (): BudgetsFile => JSON.parse(readFileSync(budgetsPath, "utf8"));

export const compareBudgets = (
  now = countTree(),
  budgets: BudgetNumbers = readBudgets(),
  isNew: (place: CountedPlace) => boolean = findNewLines(),
): BudgetComparison => {
  const higher: BudgetDifference[] = [];
  const lower: BudgetDifference[] = [];
  for (const { group, word, places } of listCounts(now)) {
    const numbers = budgets[group];
    const budget = typeof numbers === "number" ? numbers : (numbers[word ?? ""] ?? 0);
    const name = word === undefined ? group : `${group}: ${word}`;
    const count = places.length;
    const one = { name, group, word, count, budget };
    if (count > budget) higher.push({ ...one, message: explainRise(name, places, budget, isNew) });
    if (count < budget) {
      const message = `${name}: now ${count}, budget ${budget}; lower the budget in this commit: npm run budgets`;
      lower.push({ ...one, message });
    }
  }
  return { now, higher, lower };
};

/** Writes the counts of the named budgets; the rest of the file stays, apart from words no longer banned. */
export const writeBudgets = (now: CountedBudgets, changed: readonly BudgetDifference[]): void => {
  const budgets = readBudgets();
  for (const { group, word, count } of changed) {
    if (word === undefined) budgets[group] = count;
    else (budgets[group] as Record<string, number>)[word] = count;
  }
  for (const group of ["bannedWordsInSource", "bannedWordsInDocs"] as const) {
    const before = budgets[group] as Record<string, number>;
    const words = Object.keys(now[group]).map((word) => [word, before[word] ?? 0] as const);
    const total = words.reduce((sum, [, count]) => sum + count, 0);
    budgets[group] = { total, ...Object.fromEntries(words) };
  }
  writeFileSync(budgetsPath, `${JSON.stringify(budgets, undefined, 2)}\n`);
};

interface BudgetCount {
  readonly group: keyof CountedBudgets;
  readonly word: string | undefined;
  readonly places: readonly CountedPlace[];
}

const listCounts = (now: CountedBudgets): BudgetCount[] => {
  const { bannedWordsInSource, bannedWordsInDocs, repeatedTypeNames, functionsNamedOf } = now;
  const listWords = (
    group: keyof CountedBudgets,
    words: CountedBudgets["bannedWordsInDocs"],
  ): BudgetCount[] => Object.entries(words).map(([word, places]) => ({ group, word, places }));
  return [
    ...listWords("bannedWordsInSource", bannedWordsInSource),
    ...listWords("bannedWordsInDocs", bannedWordsInDocs),
    { group: "repeatedTypeNames", word: undefined, places: repeatedTypeNames },
    { group: "functionsNamedOf", word: undefined, places: functionsNamedOf },
  ];
};

const explainRise = (
  name: string,
  places: readonly CountedPlace[],
  budget: number,
  isNew: (place: CountedPlace) => boolean,
): string => {
  const added = places.filter((one) => isNew(one) || (one.first && isNew(one.first)));
  const shown = (added.length > 0 ? added : places).slice(0, shownPlaces);
  return [
    `${name} may only fall: now ${places.length}, budget ${budget}; fix the new ones:`,
    ...shown.map(({ file, line, text }) => `  ${file}:${line} ${text.trim()}`),
  ].join("\n");
};

/**
 * The lines that came after the commit that last set the budgets, by git. Without git every line
 * is new, which only makes the list in a message less exact.
 */
const findNewLines = (): ((place: CountedPlace) => boolean) => {
  let lines: Map<string, Set<number>> | undefined;
  return ({ file, line }) => {
    lines ??= readNewLines();
    const added = lines.get(file);
    return added !== undefined && (added.size === 0 || added.has(line));
  };
};

const readNewLines = (): Map<string, Set<number>> => {
  const git = (...args: string[]): string =>
    spawnSync("git", args, { cwd: repositoryRoot, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout ??
    "";
  const base = git("log", "-1", "--format=%H", "--", budgetsPath).trim() || "HEAD";
  const found = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of git("diff", "-U0", "--no-color", "--no-ext-diff", base).split("\n")) {
    const file = /^\+\+\+ b\/(.+)$/.exec(line)?.[1];
    if (file) found.set(file, (lines = new Set()));
    const [, start = "0", count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [
      "",
      "0",
      "0",
    ];
    for (let at = 0; at < Number(count); at++) lines.add(Number(start) + at);
  }
  // An empty set: the whole file is new.
  for (const file of git("ls-files", "--others", "--exclude-standard").split("\n")) {
    if (file) found.set(file, new Set());
  }
  return found;
};
