import { join, resolve } from "node:path";
import { systemFiles } from "../../base/files.ts";
import type { CommandContext } from "./command.ts";

/** The paths as typed, seen from the working directory; without any, `.headgate` or the folder itself. */
export const statePaths = ({ positionals, environment }: CommandContext): string[] => {
  if (positionals.length > 0) return positionals.map((path) => resolve(environment.cwd, path));
  const own = join(environment.cwd, ".headgate");
  return [systemFiles.stat(own)?.isDirectory() ? own : environment.cwd];
};
