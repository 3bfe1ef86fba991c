import type { IncomingMessage } from "node:http";
import { systemEnvironment } from "../../base/environment.ts";
import { limits } from "../../base/limits.ts";
import { errnoOf } from "../../base/files.ts";
import type { ServerState } from "../status-report.ts";
import { findOwnerSocket } from "./owner-socket.ts";
import { dashboardLink } from "./dashboard-link.ts";

/**
 * A running server of this repository, or undefined when none answers on the owner's socket. Nothing is ever
 * sent to a TCP port: after a kill another user's program may listen there.
 */
export interface FoundServer extends ServerState {
  readonly version: string;
  /** Asks it to stop; true when it said it will. */
  stop(): Promise<boolean>;
  /** A new link to the dashboard, good for one browser. */
  dashboard(): Promise<string | undefined>;
}

export const findServer = async (localDir: string): Promise<FoundServer | undefined> => {
  const found = await askServer(localDir);
  return found === "silent" ? undefined : found;
};

/** `silent`: its socket is there and gives no answer in time, so nothing is known of it. */
export const askServer = async (localDir: string): Promise<FoundServer | "silent" | undefined> => {
  const socket = findOwnerSocket(localDir, systemEnvironment());
  if (socket === undefined) return undefined;
  const health = await call("GET", "/health", socket);
  if (health === "silent") return health;
  const { name, pid, port, since, version } = health ?? {};
  if (name !== "headgate" || typeof pid !== "number" || typeof port !== "number") return undefined;
  const { isServerLockFree } = await import("./server-lock.ts");
  if (isServerLockFree(localDir)) return undefined;
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    port,
    pid,
    since: String(since),
    version: String(version),
    dashboard: async () => {
      const key = (await answer("POST", "/api/sign-in/keys", socket))?.["key"];
      return typeof key === "string" ? dashboardLink(address, key) : undefined;
    },
    stop: async () => (await answer("POST", "/api/shutdown", socket))?.["ok"] === true,
  };
};

const answer = async (
  ...asked: Parameters<typeof call>
): Promise<Record<string, unknown> | undefined> => {
  const said = await call(...asked);
  return said === "silent" ? undefined : said;
};

/** One small JSON call. Undefined: no Headgate server answers there; `silent`: no answer in time. */
const call = async (
  method: "GET" | "POST",
  path: string,
  socketPath: string,
): Promise<Record<string, unknown> | "silent" | undefined> => {
  // Costs as much as starting Node; mostly there is no server to ask.
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        // No shared agent: a proxy configured for this process is never asked.
        agent: false,
        socketPath,
        method,
        path,
        headers: { "content-type": "application/json" },
        signal: AbortSignal.timeout(limits.serverAnswerMs),
      },
      (response) => {
        readJson(response).then(resolve, reject);
      },
    );
    sent.on("error", (error) => {
      const code = errnoOf(error) ?? "";
      if (code === "ABORT_ERR") resolve("silent");
      // No program there, or another one.
      else if (["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT"].includes(code)) resolve(undefined);
      else if (code.startsWith("HPE_")) resolve(undefined);
      else reject(error);
    });
    sent.end();
  });
};

const readJson = async (
  response: IncomingMessage,
): Promise<Record<string, unknown> | undefined> => {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += String(chunk);
      if (text.length > answerLengthMax) return undefined;
    }
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch (error) {
    // A server that is being killed hangs up in the middle.
    if (error instanceof SyntaxError || errnoOf(error) !== undefined) return undefined;
    throw error;
  }
};

const answerLengthMax = 64 * 1024;
