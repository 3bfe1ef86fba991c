/** Where the state of a folder without git is: among the user's own files, where no archive unpacked in it reaches. */
import { posix, win32 } from "node:path";
import type { Environment } from "./environment.ts";

/** The user's folder of one kind, by the XDG rules or Windows' own. */
export const userFolder = (
  { variables, home, platform }: Pick<Environment, "variables" | "home" | "platform">,
  kind: "config" | "state",
): string => {
  const { isAbsolute, join } = platform === "win32" ? win32 : posix;
  const [name, fallback] =
    platform === "win32"
      ? ["APPDATA", join("AppData", "Roaming")]
      : kind === "config"
        ? ["XDG_CONFIG_HOME", ".config"]
        : ["XDG_STATE_HOME", join(".local", "state")];
  const given = variables[name];
  // A relative one would be found in whatever repository we happen to stand in.
  return given !== undefined && isAbsolute(given) ? given : join(home, fallback);
};

const folders = "/headgate/folders";

/**
 * One for each real path, under that path, so that the line in clients' settings finds it with a shell's own means
 * (hook-line.ts). Nothing is shared between folders, and no name is too long.
 */
export const folderState = (root: string, environment: Environment): string => {
  const { join } = environment.platform === "win32" ? win32 : posix;
  const path = root.replace(/^([A-Za-z]):/, "/$1");
  return join(userFolder(environment, "state"), `.${folders}`, `.${path}`, "headgate");
};

/** The folder whose state is kept there; undefined for the state of a git repository. */
export const folderWithState = (localDir: string): string | undefined => {
  const at = localDir.indexOf(`${folders}/`);
  return at < 0 ? undefined : localDir.slice(at + folders.length, -"/headgate".length) || "/";
};
