/** From a folder to its profile: list, count, read, lay out, score. */
import { type Files, systemFiles } from "../base/files.ts";
import type { Git } from "../base/git.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { type AttributeRule, pathPattern, readAttributes } from "./attributes.ts";
import { limits } from "../base/limits.ts";
import { beginCensus, type Census, type FoundFile, takeCensus } from "./census.ts";
import { evidenceOfFile, evidenceOfImports } from "./evidence.ts";
import { languages } from "./languages.ts";
import { layOut, type Layout, type Manifest, type Package } from "./layout.ts";
import { type FileList, listFiles, type Listing } from "./listing.ts";
import { applyOverride } from "./override.ts";
import { readBounded } from "./read-bounded.ts";
import { scorePackage, type Scored, scoreTree } from "./score.ts";
import { type SignalIndex, signalIndex } from "./signal-index.ts";
import type { Evidence, PackageProfile, Profile, ProfileNote, ProfileOverride } from "./types.ts";

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
  const listing = await listFiles(root, files, ...(options.git ? [options.git] : []));
  const { notes } = listing;
  const census = await censusOf(root, listing, { files, index, override });
  const { evidence, manifests } = await readAll(root, census, { files, index, notes });
  const layout = layOut(census, manifests);
  const evidenceOf = byPackage(evidence, layout);
  const scored = new Map(
    [...layout.packages.values()]
      .filter((one) => isShown(one, layout))
      .map((one) => [one, scorePackage(one, evidenceOf.get(one) ?? [], layout, index)]),
  );
  const tree = scoreTree(evidenceOf, layout, index, scored);
  const packages = [...scored].map(([one, found]) => packageProfile(one, found));
  const profile = {
    ...tree,
    packages,
    languages: languageShares(layout.counts),
    notes: notes.slice(0, limits.profileNotesMax),
    evidence: [...evidenceOf.values()].flat().toSorted(byKeyAndPath),
  };
  return override ? applyOverride(profile, override, index) : profile;
};

/** What git knows is counted while it still looks for what it does not know. */
const censusOf = async (
  root: string,
  listing: Listing,
  options: { files: Files; index: SignalIndex; override: ProfileOverride | undefined },
): Promise<Census> => {
  const { files, index, override } = options;
  const rules = attributeRules(root, [listing.files], files, override);
  const census = beginCensus(rules, index);
  census.add(listing.files);
  const untracked = await listing.untracked;
  if (untracked.mayHold(".gitattributes")) {
    const lists = [listing.files, untracked];
    return takeCensus(lists, attributeRules(root, lists, files, override), index);
  }
  census.add(untracked);
  return census.end();
};

const attributeRules = (
  root: string,
  lists: readonly FileList[],
  files: Files,
  override: ProfileOverride | undefined,
): AttributeRule[] => {
  const rules: AttributeRule[] = [];
  const paths: string[] = [];
  for (const list of lists.filter((one) => one.mayHold(".gitattributes"))) {
    list.each((text, start, end) => {
      if (!text.startsWith("attributes", end - "attributes".length)) return;
      const path = text.slice(start, end);
      if (path === ".gitattributes" || path.endsWith("/.gitattributes")) paths.push(path);
    });
  }
  for (const path of paths.toSorted((a, b) => a.split("/").length - b.split("/").length)) {
    const content = readBounded(`${root}/${path}`, limits.profileManifestBytesMax, files);
    if (!(content instanceof Uint8Array)) continue;
    const folder = path.slice(0, -".gitattributes".length).replace(/\/$/, "");
    rules.push(...readAttributes(new TextDecoder().decode(content), folder));
    if (rules.length > limits.profileAttributesMax) break;
  }
  for (const pattern of override?.ignore ?? []) {
    const matches = pathPattern(pattern, "");
    if (matches) rules.push({ matches, counts: false });
  }
  return rules.slice(-limits.profileAttributesMax);
};

interface Reading {
  readonly files: Files;
  readonly index: SignalIndex;
  readonly notes: ProfileNote[];
}

const readAll = async (
  root: string,
  census: Census,
  { files, index, notes }: Reading,
): Promise<{ evidence: Evidence[]; manifests: Manifest[] }> => {
  const evidence: Evidence[] = [];
  const manifests: Manifest[] = [];
  const read = new Set<string>();
  let bytesLeft: number = limits.profileManifestBytesTotalMax;
  const { toRead } = census;
  for (const { path, blob } of nearestFirst(toRead).slice(0, limits.profileManifestsMax)) {
    const content = readBounded(
      `${root}/${path}`,
      Math.min(limits.profileManifestBytesMax, bytesLeft),
      files,
    );
    read.add(path);
    if (typeof content === "string") {
      // Gone from the folder but still in git's list: as if it were not there.
      if (content !== "absent") notes.push({ path, message: content });
      if (content === "absent" || content.startsWith("not a")) continue;
    }
    const bytes = typeof content === "string" ? new Uint8Array() : content;
    bytesLeft -= bytes.byteLength;
    const found =
      typeof content === "string"
        ? { evidence: census.evidence.filter((one) => one.path === path), packages: [], notes: [] }
        : await evidenceOfFile(path, bytes, index);
    evidence.push(...found.evidence.map((one) => (blob === undefined ? one : { ...one, blob })));
    for (const facts of found.packages) manifests.push({ path, facts });
    notes.push(...found.notes);
  }
  if (toRead.length > limits.profileManifestsMax) {
    const left = toRead.length - limits.profileManifestsMax;
    notes.push({ path: ".", message: `${left} manifests were not read: there are too many` });
  }
  evidence.push(
    ...present(
      census.evidence.filter(({ path }) => !read.has(path)),
      root,
      files,
    ),
  );
  if (!manifests.some(({ facts }) => facts.ecosystem === "python")) {
    for (const { path, blob } of census.sources) {
      const content = readBounded(`${root}/${path}`, limits.profileManifestBytesMax, files);
      if (!(content instanceof Uint8Array)) continue;
      const found = evidenceOfImports(path, content, index);
      evidence.push(...found.map((one) => (blob === undefined ? one : { ...one, blob })));
    }
  }
  return { evidence, manifests };
};

/** Files in git's list may be gone from the folder. Looking is cheap, but not for a hundred thousand. */
const present = (evidence: readonly Evidence[], root: string, files: Files): Evidence[] => {
  const known = new Map<string, boolean>();
  return evidence.filter(({ kind, path }) => {
    if (kind === "directory" || known.size >= looksMax) return known.get(path) ?? true;
    const isThere = known.get(path) ?? files.stat(`${root}/${path}`) !== undefined;
    known.set(path, isThere);
    return isThere;
  });
};
const looksMax = 2_000;

const nearestFirst = (listed: readonly FoundFile[]): FoundFile[] => {
  const depth = ({ path }: FoundFile): number => path.split("/").length;
  return listed.toSorted((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
};

/**
 * Evidence by package. Of what is told by names alone, one piece per package and signal is enough (a
 * thousand `*.tf` are one reason), the one that counts most.
 */
const byPackage = (
  evidence: readonly Evidence[],
  layout: Layout,
): Map<Package, readonly Evidence[]> => {
  const sorted = new Map<Package, Map<string, Evidence>>();
  for (const one of evidence) {
    const owner = layout.packageOf(one.kind === "directory" ? `${one.path}/x` : one.path);
    if (one.kind === "statement" && folderOf(one.path) !== owner.path) continue;
    const list = sorted.get(owner) ?? new Map<string, Evidence>();
    sorted.set(owner, list);
    const isByName = one.kind === "defining-file" || one.kind === "directory";
    const id = isByName ? one.key : `${one.key}\0${one.path}`;
    const known = list.get(id);
    const shareOf = ({ path }: Evidence): number => layout.shareOf(path, undefined);
    if (!known || shareOf(known) < shareOf(one)) list.set(id, one);
  }
  return new Map([...sorted].map(([owner, list]) => [owner, [...list.values()]]));
};

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

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
