/** What a program gets of the user's environment: how to run at all, and what its runner names. */
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import type { PrivateFolder } from "./private-folder.ts";

/** Nothing of it is a secret, except that a proxy's address may hold a password, which the program needs. */
const plain = [
  ...["LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME", "SHELL"],
  ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY"],
  ...["http_proxy", "https_proxy", "no_proxy", "all_proxy"],
  // Windows starts nothing without them.
  ...["SystemRoot", "SYSTEMROOT", "ComSpec", "PATHEXT", "NUMBER_OF_PROCESSORS", "WINDIR"],
];

export const childEnvironment = (
  environment: Environment,
  options: {
    /** Undefined: the user's own home, where the runner asks for that. */
    readonly folder: PrivateFolder | undefined;
    readonly pass: readonly string[];
    readonly set?: Readonly<Record<string, string>>;
  },
): Record<string, string> => {
  const env: Record<string, string> = { PATH: safePath(environment), TERM: "dumb", NO_COLOR: "1" };
  for (const name of [...plain, ...options.pass]) {
    const value = environment.variables[name];
    if (value !== undefined && value !== "") env[name] = value;
  }
  const { folder } = options;
  if (folder) {
    env["HOME"] = join(folder.path, "home");
    env["TMPDIR"] = join(folder.path, "tmp");
    env["XDG_CONFIG_HOME"] = join(folder.path, "home/.config");
    env["XDG_DATA_HOME"] = join(folder.path, "home/.local/share");
    env["XDG_STATE_HOME"] = join(folder.path, "home/.local/state");
    env["XDG_CACHE_HOME"] = join(folder.path, "home/.cache");
    if (environment.platform === "win32") {
      env["USERPROFILE"] = env["HOME"];
      env["APPDATA"] = join(env["HOME"], "AppData/Roaming");
      env["LOCALAPPDATA"] = join(env["HOME"], "AppData/Local");
      env["TEMP"] = env["TMP"] = env["TMPDIR"];
    }
  } else {
    env["HOME"] = environment.home;
  }
  return { ...env, ...options.set };
};

/** A relative folder in it would be looked up in whatever repository is reviewed. */
const safePath = ({ variables }: Environment): string =>
  pathFolders(variables["PATH"]).join(delimiter);

export const pathFolders = (path: string | undefined): string[] =>
  (path ?? "/usr/local/bin:/usr/bin:/bin").split(delimiter).filter((folder) => isAbsolute(folder));
