/** Which clients are installed on this machine, and which the repository knows. Nothing is run. */
import { delimiter, join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { findProgram } from "../../base/find-program.ts";
import type { Files } from "../../base/files.ts";
import { allClients } from "./clients/all-clients.ts";
import type { Client, SetupPlace } from "./types.ts";

export interface DetectedClient {
  readonly client: Client;
  /** Full path, if it is on PATH. */
  readonly program?: string;
  /** What gave it away, for people: `claude on PATH`, `~/.codex`, `.cursor here`. */
  readonly signs: readonly string[];
}

export const detectClients = (place: SetupPlace): DetectedClient[] =>
  allClients.map((client) => {
    const { root, environment, files } = place;
    const found = client.programs
      .map((name) => ({ name, path: findOutside(name, root, environment, files) }))
      .find(({ path }) => path !== undefined);
    const home = client.homePaths.filter((path) =>
      files.statFollowing(join(environment.home, path))?.isDirectory(),
    );
    const here = client.repositoryPaths.filter((path) => files.stat(join(root, path)));
    return {
      client,
      ...(found?.path !== undefined && { program: found.path }),
      signs: [
        ...(found ? [`${found.name} on PATH`] : []),
        ...home.map((path) => `~/${path}`),
        ...here,
      ],
    };
  });

/** A program that lies in the repository is the repository's, whatever its name is. */
export const findOutside = (
  name: string,
  root: string,
  environment: Environment,
  files: Files,
): string | undefined => {
  const path = (environment.variables["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => folder !== root && !folder.startsWith(`${root}/`))
    .join(delimiter);
  const variables = { ...environment.variables, PATH: path };
  return findProgram(name, { ...environment, variables }, files);
};
