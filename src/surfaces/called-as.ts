/**
 * How Headgate is called where nothing named `headgate` is on PATH, as after a set-up from a clone of its sources:
 * by a small program in the state folder, so that every remedy can be followed.
 */
import { delimiter, join, relative } from "node:path";
import type { Environment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import { findProgramOutside } from "../base/find-program.ts";
import { writeFileAtomicSync } from "../state/index.ts";
import { commandLine } from "../base/shell-word.ts";

export const callerPath = (localDir: string): string => join(localDir, "headgate");

const callerText = `#!/bin/sh
# Starts this clone's Headgate, for those who do not have it on PATH; its two lines of "runtime" say where it is.
{ read -r node && read -r program; } <"\${0%/*}/runtime" && exec "$node" "$program" "$@"
`;

export const hasCaller = (localDir: string, files: Files = systemFiles): boolean =>
  files.stat(callerPath(localDir))?.isFile() === true &&
  files.readFile(callerPath(localDir)).toString("utf8") === callerText;

export const writeCaller = (localDir: string): void => {
  writeFileAtomicSync(callerPath(localDir), callerText, { mode: 0o700, root: localDir });
};

/** The shorter spelling, for lines that are typed in `cwd`; a program needs a slash in it to be found. */
export const shortPath = (path: string, cwd: string | undefined): string => {
  const near = cwd === undefined ? path : relative(cwd, path);
  return near.length < path.length ? near : path;
};

/** To be written for `headgate` in this clone; undefined where that name itself does. */
export const calledAs = (
  {
    root,
    localDir,
    cwd,
  }: { readonly root: string; readonly localDir: string; readonly cwd?: string | undefined },
  environment: Environment,
  files: Files = systemFiles,
): string | undefined => {
  // Windows starts no such program, and finds others by endings of their own.
  if (environment.platform === "win32") return undefined;
  if (findProgramOutside("headgate", root, typed(environment), files) !== undefined)
    return undefined;
  if (hasCaller(localDir, files)) return commandLine([shortPath(callerPath(localDir), cwd)]);
  return environment.variables["npm_lifecycle_event"] === "npx" ? "npx --no headgate" : undefined;
};

/** npm puts these folders on PATH for what it starts; the shell of who typed `npx headgate` does not have them. */
const typed = (environment: Environment): Environment => {
  const folders = (environment.variables["PATH"] ?? "").split(delimiter);
  const PATH = folders.filter((folder) => !/[/]node_modules[/][.]bin[/]?$/.test(folder));
  return {
    ...environment,
    variables: { ...environment.variables, PATH: PATH.join(delimiter) },
  };
};
