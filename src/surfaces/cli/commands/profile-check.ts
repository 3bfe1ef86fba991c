import { plural, showText } from "../../../base/text.ts";
import type { CacheFacts, Freshness, TreeFacts } from "../../../profile/index.ts";
import type { Command, ExitCode } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import { withProgress } from "../progress.ts";
import { alignedLines } from "../table.ts";

export const check: Command = {
  summary: "Say whether the cached profile still holds",
  usage: ["profile check [--explain]"],
  description:
    "Compares commit ids and contents, never dates. Uncommitted and untracked files count. A change that " +
    "leaves the evidence as it was does not make a profile stale. What cannot be proven is unknown.",
  options: {
    explain: { type: "boolean", description: "Show everything that the answer rests on" },
  },
  examples: [
    ["headgate profile check", "fresh, stale, none or unknown, and why"],
    ["headgate profile check --explain", "with every commit, digest and step"],
  ],
  exits: [
    [0, "fresh"],
    [3, "stale: `headgate profile` detects it anew"],
    [4, "nothing is cached, or it was damaged"],
    [5, "it cannot be told"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output, flags } = context;
    await using headgate = await openFor(context, { readOnly: false, needsFiles: true });
    const what = "checking the profile";
    const freshness = await withProgress({ output, what }, () => headgate.profile.check());
    output.object(freshness);
    print(freshness, output, flags.has("explain"));
    return exits[freshness.state];
  },
};

const exits: Readonly<Record<Freshness["state"], ExitCode>> = {
  fresh: 0,
  stale: 3,
  none: 4,
  unknown: 5,
};

const print = (freshness: Freshness, output: Output, isLong: boolean): void => {
  const { style } = output;
  const { state, why, added, removed, changed, cache, now, steps } = freshness;
  const paint = { fresh: style.green, stale: style.yellow, none: style.yellow, unknown: style.red };
  output.line(`${paint[state](state)}  ${showText(why, whyLength)}`);
  const shown = isLong ? Infinity : linesShown;
  for (const line of added.slice(0, shown)) output.line(`  + ${showText(line)}`);
  for (const line of removed.slice(0, shown)) output.line(`  - ${showText(line)}`);
  const left = Math.max(0, added.length - shown) + Math.max(0, removed.length - shown);
  if (left > 0) output.line(style.dim(`  … ${left} more (--explain)`));
  if (!isLong) return;
  if (changed.length > 0) {
    output.line("");
    output.line(`${plural(changed.length, "changed file")} that can matter:`);
    for (const path of changed) output.line(`  ${showText(path)}`);
  }
  output.line("");
  const rows = factNames.flatMap(([name, read]) => {
    const [then, today] = [read(cache), read(now)];
    return then === undefined && today === undefined
      ? []
      : [[name, showText(then ?? "-", whyLength), showText(today ?? "-", whyLength)]];
  });
  for (const line of alignedLines([["", "cached", "now"], ...rows])) output.line(line);
  output.line("");
  const told = steps.map(({ step, found, ms }) => [step, `${ms} ms`, showText(found, whyLength)]);
  for (const line of alignedLines(told)) output.line(line);
};

const linesShown = 10;
const whyLength = 500;

const short = (digest: string | undefined): string | undefined => digest?.slice(0, 19);

const factNames: readonly (readonly [
  name: string,
  read: (facts: TreeFacts & Partial<CacheFacts>) => string | undefined,
])[] = [
  ["file", ({ path }) => path],
  ["generation", ({ generation }) => generation?.toString()],
  ["format", ({ format }) => format?.toString()],
  ["written", ({ writtenAt }) => writtenAt],
  ["by", ({ writer }) => writer && `${writer.version}, process ${writer.pid}`],
  ["worktree", ({ worktree }) => worktree],
  ["source", ({ source }) => source],
  ["commit", ({ head }) => (head === null ? "none" : head)],
  ["tree", ({ tree }) => (tree === null ? "none" : tree)],
  ["shallow", ({ shallow }) => shallow?.toString()],
  ["uncommitted", ({ dirtyFiles }) => dirtyFiles?.toString()],
  ["their digest", ({ dirtyDigest }) => short(dirtyDigest)],
  ["evidence", ({ evidenceDigest }) => short(evidenceDigest)],
  ["signals", ({ rules }) => short(rules?.looked)],
  ["weights", ({ rules }) => short(rules?.weighed)],
  ["settings", ({ override }) => short(override)],
];
