import { homedir, hostname, tmpdir } from "node:os";

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
}

export const systemEnvironment = (): Environment => ({
  variables: process.env,
  home: homedir(),
  temporary: tmpdir(),
  host: hostname(),
  platform: process.platform,
  cwd: process.cwd(),
  ...(process.geteuid && { user: process.geteuid() }),
});
