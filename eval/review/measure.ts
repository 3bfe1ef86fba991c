// `node eval/review/measure.ts [FILE.jsonl]`: how well findings are brought together, on findings with a `problem` (the
// same for duplicates) and `real` (worth fixing). The file beside this one is invented: 12 reviews, 7 reviewers.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Finding, synthesize } from "../../src/review/index.ts";

type Labelled = Finding & { readonly problem: string; readonly real: boolean };

const file = process.argv[2] ?? resolve(import.meta.dirname, "labelled.jsonl");
const findings = readFileSync(file, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line) as Labelled);
const { clusters } = synthesize(findings);
const byId = new Map(findings.map((one) => [one.id, one]));
const clusterOf = new Map(clusters.flatMap(({ id, members }) => members.map((one) => [one, id])));

/** Pairs of different reviewers in one review. */
const pairs = [...Map.groupBy(findings, ({ review }) => review).values()].flatMap((own) =>
  own.flatMap((left, index) =>
    own
      .slice(index + 1)
      .filter(({ reviewer }) => reviewer !== left.reviewer)
      .map((right) => ({
        review: left.review,
        isMerged: clusterOf.get(left.id) === clusterOf.get(right.id),
        isSame: left.problem === right.problem,
      })),
  ),
);
const quality = (some: typeof pairs) => {
  const both = some.filter(({ isMerged, isSame }) => isMerged && isSame).length;
  return rates(
    both,
    some.filter(({ isMerged }) => isMerged).length,
    some.filter(({ isSame }) => isSame).length,
  );
};
const rates = (hits: number, shown: number, wanted: number) => {
  const precision = hits / (shown || 1);
  const recall = hits / (wanted || 1);
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) };
};
const show = ({ precision, recall, f1 }: ReturnType<typeof rates>) =>
  `P ${precision.toFixed(3)}  R ${recall.toFixed(3)}  F1 ${f1.toFixed(3)}`;

console.log(`${findings.length} findings, ${clusters.length} clusters, ${pairs.length} pairs`);
for (const [review, own] of Map.groupBy(pairs, (pair) => pair.review)) {
  console.log(`  ${review.padEnd(22)} ${show(quality(own))}`);
}
console.log(`pairwise                 ${show(quality(pairs))}`);

/** A cluster is about the problem of most of its members. */
const problemOf = (members: readonly string[]): Labelled | undefined => {
  const groups = Map.groupBy(
    members.flatMap((id) => byId.get(id) ?? []),
    ({ problem }) => problem,
  );
  return [...groups.values()].toSorted((left, right) => right.length - left.length)[0]?.[0];
};
const real = new Set(findings.filter((one) => one.real).map(({ problem }) => problem));
for (const least of [1, 2, 3, 4]) {
  const shown = clusters.filter(({ reviewers }) => reviewers.length >= least);
  const right = shown.flatMap(({ members }) => problemOf(members) ?? []).filter((one) => one.real);
  const precision = right.length / (shown.length || 1);
  const recall = new Set(right.map(({ problem }) => problem)).size / real.size;
  const f1 = (2 * precision * recall) / (precision + recall || 1);
  console.log(`≥ ${least} reviewers agree      ${show({ precision, recall, f1 })}`);
}
