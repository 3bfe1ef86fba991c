/**
 * The signals turned round: from a piece of evidence, by its key, to the domains it speaks for. What is
 * looked for in a tree, and which files are watched, follows from this and is written nowhere else.
 */
import { type FilePatterns, filePatterns } from "./file-patterns.ts";
import { manifestReaders, type ManifestReader } from "./manifests/index.ts";
import { allSignals } from "./signals/index.ts";
import type { DomainSignals } from "./signals/schema.ts";
import { weights } from "./signals/weights.ts";

export interface Weighed {
  readonly domain: string;
  readonly weight: number;
  /** Says little; all of a domain's hints together are bounded. */
  readonly isHint: boolean;
}

export interface SignalIndex {
  readonly signals: readonly DomainSignals[];
  /** By evidence key, without what a dependency is used for. */
  readonly byKey: ReadonlyMap<string, readonly Weighed[]>;
  /** Keys that only speak against something. */
  readonly against: ReadonlySet<string>;
  readonly files: FilePatterns<FileUse>;
  /** Folders by their last name. */
  readonly directories: FilePatterns<string>;
  /** Prefixes of dependency names that end in `*`, by ecosystem. */
  readonly prefixes: ReadonlyMap<string, readonly string[]>;
  /** Dependencies that count in full as development dependencies. */
  readonly tools: ReadonlySet<string>;
  readonly categories: readonly string[];
  readonly keywords: ReadonlySet<string>;
  readonly statements: readonly { readonly domain: string; readonly expression: RegExp }[];
}

export type FileUse =
  | { readonly kind: "signal"; readonly key: string }
  | { readonly kind: "manifest"; readonly reader: ManifestReader }
  | { readonly kind: "shape"; readonly entry: string }
  | { readonly kind: "readme" };

/** Entry points that are told by where a source file lies. */
const shapes: readonly (readonly [pattern: string, entry: string])[] = [
  ["src/main.rs", "cargo:bin"],
  ["src/bin/*.rs", "cargo:bin"],
  ["src/lib.rs", "cargo:lib"],
  ["main.go", "go:main"],
  ["__main__.py", "python:main"],
];
export const readmeNames =
  "README.md README README.rst README.txt Readme.md readme.md README.adoc README.markdown ReadMe.md";

type Group = keyof typeof weights;

export const buildSignalIndex = (signals: readonly DomainSignals[]): SignalIndex => {
  const byKey = new Map<string, Weighed[]>();
  const tools = new Set<string>();
  const against = new Set<string>();
  const put = (domain: string, group: Group, keys: readonly string[]): void => {
    const weight = weights[group];
    for (const key of keys) {
      const list = byKey.get(key) ?? [];
      if (!byKey.has(key)) byKey.set(key, list);
      const before = list.findIndex((one) => one.domain === domain);
      if (before < 0) list.push({ domain, weight, isHint: weight < 0.2 });
    }
  };
  for (const one of signals) {
    const { domain } = one;
    put(domain, "definingFile", keyed("defining-file", one.definingFiles));
    put(domain, "uniqueFile", keyed("defining-file", one.uniqueFiles));
    put(domain, "commonFile", keyed("defining-file", one.commonFiles));
    for (const key of dependencyKeys(one.tools)) tools.add(key);
    put(domain, "framework", dependencyKeys(one.tools));
    put(domain, "framework", dependencyKeys(one.frameworks));
    put(domain, "helper", dependencyKeys(one.helpers));
    put(domain, "definingFile", keyed("entry-point", one.definingEntries));
    put(domain, "entry", keyed("entry-point", one.entries));
    put(domain, "commonEntry", keyed("entry-point", one.commonEntries));
    put(domain, "uniqueDirectory", keyed("directory", one.uniqueDirectories));
    put(domain, "directory", keyed("directory", one.directories));
    put(
      domain,
      "category",
      (one.categories ?? []).map((name) => `category:${name}`),
    );
    put(
      domain,
      "keyword",
      (one.keywords ?? []).map((word) => `keyword:${word}`),
    );
    put(domain, "statement", [`statement:${domain}`]);
    for (const key of Object.keys(one.against ?? {})) against.add(key);
  }
  return { ...derived(signals, shared(byKey)), signals, tools, against };
};

/** What several domains list says less about each of them. */
const shared = (byKey: ReadonlyMap<string, readonly Weighed[]>): Map<string, Weighed[]> =>
  new Map(
    [...byKey].map(([key, list]) => [
      key,
      list.map((one) => ({ ...one, weight: one.weight / list.length })),
    ]),
  );

const derived = (signals: readonly DomainSignals[], byKey: Map<string, Weighed[]>) => {
  const files: [string, FileUse][] = [];
  const directories: [string, string][] = [];
  const prefixes = new Map<string, string[]>();
  const keywords = new Set<string>();
  const categories: string[] = [];
  for (const key of byKey.keys()) {
    const [kind = "", ...rest] = key.split(":");
    const value = rest.join(":");
    if (kind === "defining-file") files.push([value, { kind: "signal", key }]);
    else if (kind === "directory") directories.push([value, key]);
    else if (kind === "keyword") keywords.add(value);
    else if (kind === "category") categories.push(value);
    else if (kind === "framework" && value.endsWith("*")) {
      const ecosystem = rest[0] ?? "";
      const list = prefixes.get(ecosystem) ?? [];
      prefixes.set(ecosystem, [...list, rest.slice(1).join(":").slice(0, -1)]);
    }
  }
  for (const reader of manifestReaders) {
    for (const name of reader.files.split(" ")) files.push([name, { kind: "manifest", reader }]);
  }
  for (const [pattern, entry] of shapes) files.push([pattern, { kind: "shape", entry }]);
  for (const name of readmeNames.split(" ")) files.push([name, { kind: "readme" }]);
  const statements = signals.flatMap((one) =>
    (one.statements ?? []).map((text) => ({
      domain: one.domain,
      expression: new RegExp(text, "u"),
    })),
  );
  return {
    byKey,
    files: filePatterns(files),
    directories: filePatterns(directories),
    prefixes,
    keywords,
    categories,
    statements,
  };
};

const keyed = (kind: string, names: string | undefined): string[] =>
  names === undefined ? [] : names.split(" ").map((name) => `${kind}:${name}`);

const dependencyKeys = (lists: DomainSignals["frameworks"]): string[] =>
  Object.entries(lists ?? {}).flatMap(([ecosystem, names]) =>
    (names ?? "").split(" ").map((name) => `framework:${ecosystem}:${name}`),
  );

let built: SignalIndex | undefined;
/** The index of the built-in signals, made when first needed. */
export const signalIndex = (): SignalIndex => (built ??= buildSignalIndex(allSignals));

/** Patterns of the files whose change can change a profile (D-05); folders end in a slash. */
export const watchedPatterns = (index: SignalIndex = signalIndex()): string[] => {
  const patterns = new Set<string>([".gitattributes"]);
  for (const table of [index.files.byName, index.files.byExtension, index.files.byStem]) {
    for (const entries of table.values()) for (const { pattern } of entries) patterns.add(pattern);
  }
  for (const entries of index.directories.byName.values()) {
    for (const { pattern } of entries) patterns.add(`${pattern}/`);
  }
  return [...patterns].toSorted();
};
