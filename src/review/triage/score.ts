/** The score of one reviewer: a sum of terms, each with its reason. Nothing here knows about slots. */
import { pathMatcher } from "../path-glob.ts";
import { type Affinity, affinities } from "./affinity/index.ts";
import { chanceOf } from "./chance.ts";
import { derivedAffinity } from "./derived.ts";
import { formOf, formsOf, type Look } from "./look.ts";
import type { Candidate, ScoreTerm, TriageInput } from "./types.ts";

export interface ScoreInput extends Pick<TriageInput, "domains" | "routing" | "seed"> {
  readonly look: Look;
}

export const scoreTerms = (candidate: Candidate, input: ScoreInput): ScoreTerm[] => {
  const { look } = input;
  const known = candidate.kind === "built-in" ? affinities[candidate.name] : undefined;
  const affinity = known ?? derivedAffinity(candidate);
  const terms = [
    contentTerm(affinity, look),
    known ? pathTerm(affinity, look) : pathWordTerm(affinity, look),
    wordTerm(affinity, look),
    languageTerm(affinity, look),
    domainTerm(candidate, affinity, input),
    sizeTerm(affinity, look),
    testsTerm(affinity, look),
    ...trackRecord(candidate.name, input),
  ];
  return terms
    .filter((term) => term !== undefined)
    .map((term) => ({ ...term, value: rounded(term.value) }))
    .filter(({ value, term }) => value !== 0 || term === "precision");
};

/** The terms as they are shown add up to the score as it is shown. */
export const sumOf = (terms: readonly ScoreTerm[]): number =>
  rounded(terms.reduce((sum, { value }) => sum + value, 0));

const rounded = (value: number): number => Math.round(value * 100) / 100 || 0;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const contentTerm = ({ roles }: Affinity, look: Look): ScoreTerm => {
  const parts = [...look.roles].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const value = parts.reduce((sum, [role, share]) => sum + share * (roles[role] ?? 0), 0);
  return {
    term: "content",
    value,
    why: parts.map(([role, share]) => `${percent(share)} ${role}`).join(", "),
  };
};

/** The best list counts, more so when more of the files match it. */
const pathTerm = ({ paths }: Affinity, look: Look): ScoreTerm | undefined => {
  let best: ScoreTerm | undefined;
  for (const { globs, names = "", weight } of paths) {
    const matchers = globs.map(matcherOf);
    const wanted = new Set(names.split(" ").map(formOf));
    const hits = look.files.filter(({ path }) => {
      const lower = path.toLowerCase();
      if (matchers.some((matches) => matches(lower))) return true;
      return names !== "" && [...formsOf(nameOf(path))].some((form) => wanted.has(form));
    });
    const value = hits.length === 0 ? 0 : weight * (0.5 + (0.5 * hits.length) / look.files.length);
    if (value <= (best?.value ?? 0)) continue;
    const rest = hits.length > 2 ? ` and ${hits.length - 2} more` : "";
    const shown = hits.slice(0, 2).map(({ path }) => path);
    best = { term: "path", value, why: `${shown.join(", ")}${rest} of ${look.files.length}` };
  }
  return best;
};

/** The globs are those of the tables: few, and always the same. */
const matcherOf = (glob: string): ((path: string) => boolean) => {
  const present = matchersOfTables.get(glob);
  if (present) return present;
  const made = pathMatcher(glob.toLowerCase());
  matchersOfTables.set(glob, made);
  return made;
};

const matchersOfTables = new Map<string, (path: string) => boolean>();

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Without a table: words of the reviewer's description in the names of files and folders. */
const pathWordTerm = ({ words }: Affinity, look: Look): ScoreTerm | undefined => {
  const wanted = new Map(words.split(/\s+/).map((word) => [formOf(word), word]));
  const hits = new Set<string>();
  for (const { path } of look.files) {
    for (const form of formsOf(path)) {
      const word = form.length > 2 ? wanted.get(form) : undefined;
      if (word !== undefined) hits.add(word);
    }
  }
  if (hits.size === 0) return undefined;
  const why = `in paths: ${[...hits].toSorted().slice(0, 5).join(", ")}`;
  return { term: "path", value: Math.min(1, hits.size * 0.4), why };
};

/** Several different words count, and whether they stand all over a change or once in a large one. */
const wordTerm = ({ words, phrases = [] }: Affinity, look: Look): ScoreTerm | undefined => {
  const found: { readonly word: string; readonly lines: number }[] = [];
  const lines = new Set<number>();
  for (const word of new Set(words.split(/\s+/))) {
    const at = look.words.get(formOf(word));
    if (!at) continue;
    found.push({ word, lines: at.size });
    for (const line of at) lines.add(line);
  }
  for (const phrase of phrases) {
    const wanted = phrase.replace(/^\^/, "");
    const isAtStart = wanted !== phrase;
    const at = look.texts.flatMap((text, line) => {
      return (isAtStart ? text.startsWith(wanted) : text.includes(wanted)) ? [line] : [];
    });
    if (at.length === 0) continue;
    found.push({ word: `"${wanted.trim()}"`, lines: at.length });
    for (const line of at) lines.add(line);
  }
  if (found.length === 0) return undefined;
  const breadth = Math.min(1, lines.size / Math.max(1, look.texts.length * 0.05));
  const value = 2 * (1 - Math.exp(-found.length / 4)) * (0.3 + 0.7 * breadth);
  const shown = found
    .toSorted((a, b) => b.lines - a.lines || (a.word < b.word ? -1 : 1))
    .slice(0, 5)
    .map(({ word }) => word);
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : "";
  const why = `${shown.join(", ")}${more}, on ${lines.size} of ${look.texts.length} lines`;
  return { term: "hunk-words", value, why };
};

const languageTerm = ({ languages = {} }: Affinity, look: Look): ScoreTerm | undefined => {
  const hits = [...look.languages].filter(([language]) => languages[language] !== undefined);
  if (hits.length === 0) return undefined;
  const value = hits.reduce(
    (sum, [language, share]) => sum + share * (languages[language] ?? 0),
    0,
  );
  const shown = hits.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    term: "language",
    value,
    why: shown.map(([language, share]) => `${percent(share)} ${language}`).join(", "),
  };
};

const domainTerm = (
  { domain }: Candidate,
  { domains: weights = {} }: Affinity,
  { domains }: ScoreInput,
): ScoreTerm | undefined => {
  const weightOf = (name: string): number =>
    name === domain ? generatedDomain : (weights[name] ?? 0);
  const hits = domains
    .filter(({ name }) => weightOf(name) > 0)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (hits.length === 0) return undefined;
  const value = hits.reduce((sum, { name, confidence }) => sum + weightOf(name) * confidence, 0);
  const shown = hits.map(({ name, confidence }) => `${name} ${percent(confidence)}`);
  return { term: "domain", value: Math.min(domainMax, value), why: shown.join(", ") };
};

const generatedDomain = 0.8;
const domainMax = 1.6;

const sizeTerm = ({ size = 0 }: Affinity, look: Look): ScoreTerm | undefined => {
  const step = sizeStep(look);
  if (size === 0 || step === 0) return undefined;
  return {
    term: "size",
    value: (size * step) / 3,
    why: `${look.lines} lines in ${look.files.length} files`,
  };
};

/** 0 to 3: what a person reads in a few minutes, in half an hour, in a morning, and more. */
export const sizeStep = ({ lines, files }: Look): 0 | 1 | 2 | 3 => {
  if (lines >= 2000 || files.length >= 40) return 3;
  if (lines >= 500 || files.length >= 15) return 2;
  return lines >= 120 || files.length >= 6 ? 1 : 0;
};

const testsTerm = ({ untested = 0 }: Affinity, look: Look): ScoreTerm | undefined => {
  if (untested === 0 || look.kind !== "change" || look.roles.has("tests")) return undefined;
  const code = look.files.filter(({ role }) => role === "code");
  const lines = code.reduce((sum, file) => sum + file.lines, 0);
  if (lines < untestedMin) return undefined;
  return { term: "no-tests", value: untested, why: `${lines} lines of code change, no test does` };
};

const untestedMin = 10;

/**
 * Precision, smoothed with Beta(2,1) and taken one deviation low: little evidence moves nothing far. A reviewer
 * that lost by it is looked at again in one review of eight, else it could never show that it became better.
 */
const trackRecord = (name: string, { routing, seed }: ScoreInput): ScoreTerm[] => {
  const known = routing.precision.find(({ reviewer }) => reviewer === name);
  if (!known || known.right + known.wrong <= 0) return [];
  const { right, wrong } = known;
  const bound = lowBound(right, wrong);
  const value = precisionWeight * (bound - lowBound(0, 0));
  const why = `${right} right, ${wrong} wrong: at least ${percent(Math.max(0, bound))}`;
  const terms: ScoreTerm[] = [{ term: "precision", value, why }];
  if (value >= 0 || chanceOf(seed, name, "exploration") >= explorationShare) return terms;
  const again = { term: "exploration", value: -value + explorationGain };
  return [...terms, { ...again, why: `one review in ${1 / explorationShare} looks again` }];
};

const precisionWeight = 2;
const explorationShare = 1 / 8;
const explorationGain = 0.3;

const lowBound = (right: number, wrong: number): number => {
  const [a, b] = [2 + right, 1 + wrong];
  const mean = a / (a + b);
  return mean - Math.sqrt((mean * (1 - mean)) / (a + b + 1));
};
