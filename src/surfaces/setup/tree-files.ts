/** Code of ours that clients start from the tree: a branch can change it, so each look says when it is another's. */
import { shimPath, shimText } from "../../base/hook-line.ts";
import { type Files, systemFiles } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { opencodePlugin } from "./opencode-plugin.ts";
import { readFile } from "./plan.ts";
import { SetupRefusal } from "./types.ts";

/** By its path in the tree: every text of this release. */
export const treeFiles: Readonly<Record<string, readonly string[]>> = {
  [shimPath]: [shimText],
  ".opencode/plugins/headgate.js": [opencodePlugin("git"), opencodePlugin("folder")],
};

/** Of these contents the ones that are not this release's; absent ones are not. */
export const differingFiles = (read: (path: string) => string | undefined): readonly string[] =>
  Object.entries(treeFiles)
    .filter(([path, texts]) => {
      const text = read(path);
      return text !== undefined && !texts.includes(text);
    })
    .map(([path]) => path);

export const differingIn = (root: string, files: Files = systemFiles): readonly string[] =>
  differingFiles((path) => {
    try {
      return readFile({ root, files }, path)?.toString("utf8");
    } catch (error) {
      // A link, a folder, or larger than anything of ours.
      if (error instanceof SetupRefusal || HeadgateError.isInstance(error)) return "";
      throw error;
    }
  });

export const differingText = (path: string): string =>
  `${path} is not this release's: it was changed, or another release wrote it`;

export const differingRemedy = "Look at the file, then run `headgate init`.";
