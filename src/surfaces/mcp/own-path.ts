import { isAbsolute, relative, sep } from "node:path";

/** As the rooms want it: relative to the root. What leads outside is theirs to refuse. */
export const ownPath = (root: string, file: string): string => {
  const path = isAbsolute(file) ? relative(root, file).split(sep).join("/") : file;
  return path.replace(/^(?:\.\/+)+/, "");
};
