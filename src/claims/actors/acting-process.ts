/**
 * The process that acts, as the system shows it: the processes above it, up to the agent client or the launcher,
 * and the session it belongs to. A session is known by its client among the ancestors, or by variables: its own,
 * and those that the ancestors were started with. These last cannot be taken back by a command: what the client
 * gave its shell counts more than what was set or unset since.
 */
import type { Environment } from "../../base/environment.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import {
  readSurroundings,
  type StartVariables,
  type ProcessSurroundings,
} from "../../base/process-surroundings.ts";
import {
  ancestorsOf,
  type ProcessTree,
  readProcessTree,
  type RunningProcess,
} from "../../base/process-tree.ts";
import {
  findAgentMark,
  findClient,
  findHarness,
  type FoundHarness,
  type HarnessName,
  type HarnessSign,
  harnessSigns,
  harnessVariables,
  matchSign,
  quietly,
} from "./actor-harness.ts";
import { isOlderThanState, type Launcher, launcherVariable, parseLauncher } from "./launcher.ts";

export interface ActingProcess {
  /** Undefined where the system does not tell. */
  readonly own?: RunningProcess;
  /** From the parent upwards, to the client or to below the launcher; to the first process without either. */
  readonly above: readonly RunningProcess[];
  readonly session?: FoundHarness;
  /** Why an agent is at work here: a session's name, a client's, or a variable. */
  readonly agent?: string;
  readonly launcher?: Launcher;
}

export interface ActingOptions {
  /** As the process sees it for which this one acts. */
  readonly readTree?: () => ProcessTree | undefined;
  /** Where this repository's state is: what a launcher must be older than. */
  readonly stateFolder?: string;
  readonly surroundings?: ProcessSurroundings;
}

export const lookAtProcess = (
  environment: Pick<Environment, "variables">,
  options: ActingOptions = {},
): ActingProcess => {
  const { readTree = readProcessTree, surroundings = readSurroundings() } = options;
  const tree = quietly(readTree);
  const ancestors = tree ? ancestorsOf(tree) : [];
  const started = surroundings.startVariables(
    // A server acts for others: its own variables say nothing about them.
    [...(options.readTree === undefined && tree ? [tree.own] : []), ...ancestors].map(
      ({ pid }) => pid,
    ),
    [...harnessVariables, launcherVariable],
  );
  const place = { environment, tree, ancestors, started };
  const launched = findLauncher(place, options.stateFolder, surroundings);
  const below = launched === undefined ? ancestors : ancestors.slice(0, launched.index);
  const found = tree ? findSession({ ...place, tree, ancestors: below }) : undefined;
  const session = found ?? sessionByVariables({ ...place, ancestors: below });
  const agent = session
    ? `${session.harness}:${session.session}`
    : [environment.variables, ...below.map(({ pid }) => started.get(pid) ?? {})]
        .map((variables) => findAgentMark(variables))
        .find((mark) => mark !== undefined);
  const end = below.findIndex(({ pid }) => pid === found?.process?.pid);
  return {
    ...(tree && { own: tree.own }),
    above: end < 0 ? below : below.slice(0, end + 1),
    ...(session && { session }),
    ...(agent !== undefined && { agent }),
    // Below a client it is of no interest who started the client.
    ...(launched && !found && { launcher: launched.launcher }),
  };
};

interface SeenProcesses {
  readonly environment: Pick<Environment, "variables">;
  readonly tree: ProcessTree | undefined;
  readonly ancestors: readonly RunningProcess[];
  readonly started: ReadonlyMap<number, StartVariables>;
}

/** The nearest process that says so decides; an empty text says that there is none. */
const findLauncher = (
  { environment, tree, ancestors, started }: SeenProcesses,
  stateFolder: string | undefined,
  surroundings: ProcessSurroundings,
): { readonly launcher: Launcher; readonly index: number } | undefined => {
  const said = [
    environment.variables[launcherVariable],
    ...[...(tree ? [tree.own] : []), ...ancestors].map(
      ({ pid }) => started.get(pid)?.[launcherVariable],
    ),
  ].find((text) => text !== undefined);
  const launcher = said === undefined ? undefined : parseLauncher(said);
  if (!launcher) return undefined;
  const { pid, startTime } = launcher;
  const index = ancestors.findIndex((one) => one.pid === pid && one.startTime === startTime);
  const running = ancestors[index];
  if (!running || !isOlderThanState(running, stateFolder, surroundings)) return undefined;
  return { launcher, index };
};

/** The session of the nearest client above. */
const findSession = ({
  environment,
  tree,
  ancestors,
  started,
}: SeenProcesses & { readonly tree: ProcessTree }): FoundHarness | undefined => {
  const signs = [
    ...harnessSigns(environment),
    ...ancestors.flatMap(({ pid }) => harnessSigns({ variables: started.get(pid) ?? {} })),
  ];
  for (const [index, client] of ancestors.entries()) {
    if (client.isZombie) continue;
    const harness = matchSign(client, tree, signs)?.harness ?? findClient(client);
    if (harness === undefined) continue;
    const { pid, startTime } = client;
    const inner = { environment, tree, ancestors: ancestors.slice(0, index), started };
    // Without an id of its own, the process itself is the session.
    const session = sessionSaid(inner, harness) ?? `p${pid}-${startTime}`;
    return { harness, session, process: { ...ownIdentity(), pid, startTime } };
  }
  return undefined;
};

/** As its outermost process was started, which the client did; what was set further in is only said. */
const sessionSaid = (
  { environment, ancestors, started }: SeenProcesses,
  harness: HarnessName,
): string | undefined =>
  [...ancestors.toReversed().map(({ pid }) => started.get(pid) ?? {}), environment.variables]
    .flatMap((variables) => harnessSigns({ variables }))
    .find((sign) => sign.harness === harness && sign.session !== undefined)?.session;

/** Of a client that is not above any more, or does not look like one. */
const sessionByVariables = (place: SeenProcesses): FoundHarness | undefined => {
  const { environment, tree, ancestors, started } = place;
  const signs: HarnessSign[] = [
    ...harnessSigns(environment),
    ...ancestors.flatMap(({ pid }) => harnessSigns({ variables: started.get(pid) ?? {} })),
  ];
  // Ancestors were looked at already.
  const found = findHarness(signs, () => tree && { ...tree, own: { ...tree.own, parent: 0 } });
  if (!found) return undefined;
  const said = sessionSaid(place, found.harness);
  return said === undefined ? found : { ...found, session: said };
};
