/** The part of the set-up in the state folder: the hook that clients' settings start, and who must trust it again. */
import { join } from "node:path";
import { type Files, systemFiles } from "../../base/files.ts";
import { removeFile, writeInPlace } from "../../base/open-file.ts";
import { writeFileAtomicSync } from "../../state/index.ts";
import { callerPath, hasCaller, writeCaller } from "../called-as.ts";
import { allClients } from "./clients/all-clients.ts";
import { packagedHook } from "./packaged.ts";
import type { Client } from "./types.ts";

const hookPath = (localDir: string): string => join(localDir, "hook");

export const hasHook = (localDir: string, files: Files = systemFiles): boolean =>
  hasCaller(localDir, files) &&
  files.stat(hookPath(localDir))?.isFile() === true &&
  files.readFile(hookPath(localDir)).toString("utf8") === packagedHook();

/**
 * Also by the server and by git's hooks, in a clone that an earlier release has armed: settings of this release may
 * come by a pull, and find no hook there.
 */
export const renewHook = (localDir: string, files: Files = systemFiles): void => {
  if (!files.stat(join(localDir, "runtime"))?.isFile() || hasHook(localDir, files)) return;
  writeHook(localDir);
};

export const writeHook = (localDir: string): void => {
  writeFileAtomicSync(hookPath(localDir), packagedHook(), { mode: 0o600, root: localDir });
  writeCaller(localDir);
};

export const removeHook = (localDir: string, files: Files = systemFiles): void => {
  for (const path of [hookPath(localDir), callerPath(localDir)]) removeFile(files, path);
  for (const { name } of allClients) removeFile(files, trustPath(localDir, name));
};

/** The hook takes it away as soon as the client runs it (doors/hook.sh). */
const trustPath = (localDir: string, name: Client["name"]): string =>
  join(localDir, `trust-${name}`);

/** Their hooks have changed, and they run changed ones only when a person has looked at them. */
export const noteTrust = (
  localDir: string,
  clients: readonly Client[],
  files: Files = systemFiles,
): void => {
  for (const { name } of clients) {
    writeInPlace(files, trustPath(localDir, name), { text: "new\n", mode: 0o600 });
  }
};

export const trustNeeded = (localDir: string, files: Files = systemFiles): readonly Client[] =>
  allClients.filter(({ name }) => files.stat(trustPath(localDir, name))?.isFile());

/** For one who hears it once: those of whom it was not said before. */
export const takeUntold = (localDir: string, files: Files = systemFiles): readonly Client[] => {
  const fresh = trustNeeded(localDir, files).filter(
    ({ name }) => files.readFile(trustPath(localDir, name)).toString("utf8") === "new\n",
  );
  for (const { name } of fresh) {
    writeInPlace(files, trustPath(localDir, name), { text: "said\n", mode: 0o600 });
  }
  return fresh;
};

/** One line for one client. */
export const trustText = ({ title, once = "" }: Client): string =>
  `${title} runs Headgate's changed hooks only after you trust them again: ${once}`;
