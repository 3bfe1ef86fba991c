/**
 * Who works here and whether Headgate sees it: known from the newest events and from the clients' files.
 */
import { systemClock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import { systemFiles } from "../base/files.ts";
import { limits } from "../base/limits.ts";
import type { ClaimHolder } from "../claims/index.ts";
import type { Headgate } from "../compose.ts";
import type { MissedJudgement } from "../review/index.ts";
import type { Event, Via } from "../store/index.ts";
import type { ClientSigns, ClientState } from "./setup/index.ts";

export interface AgentsReport {
  /** Sessions that began, or were seen at work, and did not end; the one heard of last first. */
  readonly sessions: readonly AgentSession[];
  /** Clients that are set up here or were seen at work. */
  readonly clients: readonly AgentClient[];
  /** Names of the clients whose hooks ran in this clone. */
  readonly seenClients: readonly string[];
  /** The newest first. */
  readonly refusals: readonly Refusal[];
  readonly routedAround: {
    /** Files written past the gate, as far back as the newest thousand such events tell. */
    readonly writes: number;
    /** Commits that were made without being judged first. */
    readonly commits: number;
    readonly last?: string;
  };
  /** Judgements of the last twelve hours that ran out of time or room, the newest first. */
  readonly missed: readonly (MissedJudgement & { readonly at: string })[];
}

export interface AgentSession {
  readonly actor: string;
  readonly harness: string;
  readonly since: string;
  readonly lastSeen: string;
  readonly claims: number;
}

export interface AgentClient extends ClientState {
  readonly sessions: number;
}

export interface Refusal {
  readonly at: string;
  readonly actor: string;
  readonly code: string;
  readonly path: string;
  readonly tool?: string;
  readonly symbol?: string;
  readonly via?: Via;
}

/** `holders` is undefined while nothing was stored, or when the store cannot be read. */
export const agentsReport = async (
  headgate: Headgate,
  holders: readonly ClaimHolder[] | undefined,
  environment: Environment,
): Promise<AgentsReport> => {
  const { clientStates, canaryName, allClients } = await import("./setup/index.ts");
  const { root, localDir } = headgate.repository;
  const events = holders ? await readEvents(headgate) : noEvents;
  const place = { root, localDir, environment, files: systemFiles };
  const signs = signsIn(events);
  const states = clientStates(place, signs);
  const sessions = sessionsOf(events, holders ?? [], new Set(allClients.map(({ name }) => name)));
  const clients = states.map((one): AgentClient => {
    const own = sessions.filter(({ harness }) => harness === one.name).length;
    return { ...one, sessions: own };
  });
  const isReal = ({ path }: Refusal): boolean => !path.startsWith(canaryName);
  return {
    sessions,
    clients,
    seenClients: [...signs.seen],
    refusals: events.refusals.map(refusalOf).filter(isReal).toReversed().slice(0, refusalsMax),
    routedAround: around(events),
    missed: listMissed(events),
  };
};

/**
 * Only hooks write events of sessions, and say so in their refusals: any other event with a client's name may have
 * come through MCP, git or a person's `--as`.
 */
const signsIn = (events: Events): ClientSigns => {
  const ofHooks = [
    ...events.sessions,
    ...[...events.refusals, ...events.bypassed].filter(({ data }) => data["hook"] === true),
  ];
  const seen = namesIn(ofHooks.map(({ actor }) => harnessOf(actor)));
  const inProcess = events.newest.map(({ via }) => harnessOf(via?.session ?? null));
  return {
    seen,
    proven: namesIn(events.proven.map(({ data }) => textIn(data, "client"))),
    atWork: new Set([...seen, ...namesIn(inProcess)]),
  };
};

const namesIn = (names: readonly (string | undefined)[]): ReadonlySet<string> =>
  new Set(names.filter((name) => name !== undefined));

interface Events {
  readonly sessions: readonly Event[];
  readonly newest: readonly Event[];
  readonly refusals: readonly Event[];
  readonly bypassed: readonly Event[];
  readonly proven: readonly Event[];
  readonly ungated: readonly Event[];
  readonly unjudged: readonly Event[];
  readonly missed: readonly Event[];
}

const noEvents: Events = {
  ...{
    sessions: [],
    newest: [],
    refusals: [],
    bypassed: [],
    proven: [],
    ungated: [],
    unjudged: [],
    missed: [],
  },
};
const refusalsMax = 5;
const missedMax = 50;
/** Longer without a word, and it is history. */
const silentMsMax = 12 * 60 * 60 * 1000;

const readEvents = async ({ events }: Headgate): Promise<Events> => {
  const last: number = limits.eventPageMax;
  const newest = async (kind: string, count = last): Promise<readonly Event[]> =>
    (await events.page({ kind, last: count })).events;
  return {
    sessions: await newest("session.*"),
    newest: await newest("*"),
    refusals: await newest("gate.refused", 50),
    bypassed: await newest("gate.bypassed", 50),
    proven: await newest("client.proven", 50),
    ungated: await newest("write.ungated"),
    unjudged: await newest("commit.unjudged"),
    missed: await newest("judgement.missed", missedMax),
  };
};

const sessionsOf = (
  events: Events,
  holders: readonly ClaimHolder[],
  clients: ReadonlySet<string>,
): AgentSession[] => {
  const open = new Map<string, { since: string; harness: string }>();
  const inOrder = [...events.sessions, ...events.newest].toSorted((a, b) => a.seq - b.seq);
  for (const { kind, actor, at, data } of inOrder) {
    const session = sessionOf(actor);
    if (session === undefined) continue;
    // A session that began before the hooks were there is known by its work alone.
    const isWork = /^(?:gate\.|edit\.|claim\.granted$)/.test(kind);
    const isKnown = kind.startsWith("session.") || (isWork && clients.has(harnessOf(actor) ?? ""));
    if (kind === "session.ended") open.delete(session);
    else if (isKnown && !open.has(session)) {
      open.set(session, { since: at, harness: textIn(data, "harness") ?? harnessOf(actor) ?? "" });
    }
  }
  const oldest = systemClock.wallMs() - silentMsMax;
  return [...open]
    .flatMap(([actor, { since, harness }]): AgentSession[] => {
      const own = holders.filter((one) => sessionOf(one.actor) === actor);
      const heard = events.newest.findLast((event) => sessionOf(event.actor) === actor)?.at;
      const lastSeen = heard ?? since;
      const isDead = own.length > 0 && own.every(({ liveness }) => liveness.state === "dead");
      if (isDead || (own.length === 0 && Date.parse(lastSeen) < oldest)) return [];
      const claims = own.reduce((sum, one) => sum + one.claims, 0);
      return [{ actor, harness, since, lastSeen, claims }];
    })
    .toSorted((a, b) => (a.lastSeen < b.lastSeen ? 1 : -1));
};

const listMissed = ({ missed }: Events): AgentsReport["missed"] => {
  const oldest = systemClock.wallMs() - silentMsMax;
  return missed
    .filter(({ at }) => Date.parse(at) >= oldest)
    .map(({ at, data }) => ({
      at,
      what: textIn(data, "what") ?? "",
      where: textIn(data, "where") ?? "",
      why: textIn(data, "why") ?? "",
    }))
    .toReversed();
};

const around = ({ ungated, unjudged }: Events): AgentsReport["routedAround"] => {
  const counts = ungated.map(({ data }) => Number(data["count"] ?? 1) || 1);
  const last = [ungated.at(-1)?.at, unjudged.at(-1)?.at]
    .filter((at) => at !== undefined)
    .toSorted();
  const newest = last.at(-1);
  return {
    writes: counts.reduce((sum, count) => sum + count, 0),
    commits: unjudged.length,
    ...(newest !== undefined && { last: newest }),
  };
};

const refusalOf = ({ at, actor, data, via }: Event): Refusal => {
  const tool = textIn(data, "tool");
  const symbol = textIn(data, "symbol");
  return {
    at,
    actor: actor ?? "",
    code: textIn(data, "code") ?? "",
    path: textIn(data, "path") ?? "",
    ...(tool !== undefined && { tool }),
    ...(symbol !== undefined && { symbol }),
    ...(via && { via }),
  };
};

const textIn = (data: Event["data"], key: string): string | undefined => {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "string" ? value : undefined;
};

/** Without the sub-agent. */
const sessionOf = (actor: string | null): string | undefined => actor?.split("/")[0];

/** Sessions of `doctor --prove` are nobody's. */
const harnessOf = (actor: string | null): string | undefined =>
  /^([a-z]+):(?!doctor-)/.exec(actor ?? "")?.[1];
