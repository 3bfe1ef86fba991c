import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { headEnd, request, sendRaw } from "../helpers/raw-http.ts";

describe("E07 clickjacking and sniffing", () => {
  it("E07 every answer, refusals included, forbids framing, scripts, sniffing and storing", async () => {
    const server = await startServer();
    const { port } = server;
    const stream = `GET /api/events/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${server.token}\r\n\r\n`;
    const answers = await Promise.all([
      request({ port }, "GET /"),
      request({ port }, "GET /assets/main.js"),
      request({ port }, "GET /health"),
      request(server, "GET /api/status"),
      request(server, "GET /api/nothing"),
      request({ port }, "GET /api/status"),
      request(server, "GET /", [["Host", "evil.example"]]),
      request(server, "GET /", [["Origin", "null"]]),
      request(server, "POST /api/shutdown"),
      request(server, "GET /api/events?since=x"),
      sendRaw(port, stream, { until: headEnd }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 404, 401, 403, 403, 400, 400, 200,
    ]);
    for (const [index, { headers }] of answers.entries()) {
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none';.*frame-ancestors 'none'/,
      );
      expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*/);
      expect(headers["content-security-policy"]).toContain("require-trusted-types-for 'script'");
      // The page itself runs its own script; nothing else runs any.
      const scripts = /script-src [^;]*/.exec(headers["content-security-policy"] ?? "")?.[0];
      expect(scripts).toBe(index === 0 ? "script-src 'self'" : undefined);
      expect(headers).toMatchObject({
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      });
      expect(headers).not.toHaveProperty("x-powered-by");
      expect(headers).not.toHaveProperty("server");
    }
  });
});
