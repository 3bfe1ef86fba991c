import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where Headgate keeps its state of a repository, or of a folder without git. */
export const stateFolder = (root: string): string =>
  join(root, existsSync(join(root, ".git")) ? ".git/headgate" : ".headgate/local");
