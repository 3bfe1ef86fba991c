/** Which clients are installed on this machine, and which the repository knows. Nothing is run. */
import { join } from "node:path";
import { findProgramOutside } from "../../base/find-program.ts";
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
      .map((name) => ({ name, path: findProgramOutside(name, root, environment, files) }))
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
