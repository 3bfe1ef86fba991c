import { delimiter, posix, win32 } from "node:path";
import type { Environment } from "./environment.ts";
import { errnoOf, type Files } from "./files.ts";

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

/** A program that lies in the repository is the repository's, whatever its name is. */
export const findProgramOutside = (
  name: string,
  root: string,
  environment: Environment,
  files: Files,
): string | undefined => {
  const path = (environment.variables["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== root && !folder.startsWith(`${root}/`))
    .join(delimiter);
  const variables = { ...environment.variables, PATH: path };
  return findProgram(name, { ...environment, variables }, files);
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

/** The rules for paths of the machine that is described. */
export const pathRules = ({ platform }: Environment) => (platform === "win32" ? win32 : posix);

export const searchPath = (environment: Environment): string[] => {
  const names = pathRules(environment);
  const text = environment.variables["PATH"] || pathInAnyCase(environment);
  return text.split(names.delimiter).filter((folder) => names.isAbsolute(folder));
};

/** Windows does not care how the name is written. */
const pathInAnyCase = ({ variables }: Environment): string => {
  const entries = Object.entries(variables);
  return entries.find(([name, value]) => value && /^path$/i.test(name))?.[1] ?? "";
};
