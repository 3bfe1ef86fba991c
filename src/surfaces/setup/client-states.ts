/**
 * How far each client is guarded: the one answer for `status`, `doctor`, `init`, `up` and the dashboard. Settings
 * alone prove nothing: a client that does not trust the folder skips them without a word.
 */
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { showText } from "../../base/text.ts";
import type { Repository } from "../../git/index.ts";
import { allClients } from "./clients/all-clients.ts";
import { inspectClient, presentOptions, stateOf } from "./doctor/client-checks.ts";
import { readManifest } from "./manifest.ts";
import type { Client, ClientName, SetupPlace } from "./types.ts";

export interface ClientState {
  readonly name: ClientName;
  readonly title: string;
  /**
   * installed: its settings call Headgate. seen: one of its hooks ran in this clone. proven: `doctor --prove` saw
   * a canary edit refused.
   */
  readonly state: "installed" | "seen" | "proven" | "problem";
  /** With `problem`. */
  readonly problem?: { readonly reason: string; readonly command: string };
}

/** Signs in the log, by the clients' names. */
export interface ClientSigns {
  readonly seen: ReadonlySet<string>;
  readonly proven: ReadonlySet<string>;
  /** The system showed its process, or its hooks ran. */
  readonly atWork: ReadonlySet<string>;
}

export const noSigns: ClientSigns = { seen: new Set(), proven: new Set(), atWork: new Set() };

/** Clients that are set up here, were, or work here without it. A look at a few files, no more. */
export const clientStates = (place: SetupPlace, signs: ClientSigns): ClientState[] => {
  const hasLocal = place.files.stat(place.localDir)?.isDirectory() === true;
  const manifest = readManifest(place.localDir, hasLocal);
  return allClients.flatMap((client): ClientState[] => {
    const { name, title } = client;
    const [isSeen, isProven] = [signs.seen.has(name), signs.proven.has(name)];
    const { isAbsent, checks } = inspectClient(place, client, { manifest, isSeen });
    const found = checks.find(({ state }) => state === "problem");
    if (found) {
      const { text: reason, remedy = "" } = found;
      const command = /`([^`]+)`/.exec(remedy)?.[1] ?? "headgate doctor";
      return [{ name, title, state: "problem", problem: { reason, command } }];
    }
    if (!isAbsent) {
      return [{ name, title, state: isProven ? "proven" : isSeen ? "seen" : "installed" }];
    }
    if (!signs.atWork.has(name)) return [];
    const command = `headgate init --client ${name}`;
    return [
      { name, title, state: "problem", problem: { reason: "works here without hooks", command } },
    ];
  });
};

/** A line for each client whose settings here do not call this release's hook, with the command that renews them. */
export const settingsProblems = (
  { worktree, localDir }: Pick<Repository, "worktree" | "localDir">,
  environment: Environment,
): readonly string[] =>
  clientStates({ root: worktree, localDir, environment, files: systemFiles }, noSigns).flatMap(
    ({ title, problem }) =>
      problem ? [`${title}: ${showText(problem.reason, 200)}  (${problem.command})`] : [],
  );

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
