import { posix, win32 } from "node:path";
import type { Environment } from "./environment.ts";
import { errnoOf, type Files } from "./files.ts";

/**
 * The whole environment a git child gets. Everything named GIT_* in ours is dropped: it could move the
 * index, inject configuration or name a program. So are NODE_OPTIONS, LD_PRELOAD and the like.
 */
export const gitEnvironment = (
  environment: Environment,
  options: { readonly ceiling?: readonly string[] } = {},
): Record<string, string> => {
  const { delimiter } = namesOf(environment);
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment.variables)) {
    if (value !== undefined && passed.has(name.toUpperCase())) result[name] = value;
  }
  // Where PATH is spelled `Path`, a second one would leave it open which of them counts.
  for (const name of Object.keys(result)) if (/^path$/i.test(name)) delete result[name];
  return {
    ...result,
    PATH: searchPath(environment).join(delimiter),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_PAGER: "cat",
    // A partial clone would fetch missing objects over the network; git 2.45 and newer obey this.
    GIT_NO_LAZY_FETCH: "1",
    LC_ALL: "C",
    ...(options.ceiling && { GIT_CEILING_DIRECTORIES: options.ceiling.join(delimiter) }),
  };
};

/**
 * The program's full path, or undefined. Searched here because the system's own search would try the
 * working directory too: first of all on Windows, and for `.` or an empty entry in PATH elsewhere.
 */
export const findProgram = (
  name: string,
  environment: Environment,
  files: Files,
): string | undefined => {
  const isWindows = environment.platform === "win32";
  for (const folder of searchPath(environment)) {
    const path = isWindows ? win32.join(folder, `${name}.exe`) : `${folder}/${name}`;
    const stat = statIfReachable(path, files);
    if (stat?.isFile() && (isWindows || (stat.mode & 0o111) !== 0)) return path;
  }
  return undefined;
};

/** A folder of PATH that one may not look into holds nothing for one, as a shell sees it. */
const statIfReachable = (path: string, files: Files): ReturnType<Files["statFollowing"]> => {
  try {
    return files.statFollowing(path);
  } catch (error) {
    if (["EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"].includes(errnoOf(error) ?? ""))
      return undefined;
    throw error;
  }
};

const passed = new Set([
  "PATH",
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "TEMP",
  "SYSTEMROOT",
]);

const namesOf = ({ platform }: Environment) => (platform === "win32" ? win32 : posix);

const searchPath = (environment: Environment): string[] => {
  const names = namesOf(environment);
  const text = environment.variables["PATH"] || pathInAnyCase(environment);
  return text.split(names.delimiter).filter((folder) => names.isAbsolute(folder));
};

/** Windows does not care how the name is written. */
const pathInAnyCase = ({ variables }: Environment): string => {
  const entries = Object.entries(variables);
  return entries.find(([name, value]) => value && /^path$/i.test(name))?.[1] ?? "";
};
