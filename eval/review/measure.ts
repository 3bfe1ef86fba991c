// `npm run eval -- review [FILE.jsonl] [--seen] [--write]`: how well findings are brought together, beside a textbook baseline.
// FILE holds findings with a `problem` (the same for duplicates) and `real` (worth fixing), in reviews of their own; without
// it the labelled set beside this file is taken in its forms. `--seen` keeps to the half that rules are tuned on.
import { parseArgs } from "node:util";
import { synthesize } from "../../src/review/index.ts";
import { keepSection } from "../report.ts";
import { table } from "../table.ts";
import { groupByTextbook, thresholds } from "./baseline.ts";
import { operate, sightingsIn } from "./canary.ts";
import {
  type Half,
  halfOf,
  inProse,
  type Labelled,
  ownFile,
  readLabelled,
  readPairs,
  withoutPlace,
} from "./labelled.ts";
import { scaleFindings } from "./scale.ts";
import { calibrationError, pairQuality, panelsFrom, type Quality } from "./score.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seen: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [file] = positionals;
const findings = readLabelled(file ?? ownFile);
const halves: readonly Half[] = values.seen ? ["seen"] : ["seen", "unseen"];
const inHalf = (half: Half): Labelled[] => findings.filter(({ review }) => halfOf(review) === half);

const group = (some: readonly Labelled[]): readonly (readonly string[])[] =>
  synthesize(some).clusters.map(({ members }) => members);
const cells = ({ precision, recall, f1 }: Quality): string[] =>
  [precision, recall, f1].map((one) => one.toFixed(3));
const meanOf = (all: readonly Quality[]): Quality => {
  const mean = (pick: (one: Quality) => number): number =>
    all.reduce((sum, one) => sum + pick(one), 0) / (all.length || 1);
  return {
    precision: mean((one) => one.precision),
    recall: mean((one) => one.recall),
    f1: mean((one) => one.f1),
  };
};

const forms: readonly (readonly [name: string, form: (one: Labelled) => Labelled])[] = file
  ? [["as it is", (one) => one]]
  : [
      ["template", (one) => one],
      ["prose", inProse],
      ["prose, no place", (one) => inProse(withoutPlace(one))],
    ];
const reviewers = [...new Set(findings.map(({ reviewer }) => reviewer))];
/** Each panel's findings: the whole one, then some of each size. */
const panels = (some: readonly Labelled[], size: number): Labelled[][] =>
  size >= reviewers.length
    ? [[...some]]
    : panelsFrom(reviewers, size).map((panel) =>
        some.filter(({ reviewer }) => panel.includes(reviewer)),
      );
const sizes = [2, 3, 4, 6, reviewers.length];

const thresholdFor = (some: readonly Labelled[]): number => {
  const scored = thresholds.map((threshold) => ({
    threshold,
    ...pairQuality(some, groupByTextbook(some, threshold)),
  }));
  return scored.toSorted((left, right) => right.f1 - left.f1)[0]?.threshold ?? 0.3;
};

const rows: string[][] = [];
for (const [name, form] of forms) {
  for (const half of halves) {
    const own = inHalf(half).map(form);
    // The baseline's threshold is chosen on the other half.
    const other = findings.filter(({ review }) => halfOf(review) !== half).map(form);
    const threshold = thresholdFor(values.seen ? own : other);
    for (const size of name.includes("no place") || file ? sizes : [2, 4, reviewers.length]) {
      const chosen = panels(own, size);
      const product = meanOf(chosen.map((some) => pairQuality(some, group(some))));
      const textbook = meanOf(
        chosen.map((some) => pairQuality(some, groupByTextbook(some, threshold))),
      );
      const panel = size >= reviewers.length ? `all ${reviewers.length}` : `${size}`;
      rows.push([name, half, panel, ...cells(product), ...cells(textbook)]);
    }
  }
}
const pairTable = table(
  ["form", "half", "panel", "precision", "recall", "F1", "textbook P", "R", "F1"],
  rows,
);

/** W1's sort of pair, each alone as a whole review, and all of them in one. */
const pairRows = (): string[][] =>
  halves.flatMap((half) => {
    const pairs = readPairs().filter(({ id }) => halfOf(id) === half);
    return [true, false].map((isAlone) => {
      const all = pairs.flatMap(({ id, path, left, right }) =>
        [
          { ...left, reviewer: "x", id: `${id}-left` },
          { ...right, reviewer: "y", id: `${id}-right` },
        ].map((one) => ({
          ...one,
          review: isAlone ? id : "all",
          path: isAlone ? path : `${id}/${path}`,
        })),
      );
      const groupOf = new Map(
        synthesize(all).clusters.flatMap(({ id, members }) => members.map((one) => [one, id])),
      );
      const right = (same: boolean): string => {
        const own = pairs.filter((pair) => pair.same === same);
        const hits = own.filter(
          ({ id }) => (groupOf.get(`${id}-left`) === groupOf.get(`${id}-right`)) === same,
        );
        return `${hits.length}/${own.length}`;
      };
      return [half, isAlone ? "each alone" : "all in one review", right(false), right(true)];
    });
  });

/** A cluster is real when the problem of most of its members is. */
const said = (some: readonly Labelled[]) => {
  const byId = new Map(some.map((one) => [one.id, one]));
  const panel = [...Map.groupBy(some, ({ reviewer }) => reviewer).values()];
  return [...Map.groupBy(some, ({ review }) => review).values()].flatMap((own) => {
    // Everybody of the panel was asked in each review, also who found nothing there.
    const reports = panel.map(([first]) => ({
      reviewer: first?.reviewer ?? "",
      family: first?.family ?? first?.reviewer ?? "",
      state: "strict" as const,
      findings: own.filter(({ reviewer }) => reviewer === first?.reviewer),
    }));
    return synthesize(own, { reports }).clusters.map(({ probability, members }) => ({
      probability,
      isReal: members.filter((id) => byId.get(id)?.real).length * 2 > members.length,
    }));
  });
};
const calibrationRows = (): string[][] =>
  sizes.map((size) => [
    size >= reviewers.length ? `all ${reviewers.length}` : `${size}`,
    ...halves.flatMap((half) => {
      const all = panels(inHalf(half), size).flatMap(said);
      const mean = all.reduce((sum, { probability }) => sum + probability, 0) / (all.length || 1);
      const real = all.filter(({ isReal }) => isReal).length / (all.length || 1);
      return [calibrationError(all).toFixed(3), mean.toFixed(2), real.toFixed(2)];
    }),
  ]);
const calibrationTable = table(
  ["panel", ...halves.flatMap((half) => [`${half}: ECE`, "said", "real"])],
  calibrationRows(),
);

const parts = [
  `Made by \`npm run eval -- review\`: ${findings.length} findings, ${new Set(findings.map(({ review }) => review)).size} reviews, ${reviewers.length} reviewers. Pairs of findings of different reviewers: are they one problem? "Textbook" is
TF-IDF + Jaccard with average linkage, two findings of one reviewer barred, its threshold chosen on the other half. Halves are by a hash
of the review's name; the unseen one was not looked at while rules were tuned. Panels are means over up to 6 selections of reviewers.`,
  pairTable,
  ...(file
    ? []
    : [
        `Pairs of one file by two reviewers: the same words about different problems (apart), and one problem in other words (together).`,
        table(["half", "how", "apart", "together"], pairRows()),
      ]),
  `Probabilities, all members of a panel asked: expected calibration error in ten bins, the mean that was said, the share that was real.
The labelled set is invented and most of its problems are real, so what is said is far too low for it. The formula is fitted to
twelve tools on real changes, of whose single findings one in ten was right; it is not bent to a set whose share of real problems its author chose.`,
  calibrationTable,
];
if (!file) {
  const scale = [2000, 20_000].map((count) => {
    const made = scaleFindings(count, 7);
    const before = process.cpuUsage();
    const groups = group(made);
    const { user } = process.cpuUsage(before);
    return [String(count), ...cells(pairQuality(made, groups)), (user / 1e6).toFixed(1)];
  });
  parts.push(
    "Findings with places made by a program (eight reviewers, four problems and about twenty findings per file):",
    table(["findings", "precision", "recall", "F1", "CPU s"], scale),
  );
}
if (findings.some(({ path }) => path !== undefined)) {
  const shadowRows: string[][] = [];
  const curveRows: string[][] = [];
  for (const half of halves) {
    const sightings = sightingsIn(inHalf(half));
    const losses = sightings.filter(({ isLoss }) => isLoss);
    const others = sightings.filter(({ isLoss }) => !isLoss);
    const share = (some: typeof sightings): string =>
      `${(some.filter(({ isCounted }) => isCounted).length / (some.length || 1)).toFixed(3)} of ${some.length}`;
    shadowRows.push([half, share(losses), share(others)]);
    for (const rate of [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]) {
      const { alert, pass } = operate(sightings, rate, 4000);
      curveRows.push([half, `${Math.round(rate * 100)} %`, alert.toFixed(3), pass.toFixed(3)]);
    }
  }
  parts.push(
    "The canary: one reviewer in shadow, four shown. Counted as a loss: of real problems that only the shadow reported, and of those that were shown, too.",
    table(["half", "true losses counted", "not lost, yet counted"], shadowRows),
    "Its operating curve with these sightings, up to 60 shadows each, 4,000 runs:",
    table(["half", "true loss", "alert", "pass"], curveRows),
  );
}
const text = parts.join("\n\n");
console.log(text);
if (values.write) keepSection("review", `## Reviews brought together\n\n${text}\n`);
