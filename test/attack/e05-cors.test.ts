import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { request } from "../helpers/raw-http.ts";

describe("E05 CORS", () => {
  it("E05 no answer carries a CORS header, and preflights are refused", async () => {
    const server = await startServer();
    const { port } = server;
    const preflight: [string, string][] = [
      ["Access-Control-Request-Method", "POST"],
      ["Access-Control-Request-Headers", "authorization,content-type"],
      ["Access-Control-Request-Private-Network", "true"],
    ];
    const answers = await Promise.all([
      request(server, "GET /api/status", [["Origin", `http://127.0.0.1:${port}`]]),
      request(server, "GET /api/status", [["Origin", "https://evil.example"]]),
      request(server, "GET /health"),
      request({ port }, "OPTIONS /api/shutdown", [
        ["Origin", "https://evil.example"],
        ...preflight,
      ]),
      request({ port }, "OPTIONS /api/shutdown", [
        ["Origin", `http://127.0.0.1:${port}`],
        ...preflight,
      ]),
      request(server, "OPTIONS /api/shutdown", preflight),
      request(server, "OPTIONS *", preflight),
    ]);
    for (const { raw } of answers) expect(raw).not.toMatch(/access-control-|^vary: *origin/im);
    for (const { status } of answers.slice(3)) expect([400, 401, 403, 404]).toContain(status);
  });

  it("E05 files come from a fixed list, never from the path", async () => {
    const server = await startServer();
    for (const path of [
      "/../package.json",
      "/..%2f..%2fpackage.json",
      "/.headgate/local/token",
      "/assets/main.js/../../token",
      "/%2e%2e/token",
      "/assets/main.js%00",
      "/token",
      "/@fs/etc/passwd?raw??",
      "//etc/passwd",
    ]) {
      const answer = await request(server, `GET ${path}`);
      expect({ path, status: answer.status }).toEqual({ path, status: 404 });
      expect(answer.raw).not.toContain(server.token);
    }
  });
});
