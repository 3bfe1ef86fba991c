/**
 * Who calls. Never an argument of a tool: an agent that types its own name could act for another one.
 * The first of these that says something counts (docs/mcp.md):
 *   1. a name that was configured: `--as` or HEADGATE_ACTOR, over HTTP the header X-Headgate-Actor; inside an
 *      agent's session over standard input only a sub-agent of that session
 *   2. `_meta` of the request, which the client writes: "headgate/actor", or Codex's session and thread
 *   3. over standard input the variables that the client sets, as on the command line
 * A session has the same name here as in its hooks, so that what one claims the other may write.
 */
import type { Environment } from "../../base/environment.ts";
import {
  type Actor,
  actorFromEnvironment,
  type ActorOptions,
  lookAtProcess,
  parseActor,
  proveHolder,
} from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";

export interface Caller {
  readonly meta: Readonly<Record<string, unknown>>;
  /** As the client introduces itself; empty over HTTP in the older protocol. */
  readonly clientName: string;
  /** The header X-Headgate-Actor. */
  readonly header?: string;
}

/** Undefined when nothing tells. Throws ACTOR_INVALID. */
export type Identify = (caller: Caller) => Actor | undefined;

/** Over HTTP: the process that serves says nothing about who calls; the token shows that it is the user's. */
export const identifyByRequest: Identify = ({ header, meta }) => {
  if (header !== undefined) return parseActor(header);
  const told = metaSession(meta);
  if (told === undefined) return undefined;
  return parseActor(told.actor ?? withAgent(`${told.harness}:${told.session}`, told.agent));
};

/** Over standard input: the process belongs to one client. */
export const identifyByProcess = (
  environment: Environment,
  { as, stateFolder }: Pick<ActorOptions, "as" | "stateFolder"> = {},
): Identify => {
  const known = new Map<string, Actor>();
  const named = as ?? environment.variables["HEADGATE_ACTOR"];
  const place = stateFolder === undefined ? {} : { stateFolder };
  const acting = () => lookAtProcess(environment, place);
  const isGiven = Boolean(named) && acting().agent === undefined;
  return ({ meta, clientName }) => {
    const told = isGiven ? undefined : metaSession(meta);
    const harness = told?.harness ?? harnessOf(clientName);
    const secret = metaSecret(meta);
    const key = JSON.stringify([told, harness, secret]);
    const before = known.get(key);
    if (before) return before;
    const named = actorOf(environment, {
      ...{ as, told, place },
      harness: isGiven ? undefined : harness,
    });
    const isSaid = stateFolder !== undefined && (isGiven || told?.actor !== undefined);
    const proof = isSaid
      ? { proof: proveHolder(named, environment, { stateFolder, acting, secret }) }
      : {};
    const actor = { ...named, ...proof };
    // One client has a few sub-agents; a longer list would be somebody who plays with us.
    if (known.size < knownMax) known.set(key, actor);
    return actor;
  };
};

const knownMax = 1_000;

const actorOf = (
  environment: Environment,
  {
    as,
    told,
    harness,
    place,
  }: {
    readonly place: Pick<ActorOptions, "stateFolder">;
    readonly as: string | undefined;
    readonly told: MetaSession | undefined;
    readonly harness: Harness | undefined;
  },
): Actor => {
  if (told?.actor !== undefined) {
    return actorFromEnvironment(environment, { ...place, as: told.actor });
  }
  // A client inside another one inherits the outer one's variables: only its own count.
  const variables = harness ? variablesOf(environment, harness) : { ...environment.variables };
  if (told) variables["CODEX_THREAD_ID"] = told.session;
  const actor = actorFromEnvironment(
    { ...environment, variables },
    { ...place, ...(as !== undefined && { as }) },
  );
  if (told?.agent === undefined) return actor;
  const { process: client } = actor;
  return { ...parseActor(withAgent(actor.id, told.agent)), ...(client && { process: client }) };
};

type Harness = "claude" | "codex" | "gemini" | "opencode" | "qwen" | "copilot" | "cursor";

/** What each client's variables begin with, and what says that it is there even without a session. */
const harnesses: Readonly<Record<Harness, { readonly prefix: RegExp; readonly marker?: string }>> =
  {
    claude: { prefix: /^CLAUDE/, marker: "CLAUDECODE" },
    codex: { prefix: /^CODEX/ },
    gemini: { prefix: /^GEMINI/, marker: "GEMINI_CLI" },
    opencode: { prefix: /^OPENCODE/, marker: "OPENCODE" },
    qwen: { prefix: /^QWEN/, marker: "QWEN_CODE" },
    copilot: { prefix: /^COPILOT/, marker: "COPILOT_CLI" },
    cursor: { prefix: /^CURSOR/, marker: "CURSOR_AGENT" },
  };

const harnessOf = (clientName: string): Harness | undefined =>
  (Object.keys(harnesses) as Harness[]).find((name) => clientName.toLowerCase().includes(name));

const variablesOf = (
  { variables }: Environment,
  harness: Harness,
): Record<string, string | undefined> => {
  const { prefix, marker } = harnesses[harness];
  const others = Object.values(harnesses).filter((one) => one.prefix !== prefix);
  const own = Object.entries(variables).filter(
    ([name]) => !others.some((one) => one.prefix.test(name)),
  );
  return { ...(marker !== undefined && { [marker]: "1" }), ...Object.fromEntries(own) };
};

interface MetaSession {
  /** A whole name, from a program that embeds us. */
  readonly actor?: string;
  readonly harness: Harness;
  readonly session: string;
  readonly agent?: string;
}

/** As Codex 0.166 sends it (recorded in a test); its hooks have the same session_id. */
const metaSession = (meta: Caller["meta"]): MetaSession | undefined => {
  const whole = meta["headgate/actor"];
  if (whole !== undefined) {
    if (typeof whole !== "string") {
      throw new HeadgateError("ACTOR_INVALID", '"headgate/actor" in _meta is not a text');
    }
    return { actor: whole, harness: "codex", session: "" };
  }
  const turn = objectOf(meta["x-codex-turn-metadata"]);
  const thread = idOf(turn?.["thread_id"]) ?? idOf(meta["threadId"]);
  if (thread === undefined) return undefined;
  const session = idOf(turn?.["session_id"]) ?? idOf(meta["sessionId"]) ?? thread;
  return {
    harness: "codex",
    session,
    ...(thread !== session && { agent: thread }),
  };
};

/** Of a grant, from a program that embeds us and acts under a name that another process of it used. */
const metaSecret = (meta: Caller["meta"]): string | undefined => {
  const secret = meta["headgate/secret"];
  return typeof secret === "string" && /^[0-9a-f]{64}$/.test(secret) ? secret : undefined;
};

const withAgent = (actor: string, agent: string | undefined): string =>
  agent === undefined ? actor : `${actor}/${agent}`;

/** Codex sends it as an object; as a header elsewhere it is the text of one. */
const objectOf = (value: unknown): Record<string, unknown> | undefined => {
  if (typeof value === "string" && value.length < turnLengthMax && value.startsWith("{")) {
    try {
      return objectOf(JSON.parse(value));
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
};

const turnLengthMax = 16_384;

/** What clients use for ids; a slash would name somebody's sub-agent. */
const idOf = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w.-]{1,128}$/.test(value) ? value : undefined;
