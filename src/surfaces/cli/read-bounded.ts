import { errnoOf, systemFiles } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";

/** A file that the user named on the command line, whole. Throws USAGE, INPUT_TOO_LARGE. */
export const readBounded = (path: string, bytesMax: number): Buffer => {
  try {
    const stat = systemFiles.statFollowing(path);
    if (stat && stat.size > bytesMax) {
      throw new HeadgateError(
        "INPUT_TOO_LARGE",
        `${showText(path)} has ${stat.size} bytes; ${bytesMax} is the most`,
      );
    }
    return systemFiles.readFile(path);
  } catch (error) {
    if (HeadgateError.isInstance(error) || errnoOf(error) === undefined) throw error;
    throw new HeadgateError(
      "USAGE",
      `cannot read ${showText(path)}: ${showText((error as Error).message)}`,
    );
  }
};
