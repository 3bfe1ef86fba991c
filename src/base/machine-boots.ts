/**
 * The starts of this machine that this installation has lived through (M-01). Containers often share a host name
 * and have no machine id, so another boot under the same name proves a restart only when it was our own: the file
 * is the user's, in no repository, and each start of the machine adds a line.
 */
import { dirname, join } from "node:path";
import { systemEnvironment } from "./environment.ts";
import { errnoOf, type Files, openFlags } from "./files.ts";
import { userFolder } from "./state-place.ts";

export interface Boot {
  readonly host: string;
  readonly bootId: string;
}

/** Notes that this installation runs in that boot. Where it cannot be written, a restart stays unproven. */
export const noteBoot = (boot: Boot, files: Files): void => {
  try {
    if (hasBoot(boot, files)) return;
    const path = bootsPath();
    files.makeDirectory(dirname(path), 0o700);
    const handle = files.open(path, openFlags.append, 0o600);
    try {
      files.write(handle, Buffer.from(lineFor(boot)), 0);
    } finally {
      files.close(handle);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
};

export const hasBoot = (boot: Boot, files: Files): boolean =>
  listBoots(files).some(({ host, bootId }) => host === boot.host && bootId === boot.bootId);

export const listBoots = (files: Files): Boot[] => {
  try {
    const lines = files.readFile(bootsPath()).toString("utf8").split("\n");
    return lines.flatMap((line) => {
      const [bootId = "", host = ""] = line.split(" ");
      return host === "" ? [] : [{ host, bootId }];
    });
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
};

const bootsPath = (): string => join(userFolder(systemEnvironment(), "state"), "headgate", "boots");

const lineFor = ({ host, bootId }: Boot): string => `${bootId} ${host}\n`;
