import { plural, showText } from "../../../base/text.ts";
import type { Domain, PackageProfile, Profile } from "../../../profile/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";
import { alignedLines } from "../table.ts";
import { check } from "./profile-check.ts";
import { watchlist } from "./profile-watchlist.ts";

export const command: Command = {
  summary: "Say what kind of project this is, and why",
  usage: ["profile [--explain] [--no-cache]", "profile check [--explain]", "profile watchlist"],
  description:
    "The domains of the project (web-api, cli-tool, game-simulation …) with a confidence and the evidence " +
    "behind each: manifests, dependencies, entry points, files. 0.40 and above is detected, below it is " +
    "only likely. A primary domain is named when it leads clearly. Nothing of the project is run. The " +
    "answer is kept and used again as long as the project's evidence stays the same; the settings under " +
    "`profile` say what you know better.",
  options: {
    explain: {
      type: "boolean",
      description: "Show all evidence with its weight, and every package",
    },
    "no-cache": {
      type: "boolean",
      description: "Detect anew, and neither read nor write the cache",
    },
  },
  examples: [
    ["headgate profile", "the domains, most certain first"],
    ["headgate profile --explain", "and everything that speaks for or against them"],
    ["headgate profile check", "does the cached profile still hold?"],
  ],
  exits: [[0, "shown, also when no domain was found"]],
  positionalsMax: 0,
  subcommands: { check, watchlist },
  run: async (context) => {
    const { flags, output } = context;
    const profile = await profileOf(context, { cache: !flags.has("no-cache") });
    const { domains, primary, packages, languages, notes } = profile;
    output.object({ domains, primary, packages, languages, notes });
    const isLong = flags.has("explain");
    if (domains.length === 0) output.line("no domain was found; `--explain` shows what was seen");
    print(profile, context, isLong);
    for (const { path, message } of notes) {
      output.note(`headgate: ${showText(path)}: ${showText(message)}`);
    }
    return 0;
  },
};

/** Of the worktree that the command works in; from the cache as long as that holds. */
export const profileOf = async (
  context: CommandContext,
  options: { readonly cache: boolean } = { cache: true },
): Promise<Profile> => {
  const { output } = context;
  await using headgate = await openFor(context, { readOnly: false, needsFiles: true });
  const what = "looking at the project";
  return withProgress({ output, what }, () => headgate.profile.detect(options));
};

/** What was cached, without looking whether it still holds. */
export const cachedDomains = async (
  context: CommandContext,
): Promise<readonly string[] | undefined> => {
  await using headgate = await openFor(context, { readOnly: true });
  const profile = await headgate.profile.cached();
  return profile && detectedIn(profile);
};

export const detectedIn = ({ domains }: Profile): string[] =>
  domains.filter(({ state }) => state === "detected").map(({ name }) => name);

const print = (profile: Profile, { output }: CommandContext, isLong: boolean): void => {
  const { bold, dim } = output.style;
  const rows = (domains: readonly Domain[]) =>
    domains.map((domain) => [
      domain.name === profile.primary ? `${domain.name} *` : domain.name,
      domain.confidence.toFixed(2),
      domain.state,
      isLong ? "" : because(domain),
    ]);
  const paint = (cell: string, column: number) =>
    column === 0 ? bold(cell) : column === 3 ? dim(cell) : cell;
  if (!isLong) {
    for (const line of alignedLines(rows(profile.domains), paint)) output.line(line);
  } else {
    for (const domain of profile.domains) explain(domain, profile, output);
  }
  if (profile.primary !== null) output.line(dim("* primary"));
  const inside = profile.packages.filter(({ path }) => path !== ".");
  if (inside.length === 0) return;
  output.line("");
  output.line(`${plural(inside.length, "package")}:`);
  const shown = isLong ? inside : inside.slice(0, packagesShown);
  for (const line of alignedLines(shown.map(packageRow))) output.line(`  ${line}`);
  if (shown.length < inside.length)
    output.line(dim(`  … ${inside.length - shown.length} more (--explain)`));
};

const packagesShown = 12;

const packageRow = ({ path, domains, primary }: PackageProfile): string[] => [
  showText(path),
  primary ?? (domains.map(({ name }) => name).join(", ") || "-"),
];

const explain = (domain: Domain, { primary }: Profile, output: CommandContext["output"]): void => {
  const { bold, dim } = output.style;
  const mark = domain.name === primary ? " *" : "";
  output.line(`${bold(domain.name)}${mark}  ${domain.confidence.toFixed(2)}  ${domain.state}`);
  const rows = domain.evidence.map(({ signal, path, weight }) => [
    `  ${weight < 0 ? "-" : "+"}${Math.abs(weight).toFixed(2)}`,
    showText(signal),
    showText(path),
  ]);
  for (const line of alignedLines(rows, (cell, column) => (column === 2 ? dim(cell) : cell))) {
    output.line(line);
  }
};

const because = ({ evidence }: Domain): string =>
  evidence
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 3)
    .map(({ signal }) => showText(signal))
    .join(", ");
