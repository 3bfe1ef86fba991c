import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { run, startServer, type TestServer } from "../helpers/program.ts";
import { codeOf, headEnd, request, sendRaw } from "../helpers/raw-http.ts";
import { pathWith, runShim, shimFolder } from "../helpers/shim.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const open = async (port: number): Promise<Socket> => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise((done) => socket.once("connect", done));
  return socket;
};
const closed = (socket: Socket): Promise<void> =>
  new Promise((done) => (socket.closed ? done() : socket.once("close", () => done())));
const answers = async (server: TestServer): Promise<boolean> =>
  (await request(server, "GET /api/status")).status === 200;

describe("D07 floods, endless bodies and slow requests", () => {
  it("D07 a body over the limit is refused, whether its length is announced or not", async () => {
    const server = await startServer();
    const type = ["Content-Type", "application/json"] as const;
    const announced = await request(server, "POST /api/shutdown", [
      type,
      ["Content-Length", String(limits.httpBodyBytesMax + 1)],
    ]);
    expect(announced.status).toBe(413);
    expect(codeOf(announced)).toBe("INPUT_TOO_LARGE");
    const piece = "x".repeat(64 * 1024);
    const chunks = `${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(70);
    const head = `POST /api/shutdown HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const endless = await sendRaw(server.port, head + chunks);
    expect(endless.status).toBe(413);
    expect(await answers(server)).toBe(true);
  });

  it("D07 a head that is too large is refused", async () => {
    const server = await startServer();
    const large = await request(server, "GET /health", [
      ["X-Large", "x".repeat(limits.httpHeaderBytesMax)],
    ]);
    expect(large.status).toBe(431);
    expect(await answers(server)).toBe(true);
  });

  it("D07 T-02 a request that trickles in, and a connection without a byte, are dropped after the time limit, while others are answered", async () => {
    const server = await startServer();
    const onSocket = connect(join(stateFolder(server.cwd), "socket"));
    onTestFinished(() => void onSocket.destroy());
    const mute = [(await open(server.port)).resume(), onSocket.on("error", () => {}).resume()];
    const slow = await Promise.all(Array.from({ length: 20 }, () => open(server.port)));
    for (const socket of slow)
      socket.write(`GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`);
    const trickle = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write("X-A: b\r\n");
    }, 500);
    onTestFinished(() => clearInterval(trickle));
    expect(await answers(server)).toBe(true);
    await Promise.all([...slow, ...mute].map(closed));
    expect(await answers(server)).toBe(true);
  });

  it("D07 T-02 connections over the cap are closed at once and keep no hook or command out, and the server answers again when they are gone", async () => {
    const server = await startServer();
    shimFolder(server.cwd);
    // Only the server can answer: there is no program to start.
    writeFileSync(join(stateFolder(server.cwd), "runtime"), `${process.execPath}\n/nowhere\n`);
    const flood = await Promise.all(
      Array.from({ length: limits.httpConnectionsMax + 40 }, () => open(server.port)),
    );
    const surplus = await sendRaw(
      server.port,
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`,
    );
    expect(surplus.raw).toBe("");
    const input = JSON.stringify({ session_id: "s", hook_event_name: "Stop", cwd: server.cwd });
    const env = { PATH: pathWith("cat", "curl") };
    expect(
      await runShim(server.cwd, { shell: "/bin/sh", harness: ["claude"], input, env }),
    ).toMatchObject({ code: 0, stderr: "" });
    await expect
      .poll(
        async () =>
          JSON.parse((await run(["status", "--json"], { cwd: server.cwd })).stdout).server,
      )
      .toMatchObject({ running: true, port: server.port });
    for (const socket of flood) socket.destroy();
    await Promise.all(flood.map(closed));
    await expect.poll(() => answers(server)).toBe(true);
  });

  it("D07 event streams are bounded, and a closed one makes room", async () => {
    const server = await startServer();
    const head = `GET /api/events/stream HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
    const streams = await Promise.all(
      Array.from({ length: limits.httpStreamsMax }, async () => {
        const socket = await open(server.port);
        socket.write(head);
        await new Promise((done) => socket.once("data", done));
        return socket;
      }),
    );
    const surplus = await request(server, "GET /api/events/stream");
    expect(surplus.status).toBe(503);
    expect(codeOf(surplus)).toBe("HTTP_STREAMS_FULL");
    expect(await answers(server)).toBe(true);
    streams[0]!.destroy();
    await expect
      .poll(async () => (await sendRaw(server.port, head, { until: headEnd })).status)
      .toBe(200);
  });
});
