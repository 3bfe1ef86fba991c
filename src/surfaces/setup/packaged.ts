/** Files that come with Headgate. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemFiles } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";

/**
 * The folder of this package. Looked for, because the sources, the compiled files and the bundled command
 * line lie at different depths.
 */
export const packageRoot = (): string => {
  for (let place = dirname(fileURLToPath(import.meta.url)); ; place = dirname(place)) {
    if (systemFiles.stat(join(place, "bin/headgate.js"))?.isFile()) return place;
    if (dirname(place) === place) {
      throw new HeadgateError("INTERNAL", "the folder of this package was not found");
    }
  }
};

/** The hook that clients' settings start, as it was released. */
export const packagedHook = (): string =>
  systemFiles.readFile(join(packageRoot(), "doors/hook.sh")).toString("utf8");

/** How the shim starts this very Headgate when no server answers: Node's path, then the program's. */
export const runtimeText = (node: string): string =>
  `${node}\n${join(packageRoot(), "bin/headgate.js")}\n`;
