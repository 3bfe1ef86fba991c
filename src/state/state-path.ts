import { basename, dirname, resolve } from "node:path";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";

/** A state file's path taken apart: the folder to open and the name in it. */
export interface StatePath {
  readonly path: string;
  readonly directory: string;
  readonly name: string;
}

export const parseStatePath = (given: string): StatePath => {
  if (given === "" || given.includes("\0")) {
    throw new HeadgateError("PATH_INVALID", `not a path: ${showText(JSON.stringify(given))}`);
  }
  const path = resolve(given);
  const name = basename(path);
  if (name === "") {
    throw new HeadgateError(
      "STATE_TARGET_KIND",
      `${showText(given)} is a folder, not a plain file`,
    );
  }
  return { path, directory: dirname(path), name };
};
