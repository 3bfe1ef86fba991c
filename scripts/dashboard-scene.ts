/**
 * A small repository with agents at work in it, made by real processes through the real command line and
 * hooks: what the screenshots show and what the browser tests look at.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const program = resolve(import.meta.dirname, "../bin/headgate.js");

export interface Scene {
  readonly root: string;
  readonly address: string;
  readonly port: number;
  /** A new one each time: a link opens in one browser. */
  link(): Promise<string>;
  /** What the server's terminal shows. */
  printed(): string;
  /** Runs the program to its end, as this actor. */
  run(actor: string, ...args: string[]): Promise<{ code: number | null; text: string }>;
  /** An agent's own edit tool, asking its hook. */
  write(session: string, file: string, content: string): Promise<number | null>;
  /** Starts a process that goes on, a waiter for example. */
  go(actor: string, ...args: string[]): ChildProcess;
  stopServer(): Promise<void>;
  startServer(): Promise<void>;
  close(): Promise<void>;
}

export interface SceneOptions {
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly port?: number;
}

/** A server on a new repository; nothing has happened in it yet. */
export const openScene = async (options: SceneOptions): Promise<Scene> => {
  const root = join(options.folder, "shop");
  const home = join(options.folder, "home");
  mkdirSync(home, { recursive: true });
  mkdirSync(join(root, ".headgate"), { recursive: true });
  for (const [path, content] of Object.entries(options.files ?? shopFiles)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CONFIG_HOME: join(home, "config"),
    USER: "ada",
    LOGNAME: "ada",
    LC_ALL: "C.UTF-8",
    ...options.env,
  };
  const children = new Set<ChildProcess>();
  const start = (
    file: string,
    args: readonly string[],
    more: Record<string, string>,
    input = "",
  ) => {
    const child = spawn(file, args, { cwd: root, env: { ...env, ...more } });
    children.add(child);
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    }
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const ended = new Promise<number | null>((done) => {
      child.on("close", (code) => {
        children.delete(child);
        done(code);
      });
    });
    return { child, ended, text: () => text };
  };
  const headgate = (actor: string, args: readonly string[], input = "") =>
    start(process.execPath, [program, ...args], { HEADGATE_ACTOR: actor }, input);
  const end = async (one: ReturnType<typeof start>): Promise<number | null> => {
    const code = await one.ended;
    return code;
  };
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["config", "user.name", "ada"],
    ["config", "user.email", "ada@example.com"],
    ["add", "--all"],
    ["commit", "--quiet", "-m", "Start"],
  ]) {
    await end(start("git", args, {}));
  }
  let server: ReturnType<typeof start> | undefined;
  let port = options.port ?? 0;
  const startServer = async (): Promise<void> => {
    server = start(process.execPath, [program, "up", "--port", String(port)], {
      HEADGATE_ACTOR: "ada",
    });
    for (;;) {
      const found = /address\s+http:\/\/127\.0\.0\.1:(\d+)/.exec(server.text());
      if (found) {
        port = Number(found[1]);
        return;
      }
      if (server.child.exitCode !== null) throw new Error(`up ended: ${server.text()}`);
      await new Promise((done) => {
        setTimeout(done, 30);
      });
    }
  };
  await startServer();
  return {
    root,
    get address() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    link: async () => {
      const token = readFileSync(join(root, ".git/headgate/token"), "utf8").trim();
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const address = `http://127.0.0.1:${port}`;
      const answer = await fetch(`${address}/api/sign-in/keys`, { method: "POST", headers });
      const { key } = (await answer.json()) as { key: string };
      return `${address}/#key=${key}`;
    },
    printed: () => server?.text() ?? "",
    run: async (actor, ...args) => {
      const one = headgate(actor, args);
      return { code: await one.ended, text: one.text() };
    },
    write: async (session, file, content) => {
      const [harness = "claude", id = session] = session.split(":", 2);
      const payload = {
        ...{ session_id: id, cwd: root, hook_event_name: "PreToolUse", tool_name: "Write" },
        tool_input: { file_path: join(root, file), content },
      };
      const input = JSON.stringify(payload);
      const one = start(process.execPath, [program, "hook", harness], {}, input);
      return one.ended;
    },
    go: (actor, ...args) => headgate(actor, args).child,
    stopServer: async () => {
      server?.child.kill("SIGTERM");
      await server?.ended;
    },
    startServer,
    close: async () => {
      for (const child of children) child.kill("SIGKILL");
      await server?.ended;
    },
  };
};

/** Eight agents in the middle of their work: claims, waiters, a request, a message, refusals of several kinds. */
export const playScene = async (scene: Scene): Promise<void> => {
  await scene.run("ada", "init", "--yes", "--client", "claude", "--client", "codex");
  const claim = (actor: string, reason: string, ...targets: string[]) =>
    scene.run(actor, "claim", ...targets, "--reason", reason, "--ttl", "2h");
  const isShared = ["--shared", "--reason", "reads rounding"];
  await Promise.all([
    claim("claude:7d31", "refund flow", "src/billing/invoice.ts#Invoice.refund"),
    claim("claude:7d31", "refund flow", "src/billing/ledger.ts"),
    claim("codex:a90f", "rate limit of the login", "src/auth/login.ts#login"),
    claim("codex:a90f", "rate limit of the login", "src/auth/session.ts"),
    claim("gemini:22be", "storybook for the cart", "src/ui/**/*.stories.tsx"),
    claim("gemini:22be", "new empty state", "src/ui/cart.tsx"),
    claim("claude:e5c8/tests", "cover the ledger", "test/billing"),
    claim("cursor:b7", "spelling", "docs/guide.md"),
    claim("opencode:41", "dev server for the end-to-end tests", "name:dev-server"),
    claim("ada", "release notes", "CHANGELOG.md"),
    scene.run("claude:7d31", "claim", "src/money.ts", ...isShared),
    scene.run("codex:a90f", "claim", "src/money.ts", ...isShared),
  ]);
  scene.go(
    "claude:e5c8",
    "claim",
    "src/billing/ledger.ts",
    "--wait",
    "30m",
    "--reason",
    "tests need it",
  );
  scene.go("cursor:b7", "claim", "name:dev-server", "--wait", "30m", "--reason", "manual check");
  const mine = await scene.run("ada", "claims", "--json");
  const found = JSON.parse(mine.text) as { claims: { id: string; target: string }[] };
  const notes = found.claims.find(({ target }) => target === "CHANGELOG.md");
  if (notes) {
    await scene.run(
      "claude:e5c8",
      "release",
      "--ask",
      notes.id,
      "--reason",
      "one line about refunds",
    );
  }
  await scene.run(
    "codex:a90f",
    "tell",
    "ada",
    "login() is done; may I land it before the release?",
  );
  await scene.write("claude:19aa", ".git/config", "[core]\n");
  await scene.write("claude:e5c8", "src/billing/ledger.ts", ledger.replace("add(", "push("));
  await scene.write("claude:7d31", "src/billing/tax.ts", tax.replace("return net", "return { net"));
  await scene.write("claude:19aa", "src/auth/login.ts", login.replace("5", "50"));
  await scene.write(
    "claude:19aa",
    "src/money.ts",
    `${money}\n${money.replace("Round", "Again, round")}`,
  );
  await scene.write("claude:19aa", "src/shipping/label.ts", label);
  for (const [path, content] of Object.entries(changedFiles)) {
    mkdirSync(dirname(join(scene.root, path)), { recursive: true });
    writeFileSync(join(scene.root, path), content);
  }
  await scene.run("ada", "review", "--runner", "none");
};

const money = `/** Round half to even, as banks do. */
export function round(cents: number): number {
  const whole = Math.floor(cents);
  const rest = cents - whole;
  if (rest !== 0.5) return Math.round(cents);
  return whole % 2 === 0 ? whole : whole + 1;
}
`;
const tax = `import { round } from "../money.ts";

export function withTax(net: number, rate: number): number {
  return net + round(net * rate);
}
`;
const ledger = `export class Ledger {
  readonly #entries: number[] = [];

  add(cents: number): void {
    this.#entries.push(cents);
  }

  get total(): number {
    return this.#entries.reduce((sum, one) => sum + one, 0);
  }
}
`;
const login = `const attemptsMax = 5;

export async function login(name: string, password: string, attempts: number): Promise<boolean> {
  if (attempts > attemptsMax) return false;
  return name !== "" && password !== "";
}
`;
const label = `export const label = (order: { id: string }): string => \`SHIP-\${order.id}\`;
`;

/** What the static rules have something to say about. */
const changedFiles: Readonly<Record<string, string>> = {
  "scripts/export.py": `import os
import subprocess


def export(path):
    if os.path.exists(path):
        os.remove(path)
    subprocess.run("gzip " + path, shell=True)
`,
  "src/notify.ts": `export function notify(addresses: string[]): void {
  addresses.forEach(async (address) => {
    await fetch(address);
  });
}
`,
};

export const shopFiles: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({
    name: "shop",
    version: "1.0.0",
    type: "module",
    description: "A web shop: REST API and React front end",
    scripts: { start: "node src/server.ts" },
    dependencies: { express: "5.1.0", react: "19.1.0", "react-dom": "19.1.0", pg: "8.16.0" },
  })}\n`,
  "README.md": "# Shop\n\nA web shop with an HTTP API and a React front end.\n",
  "CHANGELOG.md": "# Changes\n",
  "docs/guide.md": "# Guide\n",
  "openapi.yaml": 'openapi: "3.1.0"\ninfo: { title: shop, version: "1" }\npaths: {}\n',
  "src/server.ts": 'import express from "express";\n\nexport const app = express();\n',
  "src/money.ts": money,
  "src/billing/tax.ts": tax,
  "src/billing/ledger.ts": ledger,
  "src/billing/invoice.ts":
    "export class Invoice {\n  refund(cents: number): number {\n    return -cents;\n  }\n}\n",
  "src/auth/login.ts": login,
  "src/auth/session.ts": "export const sessions = new Map<string, string>();\n",
  "src/ui/cart.tsx": "export const Cart = () => <ul />;\n",
  "test/billing/ledger.test.ts":
    'import { Ledger } from "../../src/billing/ledger.ts";\n\nvoid new Ledger();\n',
};
