import { describe, expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { codeOf, request } from "../helpers/raw-http.ts";

describe("E11 a Host that only begins or ends well", () => {
  it("E11 names are compared whole", async () => {
    const server = await startServer();
    const { port } = server;
    for (const host of [
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost:${port}.evil.example`,
      `evil-localhost:${port}`,
      `evil.example#localhost:${port}`,
      `evil.example?127.0.0.1:${port}`,
      `[::1].evil.example:${port}`,
      `localhost:${port}@evil.example`,
      `[::1%25lo]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `localhost :${port}`,
      `localhost:${port}1`,
    ]) {
      const answer = await request(server, "GET /api/status", [["Host", host]]);
      expect({ host, status: answer.status, code: codeOf(answer) }).toEqual({
        host,
        status: 403,
        code: "HTTP_HOST_REFUSED",
      });
      const origin = await request(server, "GET /api/status", [["Origin", `http://${host}`]]);
      expect({ host, status: origin.status, code: codeOf(origin) }).toEqual({
        host,
        status: 403,
        code: "HTTP_ORIGIN_REFUSED",
      });
    }
  });
});
