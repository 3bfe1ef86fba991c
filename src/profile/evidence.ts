/** What one file says about the project, from its place and its content alone. */
import { limits } from "../base/limits.ts";
import { fileParts, matchingPatterns } from "./file-patterns.ts";
import type { Dependency, ManifestFacts } from "./manifests/index.ts";
import { importsOf } from "./source-imports.ts";
import { type SignalIndex, signalIndex } from "./signal-index.ts";
import { openingOf, statedDomains } from "./statements.ts";
import type { Evidence, ProfileNote, SignalKind } from "./types.ts";

/** What a manifest tells about the layout of the tree. */
export interface PackageFacts {
  readonly ecosystem: string;
  readonly isPackage: boolean;
  readonly name?: string;
  readonly members: readonly string[];
}

export interface FileEvidence {
  readonly evidence: readonly Evidence[];
  readonly packages: readonly PackageFacts[];
  readonly notes: readonly ProfileNote[];
}

/**
 * Everything a file says. `path` is relative to the root, with slashes. Broken content is a note; the
 * evidence of the file's name stays.
 */
export const evidenceOfFile = async (
  path: string,
  bytes: Uint8Array,
  index: SignalIndex = signalIndex(),
): Promise<FileEvidence> => {
  const evidence: Evidence[] = [...evidenceOfPath(path, index)];
  const packages: PackageFacts[] = [];
  const notes: ProfileNote[] = [];
  for (const { value } of matchingPatterns(index.files, fileParts(path))) {
    if (value.kind === "readme") {
      const text = decode(bytes.subarray(0, limits.profileReadmeBytesMax));
      evidence.push(...evidenceOfWords(openingOf(text), path, index));
    } else if (value.kind === "manifest") {
      if (bytes.byteLength > limits.profileManifestBytesMax) {
        notes.push({ path, message: tooLarge(bytes.byteLength) });
        continue;
      }
      try {
        const facts = await value.reader.read(decode(bytes), path);
        evidence.push(...evidenceOfFacts(facts, path, index));
        packages.push(packageFacts(facts));
      } catch (error) {
        notes.push({ path, message: `not read: ${reasonOf(error)}` });
      }
    }
  }
  return { evidence, packages, notes };
};

/** What the name and the place of a file say; nothing is read. */
export const evidenceOfPath = (path: string, index: SignalIndex = signalIndex()): Evidence[] => {
  const found: Evidence[] = [];
  for (const { value } of matchingPatterns(index.files, fileParts(path))) {
    if (value.kind === "signal") found.push({ key: value.key, kind: "defining-file", path });
    else if (value.kind === "shape") {
      const isCommand = value.entry === "go:main" && /(?:^|\/)cmd\//.test(path);
      const entry = isCommand ? "go:cmd" : value.entry;
      found.push({ key: `entry-point:${entry}`, kind: "entry-point", path });
    }
  }
  return found;
};

/** Imports stand in for dependencies where no manifest declares any. */
export const evidenceOfImports = (
  path: string,
  bytes: Uint8Array,
  index: SignalIndex = signalIndex(),
): Evidence[] => {
  const names = importsOf(decode(bytes.subarray(0, limits.profileSampledBytesMax)));
  return names.flatMap((name) => dependencyEvidence({ ecosystem: "pypi", name }, path, index));
};

export const tooLarge = (bytes: number): string =>
  `not read: ${Math.ceil(bytes / 1024 / 1024)} MB is more than a manifest has`;

const evidenceOfFacts = (facts: ManifestFacts, path: string, index: SignalIndex): Evidence[] => {
  const found = new Map<string, Evidence>();
  const add = (kind: SignalKind, key: string): void => {
    if (index.byKey.has(key) || index.against.has(key)) found.set(key, { key, kind, path });
  };
  for (const dependency of facts.dependencies ?? []) {
    for (const one of dependencyEvidence(dependency, path, index)) found.set(one.key, one);
  }
  for (const entry of facts.entries ?? []) add("entry-point", `entry-point:${entry}`);
  if (isKnownDependency(facts, index)) add("entry-point", "entry-point:own-name");
  for (const word of facts.keywords ?? []) add("keyword", `keyword:${word.toLowerCase()}`);
  for (const category of facts.categories ?? []) {
    for (const known of index.categories) {
      if (category.startsWith(known)) add("category", `category:${known}`);
    }
  }
  const words = evidenceOfWords(facts.description ?? "", path, index);
  return [...found.values(), ...words];
};

const evidenceOfWords = (words: string, path: string, index: SignalIndex): Evidence[] =>
  statedDomains(words, index).map((domain) => ({
    key: `statement:${domain}`,
    kind: "statement",
    path,
  }));

const dependencyEvidence = (
  { ecosystem, name, use }: Dependency,
  path: string,
  index: SignalIndex,
): Evidence[] => {
  const key = dependencyKey(ecosystem, name, index);
  if (key === undefined) return [];
  const isFull = use === undefined || (use === "dev" && index.tools.has(key));
  return [{ key: isFull ? key : `${key}?${use}`, kind: "framework", path }];
};

const dependencyKey = (ecosystem: string, name: string, index: SignalIndex): string | undefined => {
  const exact = `framework:${ecosystem}:${name}`;
  if (index.byKey.has(exact)) return exact;
  const prefix = index.prefixes.get(ecosystem)?.find((one) => name.startsWith(one));
  return prefix === undefined ? undefined : `framework:${ecosystem}:${prefix}*`;
};

/** A package that others are known to build on is itself something to build on. */
const isKnownDependency = (facts: ManifestFacts, index: SignalIndex): boolean => {
  const ecosystem = ownEcosystems.get(facts.ecosystem);
  if (ecosystem === undefined || facts.name === undefined) return false;
  const name =
    ecosystem === "pypi" || ecosystem === "nuget" ? facts.name.toLowerCase() : facts.name;
  return index.byKey.has(`framework:${ecosystem}:${name}`);
};

const ownEcosystems = new Map([
  ["npm", "npm"],
  ["pnpm", "npm"],
  ["yarn", "npm"],
  ["bun", "npm"],
  ["cargo", "cargo"],
  ["go", "go"],
  ["python", "pypi"],
  ["composer", "composer"],
  ["bundler", "gems"],
  ["mix", "hex"],
  ["pub", "pub"],
  ["dotnet", "nuget"],
]);

const packageFacts = (facts: ManifestFacts): PackageFacts => ({
  ecosystem: facts.ecosystem,
  isPackage: facts.isPackage ?? false,
  ...(facts.name !== undefined && { name: facts.name.slice(0, 200) }),
  members: (facts.members ?? []).slice(0, limits.profileNamesMax),
});

const decode = (bytes: Uint8Array): string => {
  const text = new TextDecoder("utf-8").decode(bytes);
  return text.startsWith("\ufeff") ? text.slice(1) : text;
};

const reasonOf = (error: unknown): string => {
  if (error instanceof RangeError) return "it is nested too deeply";
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0]?.slice(0, 200) ?? "it could not be parsed";
};
