import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { codeOf, request } from "../helpers/raw-http.ts";

describe("E02 foreign origins", () => {
  it("E02 every Origin but the server's own is refused, although the token is right", async () => {
    const server = await startServer();
    const { port } = server;
    expect(
      (await request(server, "GET /api/status", [["Origin", `http://127.0.0.1:${port}`]])).status,
    ).toBe(200);
    const bad = [
      "null",
      "",
      "https://evil.example",
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port}.evil.example`,
      `http://127.0.0.1:${port}/`,
      "http://127.0.0.1",
      `http://localhost:${port}`,
      "file://",
      "not an origin",
      `http://127.0.0.1:${port} http://evil.example`,
      "*",
      "chrome-extension://abc",
    ];
    for (const origin of bad) {
      for (const path of ["/", "/health", "/api/status", "/api/events/stream"]) {
        const answer = await request(server, `GET ${path}`, [["Origin", origin]]);
        expect({ origin, status: answer.status, code: codeOf(answer) }).toEqual({
          origin,
          status: 403,
          code: "HTTP_ORIGIN_REFUSED",
        });
      }
    }
    const twice = await request(server, "GET /api/status", [
      ["Origin", `http://127.0.0.1:${port}`],
      ["Origin", "http://evil.example"],
    ]);
    expect(twice.status).toBe(403);
  });

  it("E02 what a browser calls cross-site or same-site is refused, navigation by the user is not", async () => {
    const server = await startServer();
    for (const site of ["cross-site", "same-site", "", "other"]) {
      expect((await request(server, "GET /", [["Sec-Fetch-Site", site]])).status).toBe(403);
    }
    for (const site of ["none", "same-origin"]) {
      expect((await request(server, "GET /", [["Sec-Fetch-Site", site]])).status).toBe(200);
    }
  });

  it("E02 a missing Origin does not replace the token", async () => {
    const { port } = await startServer();
    expect((await request({ port }, "GET /api/status")).status).toBe(401);
  });
});
