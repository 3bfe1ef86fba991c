import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Clock, isoTime, systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { errnoOf } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { type Random, systemRandom } from "../../base/random.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import type { ServerState } from "../status-report.ts";
import { createApp } from "./app.ts";
import { openDoors } from "./doors.ts";
import { refuse } from "./error-answer.ts";
import { createEventStreams } from "./event-streams.ts";
import { createGuard, type Guard, ownerGuard, isSignedIn } from "./guard.ts";
import { listenForOwner } from "./owner-socket.ts";
import { securityHeaders } from "./security-headers.ts";
import { createSignIn, type SignIn } from "./sign-in.ts";

export interface ServerOptions {
  readonly headgate: Headgate;
  /** 0 lets the system choose. */
  readonly port: number;
  readonly version: string;
  readonly pid: number;
  readonly environment: Environment;
  /** Default: a new one. */
  readonly token?: string;
  readonly onDefect: (error: unknown) => void;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface RunningServer {
  readonly state: ServerState;
  /** Where hooks and commands of the owner reach it. */
  readonly socket: string;
  /** 256 random bits in hex, made for this start unless the user gave some. */
  readonly token: string;
  /** 128 random bits that end the answers to the hooks' shim. */
  readonly mark: string;
  /** Lets browsers in. */
  readonly signIn: SignIn;
  /** Aborted when a caller asked for the end with POST /api/shutdown. */
  readonly stopAsked: AbortSignal;
  /** Since the last request; 0 while somebody watches. */
  idleMs(): number;
  /** Judges what was written unjudged; asked from time to time. */
  settleUnjudged(): Promise<void>;
  /** Stops accepting, ends streams, lets open requests finish for a while, then cuts them. Once. */
  close(): Promise<void>;
}

/**
 * Listens on the owner's socket, and for browsers and `init --http` on 127.0.0.1: two servers with places of
 * their own, so that a flood on TCP cannot keep the owner out. Throws SERVER_PORT_IN_USE, SERVER_SOCKET_FAILED.
 */
export const startServer = async (options: ServerOptions): Promise<RunningServer> => {
  const { headgate, version, pid, clock = systemClock, random = systemRandom } = options;
  const { getRequestListener } = await import("@hono/node-server");
  const token = options.token ?? Buffer.from(random.bytes(32)).toString("hex");
  const mark = Buffer.from(random.bytes(16)).toString("hex");
  const asked = new AbortController();
  const streams = createEventStreams(headgate.events, clock);
  let state: ServerState = { address: "", port: 0, pid, since: isoTime(clock.wallMs()) };

  const guard = createGuard({ port: () => state.port, token });
  const doors = openDoors({ ...options, clock, mark });
  const signIn = createSignIn({ token, clock, random });
  const app = createApp({
    headgate,
    streams,
    doors,
    version,
    signIn,
    clock,
    environment: options.environment,
    state: () => state,
    isOwner: (request) => owners.has(request.socket),
    isSignedIn: (request) => !owners.has(request.socket) && isSignedIn(request, token),
    stop: () => asked.abort(),
    onDefect: options.onDefect,
  });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const owners = new WeakSet<Socket>();
  const refused = new WeakSet<Socket>();
  let lastMonoMs = clock.monoMs();
  const createGuarded = (guardOf: Guard): Server => {
    const server = createBoundedServer();
    server.on("request", (request, response) => {
      lastMonoMs = clock.monoMs();
      // Kept for its next request, the connection of a stream would hold up the end for the whole grace.
      response.once("close", () => {
        if (!server.listening) void clock.yield().then(() => server.closeIdleConnections());
      });
      // What follows a refused request on its connection may be that request's body: never obeyed.
      if (refused.has(request.socket)) return;
      for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
      const refusal = guardOf.refusal(request);
      if (refusal !== undefined) {
        refused.add(request.socket);
        refuse(response, refusal);
      } else answer(request, response).catch(options.onDefect);
    });
    return server;
  };
  const server = createGuarded(guard);
  const owner = createGuarded(ownerGuard);
  owner.on("connection", (socket) => owners.add(socket));

  await listen(server, options.port);
  const { localDir } = headgate.repository;
  const socket = await listenForOwner(owner, { localDir, environment: options.environment }).catch(
    (error: unknown) => {
      server.close();
      throw error;
    },
  );
  const { port } = server.address() as AddressInfo;
  state = { ...state, port, address: `http://127.0.0.1:${port}` };
  let closing: Promise<void> | undefined;
  return {
    state,
    socket,
    token,
    mark,
    signIn,
    stopAsked: asked.signal,
    idleMs: () => (streams.count > 0 ? 0 : clock.monoMs() - lastMonoMs),
    settleUnjudged: () => doors.settleUnjudged(),
    close: () =>
      (closing ??= closeServers([server, owner], streams, clock).finally(() => doors.close())),
  };
};

/** Node's own limits do the work against slow, endless or too many requests (D07, E08). */
const createBoundedServer = (): Server => {
  const server = createServer({
    maxHeaderSize: limits.httpHeaderBytesMax,
    headersTimeout: limits.httpRequestTimeoutMs,
    requestTimeout: limits.httpRequestTimeoutMs,
    keepAliveTimeout: limits.httpRequestTimeoutMs,
    // How often the two time-outs are looked at; Node's default would let them overrun by 30 s.
    connectionsCheckingInterval: 1000,
    insecureHTTPParser: false,
    // Our own check answers a missing Host, with a reason.
    requireHostHeader: false,
  });
  server.maxConnections = limits.httpConnectionsMax;
  server.maxHeadersCount = limits.httpHeadersMax;
  server.timeout = limits.httpIdleTimeoutMs;
  return server;
};

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const code = errnoOf(cause);
      if (code === "EADDRINUSE") {
        const message = `port ${port} on 127.0.0.1 is in use`;
        reject(new HeadgateError("SERVER_PORT_IN_USE", message, { data: { port }, cause }));
      } else if (code === "EACCES") {
        const message = `this user may not listen on port ${port}`;
        reject(new HeadgateError("USAGE", message, { data: { port }, cause }));
      } else reject(cause);
    });
    server.listen({ host: "127.0.0.1", port, exclusive: true }, resolve);
  });

const closeServers = async (
  servers: readonly Server[],
  streams: { close(): void },
  clock: Clock,
): Promise<void> => {
  const closed = Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
  streams.close();
  const waiting = new AbortController();
  const cutting = async () => {
    await clock.sleep(limits.shutdownGraceMs, waiting.signal);
    if (waiting.signal.aborted) return;
    for (const server of servers) server.closeAllConnections();
  };
  await Promise.all([cutting(), closed.finally(() => waiting.abort())]);
};
