import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHeadgate } from "../../../src/compose.ts";
import { limits } from "../../../src/base/limits.ts";
import { makeRepository } from "../../helpers/git-repository.ts";
import { call, connectStdio, mcpRepository } from "../../helpers/mcp.ts";
import { start, type Started } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const hello = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "raw", version: "1" },
  },
};
const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Lines in, JSON lines out; anything else on stdout is a failure. */
const open = (cwd: string, env: Record<string, string> = {}) => {
  const started = start(["mcp"], { cwd, env: { HEADGATE_ACTOR: "raw", ...env }, input: "open" });
  return { ...started, send: (...lines: unknown[]) => sendLines(started, lines) };
};

const sendLines = ({ child }: Started, lines: readonly unknown[]): void => {
  for (const line of lines)
    child.stdin!.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
};

interface RawAnswer {
  readonly id?: number;
  readonly result?: {
    readonly structuredContent: { readonly ok: boolean; readonly code?: string };
  };
  readonly error?: unknown;
}

const answers = (text: string): RawAnswer[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RawAnswer);

const callOf = (id: number, name: string, args: object, meta: object = modern) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: meta },
});

describe("headgate mcp over standard input", () => {
  it("answers both revisions and server/discover, prints protocol bytes only, and ends with its input", async () => {
    const cwd = mcpRepository();
    const legacy = open(cwd);
    legacy.send(
      hello,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
    );
    await legacy.until(/"id":2/);
    legacy.child.stdin!.end();
    const old = await legacy.ended;
    expect(old).toMatchObject({ code: 0, stderr: "" });
    expect(answers(old.stdout).find(({ id }) => id === 1)?.result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "headgate" },
    });
    const now = open(cwd);
    now.send(
      { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: modern } },
      callOf(2, "claims", {}),
    );
    await now.until(/"id":2/);
    now.child.stdin!.end();
    const { stdout, code } = await now.ended;
    expect(code).toBe(0);
    expect(answers(stdout).find(({ id }) => id === 1)?.result).toMatchObject({
      supportedVersions: ["2026-07-28"],
    });
    expect(answers(stdout).find(({ id }) => id === 2)?.result).toMatchObject({
      resultType: "complete",
      structuredContent: { ok: true },
    });
  });

  it("survives garbage: half JSON, binary, wrong shapes, unknown methods, absurd arguments", async () => {
    const { send, until, child, ended } = open(mcpRepository());
    send(
      "garbage{",
      "\u0000\u0001\u00ff",
      "[]",
      "null",
      '"text"',
      '{"jsonrpc":"2.0","id":5}',
      `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"__proto__":{"name":"claim"}}}`,
      "[".repeat(50_000),
      { jsonrpc: "1.0", id: 7, method: "ping" },
      { jsonrpc: "2.0", id: 8, method: "no/such", params: { _meta: modern } },
      callOf(9, "claim", [] as unknown as object),
      callOf(10, "claim", { targets: "a.txt" }),
      callOf(11, "claim", { targets: Array.from({ length: 1000 }, () => "a.txt") }),
      callOf(12, "read", { file: "a.txt\u0000" }),
      callOf(13, "read", { file: "a".repeat(5000) }),
      callOf(14, "claims", {}),
    );
    await until(/"id":14/);
    await until(/"id":13/);
    child.stdin!.end();
    const { stdout, code } = await ended;
    expect(code).toBe(0);
    const all = new Map(answers(stdout).map((one) => [one.id, one]));
    expect(all.get(8)?.error).toMatchObject({ code: -32601 });
    expect(all.get(10)?.result?.structuredContent).toMatchObject({ ok: false, code: "USAGE" });
    expect(all.get(11)?.result?.structuredContent).toMatchObject({ ok: false, code: "USAGE" });
    expect(all.get(12)?.result?.structuredContent?.code).toBe("PATH_OUTSIDE");
    expect(all.get(13)?.result?.structuredContent?.code).toBe("USAGE");
    expect(all.get(14)?.result?.structuredContent?.ok).toBe(true);
  });

  it("D07 a message over the limit ends the server with a coded line, not with a crash", async () => {
    const { child, ended } = open(mcpRepository());
    const chunk = "a".repeat(1024 * 1024);
    for (let size = 0; size <= limits.mcpMessageBytesMax; size += chunk.length)
      child.stdin!.write(chunk);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain("[INPUT_TOO_LARGE]");
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+/);
  });

  it("D07 calls over the limit are refused one by one, and those before them are answered", async () => {
    const cwd = mcpRepository();
    await using headgate = await openHeadgate({ repo: cwd, actor: "holder" });
    await headgate.claims.claim({ targets: ["a.txt"] });
    const { send, until, child, ended, text } = open(cwd);
    const count = limits.mcpCallsMax + 20;
    send(
      ...Array.from({ length: count }, (_, index) =>
        callOf(index + 1, "wait", { targets: ["a.txt"], waitMs: 100_000 }),
      ),
    );
    await until(new RegExp(`"id":${count}\\b`));
    await expect.poll(() => answers(text.stdout).length).toBe(20);
    await headgate.claims.release({ all: true });
    await expect.poll(() => answers(text.stdout).length).toBe(count);
    child.stdin!.end();
    const results = answers((await ended).stdout).map(
      ({ result }) => result?.structuredContent.code,
    );
    expect(results.filter((code) => code === "MCP_BUSY")).toHaveLength(20);
    expect(results.filter((code) => code === undefined)).toHaveLength(limits.mcpCallsMax);
  });

  it("G8 a client that goes away while waiting leaves no waiter and no process behind", async () => {
    const cwd = mcpRepository();
    await using headgate = await openHeadgate({ repo: cwd, actor: "holder" });
    await headgate.claims.claim({ targets: ["a.txt"] });
    for (const way of ["eof", "SIGTERM", "SIGKILL"] as const) {
      const { send, child, ended } = open(cwd);
      send(callOf(1, "claim", { targets: ["a.txt"], waitMs: 100_000 }));
      await expect.poll(async () => (await headgate.claims.list()).waiters.length).toBe(1);
      if (way === "eof") child.stdin!.end();
      else child.kill(way);
      const { code } = await ended;
      if (way !== "SIGKILL") {
        expect(code).toBe(0);
        expect((await headgate.claims.list()).waiters).toEqual([]);
      }
    }
  });

  it("a missing repository or a broken store is an answer, and a repaired one is found", async () => {
    const cwd = join(temporaryFolder(), "later");
    mkdirSync(cwd);
    const missing = await connectStdio({
      cwd,
      env: { HEADGATE_ACTOR: "ada" },
      args: ["--repo", "not-yet"],
    });
    expect((await missing.listTools()).tools.length).toBeGreaterThan(10);
    const claiming = () => call(missing, "claim", { targets: ["a.txt"] });
    expect(await claiming()).toMatchObject({
      isError: true,
      data: { ok: false, code: "REPOSITORY_NOT_FOUND" },
    });
    mkdirSync(join(cwd, "not-yet"));
    expect((await claiming()).data).toMatchObject({ ok: true });

    const repository = makeRepository(join(cwd, "work"));
    mkdirSync(stateFolder(repository), { recursive: true, mode: 0o700 });
    const store = join(stateFolder(repository), "store.db");
    writeFileSync(store, "this is no database, whatever its name says".repeat(100));
    const client = await connectStdio({ cwd: repository, env: { HEADGATE_ACTOR: "ada" } });
    const broken = await call(client, "claim", { targets: ["a.txt"] });
    expect(broken).toMatchObject({ isError: true, data: { ok: false } });
    expect(broken.data.code).toMatch(/^STORE_/);
    renameSync(store, `${store}.broken`);
    expect((await call(client, "claim", { targets: ["a.txt"] })).data).toMatchObject({ ok: true });
  });

  it("paths are relative to the root, wherever in the repository the client was started", async () => {
    const cwd = mcpRepository();
    const client = await connectStdio({ cwd: join(cwd, "src"), env: { HEADGATE_ACTOR: "ada" } });
    const { data } = await call(client, "claim", { targets: ["src/auth.ts"] });
    expect(data.claims[0].target).toBe("src/auth.ts");
    expect((await call(client, "read", { file: "src/auth.ts" })).data.path).toBe("src/auth.ts");
    expect((await call(client, "read", { file: join(cwd, "a.txt") })).data.path).toBe("a.txt");
  });
});
