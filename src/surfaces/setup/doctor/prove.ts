/**
 * Drives a canary write through the installed hooks, started as the client starts them: one onto a file
 * that another actor has claimed, which must be refused, and one onto a free one, which must pass. The
 * canary files are never written. Only commands that are letter for letter our own are run.
 */
import { systemClock } from "../../../base/clock.ts";
import { gitEnvironment } from "../../../git/index.ts";
import { newId } from "../../../base/ids.ts";
import { systemProcesses } from "../../../base/processes.ts";
import { showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { findProgramOutside } from "../../../base/find-program.ts";
import { mcpCommand } from "../hook-tables.ts";
import { noteTrust, trustNeeded } from "../state-hook.ts";
import { type Client, repositoryKind, type SetupPlace } from "../types.ts";
import { type Canary, canaryName, canaryCommand, writePayload } from "./canary.ts";

export interface Proof {
  readonly client: Client["name"];
  readonly title: string;
  /** Both went as they must. */
  readonly ok: boolean;
  readonly claimed: Outcome;
  readonly free: Outcome;
}

export interface Outcome {
  readonly ok: boolean;
  /** The first line that the agent would read, or what went wrong. */
  readonly text: string;
  readonly ms: number;
}

export const proveClient = async (
  headgate: Headgate,
  place: SetupPlace,
  client: Client,
): Promise<Proof> => {
  const mark = newId("canary").slice(-8);
  const session = `doctor-${mark}`;
  const claimed = `${canaryName}${mark}.txt`;
  const free = `${canaryName}${mark}-free.txt`;
  // The client itself has not run the hook by this.
  const trusted = trustNeeded(place.localDir, place.files);
  const other = headgate.claims.as(`headgate-doctor-${mark}`);
  await other.claim({
    targets: [{ path: claimed, extent: "file" }],
    ttlMs: 60_000,
    reason: "headgate doctor --prove",
  });
  try {
    const ask = (path: string) => write(place, client, { root: place.root, session, path });
    const refused = judge(await ask(claimed), "refused");
    const passed = judge(await ask(free), "passed");
    const ok = refused.ok && passed.ok;
    return { client: client.name, title: client.title, ok, claimed: refused, free: passed };
  } finally {
    noteTrust(place.localDir, trusted, place.files);
    await other.release({ all: true });
    // The write that passed holds its file for the session that never was.
    await headgate.claims.as(`${client.name}:${session}`).release({ all: true });
  }
};

/** Starts the MCP server as every client does, and says hello. */
export const proveMcp = async (place: SetupPlace): Promise<Outcome> => {
  const { root, environment, files } = place;
  const startedMs = systemClock.monoMs();
  const result = await systemProcesses.run(
    [
      findProgramOutside("sh", root, environment, files) ?? "/bin/sh",
      ...mcpCommand(repositoryKind(place)).args,
    ],
    {
      cwd: root,
      env: clientEnvironment(place),
      input: `${JSON.stringify(hello)}\n`,
      timeoutMs: proofMs,
      outputBytesMax: 1024 * 1024,
    },
  );
  const ms = Math.round(systemClock.monoMs() - startedMs);
  const said = result.ended === "exit" ? result.stdout.toString("utf8") : "";
  if (/"serverInfo":\{[^}]*"name":"headgate"/.test(said)) return { ok: true, text: "answers", ms };
  const why = result.ended === "exit" ? `exit ${result.code}` : endText(result.ended);
  return { ok: false, text: `does not answer (${why})`, ms };
};

const proofMs = 30_000;

const endText = (ended: string): string =>
  ended === "timeout" ? `not judged: no answer within ${proofMs / 1000} s` : ended;

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "headgate-doctor", version: "1" },
  },
};

interface Answer {
  readonly code: number | string;
  readonly said: string;
  readonly ms: number;
}

const write = async (place: SetupPlace, client: Client, canary: Canary): Promise<Answer> => {
  const { root, environment, files } = place;
  const [, ...words] = canaryCommand(client.name, root, repositoryKind(place));
  const shell = findProgramOutside("sh", root, environment, files) ?? "/bin/sh";
  const startedMs = systemClock.monoMs();
  const result = await systemProcesses.run([shell, ...words], {
    cwd: root,
    env: clientEnvironment(place),
    input: JSON.stringify(writePayload(client.name, canary)),
    timeoutMs: proofMs,
    outputBytesMax: 1024 * 1024,
  });
  const ms = Math.round(systemClock.monoMs() - startedMs);
  if (result.ended !== "exit") return { code: result.ended, said: "", ms };
  return { ...answerIn(result.code, result.stderr.toString(), result.stdout.toString()), ms };
};

/** Copilot's command line is refused in JSON, all others by the exit code. */
const answerIn = (code: number, stderr: string, stdout: string): Omit<Answer, "ms"> => {
  const reason = /"permissionDecision":"deny","permissionDecisionReason":("(?:[^"\\]|\\.)*")/.exec(
    stdout,
  )?.[1];
  return reason === undefined || code !== 0
    ? { code, said: stderr.trim() }
    : { code: 2, said: JSON.parse(reason) as string };
};

const clientEnvironment = ({ root, environment }: SetupPlace): Record<string, string> => {
  const own = Object.entries(environment.variables).filter(
    (entry): entry is [string, string] =>
      // A bypass would prove nothing.
      entry[1] !== undefined && entry[0].startsWith("HEADGATE_") && entry[0] !== "HEADGATE_BYPASS",
  );
  return { ...gitEnvironment(environment), ...Object.fromEntries(own), CLAUDE_PROJECT_DIR: root };
};

const judge = ({ code, said, ms }: Answer, wanted: "refused" | "passed"): Outcome => {
  const [first = ""] = said.split("\n");
  const isClaim = said.includes("CLAIM_CONFLICT");
  if (wanted === "refused" && code === 2 && isClaim) return { ok: true, text: showText(first), ms };
  if (wanted === "passed" && code === 0) return { ok: true, text: "no objection", ms };
  const ended = typeof code === "number" ? `exit ${code}` : endText(code);
  const text = showText(first === "" ? ended : `${ended}: ${first}`);
  return { ok: false, text, ms };
};
