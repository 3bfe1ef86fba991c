/**
 * Which reviewers a project has. A generated file is known by its entry in the manifest, by its marker,
 * or by what is in it; each of these alone is enough. All other files are somebody's own.
 */
import type { AgentFile, AgentFiles } from "./agent-files.ts";
import type { DomainDocument } from "./domain.ts";
import type { FoundDomain, Library } from "./library.ts";
import { type ManifestEntry, readManifest, type ReadManifest, unpackBase } from "./manifest.ts";
import { hashOf } from "./marker.ts";
import type { Place } from "./place.ts";
import { readAgentFiles } from "./agent-files.ts";
import { renderReviewer } from "./render.ts";

/** A reviewer as this Headgate would generate it. */
export interface Template {
  readonly name: string;
  readonly domain: string;
  readonly description: string;
  readonly body: string;
  readonly hash: string;
}

export interface Known {
  readonly name: string;
  readonly domain: string;
  /** Undefined: the manifest names it, but its file is gone. */
  readonly file: AgentFile | undefined;
  /** Undefined: known by its marker only. */
  readonly entry: ManifestEntry | undefined;
  /** What this Headgate would generate; undefined when it no longer knows the reviewer. */
  readonly template: Template | undefined;
  /** The generated text the file is based on, where that is known. */
  readonly base: string | undefined;
  readonly baseHash: string;
}

export interface Survey {
  readonly manifest: ReadManifest;
  readonly agents: AgentFiles;
  readonly known: ReadonlyMap<string, Known>;
  /** Every reviewer that the documents specify. */
  readonly templates: ReadonlyMap<string, Template>;
  /** Files that nobody but their author touches. */
  readonly own: readonly AgentFile[];
  domain(name: string): FoundDomain;
}

export const isPristine = ({ file, baseHash, entry }: Known): boolean =>
  file !== undefined && (file.bodyHash === baseHash || file.bodyHash === entry?.templateHash);

/** The file was made from another text than this Headgate would make now. */
export const isOutdated = ({ template, baseHash }: Known): boolean =>
  template !== undefined && template.hash !== baseHash;

export const survey = (place: Place, library: Library): Survey => {
  const manifest = readManifest(place.worktree, place.files);
  const agents = readAgentFiles(place);
  const templates = templatesOf(library);
  const known = new Map<string, Known>();
  const matched = new Set<string>();
  // Those with an entry choose first, and among them those whose file is where it was.
  const entries = [...manifest.entries];
  const isInPlace = ([, { file }]: [string, ManifestEntry]): boolean => agents.readable.has(file);
  for (const one of [...entries.filter(isInPlace), ...entries.filter((it) => !isInPlace(it))]) {
    const [name, entry] = one;
    const file = fileOf(name, entry);
    if (file) matched.add(file.file);
    add(name, { entry, file, domain: entry.domain });
  }
  for (const file of agents.readable.values()) {
    const { marker } = file;
    if (!marker || matched.has(file.file) || known.has(marker.name)) continue;
    matched.add(file.file);
    add(marker.name, { entry: undefined, file, domain: marker.domain });
  }
  const own = [...agents.readable.values()].filter(({ file }) => !matched.has(file));
  return { manifest, agents, known, templates, own, domain: (name) => library.domain(name) };

  function add(name: string, one: Pick<Known, "entry" | "file" | "domain">): void {
    const template = templates.get(name);
    known.set(name, { name, ...one, template, ...baseOf(one, template) });
  }

  function fileOf(name: string, entry: ManifestEntry): AgentFile | undefined {
    const inPlace = agents.readable.get(entry.file);
    if (inPlace) return inPlace;
    const free = [...agents.readable.values()].filter(({ file }) => !matched.has(file));
    return (
      free.find(({ marker }) => marker?.name === name) ??
      free.find(({ bodyHash }) => bodyHash === entry.contentHash) ??
      free.find((file) => !file.marker && isLike(file.body, unpackBase(entry), library.contract))
    );
  }
};

/** The marker tells the version when a batch was cut off between the file and the manifest. */
const baseOf = (
  { entry, file }: Pick<Known, "entry" | "file">,
  template: Template | undefined,
): Pick<Known, "base" | "baseHash"> => {
  const marked = file?.marker?.template;
  const baseHash = marked ?? entry?.templateHash ?? "";
  if (template?.hash === baseHash) return { base: template.body, baseHash };
  if (file && file.bodyHash === baseHash) return { base: file.body, baseHash };
  const stored = entry?.templateHash === baseHash ? unpackBase(entry) : undefined;
  return { base: stored, baseHash };
};

const templatesOf = (library: Library): Map<string, Template> => {
  const templates = new Map<string, Template>();
  for (const domain of library.domainNames()) {
    const found = library.domain(domain);
    if (found.state !== "found") continue;
    for (const one of templatesFor(found.document, library.contract)) templates.set(one.name, one);
  }
  return templates;
};

const templatesFor = (document: DomainDocument, contract: string): Template[] =>
  document.reviewers.map((spec) => {
    const body = renderReviewer(spec, document, contract);
    const { name, description } = spec;
    return { name, description, domain: document.domain, body, hash: hashOf(body) };
  });

/** Renamed, without its marker and edited: half of the lines that only it had are still there. */
const isLike = (body: string, base: string | undefined, contract: string): boolean => {
  if (base === undefined) return false;
  const shared = new Set(contract.split("\n"));
  const telling = base.split("\n").filter((line) => line.length > 30 && !shared.has(line));
  const present = new Set(body.split("\n"));
  const kept = telling.filter((line) => present.has(line)).length;
  return telling.length >= 4 && kept >= telling.length / 2;
};
