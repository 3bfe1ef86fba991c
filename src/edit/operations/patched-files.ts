import type { Tree } from "../../gate/index.ts";
import type { FileChange } from "../types.ts";
import { applyPatchText } from "./patch/apply-patch.ts";
import { WorkingFiles } from "./working-files.ts";

/** What a patch makes of the files it names, without any other part of an edit. Throws as the patch operation does. */
export const patchedFiles = (patch: string, tree: Tree): FileChange[] => {
  const files = new WorkingFiles(tree);
  applyPatchText(patch, files);
  return files.changes();
};
