/**
 * Which agent client this process runs in, told by the variables the client sets, and which process the
 * client is. A claim is made by a command that ends at once, in a shell that ends soon; only the client
 * lives as long as the session does. Variables are hints: what they say about processes is checked, and
 * whatever does not hold is as if it were not there.
 */
import type { Environment } from "../../base/environment.ts";
import { errnoOf } from "../../base/files.ts";
import { ownIdentity, type ProcessIdentity } from "../../base/process-identity.ts";
import {
  ancestorsOf,
  type ProcessTree,
  readProcessTree,
  type RunningProcess,
} from "../../base/process-tree.ts";
import { HeadgateError } from "../../errors.ts";

export type HarnessName =
  | "claude"
  | "codex"
  | "gemini"
  | "opencode"
  | "qwen"
  | "copilot"
  | "cursor"
  | "vscode";

interface Harness {
  readonly name: HarnessName;
  /** Holds the session's id. */
  readonly session?: string;
  /** Only says that the client is there. */
  readonly marker?: string;
  /** Holds the client's process number. */
  readonly pid?: string;
  /** Program files, and packages that node or bun run. */
  readonly programs: readonly string[];
  /** Those that are editors, too: only their agent's variables say that an agent acts. */
  readonly editors?: readonly string[];
}

const harnesses: readonly Harness[] = [
  {
    name: "claude",
    session: "CLAUDE_CODE_SESSION_ID",
    marker: "CLAUDECODE",
    pid: "CLAUDE_PID",
    programs: ["claude", "claude-code"],
  },
  { name: "codex", session: "CODEX_THREAD_ID", programs: ["codex"] },
  {
    name: "gemini",
    session: "GEMINI_SESSION_ID",
    marker: "GEMINI_CLI",
    programs: ["gemini", "gemini-cli"],
  },
  { name: "opencode", marker: "OPENCODE", programs: ["opencode", "opencode-ai"] },
  {
    name: "qwen",
    session: "QWEN_CODE_SESSION_ID",
    marker: "QWEN_CODE",
    programs: ["qwen", "qwen-code"],
  },
  {
    name: "copilot",
    session: "COPILOT_AGENT_SESSION_ID",
    marker: "COPILOT_CLI",
    programs: ["copilot"],
  },
  {
    name: "cursor",
    marker: "CURSOR_AGENT",
    programs: ["cursor", "cursor-agent"],
    editors: ["cursor"],
  },
  {
    name: "vscode",
    marker: "COPILOT_AGENT",
    programs: ["code", "code-insiders", "codium"],
    editors: ["code", "code-insiders", "codium"],
  },
];

/** Variables that only the shells of agents have, besides those that say which session it is. */
const agentMarks = [
  ...["AI_AGENT", "CODEX_SANDBOX", "AUGMENT_AGENT", "AMP_CURRENT_THREAD_ID"],
  "ANTIGRAVITY_AGENT",
];

/** All that is read of a process's variables to know whether it belongs to an agent. */
export const harnessVariables: readonly string[] = [
  ...harnesses.flatMap(({ session, marker, pid }) => [session, marker, pid]),
  ...agentMarks,
].filter((name) => name !== undefined);

/** Those of them that say that an agent acts. */
export const agentMarkNames: readonly string[] = [
  ...harnesses.flatMap(({ session, marker }) => [session, marker]),
  ...agentMarks,
].filter((name) => name !== undefined);

/** The first variable that says that an agent acts here, whichever it is. */
export const findAgentMark = (
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined => agentMarkNames.find((name) => variables[name]);

export const isHarnessName = (name: string): name is HarnessName =>
  harnesses.some((harness) => harness.name === name);

/** A client that the variables speak of. */
export interface HarnessSign {
  readonly harness: HarnessName;
  readonly session?: string;
  /** The process number it claims to have. */
  readonly pid?: number;
}

/** Reads variables only. */
export const harnessSigns = ({ variables }: Pick<Environment, "variables">): HarnessSign[] =>
  harnesses.flatMap(({ name, ...names }) => {
    const text = (names.session && variables[names.session]) || undefined;
    const session = text !== undefined && sessionId.test(text) ? text : undefined;
    if (session === undefined && !(names.marker && variables[names.marker])) return [];
    const pid = /^[1-9][0-9]{0,9}$/.exec((names.pid && variables[names.pid]) || "")?.[0];
    return [
      {
        harness: name,
        ...(session !== undefined && { session }),
        ...(pid !== undefined && { pid: Number(pid) }),
      },
    ];
  });

/** What clients use; anything else is not an id, and a slash would name somebody's sub-agent. */
const sessionId = /^[\w.-]{1,128}$/;

export interface FoundHarness {
  readonly harness: HarnessName;
  readonly session: string;
  readonly process?: ProcessIdentity;
}

/**
 * The client nearest above this process: one may have been started inside another and has inherited its
 * variables. Where no process can be recognised, the first sign with a session counts.
 */
export const findHarness = (
  signs: readonly HarnessSign[],
  readTree: () => ProcessTree | undefined = readProcessTree,
): FoundHarness | undefined => {
  if (signs.length === 0) return undefined;
  const found = quietly(() => {
    const tree = readTree();
    const owner = tree && findOwner(tree, signs);
    if (!owner) return undefined;
    const { pid, startTime } = owner.client;
    return { sign: owner.sign, identity: { ...ownIdentity(), pid, startTime } };
  });
  const sign = found?.sign ?? signs.find(({ session }) => session !== undefined);
  if (!sign) return undefined;
  const { harness } = sign;
  if (!found) return sign.session === undefined ? undefined : { harness, session: sign.session };
  const { identity } = found;
  // Without an id of its own, the process itself is the session.
  const session = sign.session ?? `p${identity.pid}-${identity.startTime}`;
  return { harness, session, process: identity };
};

interface Owner {
  readonly sign: HarnessSign;
  readonly client: RunningProcess;
}

const findOwner = (tree: ProcessTree, signs: readonly HarnessSign[]): Owner | undefined => {
  for (const client of ancestorsOf(tree)) {
    const sign = matchSign(client, tree, signs);
    if (sign) return { sign, client };
  }
  // A command that was put into the background has lost its ancestors. A number alone may belong to
  // anybody by now, so the process must also look like the client.
  for (const sign of signs) {
    const client = sign.pid === undefined ? undefined : tree.find(sign.pid);
    if (client && isUsable(client, tree) && isProgramOf(client, sign.harness)) {
      return { sign, client };
    }
  }
  return undefined;
};

/** The sign that this process is the client of. */
export const matchSign = (
  client: RunningProcess,
  tree: ProcessTree,
  signs: readonly HarnessSign[],
): HarnessSign | undefined => {
  if (!isUsable(client, tree)) return undefined;
  return signs.find(
    (one) =>
      isProgramOf(client, one.harness) ||
      (one.pid === client.pid && client.pid !== 1 && !isShell(client)),
  );
};

/** Alive, of the same user, and not this command. */
const isUsable = (client: RunningProcess, { own }: ProcessTree): boolean =>
  !client.isZombie && client.userId === own.userId && client.pid !== own.pid;

const isProgramOf = (running: RunningProcess, harness: HarnessName): boolean => {
  const { programs = [] } = harnesses.find((one) => one.name === harness) ?? {};
  return programNames(running).some((name) => programs.includes(name));
};

/** The client that this program is, whatever variables say; an editor is none. */
export const findClient = (running: RunningProcess): HarnessName | undefined => {
  const names = programNames(running);
  return harnesses.find(({ programs, editors = [] }) =>
    names.some((name) => programs.includes(name) && !editors.includes(name)),
  )?.name;
};

const programNames = ({ name, argv }: RunningProcess): string[] => {
  const [program = "", ...rest] = argv;
  const names = [name, baseName(program)];
  const script = runtimes.has(baseName(program)) && rest.find((word) => !word.startsWith("-"));
  if (script) names.push(baseName(script), packageOf(script));
  return names.map((one) => one.toLowerCase());
};

const baseName = (path: string): string =>
  (path.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|[cm]?js)$/i, "");

/** `claude-code` in `…/node_modules/@anthropic-ai/claude-code/cli.js`; empty without a package. */
const packageOf = (script: string): string => {
  const names = script.split(/[\\/]/);
  const place = names.lastIndexOf("node_modules");
  if (place < 0) return "";
  const [first = "", second = ""] = names.slice(place + 1);
  return first.startsWith("@") ? second : first;
};

const runtimes = new Set(["node", "bun", "deno"]);
const shells = new Set(["sh", "bash", "dash", "zsh", "fish", "ksh", "ash", "busybox", "pwsh"]);

/** It runs one command of the client and ends. A login shell is called `-bash`. */
const isShell = ({ name, argv }: RunningProcess): boolean =>
  [name, baseName(argv[0] ?? "")].some((one) => shells.has(one.replace(/^-/, "").toLowerCase()));

/** Who acts must be known even where the system does not let us look at processes. */
export const quietly = <T>(look: () => T): T | undefined => {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) !== undefined || HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};
