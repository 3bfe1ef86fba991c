/** Files that no command of an agent writes: git's, Headgate's, and those that arm the hooks (B05). */
import { showText } from "../../../base/text.ts";
import { armingFiles, checkPath, type Reason, treeOf } from "../../../gate/index.ts";
import type { FileTarget } from "./file-targets.ts";
import type { ShellContext } from "./types.ts";

const nowhere = treeOf({});

export const protectedReason = (
  { path, extent, by }: FileTarget,
  { protectedBy }: ShellContext,
): Reason | undefined => {
  const found = checkPath(path, nowhere, protectedBy ? { protectedBy } : {});
  if (found) return { code: found.code, path, message: found.message, remedy: found.remedy };
  const lower = path.toLowerCase();
  const isWhole = extent === "tree" && path === ".";
  const config = armingFiles.find(
    (one) => one === lower || (extent === "tree" && one.startsWith(`${lower}/`)),
  );
  if (!isWhole && config === undefined) return undefined;
  const what = isWhole ? "the whole repository" : showText(path);
  return {
    code: "PATH_PROTECTED",
    path,
    message: `${by} would change ${what}, which the agents' hooks are armed by`,
    remedy: "Leave it as it is. If it must change, ask the person you work for.",
  };
};
