// `npm run eval -- profile [--write] [--json] [--tree NAME]`: lays out the labelled trees of eval/profile/trees,
// asks for the profile of each, and compares. `--write` puts the tables into docs/profile.md.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { detectProfile, type Profile } from "../src/profile/index.ts";
import { allSignals } from "../src/profile/signals/index.ts";

interface Tree {
  readonly name: string;
  readonly about: string;
  /** What must be found; the first one is what comes first. Empty: nothing may be found. */
  readonly domains: readonly string[];
  /** May be found too. */
  readonly also: readonly string[];
  readonly packages: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly empty: readonly string[];
}

export interface Judged {
  readonly tree: Tree;
  readonly profile: Profile;
  readonly top: string;
  readonly missed: readonly string[];
  /** Detected and neither expected nor allowed. */
  readonly extra: readonly string[];
  readonly wrongPackages: readonly string[];
}

const folder = resolve(import.meta.dirname, "profile/trees");
const none = "(none)";

export const readTrees = (): Tree[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => {
      const tree = parse(readFileSync(join(folder, file), "utf8")) as Partial<Tree>;
      const { about = "", domains = [], also = [], packages = {}, files = {}, empty = [] } = tree;
      return { name: file.replace(/\.yaml$/, ""), about, domains, also, packages, files, empty };
    });

export const judgeTree = async (tree: Tree): Promise<Judged> => {
  const root = mkdtempSync(join(tmpdir(), "headgate-profile-"));
  try {
    const files = [...Object.entries(tree.files), ...tree.empty.map((path) => [path, ""] as const)];
    for (const [path, content] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const profile = await detectProfile(root);
    const detected = profile.domains.filter(({ state }) => state === "detected");
    const names = detected.map(({ name }) => name);
    const primaryOf = new Map(profile.packages.map(({ path, primary }) => [path, primary]));
    return {
      tree,
      profile,
      top: names[0] ?? none,
      missed: tree.domains.filter((name) => !names.includes(name)),
      extra: names.filter((name) => !tree.domains.includes(name) && !tree.also.includes(name)),
      wrongPackages: Object.entries(tree.packages)
        .filter(([path, domain]) => primaryOf.get(path) !== domain)
        .map(([path]) => `${path}: ${primaryOf.get(path) ?? none}`),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

export const isTopRight = ({ tree, top }: Judged): boolean =>
  tree.domains.length === 0 ? top === none : tree.domains.includes(top);

/** Expected calibration error over everything reported, `also` left out: neither right nor wrong. */
export const calibration = (judged: readonly Judged[]) => {
  const edges = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0001];
  const said = judged.flatMap(({ tree, profile }) =>
    profile.domains
      .filter(({ name }) => !tree.also.includes(name))
      .map(({ name, confidence }) => ({ confidence, isRight: tree.domains.includes(name) })),
  );
  const bins = edges.slice(0, -1).map((from, at) => {
    const inside = said.filter((one) => one.confidence >= from && one.confidence < edges[at + 1]!);
    const mean = inside.reduce((total, one) => total + one.confidence, 0) / inside.length;
    const right = inside.filter(({ isRight }) => isRight).length / inside.length;
    return { from, count: inside.length, mean, right };
  });
  const error = bins
    .filter(({ count }) => count > 0)
    .reduce(
      (total, { count, mean, right }) => total + (count / said.length) * Math.abs(mean - right),
      0,
    );
  return { bins, error, count: said.length };
};

const percent = (value: number): string => `${Math.round(value * 100)} %`;

const report = (judged: readonly Judged[]): string => {
  const expected = judged.reduce((total, { tree }) => total + tree.domains.length, 0);
  const missed = judged.reduce((total, one) => total + one.missed.length, 0);
  const extra = judged.reduce((total, one) => total + one.extra.length, 0);
  const top = judged.filter(isTopRight).length;
  const primary = judged.filter(({ tree, profile }) =>
    tree.domains.length === 1 ? profile.primary === tree.domains[0] : true,
  ).length;
  const packages = judged.reduce((total, { tree }) => total + Object.keys(tree.packages).length, 0);
  const wrong = judged.reduce((total, one) => total + one.wrongPackages.length, 0);
  const { bins, error, count } = calibration(judged);
  const rows = allSignals.map(({ domain }) => {
    const own = judged.filter(({ tree }) => tree.domains[0] === domain);
    const others = new Map<string, number>();
    for (const one of own) {
      if (!isTopRight(one)) others.set(one.top, (others.get(one.top) ?? 0) + 1);
    }
    const claimed = judged.filter((one) => one.extra.includes(domain)).length;
    const confused = [...others].map(([name, times]) => `${name} ${times}`).join(", ") || "–";
    const right = own.filter(isTopRight).length;
    return `| ${domain} | ${own.length} | ${right} | ${confused} | ${claimed} |`;
  });
  return [
    `${judged.length} trees, ${expected} expected domains. First place right: ${top} of ${judged.length}. Clear and right`,
    `(\`primary\`, where one domain is expected): ${primary} of ${judged.length}. Expected domains detected: ${expected - missed} of ${expected};`,
    `detected although not expected: ${extra}. Packages of monorepos: ${packages - wrong} of ${packages} right.`,
    "",
    "| expected first | trees | first place right | instead | detected elsewhere by mistake |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `Calibration over ${count} reported domains, expected calibration error ${error.toFixed(3)}:`,
    "",
    "| confidence from | reported | mean confidence | right |",
    "| --- | --- | --- | --- |",
    ...bins
      .filter((bin) => bin.count > 0)
      .map(
        (bin) =>
          `| ${bin.from.toFixed(1)} | ${bin.count} | ${bin.mean.toFixed(2)} | ${percent(bin.right)} |`,
      ),
  ].join("\n");
};

if (import.meta.main) {
  const [only] = process.argv.includes("--tree") ? process.argv.slice(-1) : [];
  const trees = readTrees().filter(({ name }) => only === undefined || name === only);
  const judged: Judged[] = [];
  for (const tree of trees) judged.push(await judgeTree(tree));
  for (const one of judged) {
    if (isTopRight(one) && one.missed.length + one.extra.length + one.wrongPackages.length === 0)
      continue;
    const { tree, top, missed, extra, wrongPackages } = one;
    console.log(
      `${tree.name}: first ${top}; missed ${missed}; extra ${extra}; packages ${wrongPackages}`,
    );
  }
  const text = report(judged);
  if (process.argv.includes("--json")) {
    console.log(
      JSON.stringify(judged.map(({ tree, profile }) => ({ tree: tree.name, ...profile }))),
    );
  } else console.log(`\n${text}`);
  if (process.argv.includes("--write")) {
    const page = resolve(import.meta.dirname, "../docs/profile.md");
    const old = readFileSync(page, "utf8");
    const between = /(<!-- evaluation -->\n)[\s\S]*?(<!-- \/evaluation -->)/;
    writeFileSync(
      page,
      old.replace(between, (_, from: string, to: string) => `${from}\n${text}\n\n${to}`),
    );
  }
}
