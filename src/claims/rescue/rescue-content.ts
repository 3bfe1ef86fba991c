/** What a path of a worktree holds now, read without following a link and within the bounds. */
import { isUtf8 } from "node:buffer";
import { type Files, type FileStats, errnoOf, openFlags } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { readToEnd } from "../../base/open-file.ts";

/** Names are bytes, one character each. */
export const bytesOf = (name: string): Buffer => Buffer.from(name, "latin1");
export const textOf = (name: string): string => bytesOf(name).toString("utf8");
export const nameOfText = (text: string): string => Buffer.from(text).toString("latin1");

export type Found =
  /** hidden: we may not look. */
  | { readonly kind: "absent" | "folder" | "hidden" }
  | { readonly kind: "file" | "link"; readonly stat: FileStats };

/** Looks at every folder on the way, once: behind a link nothing belongs to the worktree. */
export const createLook = (root: string, files: Files): ((name: string) => Found) => {
  const folders = new Map<string, Found["kind"]>([["", "folder"]]);
  const lookAt = (name: string): Found => {
    const parent = parentOf(name);
    let above = folders.get(parent);
    if (above === undefined) {
      above = lookAt(parent).kind;
      folders.set(parent, above);
    }
    if (above !== "folder") return { kind: above === "hidden" ? "hidden" : "absent" };
    try {
      return foundBy(files.stat(diskPath(root, name)));
    } catch (error) {
      if (reasons[errnoOf(error) ?? ""] === undefined) throw error;
      return { kind: "hidden" };
    }
  };
  return lookAt;
};

const foundBy = (stat: FileStats | undefined): Found => {
  if (stat?.isFile()) return { kind: "file", stat };
  if (stat?.isSymbolicLink()) return { kind: "link", stat };
  return { kind: stat?.isDirectory() ? "folder" : "absent" };
};

export interface Skipped {
  readonly path: string;
  readonly why: string;
}

export type Content =
  | { readonly ok: true; readonly content: Buffer }
  | { readonly ok: false; readonly why: string };

export const readContent = (
  root: string,
  name: string,
  { kind, stat }: Extract<Found, { stat: FileStats }>,
  files: Files,
): Content => {
  const path = diskPath(root, name);
  try {
    if (kind === "file") return readFile(path, files);
    const content = Buffer.from(files.readLink(path));
    // The port gives text; a target that is not would come back as something else.
    return content.length === stat.size || stat.size === 0
      ? { ok: true, content }
      : { ok: false, why: "a link whose target is not valid UTF-8" };
  } catch (error) {
    const why = reasons[errnoOf(error) ?? ""];
    if (why === undefined) throw error;
    return { ok: false, why };
  }
};

const changed = "it changed while it was read";
const reasons: Readonly<Record<string, string>> = {
  EACCES: "no permission to read it",
  EPERM: "no permission to read it",
  EIO: "the disk reported an error",
  ENOENT: changed,
  ENOTDIR: changed,
  EISDIR: changed,
  ELOOP: changed,
  EINVAL: changed,
  ENXIO: changed,
};

const tooLarge = {
  ok: false,
  why: `it is larger than ${limits.rescueBytesMax / 1024 / 1024} MB`,
} as const;

const readFile = (path: string, files: Files): Content => {
  const fd = files.open(path, openFlags.read | openFlags.noFollow | openFlags.noWait);
  try {
    const stat = files.statHandle(fd);
    if (!stat.isFile()) return { ok: false, why: changed };
    if (stat.size > limits.rescueBytesMax) return tooLarge;
    // A file that grows meanwhile is saved as far as it got.
    const content = readToEnd(files, fd, limits.rescueBytesMax);
    return content ? { ok: true, content } : tooLarge;
  } finally {
    files.close(fd);
  }
};

/**
 * Node takes bytes wherever it takes a path. The port's type says text, since nobody else has names that
 * are not valid UTF-8: they cannot be claimed one by one, but lie below a folder that is.
 */
const diskPath = (root: string, name: string): string => {
  const bytes = bytesOf(name);
  if (isUtf8(bytes)) return `${root}/${bytes.toString("utf8")}`;
  return Buffer.concat([Buffer.from(`${root}/`), bytes]) as unknown as string;
};

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf("/")));
