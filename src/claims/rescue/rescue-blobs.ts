/** The dirty files' contents as blobs, within the bounds of one rescue. */
import type { Files } from "../../base/files.ts";
import { type Git, splitNul } from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import { createLook, type Found, readContent, type Skipped, textOf } from "./rescue-content.ts";
import type { ObjectSink } from "./rescue-objects.ts";
import type { TreeEntry } from "./rescue-tree.ts";

/** What is left for the worktrees to come. */
export interface Budget {
  files: number;
  bytes: number;
}

export interface BlobOptions {
  readonly worktree: string;
  readonly files: Files;
  readonly sink: ObjectSink;
  readonly budget: Budget;
  readonly skipped: Skipped[];
  readonly modes: ModeSettings;
  /** The entry that the path had before. */
  readonly before: (name: string) => TreeEntry | undefined;
}

/** Each path with what it is now, undefined for what is gone. Those that were skipped are left out. */
export const addBlobs = async (
  names: readonly string[],
  options: BlobOptions,
): Promise<Map<string, TreeEntry | undefined>> => {
  const { worktree, files, sink, budget, skipped } = options;
  const look = createLook(worktree, files);
  const entries = new Map<string, TreeEntry | undefined>();
  const present: { readonly name: string; readonly found: Present }[] = [];
  const skip = (name: string, why: string) => skipped.push({ path: textOf(name), why });
  for (const name of names) {
    const found = look(name);
    if (found.kind === "hidden") skip(name, "no permission to look at it");
    else if ("stat" in found) present.push({ name, found });
    else entries.set(name, undefined);
  }
  // Small ones first: where not everything fits, that is most of what was typed.
  present.sort((a, b) => a.found.stat.size - b.found.stat.size || (a.name < b.name ? -1 : 1));
  for (const { name, found } of present) {
    if (budget.files <= 0) {
      skip(name, `more than ${limits.rescueFilesMax} files`);
      continue;
    }
    if (found.stat.size > Math.min(budget.bytes, limits.rescueBytesMax)) {
      skip(name, `too large: ${found.stat.size} bytes`);
      continue;
    }
    const read = readContent(worktree, name, found, files);
    if (!read.ok) {
      skip(name, read.why);
      continue;
    }
    budget.files -= 1;
    budget.bytes -= read.content.length;
    const id = await sink.add({ type: "blob", content: read.content });
    entries.set(name, { mode: modeOf(found, options.before(name), options.modes), id });
  }
  return entries;
};

type Present = Extract<Found, { kind: "file" | "link" }>;

/** What the disk can keep, as git found out when the repository was made. */
export interface ModeSettings {
  readonly hasExecutable: boolean;
  readonly hasLinks: boolean;
}

export const readModeSettings = async (git: Git): Promise<ModeSettings> => {
  const { stdout } = await git.run({
    args: ["config", "-z", "--get-regexp", "^core\\.(filemode|symlinks)$"],
    okCodes: [0, 1],
  });
  const isOff = (key: string) => {
    const last = splitNul(stdout).findLast((entry) => entry.split("\n")[0] === key);
    return last !== undefined && /\n(?:false|no|off|0|)$/i.test(last);
  };
  return { hasExecutable: !isOff("core.filemode"), hasLinks: !isOff("core.symlinks") };
};

const modeOf = (
  { kind, stat }: Present,
  before: TreeEntry | undefined,
  { hasExecutable, hasLinks }: ModeSettings,
): string => {
  if (kind === "link" || (!hasLinks && before?.mode === linkMode)) return linkMode;
  if (!hasExecutable && before?.mode === executableMode) return executableMode;
  return hasExecutable && (stat.mode & 0o100) !== 0 ? executableMode : "100644";
};

const linkMode = "120000";
const executableMode = "100755";
