/** The run itself: find sources, make attempts, ask the gate and the oracle, count. */
import { readdirSync } from "node:fs";
import { arch, availableParallelism, platform } from "node:os";
import { basename, extname } from "node:path";
import { judge } from "../src/gate/index.ts";
import { Analyser } from "../src/structure/index.ts";
import { callMakers, type Further, loadCallRule } from "./kinds/calls.ts";
import { duplicateMakers } from "./kinds/duplicates.ts";
import { loadEditMakers } from "./kinds/edits.ts";
import { legalMakers } from "./kinds/legal.ts";
import type { Bench, Maker } from "./kinds/make.ts";
import { staleMakers } from "./kinds/stale.ts";
import { syntaxMakers } from "./kinds/syntax.ts";
import { encodingMakers, placeholderMakers } from "./kinds/texts.ts";
import { locateByOutline } from "./locate/outline.ts";
import { PythonLocator } from "./locate/python.ts";
import { locateScript } from "./locate/script.ts";
import { openOracle } from "./oracles/index.ts";
import { profiles } from "./profiles/index.ts";
import { Random } from "./random.ts";
import {
  isMissed,
  isWrongRefusal,
  type Judged,
  notUnderstood,
  type Row,
  rowsOf,
  type Target,
  targetsOf,
} from "./score.ts";
import { findSources, readSource } from "./sources.ts";
import type { Attempt, Group, Located, Oracle, Source } from "./types.ts";

export interface Wish {
  readonly attempts: number;
  readonly seed: string;
  readonly languages: readonly string[];
  readonly isEveryLanguage?: boolean;
  readonly sources: readonly string[];
  readonly groups?: readonly string[];
  readonly say: (line: string) => void;
}

export interface Mistake {
  readonly language: string;
  readonly kind: string;
  readonly place: string;
  readonly what: string;
  readonly excerpt: string;
}

export interface Result {
  readonly command: string;
  readonly machine: { readonly platform: string; readonly cores: number; readonly node: string };
  readonly seed: string;
  /** What the folders given as sources hold. */
  readonly given: readonly string[];
  readonly attempts: number;
  readonly notMade: readonly string[];
  readonly languages: readonly {
    readonly language: string;
    readonly oracle: string;
    readonly files: number;
    readonly places: readonly string[];
    readonly isIndependent: boolean;
  }[];
  readonly rows: readonly Row[];
  readonly byGroup: readonly Row[];
  readonly targets: readonly Target[];
  readonly wrongRefusals: readonly Mistake[];
  readonly missed: readonly Mistake[];
  readonly problems: readonly Mistake[];
}

/** How often each group is tried, out of a hundred. */
const shares: readonly (readonly [Group, number])[] = [
  ["duplicate", 28],
  ["legal", 28],
  ["syntax", 24],
  ["stale", 6],
  ["encoding", 4],
  ["placeholder", 3],
  ["edit", 7],
  ["calls", 8],
];

/** Python first: the product is measured there. */
const weightOf = (language: string): number =>
  ({ python: 6, javascript: 3, typescript: 3 })[language] ?? 1;

export const evaluate = async (wish: Wish): Promise<Result> => {
  const all: Judged[] = [];
  const about: Result["languages"][number][] = [];
  const editMakers = await loadEditMakers();
  const notMade = editMakers ? [] : ["edits: src/edit/operations cannot be loaded yet"];
  const weights = wish.languages.reduce((sum, one) => sum + weightOf(one), 0);
  let [open, openWeight] = [wish.attempts, weights];
  for (const language of wish.languages) {
    // What one language has no sources for goes to the others.
    const count = Math.ceil((open * weightOf(language)) / openWeight);
    openWeight -= weightOf(language);
    const started = performance.now();
    const found = await runLanguage(language, count, wish, editMakers);
    open -= found.judged.length;
    all.push(...found.judged);
    about.push(found.about);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const mistakes = found.judged.filter(
      (one) =>
        (isMissed(one) && one.attempt.group !== "calls") || isWrongRefusal(one) || one.problem,
    );
    wish.say(
      `${language}: ${found.judged.length} attempts on ${found.about.files} files in ${seconds} s, ${mistakes.length} mistakes; oracle: ${found.about.oracle}`,
    );
  }
  return toResult(wish, all, about, notMade);
};

const runLanguage = async (
  language: string,
  count: number,
  wish: Wish,
  editMakers: Awaited<ReturnType<typeof loadEditMakers>>,
) => {
  const random = new Random(`${wish.seed} ${language}`);
  const found = findSources(language, wish.sources);
  const oracle = openOracle(language);
  const analyser = new Analyser();
  const locator = language === "python" ? new PythonLocator() : undefined;
  const judged: Judged[] = [];
  const locate = async (text: string, path: string): Promise<Located | undefined> => {
    if (locator) return locator.locate(text);
    if (["javascript", "typescript", "tsx"].includes(language)) return locateScript(text, path);
    return locateByOutline(analyser, text, path);
  };
  try {
    const pool = await readPool({
      files: random.shuffle(found.files),
      count,
      language,
      oracle,
      locate,
    });
    const isWanted = !wish.groups || wish.groups.includes("calls");
    const callRule = isWanted ? await loadCallRule(language, found.files) : undefined;
    const makers = makersOf(wish, editMakers, callRule !== undefined);
    let [tries, fresh] = [0, 0];
    while (judged.length < count && pool.length > 0 && tries < count * 20) {
      tries += 1;
      const bench: Bench = {
        source: random.pick(pool)!,
        random,
        profile: profiles[language]!,
        language,
        fresh: () =>
          `${language === "python" || language === "rust" ? "eval_" : "evalNew"}${(fresh += 1)}`,
      };
      const attempt = await makers(bench, analyser);
      if (attempt) {
        const further = attempt.group === "calls" ? callRule?.(attempt, analyser) : undefined;
        judged.push(await judgeOne(attempt, language, { analyser, oracle, further }));
      }
    }
    const about = {
      language,
      oracle: oracle?.name ?? "not run: none on this machine",
      files: pool.length,
      places: found.said,
      isIndependent: pool[0]?.located.isIndependent ?? false,
    };
    return { judged, about };
  } finally {
    analyser.close();
    oracle?.close();
    locator?.close();
    found.close();
  }
};

type MakeOne = (bench: Bench, analyser: Analyser) => Promise<Attempt | undefined>;

const makersOf = (
  { groups }: Wish,
  editMakers: Awaited<ReturnType<typeof loadEditMakers>>,
  hasCallRule: boolean,
): MakeOne => {
  const known: Readonly<Record<string, readonly Maker[]>> = {
    duplicate: duplicateMakers,
    legal: legalMakers,
    syntax: syntaxMakers,
    stale: staleMakers,
    encoding: encodingMakers,
    placeholder: placeholderMakers,
    calls: callMakers,
  };
  const isMade = (group: Group): boolean =>
    (group !== "edit" || editMakers !== undefined) && (group !== "calls" || hasCallRule);
  const chosen = shares.filter(([group]) => (!groups || groups.includes(group)) && isMade(group));
  const whole = chosen.reduce((sum, [, share]) => sum + share, 0);
  return async (bench, analyser) => {
    let at = bench.random.next() * whole;
    const group = chosen.find(([, share]) => (at -= share) < 0)?.[0] ?? "legal";
    if (group === "edit") return bench.random.pick(editMakers!)!(bench, analyser);
    return bench.random.pick(known[group]!)!(bench);
  };
};

const readPool = async ({
  files,
  count,
  language,
  oracle,
  locate,
}: {
  files: readonly string[];
  count: number;
  language: string;
  oracle: Oracle | undefined;
  locate: (text: string, path: string) => Promise<Located | undefined>;
}): Promise<Source[]> => {
  const pool: Source[] = [];
  const wanted = Math.min(500, Math.max(30, Math.ceil(count / 5)));
  let looked = 0;
  for (const place of files) {
    if (pool.length >= wanted || (looked += 1) > wanted * 8) break;
    const read = readSource(place);
    // A file that draws in half of a library takes its compiler a second each time.
    if (!read || (read.text.match(/^\s*#\s*include/gm)?.length ?? 0) > 4) continue;
    const ending = /\.d\.[cm]?ts$/.exec(place)?.[0] ?? extname(place);
    const path = `src/source${ending}`;
    const located = await locate(read.text, path);
    if (!located || located.classes.length + located.functions.length === 0) continue;
    // Only files that the oracle finds right; those it cannot judge would prove nothing.
    if (oracle && (await oracle.judge(read.bytes, path, place)) !== true) continue;
    pool.push({ path, place, ...read, located });
  }
  // Small ones first would favour them; the order is the seed's.
  return language === "typescript" ? preferSources(pool) : pool;
};

/** Declaration files are many and have nothing to call. */
const preferSources = (pool: readonly Source[]): Source[] => {
  const real = pool.filter(({ path }) => !path.includes(".d."));
  return real.length >= 20
    ? [...real, ...pool.filter(({ path }) => path.includes(".d.")).slice(0, real.length >> 3)]
    : [...pool];
};

const judgeOne = async (
  attempt: Attempt,
  language: string,
  {
    analyser,
    oracle,
    further,
  }: { analyser: Analyser; oracle: Oracle | undefined; further: Further | undefined },
): Promise<Judged> => {
  const { proposal, tree, result } = attempt;
  const asked = result && oracle?.judge(result, proposal.writes[0]!.path, attempt.place);
  const start = performance.now();
  const verdict = await judge(proposal, {
    analyser,
    tree,
    policy: {},
    ...(further && { further }),
  });
  const ms = performance.now() - start;
  const denied = verdict.verdict === "deny";
  let word = await asked;
  if (word && oracle?.second && verdict.reasons.some(({ code }) => code === "SYNTAX_ERROR")) {
    word = (await oracle.second(result!, proposal.writes[0]!.path)) ?? word;
  }
  const isBlind = attempt.group === "syntax" && (await isNotUnderstood(attempt, analyser));
  const problem = attempt.problem ?? (denied ? undefined : attempt.check?.(verdict));
  return {
    language,
    attempt: isBlind ? { ...attempt, kind: notUnderstood } : attempt,
    should: shouldBe(attempt, word, language),
    denied,
    codes: verdict.reasons.map(({ code }) => code),
    messages: verdict.reasons.map(({ message }) => message),
    problem,
    ms,
  };
};

/** Grammars that guess are lost in some valid files; what is said about those is told apart. */
const isNotUnderstood = async (
  { proposal, tree }: Attempt,
  analyser: Analyser,
): Promise<boolean> => {
  const { path } = proposal.writes[0]!;
  const now = tree.read(path);
  return now !== undefined && (await analyser.syntax(now, path)).state === "invalid";
};

const shouldBe = (
  { expect }: Attempt,
  word: boolean | undefined,
  language: string,
): Judged["should"] => {
  if (expect === "refuse") return "refuse";
  if (expect === "pass") return word === false ? undefined : "pass";
  if (word === undefined) return undefined;
  // A compiler of C sees nothing of what its preprocessor leaves out.
  if (word && /^c(?:pp)?$/.test(language)) return undefined;
  return word ? "pass" : "refuse";
};

const shownMax = 20;

/** Some of every language, so that one with many mistakes does not hide the others. */
const isShown = (): ((one: Judged) => boolean) => {
  const counts = new Map<string, number>();
  return ({ language }) => {
    counts.set(language, (counts.get(language) ?? 0) + 1);
    return counts.get(language)! <= shownMax;
  };
};

const toMistake = ({ language, attempt, messages, problem }: Judged): Mistake => ({
  language,
  kind: `${attempt.group}: ${attempt.kind}`,
  place: attempt.place.split("/").slice(-3).join("/"),
  what: problem ? `${problem.what}: ${problem.message}` : (messages[0] ?? "allowed"),
  excerpt: attempt.excerpt.slice(0, 1200),
});

const toResult = (
  wish: Wish,
  all: readonly Judged[],
  about: Result["languages"],
  notMade: readonly string[],
): Result => ({
  command: [
    `npm run eval -- --attempts ${wish.attempts} --seed ${wish.seed}`,
    ...(wish.isEveryLanguage ? [] : wish.languages.map((one) => `--language ${one}`)),
    // Where a machine keeps its sources is its own matter.
    ...wish.sources.map((folder) => `--sources ${basename(folder)}`),
    ...(wish.groups ?? []).map((group) => `--kind ${group}`),
  ].join(" "),
  machine: {
    platform: `${platform()} ${arch()}`,
    cores: availableParallelism(),
    node: process.version,
  },
  seed: wish.seed,
  given: wish.sources.flatMap((folder) => readdirSync(folder).toSorted()),
  attempts: all.length,
  notMade,
  languages: about,
  rows: rowsOf(all, ({ language, attempt }) => ({
    language,
    group: attempt.group,
    kind: attempt.kind,
  })),
  byGroup: rowsOf(all, ({ language, attempt }) => ({ language, group: attempt.group, kind: "" })),
  targets: targetsOf(all),
  wrongRefusals: all.filter(isWrongRefusal).filter(isShown()).map(toMistake),
  missed: all
    .filter((one) => isMissed(one) && one.attempt.group !== "calls")
    .filter(isShown())
    .map(toMistake),
  problems: all
    .filter(({ problem }) => problem)
    .filter(isShown())
    .map(toMistake),
});
