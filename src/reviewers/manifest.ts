/**
 * `.headgate/reviewers.json`: which agent files Headgate made, from what, and how they looked. It is
 * tracked with the project, so it is input like any other: every name in it is checked.
 */
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Files } from "../base/files.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash, readContent, readJson, writeJson } from "../state/index.ts";
import { limits } from "../base/limits.ts";
import { hashOf } from "./marker.ts";
import { isAgentFile, isDomainName, isReviewerName } from "./names.ts";

export interface ManifestEntry {
  readonly domain: string;
  /** Its name in the agents' folder. */
  readonly file: string;
  /** Of the generated text the file is based on. */
  readonly templateHash: string;
  /** Of the file's text when Headgate last wrote or adopted it. */
  readonly contentHash: string;
  /** The generated text itself, compressed: three-way merges need it years later. */
  readonly base?: string;
}

export interface Manifest {
  readonly version: 1;
  readonly reviewers: Readonly<Record<string, ManifestEntry>>;
}

export interface ReadManifest {
  readonly entries: ReadonlyMap<string, ManifestEntry>;
  /** Of the file's bytes; null without a file. */
  readonly hash: string | null;
}

export const manifestPath = (worktree: string): string =>
  join(worktree, ".headgate/reviewers.json");

/** Throws STATE_CORRUPT for what is no manifest, and STORE_SCHEMA_NEWER for a later form of it. */
export const readManifest = (worktree: string, files: Files): ReadManifest => {
  const path = manifestPath(worktree);
  const bytes = files.stat(path) && readContent(path, files);
  if (!bytes) return { entries: new Map(), hash: null };
  const value = readJson<Manifest>(path, { files, schema: problemOf });
  if (value.version !== 1) {
    throw new HeadgateError(
      "STORE_SCHEMA_NEWER",
      `${showText(path)} was written by a newer Headgate (version ${String(value.version)})`,
      { data: { path, version: value.version } },
    );
  }
  return { entries: new Map(Object.entries(value.reviewers)), hash: contentHash(bytes) };
};

/** Refused when the file is not the one that was read. */
export const writeManifest = async (
  worktree: string,
  entries: ReadonlyMap<string, ManifestEntry>,
  options: { readonly expect: string | null; readonly files: Files },
): Promise<void> => {
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const value: Manifest = { version: 1, reviewers: Object.fromEntries(sorted) };
  await writeJson(manifestPath(worktree), value, { ...options, root: worktree, schema: problemOf });
};

export const packBase = (text: string): string =>
  deflateRawSync(Buffer.from(text), { level: 9 }).toString("base64");

/** Undefined when it is not what its hash says, or unpacks to far more than a reviewer. */
export const unpackBase = ({ base, templateHash }: ManifestEntry): string | undefined => {
  if (base === undefined) return undefined;
  try {
    const options = { maxOutputLength: limits.reviewerAgentBytesMax };
    const text = inflateRawSync(Buffer.from(base, "base64"), options).toString("utf8");
    return hashOf(text) === templateHash ? text : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
};

/** A newer form is let through: its version is all that is known of it. */
const problemOf = (value: unknown): string | undefined => {
  if (!isRecord(value)) return "not an object";
  const { version, reviewers } = value;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1) {
    return "version must be a whole number";
  }
  if (version > 1) return undefined;
  if (!isRecord(reviewers)) return "reviewers must be an object";
  const entries = Object.entries(reviewers);
  if (entries.length > limits.reviewerManifestEntriesMax) return "too many reviewers";
  for (const [name, entry] of entries) {
    if (!isReviewerName(name)) return `not the name of a reviewer: ${showText(name)}`;
    const problem = isRecord(entry) ? entryProblem(entry) : "not an object";
    if (problem !== undefined) return `${name}: ${problem}`;
  }
  return undefined;
};

const entryProblem = (entry: Record<string, unknown>): string | undefined => {
  const { domain, file, templateHash, contentHash: content, base } = entry;
  if (typeof domain !== "string" || !isDomainName(domain)) return "domain is not a name";
  if (typeof file !== "string" || !isAgentFile(file))
    return "file is not a plain name of a .md file";
  if (!isHash(templateHash) || !isHash(content)) return "a hash is not sha256:…";
  return base === undefined || typeof base === "string" ? undefined : "base is not a text";
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isHash = (value: unknown): boolean =>
  typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
