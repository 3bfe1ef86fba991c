import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { request, sendRaw } from "../helpers/raw-http.ts";

describe("E08 request smuggling", () => {
  it("E08 ambiguous lengths and bad framing are refused, and nothing behind them is obeyed", async () => {
    const server = await startServer();
    const { port, token } = server;
    const head = `POST /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const hidden = `POST /api/shutdown HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    for (const text of [
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `${head}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
      `${head}Content-Length: +2\r\n\r\n${hidden}`,
      `${head}Content-Length: 0x2\r\n\r\n${hidden}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
      `${head}Transfer-Encoding: xchunked\r\n\r\n${hidden}`,
      `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${hidden}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n2;\nx\r\n{}\r\n0\r\n\r\n${hidden}`,
      `${head}X: a\nContent-Length: 2\r\n\r\n${hidden}`,
      `${head}X: a\rb\r\n\r\n${hidden}`,
      `${head}X: a\0b\r\n\r\n${hidden}`,
      `${head} folded: x\r\n\r\n${hidden}`,
    ]) {
      const { raw, status } = await sendRaw(port, text, { forMs: 700 });
      expect({ text, obeyed: raw.includes("stopping") }).toEqual({ text, obeyed: false });
      expect([0, 400, 404]).toContain(status);
    }
    expect((await request(server, "GET /api/status")).status).toBe(200);
  });

  it("E08 a refused request ends its connection, so its body is never taken for a request", async () => {
    const server = await startServer();
    const { port, token } = server;
    const hidden = `POST /api/shutdown HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
    for (const headers of [
      "",
      "Authorization: Bearer x\r\n",
      `Authorization: Bearer ${token}\r\n`,
      `Authorization: Bearer ${token}\r\nOrigin: null\r\n`,
    ]) {
      const text = `POST /api/shutdown HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n${hidden}`;
      const { raw } = await sendRaw(port, text);
      expect(raw.match(/^HTTP\/1\.1/gm)).toHaveLength(1);
      expect(raw).toMatch(/^HTTP\/1\.1 4\d\d/);
    }
    expect((await request(server, "GET /api/status")).status).toBe(200);
  });
});
