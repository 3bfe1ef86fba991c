/** For `status`: which clients have our hooks, and which had them. A look at a few files, no more. */
import { allClients } from "./clients/all-clients.ts";
import { presentOptions, stateOf } from "./doctor/client-checks.ts";
import { readManifest } from "./manifest.ts";
import type { Client, ClientName, SetupPlace } from "./types.ts";

export interface ClientSetup {
  readonly name: ClientName;
  readonly title: string;
  /** gone: `init` put hooks there in this clone, and they are not there any more. */
  readonly hooks: "present" | "gone" | "none";
}

export const clientSetups = (place: Omit<SetupPlace, "environment">): ClientSetup[] => {
  const hasLocal = place.files.stat(place.localDir)?.isDirectory() === true;
  const manifest = readManifest(place.localDir, hasLocal);
  const options = presentOptions(place);
  return allClients.map((client) => {
    const { name, title, hookPath } = client;
    const part = client.parts(place, options).find(({ path }) => path === hookPath);
    const isThere = part !== undefined && ["done", "outdated"].includes(stateOf(place, part).state);
    const wasThere = manifest?.files.some(({ path }) => path === hookPath) === true;
    return { name, title, hooks: isThere ? "present" : wasThere ? "gone" : "none" };
  });
};

/** Those that have hooks of ours, but not as this release writes them. */
export const outdatedClients = (
  place: Pick<SetupPlace, "root" | "files">,
  clients: readonly Client[],
): Client[] =>
  clients.filter((client) => {
    const parts = client.parts(place, presentOptions(place));
    const part = parts.find(({ path }) => path === client.hookPath);
    return part !== undefined && stateOf(place, part).state === "outdated";
  });
