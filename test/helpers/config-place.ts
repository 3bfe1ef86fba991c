import { join } from "node:path";
import { type Environment, systemEnvironment } from "../../src/base/environment.ts";
import { loadConfig } from "../../src/config/index.ts";
import { put, temporaryFolder } from "./temporary-folder.ts";

/** A repository folder and a user's home of their own, and a way to load from them. */
export const configPlace = (texts: { user?: string; repository?: string } = {}) => {
  const home = temporaryFolder();
  const root = temporaryFolder();
  const userFile = join(home, ".config/headgate/config.jsonc");
  const configFile = join(root, ".headgate/config.jsonc");
  if (texts.user !== undefined) put(userFile, texts.user);
  if (texts.repository !== undefined) put(configFile, texts.repository);
  const load = (
    variables: Environment["variables"] = {},
    flags: Record<string, unknown> = {},
    evenIfBroken = false,
  ) => {
    const platform = "linux" as const;
    const environment = { ...systemEnvironment(), home, variables, platform };
    return loadConfig({ repository: { configFile }, environment, flags, evenIfBroken });
  };
  return { home, root, userFile, configFile, load };
};
