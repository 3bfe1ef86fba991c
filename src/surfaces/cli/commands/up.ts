import { type Clock, systemClock } from "../../../base/clock.ts";
import type { Environment } from "../../../base/environment.ts";
import { systemFiles } from "../../../base/files.ts";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import { packageVersion } from "../../../base/version.ts";
import type { Headgate } from "../../../compose.ts";
import { HeadgateError } from "../../../errors.ts";
import { type AgentClient, agentsReport } from "../../agents-report.ts";
import type { FoundServer } from "../../http/find-server.ts";
import type { RunningServer } from "../../http/server.ts";
import { isServerNoted, tokenPath } from "../../http/server-files.ts";
import type { ServerLock } from "../../http/server-lock.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { durationFlag } from "../duration.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";
import { alignedLines } from "../table.ts";
import { stopServer } from "./up-stop.ts";

export const command: Command = {
  summary: "Start the local server for this repository",
  usage: ["up [--port N] [--detach] [--idle DURATION]", "up --stop"],
  description:
    "One server per repository, for this computer only: hooks and commands reach it by a socket in " +
    ".git/headgate that is yours alone; browsers reach it on 127.0.0.1, where it answers only to the " +
    "token it writes into .git/headgate/token at every start. It runs until Ctrl-C or `headgate up " +
    "--stop`. A second `up` finds the first and says where it is. Headgate works without it, too.",
  options: {
    port: {
      type: "string",
      value: "N",
      description: "Listen on this port (default: any free one)",
    },
    detach: { type: "boolean", description: "Start it in the background and return" },
    idle: {
      type: "string",
      value: "DURATION",
      description: "End by itself when nothing was asked for so long (2h)",
    },
    stop: { type: "boolean", description: "Stop the running server instead" },
  },
  examples: [
    ["headgate up", "start, and stay until Ctrl-C"],
    ["headgate up --port 7400", "on a port of your choice"],
    ["headgate up --detach", "in the background; it ends after two hours without a question"],
    ["headgate up --stop", "stop it from another terminal"],
  ],
  exits: [
    [0, "it ran and was stopped, or was running already"],
    [4, "--stop: no server was running"],
    [69, "the port is in use, or the store is not available"],
  ],
  positionalsMax: 0,
  watched: "server",
  run: async (context) => {
    if (context.flags.has("stop")) return stopServer(context);
    const port = context.flags.integer("port", { min: 0, max: 65_535 });
    const idleMs = durationFlag(context.flags, "idle", {
      min: 1000,
      max: dayMs,
      words: "headgate up",
    });
    await using headgate = await openFor(context, { readOnly: false });
    const { makeLocalDir } = await import("../../../store/index.ts");
    const { localDir } = headgate.repository;
    makeLocalDir(localDir, systemFiles, context.environment.platform);
    if (context.flags.has("detach")) {
      const { findServer } = await import("../../http/find-server.ts");
      const { detachServer } = await import("./up-detach.ts");
      const running = await findServer(localDir);
      const state = running ? "already-running" : "running";
      const found = running ?? (await detachServer(context, headgate, port));
      return await announceFound(found, context, { state, localDir });
    }
    const turn = await lockOrFind(localDir, context, systemClock);
    if ("found" in turn)
      return await announceFound(turn.found, context, { state: "already-running", localDir });
    try {
      const chosen = port ?? headgate.config.server.port;
      return await serve(context, headgate, { lock: turn.lock, port: chosen, idleMs });
    } finally {
      turn.lock.release();
    }
  },
};

/** Whoever gets the kernel's lock is the server; everybody else waits until that one answers. */
const lockOrFind = async (
  localDir: string,
  { signal }: CommandContext,
  clock: Clock,
): Promise<{ lock: ServerLock } | { found: FoundServer }> => {
  const { takeServerLock } = await import("../../http/server-lock.ts");
  const { findServer } = await import("../../http/find-server.ts");
  const deadlineMonoMs = clock.monoMs() + limits.serverStartMs;
  for (;;) {
    const lock = takeServerLock(localDir);
    if (lock !== undefined) return { lock };
    const found = await findServer(localDir);
    if (found !== undefined) return { found };
    if (signal.aborted) throw signal.reason;
    if (clock.monoMs() > deadlineMonoMs) {
      throw new HeadgateError(
        "SERVER_NOT_ANSWERING",
        `another process holds ${showText(localDir)}/server.lock, but no server answers`,
      );
    }
    await clock.sleep(100, signal);
  }
};

/**
 * An agent gets no link: who opens it is a person to Headgate, and approves what agents want (T-04). The server of
 * an agent's session writes none into its log either.
 */
const isForPerson = async (
  { environment }: CommandContext,
  stateFolder: string,
): Promise<boolean> => {
  const { lookAtProcess } = await import("../../../claims/index.ts");
  return lookAtProcess(environment, { stateFolder }).agent === undefined;
};

const announceFound = async (
  found: FoundServer,
  context: CommandContext,
  { state, localDir }: { readonly state: "running" | "already-running"; readonly localDir: string },
): Promise<ExitCode> => {
  const { output } = context;
  const { address, port, pid, since } = found;
  const isShown = await isForPerson(context, localDir);
  const dashboard = isShown ? await found.dashboard() : undefined;
  output.object({ ok: true, state, address, port, pid, since, dashboard });
  const words = state === "running" ? "running" : "already running";
  output.line(`${words} at ${output.style.bold(address)} (process ${pid}, since ${since})`);
  if (dashboard !== undefined) output.line(`dashboard, for one browser: ${dashboard}`);
  if (!isShown)
    output.line(`dashboard: a person opens it with \`${callName(context.environment)} up\``);
  return 0;
};

const serve = async (
  context: CommandContext,
  headgate: Headgate,
  options: {
    readonly lock: ServerLock;
    readonly port: number;
    readonly idleMs: number | undefined;
  },
): Promise<ExitCode> => {
  const { lock, port, idleMs } = options;
  const { output, signal } = context;
  const { localDir } = headgate.repository;
  const { publishServer, withdrawServer } = await import("../../http/server-lock.ts");
  const version = packageVersion();
  const { pid } = process;
  const server = await withProgress({ output, what: "starting" }, async () => {
    const { startServer } = await import("../../http/server.ts");
    await headgate.store();
    return startServer({
      headgate,
      port,
      version,
      pid,
      environment: context.environment,
      ...ownToken(context.environment),
      onDefect: (error) => output.note(`headgate: ${showText(String(error))} [INTERNAL]`),
    });
  });
  const data = { pid, port: server.state.port, version };
  try {
    await headgate.events.append({ kind: "server.started", data });
    const { differingIn, differingRemedy, differingText, runtimeText, writeHook } =
      await import("../../setup/index.ts");
    writeHook(localDir);
    for (const path of differingIn(headgate.repository.root)) {
      output.note(`headgate: ${differingText(path)}. ${differingRemedy}`);
    }
    const runtime = runtimeText(process.execPath);
    const { token, mark, socket } = server;
    publishServer(localDir, { port: server.state.port, socket, token, mark, runtime });
    const { dashboardLink } = await import("../../http/dashboard-link.ts");
    const dashboard = (await isForPerson(context, localDir))
      ? dashboardLink(server.state.address, server.signIn.newKey())
      : undefined;
    const { clients } = await agentsReport(headgate, undefined, context.environment);
    const guards = guarded(clients, callName(context.environment));
    announce(context, headgate, { server, token: tokenPath(localDir), dashboard, guards });
    const unused = new AbortController();
    const until = AbortSignal.any([signal, server.stopAsked, unused.signal]);
    await Promise.all([
      retain(context, headgate, until),
      keepSwept(context, headgate, until),
      keepJudged(server, until),
      endWhenUnused(server, { idleMs, localDir, lock, until, unused }),
    ]);
  } finally {
    // Nobody new finds it while the last requests finish.
    if (lock.isInPlace()) withdrawServer(localDir, server);
    await withProgress({ output, what: "finishing open requests" }, () => server.close());
  }
  // With its folder gone there is nothing to write it down in.
  if (lock.isInPlace()) await headgate.events.append({ kind: "server.stopped", data });
  output.object({ ok: true, state: "stopped" });
  output.line("stopped");
  return 0;
};

/** A client that asks the server itself must know the token before the server starts (`init --http`). */
const ownToken = ({ variables }: Environment): { readonly token?: string } => {
  const token = variables["HEADGATE_TOKEN"];
  if (!token) return {};
  if (/^[0-9a-f]{64}$/.test(token)) return { token };
  throw new HeadgateError(
    "CONFIG_INVALID",
    "HEADGATE_TOKEN must be 64 hexadecimal digits in lower case (openssl rand -hex 32)",
  );
};

/** From a clone, `npm start` is how it was called, and nothing is on the path. */
const callName = ({ variables }: Environment): string =>
  variables["npm_lifecycle_event"] === "start" && variables["npm_package_name"] === "headgate"
    ? "npm run headgate --"
    : "headgate";

const guarded = (clients: readonly AgentClient[], call: string): string => {
  const titles = clients.flatMap(({ title, state }) => (state === "problem" ? [] : [title]));
  return titles.length === 0
    ? `claims only; no agent's edits yet: ${call} init sets up your clients`
    : `the edits of ${titles.join(", ")}`;
};

const announce = (
  { output, environment }: CommandContext,
  headgate: Headgate,
  shown: {
    readonly server: RunningServer;
    readonly token: string;
    readonly dashboard: string | undefined;
    readonly guards: string;
  },
): void => {
  const { server, token, dashboard, guards } = shown;
  const call = callName(environment);
  const { address, port, pid, since } = server.state;
  output.object({
    ok: true,
    state: "running",
    address,
    port,
    pid,
    since,
    tokenFile: token,
    dashboard,
  });
  const rows = [
    ["  guards", guards],
    ["  address", address],
    [
      "  dashboard",
      dashboard === undefined
        ? `a person opens it with \`${call} up\``
        : `${dashboard}  (opens in one browser; \`${call} up\` gives another link)`,
    ],
    ["  token", `${showText(token)}  (for programs: Authorization: Bearer …)`],
    ["  next", ["init", "demo", "status --watch"].map((what) => `${call} ${what}`).join(" · ")],
    ["  stop", `Ctrl-C here, or ${call} up --stop`],
  ];
  const { bold, dim } = output.style;
  output.line(`${bold("Headgate is running")} for ${showText(headgate.repository.root)}`);
  for (const line of alignedLines(rows, (cell, column) => (column === 0 ? dim(cell) : cell))) {
    output.line(line);
  }
};

/**
 * A server that was started by a hook goes when no hook has asked it anything for a while, and any server
 * when nobody can find it any more: its folder was deleted, or its files and socket were.
 */
const endWhenUnused = async (
  server: RunningServer,
  options: {
    readonly idleMs: number | undefined;
    readonly localDir: string;
    readonly lock: ServerLock;
    readonly until: AbortSignal;
    readonly unused: AbortController;
  },
): Promise<void> => {
  const { idleMs = Number.POSITIVE_INFINITY, localDir, lock, until, unused } = options;
  while (!until.aborted) {
    const leftMs = idleMs - server.idleMs();
    const isThere = systemFiles.stat(server.socket) !== undefined;
    const isFound = lock.isInPlace() && isServerNoted(localDir) && isThere;
    if (leftMs <= 0 || !isFound) return unused.abort();
    await systemClock.sleep(Math.min(Math.max(leftMs, 50), limits.serverLookMs), until);
  }
};

/** Judges what hooks had to let through unjudged, at the start and as it comes. */
const keepJudged = async (server: RunningServer, until: AbortSignal): Promise<void> => {
  const ended = new Promise<void>((resolve) => {
    until.addEventListener("abort", () => resolve());
  });
  while (!until.aborted) {
    await Promise.race([server.settleUnjudged(), ended]);
    await systemClock.sleep(limits.settleEveryMs, until);
  }
};

/** Ends claims that ran out or were left by the dead, so that nobody need think of `sweep`. */
const keepSwept = async (
  { output }: CommandContext,
  headgate: Headgate,
  until: AbortSignal,
): Promise<void> => {
  const claims = headgate.claims.as("headgate");
  for (;;) {
    await systemClock.sleep(limits.sweepEveryMs, until);
    if (until.aborted) return;
    try {
      const { reclaimed } = await claims.sweep();
      for (const { target, actor } of reclaimed) {
        output.note(
          `headgate: took back ${showText(target)} from ${showText(actor)}, which is gone`,
        );
      }
    } catch (error) {
      // A busy or full store is better the next time; the server must not end for it.
      output.note(
        `headgate: sweep: ${showText(error instanceof Error ? error.message : String(error))}`,
      );
    }
  }
};

const dayMs = 24 * 60 * 60 * 1000;

/** Stays until the end is asked for; with `events.keepDays` set, prunes now and once a day. */
const retain = async (
  { output }: CommandContext,
  headgate: Headgate,
  until: AbortSignal,
): Promise<void> => {
  const { keepDays } = headgate.config.events;
  while (!until.aborted) {
    if (keepDays !== null) {
      const { count } = await headgate.events.prune({ keepDays });
      if (count > 0) {
        const what = `${plural(count, "event")} older than ${plural(keepDays, "day")}`;
        output.note(`headgate: removed ${what} (events.keepDays)`);
      }
    }
    await systemClock.sleep(dayMs, until);
  }
};
