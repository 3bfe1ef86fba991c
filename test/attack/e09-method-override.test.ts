import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { request } from "../helpers/raw-http.ts";

describe("E09 method override", () => {
  it("E09 the method is the one in the request line, whatever headers, query or body say", async () => {
    const server = await startServer();
    for (const name of [
      "X-HTTP-Method-Override",
      "X-HTTP-Method",
      "X-Method-Override",
      "_method",
    ]) {
      const answer = await request(server, "GET /api/shutdown?_method=POST", [
        [name, "POST"],
        ["Content-Type", "application/json"],
      ]);
      expect(answer.status).toBe(404);
    }
    const body = await request(
      server,
      "POST /api/status",
      [
        ["Content-Type", "application/json"],
        ["X-HTTP-Method-Override", "GET"],
      ],
      '{"_method":"GET"}',
    );
    expect(body.status).toBe(404);
    const rewritten = await request(server, "GET /", [
      ["X-Original-URL", "/api/shutdown"],
      ["X-Rewrite-URL", "/api/shutdown"],
      ["X-Forwarded-Host", "evil.example"],
    ]);
    expect(rewritten.status).toBe(200);
    expect(rewritten.raw).not.toContain("evil.example");
    expect((await request(server, "GET /api/status")).status).toBe(200);
  });
});
