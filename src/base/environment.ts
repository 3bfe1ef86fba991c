import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { fileURLToPath } from "node:url";
import { HeadgateError } from "../errors.ts";

/** What the surroundings of this process say, read once and passed down. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly temporary: string;
  readonly host: string;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  /** The user whose rights this process has; absent where users have no numbers (Windows). */
  readonly user?: number;
  /** The home folder by the password database, which is not set for one call as `HOME` can be. */
  readonly accountHome?: string;
  /** Node, and the folder of this package: what answers every question. */
  readonly program?: { readonly node: string; readonly folder: string };
}

/** WORKING_FOLDER_GONE, unless another folder is given. */
export const systemEnvironment = (cwd = workingFolder()): Environment => ({
  variables: process.env,
  home: homedir(),
  temporary: tmpdir(),
  host: hostname(),
  platform: process.platform,
  cwd,
  ...(process.geteuid && { user: process.geteuid() }),
  ...accountHome(),
  // dist/ and src/ lie equally deep.
  program: { node: process.execPath, folder: fileURLToPath(new URL("../..", import.meta.url)) },
});

const workingFolder = (): string => {
  try {
    return process.cwd();
  } catch (cause) {
    throw new HeadgateError("WORKING_FOLDER_GONE", "the folder of this command was removed", {
      cause,
    });
  }
};

const accountHome = (): Pick<Environment, "accountHome"> => {
  try {
    return { accountHome: userInfo().homedir };
  } catch {
    // A user without an entry, as in some containers.
    return {};
  }
};
