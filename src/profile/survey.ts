/** What there is in a tree, before anything is weighed: list, count, read, lay out. */
import { type Files, systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import { contentHash } from "../state/index.ts";
import { type AttributeRule, pathPattern, readAttributes } from "./attributes.ts";
import { beginCensus, type Census, type FoundFile, takeCensus } from "./census.ts";
import { evidenceOfFile, evidenceOfImports, type FileEvidence } from "./evidence.ts";
import { layOut, type Layout, type Manifest, type Package } from "./layout.ts";
import { type FileList, listFiles, type Listing, type ListOptions } from "./listing.ts";
import { readBounded } from "./read-bounded.ts";
import { depthShare } from "./score.ts";
import type { SignalIndex } from "./signal-index.ts";
import type { Evidence, ProfileNote, ProfileOverride } from "./types.ts";

/** A file whose content was looked at, and what it said. */
export interface ReadFile extends FileEvidence {
  readonly path: string;
  /** `sha256:…` of what was read, or why it was not. */
  readonly digest: string;
}

export interface Survey {
  readonly source: Listing["source"];
  readonly layout: Layout;
  readonly evidenceOf: ReadonlyMap<Package, readonly Evidence[]>;
  readonly read: readonly ReadFile[];
  /** Sources whose imports stood in for a manifest; null: none were needed. */
  readonly sampled: readonly string[] | null;
  /** Attributes or the user say what counts. */
  readonly hasRules: boolean;
  /** False: files were left out, so nothing can be proven from it. */
  readonly isComplete: boolean;
  readonly notes: readonly ProfileNote[];
}

export interface SurveyOptions extends ListOptions {
  readonly index: SignalIndex;
  readonly files?: Files;
  readonly override?: ProfileOverride | undefined;
  /** What a file said when it was last read; undefined: it has to be read. */
  readonly known?: (path: string) => ReadFile | undefined;
}

export const surveyTree = async (root: string, options: SurveyOptions): Promise<Survey> => {
  const { files = systemFiles, index, override, known = () => undefined } = options;
  const listing = await listFiles(root, files, options);
  const { notes } = listing;
  const { census, hasRules } = await censusOf(root, listing, { files, index, override });
  const found = await readAll(root, census, { files, index, notes, known });
  const layout = layOut(census, found.manifests);
  return {
    source: listing.source,
    layout,
    evidenceOf: byPackage(found.evidence, layout),
    read: found.read,
    sampled: found.sampled,
    hasRules,
    isComplete: listing.isComplete() && census.toRead.length <= limits.profileManifestsMax,
    notes: notes.slice(0, limits.profileNotesMax),
  };
};

/** What git knows is counted while it still looks for what it does not know. */
const censusOf = async (
  root: string,
  listing: Listing,
  options: { files: Files; index: SignalIndex; override: ProfileOverride | undefined },
): Promise<{ census: Census; hasRules: boolean }> => {
  const { files, index, override } = options;
  const rules = attributeRules(root, [listing.files], files, override);
  const census = beginCensus(rules, index);
  census.add(listing.files);
  const untracked = await listing.untracked;
  if (untracked.mayHold(".gitattributes")) {
    const lists = [listing.files, untracked];
    const all = attributeRules(root, lists, files, override);
    return { census: takeCensus(lists, all, index), hasRules: all.length > 0 };
  }
  census.add(untracked);
  return { census: census.end(), hasRules: rules.length > 0 };
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
  readonly known: (path: string) => ReadFile | undefined;
}

interface Found {
  readonly evidence: Evidence[];
  readonly manifests: Manifest[];
  readonly read: ReadFile[];
  readonly sampled: readonly string[] | null;
}

const readAll = async (root: string, census: Census, reading: Reading): Promise<Found> => {
  const { files, index, notes, known } = reading;
  const evidence: Evidence[] = [];
  const manifests: Manifest[] = [];
  const read = new Map<string, ReadFile | undefined>();
  const add = (one: ReadFile, blob: string | undefined): void => {
    read.set(one.path, one);
    const marked = blob === undefined ? one.evidence : one.evidence.map((e) => ({ ...e, blob }));
    evidence.push(...marked);
    for (const facts of one.packages) manifests.push({ path: one.path, facts });
    notes.push(...one.notes);
  };
  let bytesLeft: number = limits.profileManifestBytesTotalMax;
  const { toRead } = census;
  for (const { path, blob } of nearestFirst(toRead).slice(0, limits.profileManifestsMax)) {
    const before = known(path);
    if (before) {
      add(before, blob);
      continue;
    }
    const bytesMax = Math.min(limits.profileManifestBytesMax, bytesLeft);
    const content = readBounded(`${root}/${path}`, bytesMax, files);
    read.set(path, undefined);
    if (typeof content === "string") {
      // Gone from the folder but still in git's list: as if it were not there.
      if (content === "absent") continue;
      const byName = content.startsWith("not a")
        ? []
        : census.evidence.filter((one) => one.path === path);
      const note = { path, message: content };
      add({ path, digest: content, evidence: byName, packages: [], notes: [note] }, blob);
    } else {
      bytesLeft -= content.byteLength;
      const found = await evidenceOfFile(path, content, index);
      add({ path, digest: digestOf(content), ...found }, blob);
    }
  }
  if (toRead.length > limits.profileManifestsMax) {
    const left = toRead.length - limits.profileManifestsMax;
    notes.push({ path: ".", message: `${left} manifests were not read: there are too many` });
  }
  const unread = census.evidence.filter(({ path }) => !read.has(path));
  evidence.push(...present(unread, root, files));
  const isSampled = !manifests.some(({ facts }) => facts.ecosystem === "python");
  const sampled: string[] = [];
  for (const { path, blob } of isSampled ? census.sources : []) {
    const one = known(path) ?? readSource(root, path, reading);
    sampled.push(path);
    if (one) add(one, blob);
  }
  const all = [...read.values()].filter((one) => one !== undefined);
  return { evidence, manifests, read: all, sampled: isSampled ? sampled : null };
};

const readSource = (
  root: string,
  path: string,
  { files, index }: Reading,
): ReadFile | undefined => {
  const content = readBounded(`${root}/${path}`, limits.profileManifestBytesMax, files);
  if (!(content instanceof Uint8Array)) return undefined;
  const evidence = evidenceOfImports(path, content, index);
  return { path, digest: digestOf(content), evidence, packages: [], notes: [] };
};

/** What a cached profile remembers of a file's content. */
export const digestOf = (content: Uint8Array): string => `sha256:${contentHash(content)}`;

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
    if (!known || shareIn(layout, owner, known) < shareIn(layout, owner, one)) list.set(id, one);
  }
  return new Map([...sorted].map(([owner, list]) => [owner, [...list.values()]]));
};

/** How much of its weight a piece of evidence has by where it lies. */
export const shareIn = (layout: Layout, owner: Package, { kind, path }: Evidence): number =>
  layout.shareOf(path, undefined) * depthShare(kind, path, owner);

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
