/**
 * Where the user's settings and the store are, for a command inside an agent's session: as its client was started,
 * which a person did, else as the password database says. A command that an agent types cannot bring other
 * settings, or another store, by HOME, XDG_… or HEADGATE_… of its own.
 */
import type { Environment } from "../../base/environment.ts";
import { readSurroundings } from "../../base/process-surroundings.ts";
import { type ActingOptions, lookAtProcess } from "./acting-process.ts";

const names = [
  ...["HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"],
  ...["HEADGATE_STORE", "HEADGATE_ROUTING_PATH", "HEADGATE_REVIEW_RUNNER"],
];

export const userEnvironmentFor = (
  environment: Environment,
  options: ActingOptions = {},
): Environment => {
  const { agent, session, launcher } = lookAtProcess(environment, options);
  const client = session?.process;
  // Below a launcher variables alone make a session, as tests do.
  if (agent === undefined || (launcher && !client)) return environment;
  const { surroundings = readSurroundings() } = options;
  const started = client && surroundings.startVariables([client.pid], names).get(client.pid);
  // Where the client's variables cannot be read, only the home is known.
  const home = started?.["HOME"] ?? environment.accountHome ?? environment.home;
  const others = Object.entries(environment.variables).filter(([name]) => !names.includes(name));
  const variables = { ...Object.fromEntries(others), HOME: home, ...started };
  return { ...environment, home, variables };
};
