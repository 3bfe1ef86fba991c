import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemEnvironment } from "../../../src/base/environment.ts";
import {
  findOwnerSocket,
  listenForOwner,
  removeOwnerSocket,
} from "../../../src/surfaces/http/owner-socket.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const newServer = (): Server => {
  const server = createServer((_request, response) => response.end("ours"));
  onTestFinished(() => void server.close());
  return server;
};

const place = (options: { readonly deep?: boolean; readonly runtime?: string } = {}) => {
  const top = temporaryFolder();
  const localDir = join(top, options.deep ? "deep/".repeat(20) : "", "headgate");
  mkdirSync(localDir, { recursive: true, mode: 0o700 });
  const variables = { XDG_RUNTIME_DIR: options.runtime };
  const environment = { ...systemEnvironment(), temporary: top, variables };
  return { top, localDir, environment };
};

const note = (localDir: string, path: string): string | undefined => {
  writeFileSync(join(localDir, "socket-path"), `${path}\n`);
  return findOwnerSocket(localDir, systemEnvironment());
};

const user = process.getuid?.() ?? 0;

describe("the owner's socket", () => {
  it("T-02 lies in the state folder, only for its owner, in place of what a killed server left", async () => {
    const { localDir, environment } = place();
    const path = join(localDir, "socket");
    writeFileSync(path, "left over");
    writeFileSync(`${path}.new`, "left over");
    expect(await listenForOwner(newServer(), { localDir, environment })).toBe(path);
    expect(statSync(path).isSocket()).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(note(localDir, path)).toBe(path);
    removeOwnerSocket(path, localDir);
    expect([existsSync(path), existsSync(`${path}.new`)]).toEqual([false, false]);
  });

  it("T-02 a server that ends leaves the socket of the next one alone", async () => {
    const { localDir, environment } = place();
    const [old, next] = [newServer(), newServer()];
    const path = await listenForOwner(old, { localDir, environment });
    expect(await listenForOwner(next, { localDir, environment })).toBe(path);
    await new Promise((done) => old.close(done));
    expect(existsSync(path)).toBe(true);
  });

  it("T-02 where that path is too long it is in the user's runtime folder, else in a private one for sockets", async () => {
    const runtime = temporaryFolder();
    const first = place({ deep: true, runtime });
    const path = await listenForOwner(newServer(), first);
    expect(dirname(path)).toBe(join(runtime, "headgate"));
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(note(first.localDir, path)).toBe(path);
    removeOwnerSocket(path, first.localDir);
    expect(existsSync(join(runtime, "headgate"))).toBe(false);
    const second = place({ deep: true });
    const other = await listenForOwner(newServer(), second);
    expect(dirname(other)).toBe(join(second.top, `headgate-${user}`));
    expect(note(second.localDir, other)).toBe(other);
  });

  it("T-02 a folder that others can enter is not used, and a socket in one is not believed", async () => {
    const { top, localDir, environment } = place({ deep: true });
    const folder = join(top, `headgate-${user}`);
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    await expect(listenForOwner(newServer(), { localDir, environment })).rejects.toMatchObject({
      code: "SERVER_SOCKET_FAILED",
    });
    const stranger = newServer();
    const path = join(folder, "s");
    await new Promise<void>((ready) => stranger.listen(path, ready));
    expect(note(localDir, path)).toBeUndefined();
    chmodSync(folder, 0o700);
    expect(note(localDir, path)).toBe(path);
    if (user !== 0) return;
    chownSync(folder, 65_534, 65_534);
    expect(note(localDir, path)).toBeUndefined();
    await expect(listenForOwner(newServer(), { localDir, environment })).rejects.toMatchObject({
      code: "SERVER_SOCKET_FAILED",
    });
  });

  it("T-02 a state folder in which others may write gets no socket", async () => {
    const { localDir, environment } = place();
    chmodSync(localDir, 0o770);
    const path = await listenForOwner(newServer(), { localDir, environment });
    expect(dirname(path)).not.toBe(localDir);
  });
});
