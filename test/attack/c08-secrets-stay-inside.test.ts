import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, startServer } from "../helpers/program.ts";
import { request } from "../helpers/raw-http.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { stateFolder } from "../helpers/state-folder.ts";

describe("C08 secrets", () => {
  it("C08 the token is in its file and nowhere else: not printed, stored, or answered", async () => {
    const server = await startServer({ env: { SECRET_VALUE: "value-of-a-variable" } });
    const outputs = [server.text.stdout, server.text.stderr];
    for (const args of [["status", "--json"], ["events", "--json"], ["config", "--json"], ["up"]]) {
      const { stdout, stderr } = await run(args, { cwd: server.cwd });
      outputs.push(stdout, stderr);
    }
    for (const path of ["/", "/health", "/api/status", "/api/events", "/api/nothing"]) {
      outputs.push((await request(server, `GET ${path}`)).raw);
    }
    const wrong = "f".repeat(64);
    const refused = await request({ port: server.port, token: wrong }, "GET /api/status");
    expect(refused.status).toBe(401);
    expect(refused.raw).not.toContain(wrong);
    const folder = stateFolder(server.cwd);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name === "token") expect(statSync(path).mode & 0o077).toBe(0);
      else if (statSync(path).isFile()) outputs.push(readFileSync(path, "latin1"));
    }
    for (const text of outputs) {
      expect(text).not.toContain(server.token);
      expect(text).not.toContain("value-of-a-variable");
    }
  });

  it("C08 a password in the store address never reaches output, whatever goes wrong", async () => {
    const cwd = temporaryFolder();
    const addresses = [
      "postgres://me:hunter2@127.0.0.1:1/db",
      "postgres://me:hunter2@[::bad/db",
      "mysql://me:hunter2@127.0.0.1/db",
      "postgres://127.0.0.1:1/db?user=me&password=hunter2",
    ];
    for (const address of addresses) {
      for (const args of [
        ["status"],
        ["status", "--json"],
        ["config"],
        ["up", "--debug"],
        ["events"],
      ]) {
        const { stdout, stderr } = await run(args, { cwd, env: { HEADGATE_STORE: address } });
        expect(stdout + stderr).not.toBe("");
        expect(stdout + stderr).not.toContain("hunter2");
      }
    }
  });
});
