/** From a folder to its profile: what there is (survey.ts), weighed (score.ts). */
import { type Files, systemFiles } from "../base/files.ts";
import type { Git } from "../git/index.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { languages } from "./languages.ts";
import type { Layout, Package } from "./layout.ts";
import { applyOverride } from "./override.ts";
import { scorePackage, type Scored, scoreTree } from "./score.ts";
import { type SignalIndex, signalIndex } from "./signal-index.ts";
import { type Survey, surveyTree } from "./survey.ts";
import type { Evidence, PackageProfile, Profile, ProfileOverride } from "./types.ts";

export interface DetectOptions {
  readonly override?: ProfileOverride;
  readonly files?: Files;
  readonly git?: Git;
  readonly index?: SignalIndex;
}

/**
 * What kind of project a folder holds. Reads what git lists (or the folder itself), never writes, runs
 * nothing of the project. What cannot be read becomes a note. Throws USAGE when there is no such folder.
 */
export const detectProfile = async (
  root: string,
  options: DetectOptions = {},
): Promise<Profile> => {
  const { files = systemFiles, index = signalIndex(), override } = options;
  if (!files.statFollowing(root)?.isDirectory()) {
    throw new HeadgateError("USAGE", `no folder at ${showText(root)}`);
  }
  return judgeSurvey(await surveyTree(root, { ...options, index }), index, override);
};

/** Weighs what was found; also what was found at another time. */
export const judgeSurvey = (
  { layout, evidenceOf, notes }: Pick<Survey, "layout" | "evidenceOf" | "notes">,
  index: SignalIndex,
  override?: ProfileOverride,
): Profile => {
  const scored = new Map(
    [...layout.packages.values()]
      .filter((one) => isShown(one, layout))
      .map((one) => [one, scorePackage(one, evidenceOf.get(one) ?? [], layout, index)]),
  );
  const tree = scoreTree(evidenceOf, layout, index, scored);
  const profile = {
    ...tree,
    packages: [...scored].map(([one, found]) => packageProfile(one, found)),
    languages: languageShares(layout.counts),
    notes,
    evidence: [...evidenceOf.values()].flat().toSorted(byKeyAndPath),
  };
  return override ? applyOverride(profile, override, index) : profile;
};

const isShown = (one: Package, layout: Layout): boolean => {
  if (one.path === "") return layout.packages.size === 1 || one.ecosystems.length > 0;
  return one.isMember || layout.shareOf(`${one.path}/x`, undefined) >= 0.5;
};

const packageProfile = (one: Package, found: Scored): PackageProfile => ({
  path: one.path === "" ? "." : one.path,
  ...(one.name !== undefined && { name: one.name }),
  ecosystems: one.ecosystems,
  ...found,
});

const languageShares = (counts: ReadonlyMap<string, number>): Profile["languages"] => {
  const named = new Map<string, number>();
  let all = 0;
  for (const [extension, count] of counts) {
    const language = languages.get(extension);
    if (language && (language.kind === "prose" || language.kind === "data")) continue;
    const name = language?.name ?? extension.slice(1);
    named.set(name, (named.get(name) ?? 0) + count);
    all += count;
  }
  return [...named]
    .map(([name, count]) => ({ name, share: Math.round((count / all) * 1000) / 1000 }))
    .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1));
};

const byKeyAndPath = (a: Evidence, b: Evidence): number => {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
};
