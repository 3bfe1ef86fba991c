import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemEnvironment } from "../../src/base/environment.ts";
import { folderState } from "../../src/base/state-place.ts";

/** Where Headgate keeps its state of a repository, or of a folder without git. */
export const stateFolder = (root: string): string =>
  existsSync(join(root, ".git"))
    ? join(root, ".git/headgate")
    : folderState(root, systemEnvironment());
