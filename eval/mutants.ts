// `npm run eval -- mutants --repo FOLDER…`: breaks files of real repositories by one bracket, by cutting them off, by
// pasting them twice and so on, and says how many of it the gate refuses, per language. The files are split into two
// halves by the hash of their names: one to look at while the judge is worked on, one that is only counted.
import { hash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { judge } from "../src/gate/index.ts";
import { Analyser, languageOf, type OutlineSymbol } from "../src/structure/index.ts";
import { Random } from "./random.ts";
import { keepSection } from "./report.ts";
import { table } from "./table.ts";
import { repoName } from "./tree/results.ts";

const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: [] },
    files: { type: "string", default: "15" },
    seed: { type: "string", default: "headgate" },
    language: { type: "string", multiple: true },
    /** Shows what the seen half missed. */
    show: { type: "boolean", default: false },
    /** Into docs/evaluation.md. */
    keep: { type: "boolean", default: true },
  },
  allowNegative: true,
});

const git = (repo: string, ...args: string[]): Buffer =>
  spawnSync("git", ["-C", repo, ...args], { maxBuffer: 1 << 30 }).stdout;

const skipped = /^(text|json|jsonc|yaml|toml|html|css|sql|vue|svelte)$/;

interface Target {
  readonly repo: string;
  readonly path: string;
  readonly text: string;
  /** Places of brackets outside of texts and comments, as the grammar sees them. */
  readonly brackets: readonly number[];
  readonly symbols: readonly OutlineSymbol[];
}

const flat = (symbols: readonly OutlineSymbol[]): OutlineSymbol[] =>
  symbols.flatMap((one) => [one, ...flat(one.children)]);

type Mutate = (target: Target, random: Random) => string | undefined;

const at = (target: Target, random: Random, signs: string): number | undefined =>
  random.pick(target.brackets.filter((place) => signs.includes(target.text[place]!)));

const without = ({ text }: Target, place: number | undefined): string | undefined =>
  place === undefined ? undefined : text.slice(0, place) + text.slice(place + 1);

const kinds: Readonly<Record<string, Mutate>> = {
  "drop ) ] }": (target, random) => without(target, at(target, random, ")]}")),
  "drop ( [ {": (target, random) => without(target, at(target, random, "([{")),
  stray: (target, random) => {
    const place = at(target, random, ")]}");
    if (place === undefined) return undefined;
    const sign = random.pick([")", "]", "}"])!;
    return target.text.slice(0, place) + sign + target.text.slice(place);
  },
  truncated: (target, random) => {
    const place = at(target, random, "([{");
    return place === undefined ? undefined : target.text.slice(0, place + 1);
  },
  "dup. method": ({ text, symbols }, random) => {
    const one = random.pick(
      flat(symbols).filter(({ kind, body }) => body && /function|method/.test(kind)),
    );
    if (!one) return undefined;
    const from = text.lastIndexOf("\n", one.span.from) + 1;
    const end = text.indexOf("\n", one.span.to);
    const to = end < 0 ? text.length : end;
    return `${text.slice(0, to)}\n\n${text.slice(from, to)}${text.slice(to)}`;
  },
  "file twice": ({ text }) => `${text.trimEnd()}\n\n${text}`,
};

const analyser = new Analyser();
const byLanguage = new Map<string, { repo: string; path: string }[]>();
for (const repo of values.repo) {
  const paths = git(repo, "ls-tree", "-r", "-z", "--name-only", "HEAD").toString().split("\0");
  for (const path of paths) {
    const language = languageOf(path);
    if (path === "" || skipped.test(language)) continue;
    if (values.language && !values.language.includes(language)) continue;
    byLanguage.set(language, [...(byLanguage.get(language) ?? []), { repo, path }]);
  }
}

const rows: string[][] = [];
const missed: string[] = [];
for (const [language, all] of [...byLanguage].toSorted()) {
  const random = new Random(`${values.seed} ${language}`);
  const count = new Map<string, { made: number; refused: number; noted: number }>();
  const taken = { seen: 0, unseen: 0 };
  for (const { repo, path } of random.shuffle(all)) {
    const half = parseInt(hash("sha256", path).slice(0, 2), 16) < 128 ? "seen" : "unseen";
    if (taken[half] >= Number(values.files)) continue;
    const text = git(repo, "cat-file", "blob", `HEAD:${path}`).toString();
    if (text.length < 400 || text.length > 60_000 || text.includes("\ufffd")) continue;
    const { outline } = await analyser.outline(text, path);
    const parsed = await analyser.tree(text, path);
    if (!parsed.ok || outline.language !== language) continue;
    const { kinds: names, kind, from } = parsed.tree;
    const brackets = [...kind.keys()]
      .filter((index) => /^'[()[\]{}]$/.test(names[kind[index]!]!))
      .map((index) => from[index]!);
    const target = { repo, path, text, brackets, symbols: outline.symbols };
    taken[half] += 1;
    for (const [name, mutate] of Object.entries(kinds)) {
      const mutant = mutate(target, random);
      if (mutant === undefined || mutant === text) continue;
      const verdict = await judge(
        { writes: [{ path, after: mutant }] },
        { analyser, policy: {}, tree: { read: () => Buffer.from(text) } },
      );
      const key = `${half} ${name}`;
      const one = count.get(key) ?? { made: 0, refused: 0, noted: 0 };
      count.set(key, one);
      one.made += 1;
      if (verdict.verdict === "deny") one.refused += 1;
      else {
        const notes = verdict.notes.filter(({ code }) => code !== "NOT_ANALYSED");
        if (notes.length > 0) one.noted += 1;
        if (half === "seen") missed.push(`${language} ${name} ${repoName(repo)} ${path}`);
      }
    }
  }
  for (const half of ["seen", "unseen"]) {
    const cells = Object.keys(kinds).map((name) => {
      const one = count.get(`${half} ${name}`);
      if (!one) return "-";
      return `${one.refused}/${one.made}${one.noted > 0 ? ` (${one.noted}n)` : ""}`;
    });
    rows.push([language, half, ...cells]);
  }
  console.error(`${language}: ${taken.seen} + ${taken.unseen} files`);
}
analyser.close();
const recall = table(["language", "half", ...Object.keys(kinds)], rows);
console.log(recall);
if (values.keep) {
  const repos = values.repo.map(repoName).toSorted().join(", ");
  const text = `## Broken files

Made by \`npm run eval -- mutants\`: files of ${repos}, each broken in these ways. Refused of made; "n" passed with a note. Files
of the unseen half, by the hash of their paths, were only counted while the judge was worked on.

${recall}
`;
  keepSection("mutants", text);
}
if (values.show) for (const line of missed) console.log(line);
