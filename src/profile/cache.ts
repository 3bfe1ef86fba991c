/**
 * The cached profile of one worktree. Written whole or not at all, under the file's lock, and only over
 * the generation that its writer has read (D-04). What a newer program wrote is left alone; what is
 * damaged is set aside and told (D-09).
 */
import { dirname, join } from "node:path";
import * as v from "valibot";
import { type Files, systemFiles } from "../base/files.ts";
import { sha256 } from "../base/sha256.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import { readContent, unseal, recoverState, type StatePorts, updateJson } from "../state/index.ts";
import { type CachedProfile, cacheFormat, cacheSchema } from "./cache-format.ts";

export type CacheContent =
  | { readonly state: "none" }
  | { readonly state: "ok"; readonly cached: CachedProfile }
  /** Another format, another worktree: it will be replaced. */
  | { readonly state: "other"; readonly generation: number; readonly why: string }
  | { readonly state: "newer"; readonly why: string }
  /** Not a plain file, or not allowed. */
  | { readonly state: "unreadable"; readonly why: string }
  | { readonly state: "corrupt"; readonly why: string };

export interface ProfileCache {
  readonly path: string;
  read(): CacheContent;
  /**
   * Over generation `over` (0: over none). False: somebody else wrote meanwhile. Throws
   * PROFILE_CACHE_NEWER and STATE_….
   */
  write(cached: Omit<CachedProfile, "format" | "generation">, over: number): Promise<boolean>;
  /** Sets a damaged file aside; its new path, or undefined when it is sound or gone by now. */
  setAside(): Promise<string | undefined>;
}

export interface CacheOptions extends StatePorts {
  readonly localDir: string;
  readonly worktree: string;
  /** The main worktree; its cache has the plain name. */
  readonly root: string;
  /** Makes `localDir`. */
  readonly prepare: () => Promise<void>;
}

export const openCache = (options: CacheOptions): ProfileCache => {
  const { files = systemFiles, worktree, prepare } = options;
  const path = cachePath(options);
  const ports = { ...options, durability: "cache", hasChecksum: true } as const;
  return {
    path,
    read: () => readCache(path, worktree, files),
    write: async (cached, over) => {
      await prepare();
      makeFolder(dirname(path), files);
      try {
        await updateJson<unknown>(
          path,
          (present) => {
            const { format, generation } = headerOf(present);
            if (format > cacheFormat) throw newer(path, format);
            if (present !== undefined && generation !== over) throw new Overtaken();
            if (present === undefined && over !== 0) throw new Overtaken();
            return { ...cached, format: cacheFormat, generation: generation + 1 };
          },
          { ...ports, root: dirname(options.localDir) },
        );
        return true;
      } catch (error) {
        if (error instanceof Overtaken) return false;
        const found = readCache(path, worktree, files);
        if (found.state === "newer") throw newer(path, undefined);
        throw error;
      }
    },
    setAside: async () => {
      const rulesOf = () => ({ kind: "json", hasChecksum: true, schema: cacheSchema }) as const;
      const { corrupt, failures } = await recoverState([path], { ...options, rulesOf });
      const [failure] = failures;
      if (failure) throw failure.error;
      return corrupt[0]?.quarantine;
    },
  };
};

/** Linked worktrees share the folder, not the file: they have other files checked out. */
const cachePath = ({
  localDir,
  worktree,
  root,
}: Pick<CacheOptions, "localDir" | "worktree" | "root">): string => {
  const own = worktree === root ? "" : `-${sha256(worktree).slice(0, 16)}`;
  return join(localDir, "cache", `profile${own}.json`);
};

class Overtaken extends Error {}

const readCache = (path: string, worktree: string, files: Files): CacheContent => {
  let bytes;
  try {
    bytes = readContent(path, files);
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    if (error.code !== "STATE_PARENT_MISSING") return { state: "unreadable", why: error.message };
  }
  if (!bytes) return { state: "none" };
  const corrupt = (what: string): CacheContent => ({ state: "corrupt", why: what });
  let envelope: unknown;
  try {
    // Not the room's careful parser: a checksum and a schema follow, and this runs with every check.
    envelope = JSON.parse(bytes.toString("utf8"));
  } catch {
    return corrupt("not JSON");
  }
  const unsealed = unseal(envelope, { isRequired: true });
  // A newer format may be sealed in another way.
  const inside = (envelope as { value?: unknown } | null)?.value;
  const format = Math.max(headerOf(envelope).format, headerOf(inside).format);
  if (format > cacheFormat) return { state: "newer", why: newer(path, format).message };
  if (!unsealed.ok) return corrupt(unsealed.problem.message);
  const { generation } = headerOf(unsealed.value);
  if (format >= 0 && format < cacheFormat) {
    const why = `it has format ${format}; this program writes ${cacheFormat}`;
    return { state: "other", generation, why };
  }
  const parsed = v.safeParse(cacheSchema, unsealed.value);
  if (!parsed.success) return corrupt(v.getDotPath(parsed.issues[0]) ?? parsed.issues[0].message);
  const cached = parsed.output;
  if (cached.worktree === worktree) return { state: "ok", cached };
  return { state: "other", generation, why: `it was made for ${showText(cached.worktree)}` };
};

const headerOf = (value: unknown): { format: number; generation: number } => {
  const { format, generation } = (typeof value === "object" && value !== null ? value : {}) as {
    format?: unknown;
    generation?: unknown;
  };
  return {
    format: Number.isSafeInteger(format) ? (format as number) : -1,
    generation: Number.isSafeInteger(generation) ? (generation as number) : 0,
  };
};

const makeFolder = (path: string, files: Files): void => {
  try {
    files.makeDirectory(path, 0o700);
  } catch (cause) {
    const what = `${showText(path)} cannot be made`;
    throw new HeadgateError("STATE_NOT_WRITABLE", what, { data: { path }, cause });
  }
};

const newer = (path: string, format: number | undefined): HeadgateError => {
  const version = format === undefined ? "a newer format" : `format ${format}`;
  return new HeadgateError(
    "PROFILE_CACHE_NEWER",
    `${showText(path)} has ${version}; this program knows formats up to ${cacheFormat}`,
    { data: { path } },
  );
};
