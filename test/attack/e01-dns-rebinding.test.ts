import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { codeOf, request, sendRaw } from "../helpers/raw-http.ts";

describe("E01 DNS rebinding", () => {
  it("E01 only the loopback names with this port are accepted as Host, with the right token or not", async () => {
    const server = await startServer();
    const { port } = server;
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) {
      expect((await request(server, "GET /api/status", [["Host", `${host}:${port}`]])).status).toBe(
        200,
      );
    }
    const bad = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      "localhost",
      `localhost:${port + 1}`,
      "127.0.0.1:80",
      `127.0.0.2:${port}`,
      `0.0.0.0:${port}`,
      `2130706433:${port}`,
      `127.1:${port}`,
      `user@127.0.0.1:${port}`,
      `127.0.0.1:${port}/`,
      `127.0.0.1:0${port}`,
      `127.0.0.1:${port},evil.example`,
      "",
      `LOCALHOST.:${port}`,
    ];
    for (const host of bad) {
      for (const path of ["/", "/health", "/api/status"]) {
        const answer = await request(server, `GET ${path}`, [["Host", host]]);
        expect({ host, status: answer.status, code: codeOf(answer) }).toEqual({
          host,
          status: 403,
          code: "HTTP_HOST_REFUSED",
        });
      }
    }
  });

  it("E01 a missing or doubled Host is refused, also in HTTP/1.0 and with an absolute address", async () => {
    const server = await startServer();
    const { port, token } = server;
    const line = `Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    const good = `Host: 127.0.0.1:${port}\r\n`;
    for (const head of [
      `GET /api/status HTTP/1.1\r\n${line}`,
      `GET /api/status HTTP/1.0\r\n${line}`,
      `GET /api/status HTTP/1.1\r\n${good}Host: evil.example\r\n${line}`,
      `GET /api/status HTTP/1.1\r\nHost: evil.example\r\n${good}${line}`,
      `GET http://evil.example/api/status HTTP/1.1\r\nHost: evil.example\r\n${line}`,
    ]) {
      const { status } = await sendRaw(port, head);
      expect([400, 403]).toContain(status);
    }
  });

  it("E01 it listens on loopback only", async () => {
    const { port } = await startServer();
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of others) {
      const refused = await new Promise((done) => {
        const socket = connect({ host: address, port, timeout: 2000 });
        socket
          .on("connect", () => done(false))
          .on("error", () => done(true))
          .on("timeout", () => done(true));
      });
      expect(refused).toBe(true);
    }
  });
});
