import { spawn } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { run, startServer } from "../helpers/program.ts";
import { runShim, shimFolder } from "../helpers/shim.ts";
import { stateFolder } from "../helpers/state-folder.ts";
import { eventsOf, gitAsync, hookedRepository, write } from "../surfaces/git/hooked-repository.ts";
import { git } from "../helpers/git-repository.ts";

/** Another user where the machine lets us become one; else another program of this user. */
const asStranger =
  process.getuid?.() === 0 && existsSync("/usr/bin/setpriv")
    ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    : [];

/** Listens, says what it is sent, and answers as a server of ours would. */
const stranger = async (place: string | number) => {
  const health = JSON.stringify({
    ok: true,
    name: "headgate",
    pid: 1,
    port: 1,
    since: "x",
    key: "k",
  });
  const script = `const server = require("node:net").createServer((socket) => {
  console.log("connected");
  socket.on("error", () => {}).on("data", (data) => {
    console.log("received " + JSON.stringify(String(data)));
    socket.end("HTTP/1.1 200 OK\\r\\nContent-Length: ${health.length}\\r\\n\\r\\n" + ${JSON.stringify(health)});
  });
}).on("error", (error) => console.log("cannot " + error.code));
const place = ${JSON.stringify(place)};
server.listen(typeof place === "number" ? { port: place, host: "127.0.0.1" } : place, () => console.log("listens"));`;
  const [program = process.execPath, ...args] = [...asStranger, process.execPath, "-e", script];
  const child = spawn(program, args, { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await expect.poll(() => text).toMatch(/^(?:listens|cannot)/);
  return { said: () => text };
};

const twice = "export function one(): number {\n  return 1;\n}\n".repeat(2);

describe("E12 a stranger on the port of a killed server", () => {
  it("T-02 gets no byte from hooks, git hooks and commands, and nobody takes it for the server", async () => {
    const folder = await hookedRepository();
    chmodSync(join(folder, ".."), 0o755);
    const cwd = shimFolder(folder);
    const server = await startServer({ cwd });
    server.child.kill("SIGKILL");
    await server.ended;
    const listener = await stranger(server.port);
    // The hooks may start another one.
    onTestFinished(async () => void (await run(["up", "--stop"], { cwd })));
    expect(listener.said()).toBe("listens\n");

    const status = JSON.parse((await run(["status", "--json"], { cwd })).stdout);
    expect(status.server).toEqual({ running: false });
    expect((await run(["up", "--stop"], { cwd })).code).toBe(4);

    const content = { file_path: join(cwd, "new.ts"), content: twice };
    const input = JSON.stringify({
      ...{ session_id: "s1", cwd, hook_event_name: "PreToolUse", tool_name: "Write" },
      ...{ tool_input: content, tool_use_id: "t1" },
    });
    const hook = await runShim(cwd, { harness: ["claude"], input });
    expect([hook.code, hook.stderr]).toEqual([2, expect.stringContaining("DUPLICATE_SYMBOL")]);
    write(cwd, "new.ts", twice);
    git(cwd, "add", "new.ts");
    expect(await gitAsync("ada", cwd, ["commit", "--quiet", "-m", "x"])).toBe(1);
    expect(eventsOf(cwd, "gate.refused").length).toBeGreaterThanOrEqual(2);

    const started = JSON.parse((await run(["up", "--detach", "--json"], { cwd })).stdout);
    expect(started).toMatchObject({ ok: true, pid: expect.any(Number) });
    expect(started.port).not.toBe(server.port);
    expect(listener.said()).toBe("listens\n");
  });

  it("T-02 another program of the same user on the socket is not taken for the server: the lock is free", async () => {
    const cwd = shimFolder(await hookedRepository());
    const server = await startServer({ cwd });
    const socket = join(stateFolder(cwd), "socket");
    server.child.kill("SIGKILL");
    await server.ended;
    if (asStranger.length > 0) {
      chmodSync(join(cwd, ".."), 0o755);
      expect((await stranger(join(stateFolder(cwd), "other"))).said()).toBe("cannot EACCES\n");
    }
    const same = createServer((_request, response) =>
      response.end(JSON.stringify({ ok: true, name: "headgate", pid: 1, port: 1, since: "x" })),
    );
    rmSync(socket);
    await new Promise<void>((ready) => same.listen(socket, ready));
    onTestFinished(() => void same.close());
    const status = JSON.parse((await run(["status", "--json"], { cwd })).stdout);
    expect(status.server).toEqual({ running: false });
    expect((await run(["up", "--stop"], { cwd })).code).toBe(4);
  });
});
