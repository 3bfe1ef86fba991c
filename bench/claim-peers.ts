// Other ways to hold something for a while, where their programs are at hand; none of them knows globs,
// waiting in order or fences in files. Each takes and gives back one thing per run.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import type { Contender } from "./harness.ts";

const ends: (() => void)[] = [];

export const peers = async (
  folder: string,
): Promise<{ readonly contenders: readonly Contender[]; stop(): void }> => ({
  contenders: [await lockFile(folder), ...(await redis(folder)), ...(await etcd(folder))],
  stop: () => {
    for (const end of ends) end();
  },
});

const lockFile = async (folder: string): Promise<Contender> => {
  const { default: lockfile } = (await import("proper-lockfile")) as {
    default: { lock(path: string): Promise<() => Promise<void>> };
  };
  const path = join(folder, "locked");
  writeFileSync(path, "");
  return {
    name: "proper-lockfile: lock + unlock (one file, not durable)",
    run: async () => (await lockfile.lock(path))(),
  };
};

const redis = async (folder: string): Promise<Contender[]> => {
  if (spawnSync("redis-server", ["--version"]).status !== 0) return notAtHand("redis-server");
  const socket = join(folder, "redis.sock");
  const options = {
    port: 0,
    unixsocket: socket,
    dir: folder,
    appendonly: "yes",
    appendfsync: "always",
    save: "",
  };
  start(
    "redis-server",
    Object.entries(options).flatMap(([key, value]) => [`--${key}`, String(value)]),
  );
  const client = await retry(
    () =>
      new Promise<ReturnType<typeof connect>>((resolve, reject) => {
        const made = connect(socket, () => resolve(made)).on("error", reject);
      }),
  );
  ends.push(() => client.destroy());
  const call = (...words: string[]) =>
    new Promise<void>((resolve, reject) => {
      client.once("data", (data) => (data[0] === 45 ? reject(new Error(String(data))) : resolve()));
      client.write(
        `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`,
      );
    });
  return [
    {
      name: "Redis: SET NX PX + DEL, appendfsync always",
      run: async (index) => {
        await call("SET", `held:${index}`, "me", "NX", "PX", "900000");
        await call("DEL", `held:${index}`);
      },
    },
  ];
};

const etcd = async (folder: string): Promise<Contender[]> => {
  if (spawnSync("etcd", ["--version"]).status !== 0) return notAtHand("etcd");
  const data = join(folder, "etcd");
  mkdirSync(data, { mode: 0o700 });
  const [client, peer] = ["http://127.0.0.1:23790", "http://127.0.0.1:23800"];
  const options = {
    "data-dir": data,
    "listen-client-urls": client,
    "advertise-client-urls": client,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `default=${peer}`,
    "log-level": "error",
  };
  start(
    "etcd",
    Object.entries(options).flatMap(([key, value]) => [`--${key}`, value]),
  );
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  ends.push(() => agent.destroy());
  const call = (path: string, body: object) =>
    new Promise<void>((resolve, reject) => {
      const request = http.request(`${client}${path}`, { method: "POST", agent }, (response) => {
        response
          .resume()
          .on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(path))));
      });
      request.on("error", reject).end(JSON.stringify(body));
    });
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  await retry(() => call("/v3/kv/range", { key: base64("x") }));
  return [
    {
      name: "etcd: put if absent + delete (over HTTP)",
      run: async (index) => {
        const key = base64(`held/${index}`);
        await call("/v3/kv/txn", {
          compare: [{ key, target: "VERSION", version: "0", result: "EQUAL" }],
          success: [{ request_put: { key, value: base64("me") } }],
        });
        await call("/v3/kv/deleterange", { key });
      },
    },
  ];
};

const start = (program: string, args: readonly string[]): void => {
  const child = spawn(program, args, { stdio: "ignore" });
  const end = () => void child.kill("SIGKILL");
  ends.push(end);
  process.on("exit", end);
};

const retry = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};

const notAtHand = (program: string): [] => {
  console.error(`not run: ${program} is not installed here`);
  return [];
};
