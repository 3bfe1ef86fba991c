import { createMcpHandler } from "@modelcontextprotocol/server";
import { limits } from "../../base/limits.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import { Background } from "./background.ts";
import { Cancelling } from "./cancelling.ts";
import { openDoorway } from "./doorway.ts";
import { identifyByRequest } from "./identity.ts";
import { createMcpServer, type Serving } from "./server.ts";

export interface McpEndpoint {
  /** Answers one request; `body` is its JSON, read and bounded by the caller. Throws USAGE without one. */
  answer(
    request: Request,
    body: unknown,
    /** Runs something once the answer has left this process. */
    onSent?: (done: () => void) => void,
  ): Promise<Response>;
  /** Cancels what is under way. */
  close(): Promise<void>;
}

/**
 * MCP for a running server, at `/mcp`. Stateless in both revisions of the protocol: every request gets a
 * server object of its own and no session is kept. Host, Origin and token are the caller's to check.
 */
export const createMcpEndpoint = (options: {
  readonly headgate: Headgate;
  readonly version: string;
  readonly onDefect: (error: unknown) => void;
}): McpEndpoint => {
  const { headgate, version, onDefect } = options;
  const cancelling = new Cancelling();
  const sent = new WeakMap<Request, (done: () => void) => void>();
  const serving: Serving = {
    doorway: openDoorway(headgate),
    identify: identifyByRequest,
    version,
    onDefect,
    calls: new Set<Promise<unknown>>(),
    cancelling,
    background: new Background(),
    afterAnswer: ({ http }, done) => {
      if (http?.req) sent.get(http.req)?.(done);
    },
  };
  const handlerFor = (responseMode: "auto" | "sse") =>
    createMcpHandler(() => createMcpServer(serving), {
      responseMode,
      keepAliveMs: limits.httpStreamHeartbeatMs,
      maxSubscriptions: limits.httpStreamsMax,
      maxRequestBodySize: limits.httpBodyBytesMax,
      // What was refused is in the answer; nothing of it is a defect of ours.
      onerror: () => {},
    });
  const quick = handlerFor("auto");
  const waiting = handlerFor("sse");
  return {
    answer: async (request, body, onSent) => {
      if (onSent) sent.set(request, onSent);
      if (body === undefined && request.method === "POST") {
        throw new HeadgateError("USAGE", "the request has no body");
      }
      const cancelled = cancelledBy(request, body);
      if (cancelled) cancelling.cancel(cancelled);
      const handler = waits(body) ? waiting : quick;
      return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
    },
    close: async () => {
      await Promise.all([quick.close(), waiting.close(), serving.background.close()]);
    },
  };
};

/** A connection on which nothing happens is dropped, so an answer that takes long is a stream from the start. */
const waits = (body: unknown): boolean => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: unknown };
  if (method !== "tools/call") return false;
  const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
  const { waitMs } = (args ?? {}) as { waitMs?: unknown };
  return name === "wait" || (name === "claim" && typeof waitMs === "number");
};

const cancelledBy = (request: Request, body: unknown) => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: unknown };
  if (method !== "notifications/cancelled") return undefined;
  const { requestId: id, _meta } = (params ?? {}) as { requestId?: unknown; _meta?: unknown };
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  const header = request.headers.get("x-headgate-actor");
  const meta = typeof _meta === "object" && _meta !== null ? { ..._meta } : {};
  try {
    const caller = { meta, clientName: "", ...(header !== null && { header }) };
    const actor = identifyByRequest(caller);
    return actor && { actor: actor.id, id };
  } catch (error) {
    // Whoever has no valid name has no call under way either.
    if (HeadgateError.isInstance(error)) return undefined;
    throw error;
  }
};
