import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import { type Clock, systemClock } from "../../../src/base/clock.ts";
import { systemEnvironment } from "../../../src/base/environment.ts";
import { limits } from "../../../src/base/limits.ts";
import { startServer as listenInProcess } from "../../../src/surfaces/http/server.ts";
import type { Event, EventPage } from "../../../src/store/index.ts";
import { run, start, startServer, type TestServer } from "../../helpers/program.ts";
import { request } from "../../helpers/raw-http.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const local = (cwd: string, name: string): string => join(stateFolder(cwd), name);

const kindsOf = async (cwd: string): Promise<string[]> => {
  await using headgate = await openHeadgate({ repo: cwd, readOnly: true });
  return (await headgate.events.page()).events.map(({ kind }) => kind);
};

const get = async (
  server: TestServer,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${server.token}`, ...headers },
  });

/** Reads a stream until `count` events have come. */
const readStream = async (response: Response, count: number): Promise<Event[]> => {
  const events: Event[] = [];
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) {
      const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? [];
      if (data === undefined) continue;
      const event = JSON.parse(data) as Event;
      expect(event.seq).toBe(Number(id));
      events.push(event);
    }
    if (events.length >= count) break;
  }
  return events;
};

describe("headgate up", () => {
  it("says where it runs, where the token is and how to stop it, and records start and end", async () => {
    const server = await startServer();
    await server.until(/headgate up --stop/);
    expect(server.text.stdout).toContain(local(server.cwd, "token"));
    expect(readFileSync(local(server.cwd, "port"), "utf8")).toBe(`${server.port}\n`);
    server.child.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0, stderr: "" });
    expect(await kindsOf(server.cwd)).toEqual([
      "scope.created",
      "server.started",
      "server.stopped",
    ]);
    for (const name of ["port", "token", "socket", "socket-path"])
      expect(existsSync(local(server.cwd, name))).toBe(false);
  });

  it("says what it guards, and the next commands in the way it was called itself", async () => {
    const cwd = temporaryFolder();
    const bare = start(["up"], { cwd });
    await bare.until(/headgate up --stop/);
    expect(bare.text.stdout).toMatch(/guards +claims only; no agent's edits yet: headgate init/);
    bare.child.kill("SIGTERM");
    await bare.ended;
    expect((await run(["init", "--yes", "--client", "claude"], { cwd })).code).toBe(0);
    const env = { npm_lifecycle_event: "start", npm_package_name: "headgate" };
    const cloned = start(["up"], { cwd, env });
    await cloned.until(/npm run headgate -- up --stop/);
    expect(cloned.text.stdout).toMatch(/guards +the edits of Claude Code\n/);
    expect(cloned.text.stdout).toMatch(/next +npm run headgate -- init · npm run headgate -- demo/);
    cloned.child.kill("SIGTERM");
    await cloned.ended;
  });

  it("prints objects with --json and ends with 0 on Ctrl-C", async () => {
    const server = await startServer({ args: ["--json"] });
    server.child.kill("SIGINT");
    const { code, stdout } = await server.ended;
    const [first, last] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(code).toBe(0);
    expect(first).toMatchObject({
      ok: true,
      state: "running",
      port: server.port,
      pid: server.child.pid,
      tokenFile: local(server.cwd, "token"),
    });
    expect(last).toEqual({ ok: true, state: "stopped" });
  });

  it("is found by a second up, which ends with 0", async () => {
    const server = await startServer();
    const { code, stdout } = await run(["up"], { cwd: server.cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`already running at http://127.0.0.1:${server.port}`);
  });

  it("runs once when several are started at the same moment", async () => {
    const cwd = temporaryFolder();
    const all = Array.from({ length: 4 }, () => start(["up", "--json"], { cwd }));
    onTestFinished(() => all.forEach(({ child }) => child.kill("SIGKILL")));
    const states = await Promise.all(
      all.map(async (one) => (await one.until(/"state":"([a-z-]+)"/))[1]),
    );
    expect(states.toSorted()).toEqual([
      "already-running",
      "already-running",
      "already-running",
      "running",
    ]);
    expect((await run(["up", "--stop"], { cwd })).code).toBe(0);
    const codes = await Promise.all(all.map(async ({ ended }) => (await ended).code));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect((await kindsOf(cwd)).filter((kind) => kind === "server.started")).toHaveLength(1);
  });

  it("starts cleanly after kill -9, with a new token", async () => {
    const first = await startServer();
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(local(first.cwd, "socket"))).toBe(true);
    expect((await run(["status", "--json"], { cwd: first.cwd })).stdout).toContain(
      '"running":false',
    );
    const second = await startServer({ cwd: first.cwd });
    expect(second.token).not.toBe(first.token);
    expect((await get(second, "/api/status")).status).toBe(200);
    expect(
      (await request({ port: second.port, token: first.token }, "GET /api/status")).status,
    ).toBe(401);
  });

  it("is stopped by up --stop, which returns when it has ended", async () => {
    const server = await startServer();
    const { code, stdout } = await run(["up", "--stop", "--json"], { cwd: server.cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, state: "stopped", pid: server.child.pid });
    expect(await server.ended).toMatchObject({ code: 0 });
    const again = await run(["up", "--stop"], { cwd: server.cwd });
    expect(again.code).toBe(4);
    expect(again.stderr).toContain("[SERVER_NOT_RUNNING]");
    const never = temporaryFolder();
    expect((await run(["up", "--stop"], { cwd: never })).code).toBe(4);
    expect(existsSync(join(never, ".headgate"))).toBe(false);
  });

  it("names the port that is in use, and leaves nothing behind", async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const cwd = temporaryFolder();
    const { code, stderr } = await run(["up", "--port", String(port)], { cwd });
    expect(code).toBe(69);
    expect(stderr).toContain(`port ${port}`);
    expect(stderr).toContain("[SERVER_PORT_IN_USE]");
    expect(existsSync(local(cwd, "token"))).toBe(false);
    expect((await run(["up", "--port", "70000"], { cwd })).code).toBe(2);
  });

  it("lets an open request finish while it stops", async () => {
    const server = await startServer();
    const open = await halfRequest(server);
    server.child.kill("SIGTERM");
    await gone(local(server.cwd, "port"));
    open.socket.write("{}");
    expect(await open.answer).toContain("HTTP/1.1 200 OK");
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it("cuts a request that does not finish within the grace, and still ends cleanly", async () => {
    const server = await startServer();
    const open = await halfRequest(server);
    server.child.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(await open.answer).toBe("");
    expect((await kindsOf(server.cwd)).at(-1)).toBe("server.stopped");
  });

  it("keeps events no longer than events.keepDays says, and tells", async () => {
    const cwd = temporaryFolder();
    const past = { wallMs: () => Date.now() - 10 * 24 * 3600 * 1000 };
    await using headgate = await openHeadgate({ repo: cwd, clock: { ...systemClock, ...past } });
    for (const kind of ["old.one", "old.two"]) await headgate.events.append({ kind });
    const server = await startServer({ cwd, env: { HEADGATE_EVENTS_KEEP_DAYS: "3" } });
    await server.until(/removed 3 events older than 3 days/);
    expect(await kindsOf(cwd)).toEqual(["server.started", "events.pruned"]);
  });
});

/** A POST whose body has not come yet. */
const halfRequest = async ({ port, token }: TestServer) => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
  socket.on("error", () => {});
  const answer = new Promise<string>((done) => socket.on("close", () => done(text)));
  await new Promise<void>((done) => socket.once("connect", done));
  socket.write(
    `POST /api/shutdown HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
      "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n",
  );
  // A whole request on another connection: by then the server has the half one.
  await fetch(`http://127.0.0.1:${port}/health`);
  return { socket, answer };
};

const gone = async (path: string): Promise<void> => {
  while (existsSync(path)) await new Promise((done) => setTimeout(done, 5));
};

describe("the local server", () => {
  it("says only that it lives without a token, and who it is with one", async () => {
    const server = await startServer();
    const { port } = server;
    const open = await fetch(`http://127.0.0.1:${port}/health`);
    expect(await open.json()).toEqual({ ok: true, name: "headgate" });
    expect(await (await get(server, "/health")).json()).toMatchObject({
      ok: true,
      name: "headgate",
      version: expect.any(String),
      root: server.cwd,
      pid: server.child.pid,
      port,
    });
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(page).toContain("<title>Headgate</title>");
    expect(page.match(/<script[^>]*>/g)).toEqual([
      '<script type="module" crossorigin src="/assets/main.js">',
    ]);
    expect(page).not.toContain(server.token);
    expect(page).not.toContain(server.cwd);
  });

  it("answers /api/status with what `status --json` prints", async () => {
    const server = await startServer();
    const told = (await run(["status", "--json"], { cwd: server.cwd })).stdout;
    expect(await (await get(server, "/api/status")).json()).toEqual(JSON.parse(told));
  });

  it("C-06 pages through the events by cursor", async () => {
    const server = await startServer();
    const page = async (query: string) =>
      (await (await get(server, `/api/events${query}`)).json()) as EventPage;
    const first = await page("?limit=1");
    expect(first).toMatchObject({
      events: [{ seq: 1, kind: "scope.created" }],
      cursor: 1,
      head: 2,
    });
    const second = await page(`?since=${first.cursor}&kind=server.*`);
    expect(second).toMatchObject({ events: [{ seq: 2, kind: "server.started" }], cursor: 2 });
    for (const query of [
      "?since=x",
      "?since=-1",
      "?limit=0",
      `?limit=${limits.eventPageMax + 1}`,
      "?since=99",
    ]) {
      expect((await get(server, `/api/events${query}`)).status).toBe(400);
    }
  });

  it("C-06 streams events as they come and resumes after the last one seen", async () => {
    const server = await startServer();
    await using headgate = await openHeadgate({ repo: server.cwd });
    const response = await get(server, "/api/events/stream");
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reading = readStream(response, 3);
    await headgate.events.append({ kind: "thing.made", data: { text: "two\nlines" } });
    expect((await reading).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await headgate.events.append({ kind: "thing.gone" });
    const resumed = await get(server, "/api/events/stream", { "last-event-id": "3" });
    expect((await readStream(resumed, 1)).map(({ kind }) => kind)).toEqual(["thing.gone"]);
  });

  it("ends its event streams when it stops", async () => {
    const server = await startServer();
    const reader = (await get(server, "/api/events/stream")).body!.getReader();
    let text = "";
    while (!text.includes("server.started"))
      text += Buffer.from((await reader.read()).value!).toString();
    server.child.kill("SIGTERM");
    while (!(await reader.read()).done);
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it("does not wait for the connection of a stream that it has ended, which its client keeps", async () => {
    const headgate = await openHeadgate({ repo: temporaryFolder() });
    onTestFinished(() => headgate.close());
    // The grace is never over: only an end by itself is one.
    const sleep: Clock["sleep"] = (ms, signal) =>
      systemClock.sleep(ms === limits.shutdownGraceMs ? 2 ** 30 : ms, signal);
    const server = await listenInProcess({
      ...{ headgate, port: 0, version: "1", pid: process.pid, environment: systemEnvironment() },
      ...{
        onDefect: (error) => expect.unreachable(String(error)),
        clock: { ...systemClock, sleep },
      },
    });
    const { address } = server.state;
    const headers = { authorization: `Bearer ${server.token}` };
    const stream = await fetch(`${address}/api/events/stream`, { headers });
    expect(stream.headers.get("connection")).toBe("keep-alive");
    await server.close();
    await stream.text();
  });

  it("answers unknown addresses and methods with 404 and a code", async () => {
    const server = await startServer();
    expect(await (await get(server, "/api/nothing")).json()).toMatchObject({
      ok: false,
      code: "HTTP_NOT_FOUND",
    });
    const put = await request(
      server,
      "PUT /api/status",
      [["Content-Type", "application/json"]],
      "{}",
    );
    expect(put.status).toBe(404);
  });

  it("keeps the token and its folder to the user", async () => {
    const { cwd } = await startServer();
    expect(statSync(local(cwd, "token")).mode & 0o777).toBe(0o600);
    expect(statSync(local(cwd, "")).mode & 0o777).toBe(0o700);
    expect(readFileSync(local(cwd, ".gitignore"), "utf8")).toBe("*\n");
    expect(statSync(local(cwd, "socket")).mode & 0o777).toBe(0o600);
    writeFileSync(local(cwd, "socket-path"), "/nowhere\n");
    const lost = await run(["up", "--stop"], { cwd });
    expect(lost.code).toBe(69);
    expect(lost.stderr).toContain("[SERVER_NOT_ANSWERING]");
  });
});
