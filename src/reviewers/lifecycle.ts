/** Taking files over and removing them: only what was asked for, and never somebody's own. */
import { join } from "node:path";
import { removeFile } from "../base/open-file.ts";
import { HeadgateError } from "../errors.ts";
import { contentHash, readContent } from "../state/index.ts";
import { type Failure, reasonOf, saveManifest } from "./carry-out.ts";
import type { Library } from "./library.ts";
import { type LookOptions, orphanReason } from "./look.ts";
import type { ManifestEntry } from "./manifest.ts";
import { packBase } from "./manifest.ts";
import { type Place, whileLocked } from "./place.ts";
import { entryOf } from "./plan.ts";
import { isPristine, type Known, type Survey, survey } from "./survey.ts";

export interface Refused {
  readonly name: string;
  readonly why: string;
}

export interface AdoptReport {
  readonly adopted: readonly { readonly name: string; readonly file: string }[];
  readonly refused: readonly Refused[];
}

/**
 * Enters files into the manifest that Headgate made but does not know (it was lost, or they came from
 * another project), and new names of files it does. A file without marker only when it is named and a
 * domain has a reviewer of that name. Files are not changed.
 */
export const adopt = (
  place: Place,
  library: Library,
  options: { readonly names?: readonly string[] } = {},
): Promise<AdoptReport> =>
  whileLocked(place, async () => {
    const found = survey(place, library);
    const entries = new Map(found.manifest.entries);
    const adopted: { name: string; file: string }[] = [];
    const refused: Refused[] = [];
    const names = options.names ?? [...found.known.keys()];
    for (const name of new Set(names)) {
      const taken = entryFor(name, found);
      if (typeof taken === "string") {
        if (options.names) refused.push({ name, why: taken });
        continue;
      }
      entries.set(name, taken);
      adopted.push({ name, file: taken.file });
    }
    if (adopted.length > 0) await saveManifest(place, entries, found.manifest.hash);
    return { adopted, refused };
  });

/** The entry to make, or why there is none to make. */
const entryFor = (name: string, found: Survey): ManifestEntry | string => {
  const known = found.known.get(name);
  if (known?.file) {
    const { entry, file, base, baseHash, domain } = known;
    if (entry && entry.file === file.file) return "it is in the manifest already";
    return {
      ...{ domain, file: file.file, templateHash: baseHash, contentHash: file.bodyHash },
      ...(base !== undefined && { base: packBase(base) }),
    };
  }
  const template = found.templates.get(name);
  const file = found.agents.readable.get(`${name}.md`);
  if (!template) return "no domain has a reviewer of that name";
  return file ? entryOf(template, file.file, file.body) : "there is no such file";
};

export interface PruneReport {
  readonly dryRun: boolean;
  readonly removed: readonly { readonly name: string; readonly file: string | null }[];
  /** Orphans that people changed: removed only when they are named. */
  readonly left: readonly Refused[];
  readonly refused: readonly Refused[];
  readonly failed: readonly Pick<Failure, "name" | "reason" | "code">[];
}

export interface PruneOptions extends LookOptions {
  /** These, orphans or not; without names, all orphans that nobody changed. */
  readonly names?: readonly string[];
  readonly dryRun?: boolean;
}

export const prune = (
  place: Place,
  library: Library,
  options: PruneOptions,
): Promise<PruneReport> => {
  const { names, dryRun = false } = options;
  const choose = () => {
    const found = survey(place, library);
    const refused: Refused[] = [];
    const left: Refused[] = [];
    const chosen: Known[] = [];
    for (const name of new Set(names ?? found.known.keys())) {
      const known = found.known.get(name);
      const isOurs = known !== undefined && (known.entry !== undefined || isPristine(known));
      if (names && !isOurs) refused.push({ name, why: "Headgate did not generate it" });
      if (!known || !isOurs) continue;
      const orphan = orphanReason(known, found, options.domains);
      if (names || (orphan !== undefined && (!known.file || isPristine(known)))) chosen.push(known);
      else if (orphan !== undefined) left.push({ name, why: `${orphan}, but it was changed` });
    }
    return { found, refused, left, chosen };
  };
  if (dryRun) {
    const { refused, left, chosen } = choose();
    const removed = chosen.map(({ name, file }) => ({ name, file: file?.file ?? null }));
    return Promise.resolve({ dryRun, removed, left, refused, failed: [] });
  }
  return whileLocked(place, async () => {
    const { found, refused, left, chosen } = choose();
    const entries = new Map(found.manifest.entries);
    const removed: { name: string; file: string | null }[] = [];
    const failed: { name: string; reason: string; code: string }[] = [];
    for (const known of chosen) {
      const { name, file } = known;
      try {
        remove(place, known);
        entries.delete(name);
        removed.push({ name, file: file?.file ?? null });
      } catch (error) {
        failed.push({ name, ...reasonOf(error) });
      }
    }
    if (removed.length > 0) await saveManifest(place, entries, found.manifest.hash);
    return { dryRun, removed, left, refused, failed };
  });
};

/** What changed since it was looked at stays. */
const remove = ({ files, agentsDir }: Place, { file }: Known): void => {
  if (!file) return;
  const path = join(agentsDir, file.file);
  const bytes = readContent(path, files);
  if (!bytes) return;
  if (contentHash(bytes) !== file.bytesHash) {
    throw new HeadgateError("STATE_CHANGED", `${path} was changed meanwhile`, { data: { path } });
  }
  removeFile(files, path);
};
