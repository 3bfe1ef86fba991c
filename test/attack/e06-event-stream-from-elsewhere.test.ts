import { expect, it } from "vitest";
import { startServer } from "../helpers/program.ts";
import { request } from "../helpers/raw-http.ts";

it("E06 no other origin gets the event stream, with or without the token", async () => {
  const { port, token } = await startServer();
  const statusOf = async (
    server: { port: number; token?: string },
    ...headers: [string, string][]
  ) => (await request(server, "GET /api/events/stream?since=0", headers)).status;
  const known = { port, token };
  expect(await statusOf(known, ["Origin", "https://evil.example"])).toBe(403);
  expect(await statusOf(known, ["Origin", "null"])).toBe(403);
  expect(await statusOf(known, ["Sec-Fetch-Site", "cross-site"])).toBe(403);
  expect(await statusOf(known, ["Sec-Fetch-Site", "same-site"])).toBe(403);
  expect(await statusOf({ port })).toBe(401);
  // A page cannot upgrade to a socket that skips these checks: there is none.
  const upgrade = [
    ["Upgrade", "websocket"],
    ["Sec-WebSocket-Key", "x"],
  ] as [string, string][];
  expect(await statusOf({ port }, ...upgrade)).toBe(401);
});
