import type { Files } from "../../base/files.ts";
import { HeadgateError } from "../../errors.ts";
import { readContent } from "../../state/index.ts";

/** The file's content, or undefined where it or its folder is missing. */
export const readIfAny = (path: string, files: Files): Buffer | undefined => {
  try {
    return readContent(path, files);
  } catch (error) {
    if (HeadgateError.isInstance(error) && error.code === "STATE_PARENT_MISSING") return undefined;
    throw error;
  }
};
