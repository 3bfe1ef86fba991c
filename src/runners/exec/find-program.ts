import { isAbsolute, join } from "node:path";
import { HeadgateError } from "../../errors.ts";
import { showText } from "../../base/text.ts";
import type { Ports } from "../spec.ts";
import { pathFolders } from "./child-environment.ts";

/** The program's whole path. Throws RUNNER_NOT_READY: better said before a review than by every reviewer. */
export const findProgram = (
  program: string,
  runner: string,
  { environment, files }: Pick<Ports, "environment" | "files">,
): string => {
  const candidates = isAbsolute(program)
    ? [program]
    : /[\\/]/.test(program)
      ? []
      : pathFolders(environment.variables["PATH"]).flatMap((folder) =>
          (environment.platform === "win32" ? [`${program}.exe`, program] : [program]).map((name) =>
            join(folder, name),
          ),
        );
  const found = candidates.find((path) => {
    const stat = files.statFollowing(path);
    return stat?.isFile() && (environment.platform === "win32" || (stat.mode & 0o111) !== 0);
  });
  if (found !== undefined) return found;
  const why = /[\\/]/.test(program)
    ? isAbsolute(program)
      ? "is not an executable file"
      : "must be a name on PATH or an absolute path"
    : "is not on PATH";
  throw new HeadgateError(
    "RUNNER_NOT_READY",
    `runner ${showText(runner)}: its program ${showText(program)} ${why}`,
    { data: { runner, program } },
  );
};
