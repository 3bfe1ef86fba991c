/**
 * One pass over the list of files: how many there are of each kind in each folder, which of them say
 * something by their names, and which have to be read. Runs for every file of a tree, so it allocates
 * little and asks tables, not expressions.
 */
import { type AttributeRule, ruleFor } from "./attributes.ts";
import { limits } from "../base/limits.ts";
import { evidenceOfPath } from "./evidence.ts";
import { matchingPatterns, mayMatch } from "./file-patterns.ts";
import { languages } from "./languages.ts";
import type { FileList } from "./listing.ts";
import { isGeneratedName, isProjectText, isVendoredFolder } from "../base/path-kinds.ts";
import { roleOf } from "./path-rules.ts";
import type { SignalIndex } from "./signal-index.ts";
import type { Role } from "./signals/weights.ts";
import type { Evidence } from "./types.ts";

export interface Folder {
  /** "" at the top. */
  readonly path: string;
  readonly parent?: Folder;
  readonly isSkipped: boolean;
  readonly role: Role;
  /** Files that count, by extension; `=Name` where attributes name the language. */
  readonly counts: Map<string, number>;
}

export interface Census {
  readonly folders: ReadonlyMap<string, Folder>;
  readonly evidence: readonly Evidence[];
  /** Manifests and READMEs. */
  readonly toRead: readonly FoundFile[];
  /** Python sources near the top. */
  readonly sources: readonly FoundFile[];
}

/** A file that has to be read. */
export interface FoundFile {
  readonly path: string;
  readonly blob?: string;
}

export const takeCensus = (
  lists: readonly FileList[],
  rules: readonly AttributeRule[],
  index: SignalIndex,
): Census => {
  const census = beginCensus(rules, index);
  for (const list of lists) census.add(list);
  return census.end();
};

export const beginCensus = (rules: readonly AttributeRule[], index: SignalIndex) => {
  const folders = new Map<string, Folder>();
  const evidence: Evidence[] = [];
  const toRead: FoundFile[] = [];
  const sources: FoundFile[] = [];
  let folder = folderOf("", folders);
  const add = (list: FileList): void => {
    const found = (path: string, at: number): FoundFile => {
      const blob = list.blobAt(at);
      return blob === undefined ? { path } : { path, blob };
    };
    list.each((text, start, end, at) => {
      // -1, or before the start: there is no slash in the path.
      const slash = Math.max(text.lastIndexOf("/", end - 1), start - 1);
      const length = Math.max(slash - start, 0);
      if (length !== folder.path.length || !text.startsWith(folder.path, start)) {
        folder = folderOf(text.slice(start, start + length), folders);
      }
      let language: string | undefined;
      if (rules.length > 0) {
        const said = ruleFor(rules, text.slice(start, end));
        if (said.counts === false || (folder.isSkipped && said.counts !== true)) return;
        language = said.language;
      } else if (folder.isSkipped) return;
      const name = text.slice(slash + 1, end);
      const dot = name.lastIndexOf(".");
      const extension = dot > 0 ? name.slice(dot + 1) : "";
      const uses = mayMatch(index.files, name, extension)
        ? matchingPatterns(index.files, { path: text.slice(start, end), name, extension })
        : [];
      if (uses.length > 0) {
        const path = text.slice(start, end);
        const file = found(path, at);
        if (uses.some(({ value }) => value.kind === "manifest" || value.kind === "readme")) {
          toRead.push(file);
        }
        for (const one of evidenceOfPath(path, index)) evidence.push({ ...one, ...file });
      }
      if (extension === "py" && sources.length < sourcesKept)
        sources.push(found(text.slice(start, end), at));
      const counted = language === undefined ? extension : `=${language}`;
      if (counted === "") return;
      if (language === undefined && (isGeneratedName(name) || isProjectText(name))) return;
      folder.counts.set(counted, (folder.counts.get(counted) ?? 0) + 1);
    });
  };
  const end = (): Census => ({
    folders,
    evidence: [...evidence, ...directoryEvidence(folders, index)],
    toRead,
    sources: nearest(sources),
  });
  return { add, end };
};

const sourcesKept = 2_000;

const folderOf = (path: string, folders: Map<string, Folder>): Folder => {
  const known = folders.get(path);
  if (known) return known;
  const slash = path.lastIndexOf("/");
  const parent = path === "" ? undefined : folderOf(slash < 0 ? "" : path.slice(0, slash), folders);
  const name = path.slice(slash + 1);
  const isSkipped =
    parent !== undefined && (parent.isSkipped || isVendoredFolder(name, parent.path === ""));
  const folder: Folder = {
    path,
    ...(parent && { parent }),
    isSkipped,
    role: roleOf(path),
    counts: new Map(),
  };
  folders.set(path, folder);
  return folder;
};

/** Deep down, a folder's name says more about its surroundings than about the project. */
const directoryDepthMax = 6;

const directoryEvidence = (
  folders: ReadonlyMap<string, Folder>,
  index: SignalIndex,
): Evidence[] => {
  const found: Evidence[] = [];
  for (const { path, isSkipped } of folders.values()) {
    if (path === "" || isSkipped || path.split("/").length > directoryDepthMax) continue;
    const name = path.slice(path.lastIndexOf("/") + 1);
    for (const { value } of matchingPatterns(index.directories, { path, name, extension: "" })) {
      found.push({ key: value, kind: "directory", path });
    }
  }
  return found;
};

const nearest = (sources: readonly FoundFile[]): FoundFile[] => {
  const depth = ({ path }: FoundFile): number => path.split("/").length;
  return sources.toSorted((a, b) => depth(a) - depth(b)).slice(0, limits.profileSampledSourcesMax);
};

/** Files of a known language, and those of one language, by kind. */
export const countedFiles = (counts: ReadonlyMap<string, number>): Map<string, number> => {
  const known = new Map<string, number>();
  for (const [extension, count] of counts) {
    const key = extension.startsWith("=") ? extension : extension.toLowerCase();
    if (key.startsWith("=") || languages.has(key)) known.set(key, (known.get(key) ?? 0) + count);
  }
  return known;
};
