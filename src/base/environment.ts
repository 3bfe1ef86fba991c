import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { fileURLToPath } from "node:url";

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

export const systemEnvironment = (): Environment => ({
  variables: process.env,
  home: homedir(),
  temporary: tmpdir(),
  host: hostname(),
  platform: process.platform,
  cwd: process.cwd(),
  ...(process.geteuid && { user: process.geteuid() }),
  ...accountHome(),
  // dist/ and src/ lie equally deep.
  program: { node: process.execPath, folder: fileURLToPath(new URL("../..", import.meta.url)) },
});

const accountHome = (): Pick<Environment, "accountHome"> => {
  try {
    return { accountHome: userInfo().homedir };
  } catch {
    // A user without an entry, as in some containers.
    return {};
  }
};
