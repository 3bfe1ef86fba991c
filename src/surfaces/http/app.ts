import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { limits } from "../../base/limits.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import { asHeadgateError } from "../as-headgate-error.ts";
import { type ServerState, statusReport } from "../status-report.ts";
import type { Doors, OnSent } from "./doors.ts";
import type { EventStreams } from "./event-streams.ts";
import { errorAnswer } from "./error-answer.ts";
import { showsToken } from "./guard.ts";
import { readJsonBody } from "./json-body.ts";
import { addApi } from "./api/index.ts";
import { icon, openDashboardFiles } from "./dashboard-files.ts";
import { wholeNumber } from "./query.ts";
import { pagePolicy } from "./security-headers.ts";
import type { SignIn } from "./sign-in.ts";

export interface AppOptions {
  readonly headgate: Headgate;
  readonly streams: EventStreams;
  readonly doors: Doors;
  readonly state: () => ServerState;
  /** It came over the socket that only the owner can reach. */
  readonly isOwner: (request: IncomingMessage) => boolean;
  readonly isSignedIn: (request: IncomingMessage) => boolean;
  readonly version: string;
  readonly signIn: SignIn;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Begins the clean shutdown; the answer still goes out. */
  readonly stop: () => void;
  /** Told of every failure that is a defect of ours. */
  readonly onDefect: (error: unknown) => void;
}

const sentBy =
  ({ env: { outgoing } }: Context<{ Bindings: HttpBindings }>): OnSent =>
  (done) => {
    // Written to the connection as a whole; one that was cut before that never finishes.
    outgoing.once("finish", done);
  };

type App = Hono<{ Bindings: HttpBindings }>;

/** The addresses (docs/http.md). The guard has judged the request before it comes here. */
export const createApp = (options: AppOptions): App => {
  const { headgate, streams, doors, state, isOwner, version, signIn, stop, onDefect } = options;
  const { environment } = options;
  const app: App = new Hono();

  const dashboard = openDashboardFiles();
  app.get("/", (context) =>
    context.html(dashboard.page(), 200, { "content-security-policy": pagePolicy }),
  );
  app.get("/assets/:name", (context) => {
    const found = dashboard.asset(context.req.param("name"));
    if (!found) return errorAnswer(notFound(context));
    return context.body(found.body, 200, { "content-type": found.type });
  });
  app.get("/icon.svg", (context) => context.body(icon, 200, { "content-type": "image/svg+xml" }));
  app.get("/health", (context) => {
    const alive = { ok: true, name: "headgate" };
    const { incoming } = context.env;
    if (!isOwner(incoming) && !showsToken(incoming)) return context.json(alive);
    return context.json({ ...alive, version, root: headgate.repository.root, ...state() });
  });
  app.get("/api/status", async (context) => {
    const { wantedReviewers } = await import("../cli/missing-reviewers.ts");
    return context.json({
      ...(await statusReport(headgate, environment)),
      missingReviewers: (await wantedReviewers(headgate))?.missing ?? [],
      server: { running: true, ...state() },
    });
  });
  app.get("/api/events", async (context) => context.json(await eventPage(headgate, context)));
  app.get("/api/events/stream", (context) =>
    streams.open({
      since: wholeNumber(
        context.req.header("last-event-id") ?? context.req.query("since"),
        "since",
      ),
      kind: context.req.query("kind"),
    }),
  );
  app.post("/api/sign-in", async (context) => {
    const body = await readJsonBody(context.req.raw);
    const key = typeof body === "object" && body !== null && "key" in body ? body.key : undefined;
    return context.json({ ok: true, secret: signIn.redeem(key) });
  });
  app.post("/api/sign-in/keys", (context) => context.json({ ok: true, key: signIn.newKey() }));
  addApi(app, { ...options, streams: () => streams.count });
  app.post("/api/shutdown", async (context) => {
    // Nothing in it is used, but a malformed request must not do anything.
    await readJsonBody(context.req.raw);
    stop();
    return context.json({ ok: true, state: "stopping" });
  });

  app.post("/hooks/:harness", async (context) => {
    const harness = context.req.param("harness");
    const answer = await doors.hook(harness, context.req.raw, sentBy(context));
    return answer ?? errorAnswer(notFound(context));
  });
  app.post("/git-hooks/:hook", async (context) => {
    const answer = await doors.gitHook(context.req.param("hook"), context.req.raw);
    return answer ?? errorAnswer(notFound(context));
  });
  app.all("/mcp", async (context) => {
    const { raw } = context.req;
    const body = raw.method === "POST" ? await readJsonBody(raw) : undefined;
    return doors.mcp(raw, body, sentBy(context));
  });

  app.notFound((context) => errorAnswer(notFound(context)));
  app.onError((error) => {
    const known = asHeadgateError(error);
    if (known.code === "INTERNAL") onDefect(error);
    return errorAnswer(known);
  });
  return app;
};

const eventPage = (headgate: Headgate, context: Context) => {
  const query = context.req.query();
  const limit = wholeNumber(query["limit"], "limit", { min: 1, max: limits.eventPageMax });
  const since = wholeNumber(query["since"], "since");
  return headgate.events.page({
    since: since ?? 0,
    ...(limit === undefined ? {} : { limit }),
    ...(query["kind"] === undefined ? {} : { kind: query["kind"] }),
  });
};

const notFound = (context: Context): HeadgateError =>
  new HeadgateError("HTTP_NOT_FOUND", `no such address: ${context.req.method} ${context.req.path}`);
