/**
 * Processes that carry a variable which only we give out: children of a process that was killed are found by
 * it, whatever group or parent they have by now. Linux only; elsewhere nothing is found.
 */
import { errnoOf, type Files, systemFiles } from "./files.ts";
import { ownIdentity } from "./process-identity.ts";

/** Their numbers, without our own. */
export const processesMarked = (
  variable: string,
  isOurs: (value: string) => boolean,
  files: Files = systemFiles,
): number[] => {
  const own = ownIdentity().pid;
  const found: number[] = [];
  for (const name of processNames(files)) {
    const pid = Number(name);
    if (pid === own) continue;
    const value = variableOf(name, variable, files);
    if (value !== undefined && isOurs(value)) found.push(pid);
  }
  return found;
};

/** A variable that a process was started with; undefined where the system does not tell. */
export const startVariable = (
  pid: number,
  variable: string,
  files: Files = systemFiles,
): string | undefined => (pid > 0 ? variableOf(String(pid), variable, files) : undefined);

const processNames = (files: Files): string[] => {
  try {
    if (!files.traits.handlePaths) return [];
    return files.list("/proc").flatMap(({ name }) => (/^\d+$/.test(name) ? [name] : []));
  } catch (error) {
    if (errnoOf(error) !== undefined) return [];
    throw error;
  }
};

const variableOf = (pid: string, variable: string, files: Files): string | undefined => {
  try {
    const entries = files.readFile(`/proc/${pid}/environ`).toString("utf8").split("\0");
    const prefix = `${variable}=`;
    return entries.find((entry) => entry.startsWith(prefix))?.slice(prefix.length);
  } catch (error) {
    // It has ended, or belongs to somebody else.
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
