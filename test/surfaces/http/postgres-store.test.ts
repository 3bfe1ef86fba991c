import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../helpers/postgres.ts";
import { run, startServer } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("headgate on a shared store", () => {
  it("runs, follows and reports with PostgreSQL, under the identity that clones share", async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.dispose());
    const env = { HEADGATE_STORE: postgres.url() };
    const cwd = temporaryFolder();
    // Looking comes first: it must not make tables, scopes or folders.
    expect(await run(["events"], { cwd, env })).toMatchObject({
      code: 0,
      stderr: "no events yet\n",
    });
    expect(existsSync(join(cwd, ".headgate"))).toBe(false);

    const server = await startServer({ cwd, env });
    const status = JSON.parse((await run(["status", "--json"], { cwd, env })).stdout) as {
      repository: { scope: string };
      store: { kind: string; events: number; location: string };
    };
    expect(status.store).toMatchObject({ kind: "postgres", events: 2 });
    expect(status.repository.scope).toMatch(/^host:/);
    const response = await fetch(`http://127.0.0.1:${server.port}/api/events`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect(await response.json()).toMatchObject({
      events: [{ kind: "scope.created" }, { kind: "server.started" }],
    });
    expect((await run(["up", "--stop"], { cwd, env })).code).toBe(0);
    expect(await server.ended).toMatchObject({ code: 0 });
    expect((await run(["events", "verify"], { cwd, env })).code).toBe(0);
    expect((await run(["events", "--last", "1"], { cwd, env })).stdout).toContain("server.stopped");
  });
});
