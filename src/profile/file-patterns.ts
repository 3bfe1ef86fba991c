/**
 * Which of many patterns a path matches, found by its last part in a table: a tree has a hundred
 * thousand files and the signals a thousand patterns. Forms: `name`, `folder/name`, `*.extension`,
 * `name.config.*`, `begin*.extension` and `folder/*.extension`.
 */
export interface FilePatterns<T> {
  /** What could match by name or extension alone; the path decides. */
  readonly byName: ReadonlyMap<string, readonly PatternEntry<T>[]>;
  readonly byExtension: ReadonlyMap<string, readonly PatternEntry<T>[]>;
  readonly byStem: ReadonlyMap<string, readonly PatternEntry<T>[]>;
}

export interface PatternEntry<T> {
  readonly pattern: string;
  readonly value: T;
  /** Must follow a slash or begin the path. */
  readonly folder: string;
  readonly prefix: string;
  readonly suffix: string;
}

export const filePatterns = <T>(
  all: Iterable<readonly [pattern: string, value: T]>,
): FilePatterns<T> => {
  const byName = new Map<string, PatternEntry<T>[]>();
  const byExtension = new Map<string, PatternEntry<T>[]>();
  const byStem = new Map<string, PatternEntry<T>[]>();
  for (const [pattern, value] of all) {
    const slash = pattern.lastIndexOf("/");
    const name = pattern.slice(slash + 1);
    const folder = pattern.slice(0, slash + 1);
    const star = name.indexOf("*");
    const entry = {
      pattern,
      value,
      folder,
      prefix: star < 0 ? "" : name.slice(0, star),
      suffix: star < 0 ? "" : name.slice(star + 1),
    };
    if (star < 0) add(byName, name, entry);
    else if (name.endsWith(".*")) add(byStem, name.slice(0, -2), entry);
    else add(byExtension, extensionOf(name), entry);
  }
  return { byName, byExtension, byStem };
};

/** A quick no for nearly every file. */
export const mayMatch = <T>(patterns: FilePatterns<T>, name: string, extension: string): boolean =>
  patterns.byName.has(name) || patterns.byExtension.has(extension) || name.includes(".config.");

/** Everything that matches. `name` is the last part of `path`, `extension` what follows its last dot. */
export const matchingPatterns = <T>(
  patterns: FilePatterns<T>,
  file: { readonly path: string; readonly name: string; readonly extension: string },
): readonly PatternEntry<T>[] => {
  const { path, name, extension } = file;
  const named = patterns.byName.get(name);
  const extended = extension === "" ? undefined : patterns.byExtension.get(extension);
  const isConfig = name.includes(".config.");
  if (named === undefined && extended === undefined && !isConfig) return none;
  const stemmed = isConfig
    ? patterns.byStem.get(name.slice(0, name.indexOf(".config.") + ".config".length))
    : undefined;
  const candidates = [...(named ?? none), ...(extended ?? none), ...(stemmed ?? none)];
  return candidates.filter(
    (entry) =>
      (entry.folder === "" || isInFolder(path, entry.folder, name)) &&
      name.startsWith(entry.prefix) &&
      (stemmed?.includes(entry) || name.endsWith(entry.suffix)),
  );
};

export const fileParts = (path: string): { path: string; name: string; extension: string } => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { path, name, extension: extensionOf(name) };
};

/** Without the dot; a name that only begins with a dot has none. */
const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf(".");
  return dot > 0 || name.startsWith("*") ? name.slice(dot + 1) : "";
};

const none: readonly never[] = [];

const isInFolder = (path: string, folder: string, name: string): boolean => {
  const at = path.length - name.length - folder.length;
  return at >= 0 && path.startsWith(folder, at) && (at === 0 || path[at - 1] === "/");
};

const add = <T>(map: Map<string, PatternEntry<T>[]>, key: string, entry: PatternEntry<T>): void => {
  const list = map.get(key);
  if (list) list.push(entry);
  else map.set(key, [entry]);
};
