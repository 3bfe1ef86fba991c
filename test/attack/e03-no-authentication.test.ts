import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { codeOf, request } from "../helpers/raw-http.ts";

describe("E03 control port without authentication", () => {
  it("E03 every address but the page and the bare health check needs the token", async () => {
    const { port } = await startServer();
    for (const line of [
      "GET /api/status",
      "GET /api/events",
      "GET /api/events/stream",
      "GET /api/nothing",
      "GET /API/status",
      "GET //api/status",
      "GET /health/",
      "GET /health?x",
      "GET /?x",
      "HEAD /api/status",
      "OPTIONS /api/status",
      "GET /assets/main.js/../api/status",
      "GET /%61pi/status",
      "TRACE /api/status",
      "POST /health",
      "POST /",
    ]) {
      const answer = await request({ port }, line, [["Content-Type", "application/json"]]);
      expect({ line, status: answer.status }).toEqual({ line, status: 401 });
    }
  });

  it("E03 only the whole token, as a Bearer header, counts", async () => {
    const server = await startServer();
    const { port, token } = server;
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    for (const value of [
      token,
      `Basic ${token}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}0`,
      `Bearer ${token.toUpperCase()}x`,
      "Bearer",
      "Bearer ",
      `Bearer  ${token}`,
      `Bearer ${token} ${token}`,
      "Bearer undefined",
      "",
    ]) {
      const answer = await request({ port }, "GET /api/status", [["Authorization", value]]);
      expect({ value, status: answer.status, code: codeOf(answer) }).toEqual({
        value,
        status: 401,
        code: "HTTP_TOKEN_REFUSED",
      });
    }
    for (const line of [
      `GET /api/status?token=${token}`,
      `GET /api/status?access_token=${token}`,
      `GET /api/status?authorization=Bearer%20${token}`,
    ]) {
      expect(
        (
          await request({ port }, line, [
            ["Cookie", `token=${token}`],
            ["X-Token", token],
          ])
        ).status,
      ).toBe(401);
    }
    const twice = await request({ port }, "GET /api/status", [
      ["Authorization", `Bearer ${token}`],
      ["Authorization", "Bearer x"],
    ]);
    expect(twice.status).toBe(401);
    expect((await request(server, "GET /api/status")).status).toBe(200);
  });

  it("E03 a wrong token is refused even where none is needed", async () => {
    const { port } = await startServer();
    expect((await request({ port, token: "0".repeat(64) }, "GET /health")).status).toBe(401);
  });
});
