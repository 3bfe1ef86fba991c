/** The result as tables: on the terminal, in eval/results/latest.json and in docs/evaluation.md. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Mistake, Result } from "./evaluate.ts";
import { declined, type Row, wilson } from "./score.ts";
import { table } from "./table.ts";

const percent = (hits: number, all: number): string =>
  all === 0 ? "-" : `${((hits / all) * 100).toFixed(2)} %`;

const bounds = (hits: number, all: number): string => {
  if (all === 0) return "-";
  const [low, high] = wilson(hits, all);
  return `${(low * 100).toFixed(2)}-${(high * 100).toFixed(2)}`;
};

const header = [
  "language",
  "kind",
  "attempts",
  "refused",
  "recall",
  "95 %",
  "precision",
  "wrong refusals",
  "95 %",
  "wrong place",
  "collateral bytes",
  "p50 ms",
  "p99 ms",
];

const cells = (row: Row): string[] => {
  const refused = row.caught + row.wronglyRefused;
  return [
    row.language,
    row.kind === "" ? row.group : `${row.group}: ${row.kind}`,
    String(row.attempts),
    String(refused),
    row.shouldRefuse === 0 ? "-" : `${row.caught}/${row.shouldRefuse}`,
    bounds(row.caught, row.shouldRefuse),
    refused === 0 ? "-" : percent(row.caught, refused),
    row.shouldPass === 0 ? "-" : `${row.wronglyRefused}/${row.shouldPass}`,
    bounds(row.wronglyRefused, row.shouldPass),
    row.group === "edit" ? `${row.problems}/${row.attempts}` : "-",
    row.group === "edit" ? String(row.collateralBytes) : "-",
    row.p50.toFixed(1),
    row.p99.toFixed(1),
  ];
};

const declinedOf = ({ rows }: Result): number =>
  rows
    .filter(({ kind }) => kind.endsWith(declined))
    .reduce((sum, { attempts }) => sum + attempts, 0);

const targetTable = (result: Result): string =>
  table(
    ["target", "wanted", "got", ""],
    result.targets.map(({ what, wanted, got, isMet }) => [
      what,
      wanted,
      got,
      isMet ? "met" : "missed",
    ]),
  );

/** Two of each: more of them say the same. */
const isFewOfAKind = (): ((one: Mistake) => boolean) => {
  const counts = new Map<string, number>();
  return ({ language, kind }) => {
    const key = `${language} ${kind}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return (counts.get(key) ?? 0) <= 2;
  };
};

const listed = (title: string, mistakes: readonly Mistake[]): string[] =>
  mistakes.length === 0
    ? []
    : [
        `\n${title}\n`,
        ...mistakes
          .filter(isFewOfAKind())
          .slice(0, 30)
          .map(
            ({ language, kind, place, what, excerpt }) =>
              `- ${language}, ${kind}, ${place}: ${what.split("\n")[0]}\n    ${excerpt.slice(0, 200).replaceAll("\n", "\n    ")}`,
          ),
      ];

const hasMistakes = ({ caught, shouldRefuse, wronglyRefused, problems }: Row): boolean =>
  caught < shouldRefuse || wronglyRefused > 0 || problems > 0;

/** Calls that are only perhaps wrong are let pass on purpose; their recall stands above. */
const mistakenTable = ({ rows }: Result): string => {
  const bad = rows.filter((row) => hasMistakes(row) && row.group !== "calls");
  return bad.length === 0 ? "None." : table(header, bad.map(cells));
};

export const printResult = (result: Result): void => {
  console.log(table(header, result.byGroup.map(cells)));
  const bad = result.rows.filter(hasMistakes);
  if (bad.length > 0) console.log(`\nKinds with mistakes:\n\n${table(header, bad.map(cells))}`);
  console.log(`\n${targetTable(result)}`);
  for (const line of [
    ...listed("Wrong refusals:", result.wrongRefusals),
    ...listed("Missed:", result.missed),
    ...listed("Wrong place, collateral, merges:", result.problems),
  ]) {
    console.log(line);
  }
  for (const { language, oracle, files, places } of result.languages) {
    console.log(
      `${language}: ${files} files; oracle ${oracle}; ${places.join("; ") || "no places known"}`,
    );
  }
  for (const line of result.notMade) console.log(`not made: ${line}`);
};

export const saveResult = (result: Result): void => {
  const folder = resolve(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  // Where a machine keeps its sources is its own matter.
  const shown = {
    ...result,
    languages: result.languages.map((one) => ({ ...one, places: one.places.length })),
  };
  writeFileSync(resolve(folder, "latest.json"), `${JSON.stringify(shown, undefined, 2)}\n`);
  const kept = sectionsOf(readFileSync(page, "utf8"));
  writeFileSync(page, [documentOf(result), ...kept].join("\n"));
};

const page = resolve(import.meta.dirname, "../docs/evaluation.md");

/** Parts of the page that other commands made. */
const sectionsOf = (text: string): string[] =>
  text.match(/<!-- (\w+):begin -->\n[^]*?<!-- \1:end -->\n/g) ?? [];

/** Puts a part of the page in the place of its last version. */
export const keepSection = (name: string, section: string): void => {
  const text = readFileSync(page, "utf8");
  const made = `<!-- ${name}:begin -->\n${section}<!-- ${name}:end -->\n`;
  const old = sectionsOf(text).find((one) => one.startsWith(`<!-- ${name}:begin`));
  writeFileSync(page, old ? text.replace(old, () => made) : `${text.trimEnd()}\n\n${made}`);
};

export const documentOf = (result: Result): string => {
  const { platform, cores, node } = result.machine;
  const mistakes = [
    ...listed("### Wrong refusals", result.wrongRefusals),
    ...listed("### Missed", result.missed),
    ...listed("### Wrong place, collateral, merges", result.problems),
  ];
  const tidy = (text: string): string => text.replaceAll(/^ {4}(.*)$/gm, "      $1");
  return `# Evaluation

Made by \`${result.command}\` on ${platform}, ${cores} cores, Node ${node.slice(1)}: ${result.attempts} attempts on real sources,
judged in process by the gate. Whether an attempt is right is said by parsers that have nothing to do with the
gate's own; ${result.rows.reduce((sum, { discarded }) => sum + discarded, 0)} attempts do not count because they found them wrong themselves or could not say. "95 %" are Wilson's bounds. ${declinedOf(result)} edits were
declined with the words that the structure around the symbol is not certain; nothing was written then. The run leaves every kind's
numbers in eval/results/latest.json; the same seed and sources make the same attempts.

## Targets

${targetTable(result)}

## By language

${table(header, result.byGroup.map(cells))}

## Kinds with mistakes

${mistakenTable(result)}

## Oracles and sources

${table(
  ["language", "oracle", "files", "places found by", "sources"],
  result.languages.map((one) => [
    one.language,
    one.oracle,
    String(one.files),
    one.isIndependent ? "an independent parser" : one.files === 0 ? "-" : "the gate's outline",
    one.files === 0 ? "none on this machine" : "found",
  ]),
)}

${result.given.length > 0 ? `The folder given as sources holds ${result.given.join(", ")}.\n` : ""}
${result.notMade.map((line) => `Not made: ${line}.`).join("\n")}
## Mistakes
${mistakes.length === 0 ? "\nNone." : tidy(mistakes.join("\n"))}
`;
};
