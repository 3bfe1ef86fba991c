import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { codeOf, request } from "../helpers/raw-http.ts";

describe("E04 cross-site request forgery", () => {
  it("E04 a change without a JSON content type is refused, also with none at all", async () => {
    const server = await startServer();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "text/plain; application/json",
      "application/json, text/plain",
      "",
      "application/json; charset=latin1",
    ]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await request(
          server,
          `${method} /api/shutdown`,
          [["Content-Type", type]],
          "{}",
        );
        expect({ type, status: answer.status, code: codeOf(answer) }).toEqual({
          type,
          status: 400,
          code: "HTTP_CONTENT_TYPE",
        });
      }
    }
    for (const body of ["", "{}"]) {
      const answer = await request(server, "POST /api/shutdown", [], body);
      expect(codeOf(answer)).toBe("HTTP_CONTENT_TYPE");
    }
    expect((await request(server, "GET /api/status")).status).toBe(200);
  });

  it("E04 a page of another origin cannot stop the server, whichever check it passes", async () => {
    const server = await startServer();
    const { port } = server;
    const json = ["Content-Type", "application/json"] as const;
    const own = ["Origin", `http://127.0.0.1:${port}`] as const;
    for (const [token, headers] of [
      [undefined, [json]],
      [undefined, [json, own, ["Sec-Fetch-Site", "same-origin"]]],
      [server.token, [json, own, ["Sec-Fetch-Site", "cross-site"]]],
      [server.token, [json, ["Origin", "https://evil.example"], ["Sec-Fetch-Site", "same-origin"]]],
      [server.token, [json, ["Origin", "null"]]],
    ] as [string | undefined, (readonly [string, string])[]][]) {
      const answer = await request(
        { port, ...(token && { token }) },
        "POST /api/shutdown",
        headers,
        "{}",
      );
      expect([401, 403]).toContain(answer.status);
    }
    expect((await request(server, "POST /api/shutdown", [json], "{not json")).status).toBe(400);
    expect((await request(server, "GET /api/shutdown", [json])).status).toBe(404);
    expect((await request(server, "GET /api/status")).status).toBe(200);
    const right = await request(
      server,
      "POST /api/shutdown",
      [json, own, ["Sec-Fetch-Site", "same-origin"]],
      "{}",
    );
    expect(right.status).toBe(200);
    expect(await server.ended).toMatchObject({ code: 0 });
  });
});
