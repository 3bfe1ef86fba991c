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
    throw new HeadgateError("USAGE", `cannot read ${showText(path)}: ${whyNot(error)}`);
  }
};

/** Why a file that the user named cannot be had, in words; what is rare keeps its code. */
export const whyNot = (error: unknown): string => {
  const code = errnoOf(error) ?? "unknown error";
  return words[code] ?? code;
};

const words: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "too many links",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "no space left on the device",
  EROFS: "the file system is read-only",
};
