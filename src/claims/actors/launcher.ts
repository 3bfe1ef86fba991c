/**
 * The process where the search for an agent client ends: whatever started it is of no interest below it. Tests and
 * the demo play many actors, also when an agent has started them; runs start agents that act for a plan.
 *   HEADGATE_LAUNCHER=PID:START[:person]
 * is believed of a process above, with this number and start time, that is older than the state folder: what is
 * guarded here was made below it. An agent's shell is younger than the repository it works in. A run is younger
 * as well: it writes its number into the state folder, with the names it may give, and no other name counts.
 */
import { join } from "node:path";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";
import { newId } from "../../base/ids.ts";
import { removeFile, writeInPlace } from "../../base/open-file.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import type { ProcessSurroundings } from "../../base/process-surroundings.ts";
import type { RunningProcess } from "../../base/process-tree.ts";

export const launcherVariable = "HEADGATE_LAUNCHER";

export interface Launcher {
  readonly pid: number;
  readonly startTime: string;
  /** It plays persons as well. */
  readonly isPerson: boolean;
}

/** Undefined: not of this form, or empty, which says that there is none. */
export const parseLauncher = (text: string): Launcher | undefined => {
  const [, pid, startTime, person] = /^([1-9]\d{0,9}):(\d{1,20})(:person)?$/.exec(text) ?? [];
  if (pid === undefined || startTime === undefined) return undefined;
  return { pid: Number(pid), startTime, isPerson: person !== undefined };
};

/** For the variables of what this process starts. */
export const launcherText = ({ plays }: { readonly plays: "person" | "agents" }): string => {
  const { pid, startTime } = ownIdentity();
  return `${pid}:${startTime}${plays === "person" ? ":person" : ""}`;
};

/** Whether the process is older than what is guarded here; nothing is where no state folder is. */
export const isOlderThanState = (
  running: RunningProcess,
  stateFolder: string | undefined,
  { startedAtMs }: ProcessSurroundings,
  files: Files = systemFiles,
): boolean => {
  const state = stateFolder === undefined ? undefined : files.stat(stateFolder);
  if (!state) return true;
  const started = startedAtMs(running);
  // A file system that does not know when a folder was made says 0.
  return started !== undefined && started < state.birthtimeMs + clockErrorMs;
};

/** Starts are known in hundredths of a second. */
const clockErrorMs = 20;

const folder = "launchers";

/** Says in the state folder that this process starts others under a name and its sub-names; the answer ends that. */
export const recordLauncher = (
  stateFolder: string,
  name: string,
  files: Files = systemFiles,
): (() => void) => {
  const { pid, startTime } = ownIdentity();
  const dir = join(stateFolder, folder);
  try {
    files.makeDirectory(dir, 0o700);
  } catch (error) {
    // Without a state folder nothing is guarded, and every name counts.
    if (errnoOf(error) === "ENOENT") return () => {};
    if (errnoOf(error) !== "EEXIST") throw error;
  }
  // Several may be under way in one process, and a name may hold anything.
  const path = join(dir, `${pid}-${newId("operation")}`);
  writeInPlace(files, path, { text: `${startTime}\n${JSON.stringify(name)}\n`, mode: 0o600 });
  return () => removeFile(files, path);
};

/** Whether one of these processes has said that it gives this name. */
export const isNameGiven = (
  name: string,
  above: readonly RunningProcess[],
  stateFolder: string | undefined,
  files: Files = systemFiles,
): boolean => {
  if (stateFolder === undefined) return false;
  const dir = join(stateFolder, folder);
  if (!files.stat(dir)?.isDirectory()) return false;
  return files.list(dir).some((entry) => {
    const running = above.find(({ pid }) => entry.name.startsWith(`${pid}-`));
    if (!running || !files.stat(join(dir, entry.name))?.isFile()) return false;
    const text = readIfWhole(join(dir, entry.name), files);
    const [startTime, quoted = '""'] = text?.split("\n") ?? [];
    if (startTime !== running.startTime) return false;
    const given = JSON.parse(quoted) as string;
    return given !== "" && (name === given || name.startsWith(`${given}/`));
  });
};

/** It may be removed while we look, or be half written. */
const readIfWhole = (path: string, files: Files): string | undefined => {
  try {
    const text = files.readFile(path).toString("utf8");
    return text.endsWith("\n") ? text : undefined;
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};
