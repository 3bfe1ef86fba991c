/**
 * A database that keeps silent (M-04): a firewall forgot the connection, or the network is gone. The lines stay
 * open and carry nothing, so neither side hears of it.
 */
import { chmodSync, writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { openStore, type Scope, type Store } from "../../src/store/index.ts";
import { granted, openClaimsAt } from "../helpers/claims.ts";
import { type CuttingProxy, startCuttingProxy } from "../helpers/cutting-proxy.ts";
import { freshSharedDatabase } from "../helpers/shared-postgres.ts";
import { freshDatabase, runSql, startPostgres } from "../helpers/postgres.ts";
import { postgresPlace } from "../helpers/store-backends.ts";
import { cleanEnvironment, run } from "../helpers/program.ts";
import { makeRepository } from "../helpers/git-repository.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

const openProxy = async (): Promise<{ url: string; proxy: CuttingProxy }> => {
  const url = new URL(await freshSharedDatabase());
  const proxy = await startCuttingProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { url: url.href, proxy };
};

const openWarm = async (
  options: Partial<Parameters<typeof openStore>[0]> = {},
): Promise<{ store: Store; scope: Scope; proxy: CuttingProxy }> => {
  const { url, proxy } = await openProxy();
  const store = await openStore({ address: url, localDir: ".", ...options });
  onTestFinished(() => store.close());
  const scope = await store.scope({ key: "k", name: "n" });
  // Several connections, all idle.
  await Promise.all([store.now(), store.now(), store.now()]);
  return { store, scope, proxy };
};

const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

describe("connections that died unnoticed", () => {
  it("M-04 are replaced: reads and writes of all callers succeed", async () => {
    const { store, scope, proxy } = await openWarm();
    proxy.silenceAll();
    const write = (key: string) =>
      store.write({ scope, key }, async (tx) => {
        await tx.now();
        return tx.emit({ kind: "test.noted" });
      });
    await Promise.all([store.now(), write("a"), write("b"), store.readEvents({ scope })]);
    expect((await store.readEvents({ scope })).head).toBe(3);
  });

  it("M-04 a grant in one flight is made, once", async () => {
    const { url, proxy } = await openProxy();
    const place = await openClaimsAt(postgresPlace(url));
    const claims = place.as("user:ada");
    granted(await claims.claim({ targets: ["a.ts"] }));
    proxy.silenceAll();
    const { fence } = granted(await claims.claim({ targets: ["b.ts"] }));
    const events = await place.events("claim.granted");
    expect(events.map(({ data }) => (data as { target: string }).target)).toEqual(["a.ts", "b.ts"]);
    expect(fence).toBeGreaterThan(1);
  });

  it("M-04 G7 a silence after COMMIT was sent is OUTCOME_UNKNOWN, and can be asked for", async () => {
    // The wait for the answer, 18 seconds, is shortened by the clock.
    const sleep = (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 15, signal);
    const { store, scope, proxy } = await openWarm({ clock: { ...systemClock, sleep } });
    const write = store.write({ scope, key: "k" }, async (tx) => {
      await tx.now();
      proxy.silenceAll();
      return tx.emit({ kind: "test.noted" });
    });
    expect(await codeOf(write)).toBe("OUTCOME_UNKNOWN");
    // The server still holds that transaction; it ends with the line.
    proxy.cutAll();
    expect(await store.outcome(scope, "k")).toEqual({ state: "not-committed" });
  });
});

describe("a network that is gone", () => {
  it("M-04 every caller hears STORE_UNAVAILABLE, and the store works again by itself", async () => {
    const { store, scope, proxy } = await openWarm();
    proxy.isDeaf = true;
    proxy.silenceAll();
    const answers = await Promise.all([
      codeOf(store.now()),
      codeOf(store.write({ scope }, async (tx) => tx.now().then(() => null))),
    ]);
    expect(answers).toEqual(["STORE_UNAVAILABLE", "STORE_UNAVAILABLE"]);
    proxy.isDeaf = false;
    expect((await store.now()).wallMs).toBeGreaterThan(0);
  });

  it("M-04 closing does not wait for the dead", async () => {
    const { store, proxy } = await openWarm();
    proxy.isDeaf = true;
    proxy.silenceAll();
    await store.close();
    await expect(store.now()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});

describe("a server that asks for a password", () => {
  it("M-04 is answered at once from PGPASSWORD or ~/.pgpass, without words of the library", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.dispose());
    await runSql(server.url(), "ALTER USER postgres PASSWORD 'se:c\\ret'");
    const rules = join(server.dataDir, "pg_hba.conf");
    writeFileSync(rules, readFileSync(rules, "utf8").replaceAll(/trust$/gm, "scram-sha-256"));
    const repository = makeRepository(join(temporaryFolder(), "repository"));
    const home = temporaryFolder();
    const claims = async (more: Record<string, string> = {}) => {
      const env = { ...cleanEnvironment(home), HEADGATE_STORE: server.url(), ...more };
      return run(["claims", "--json"], { cwd: repository, env });
    };
    await server.stop();
    await server.start();
    const passwords = join(home, ".pgpass");
    const none = await claims();
    expect(none.stdout).toContain("STORE_UNAVAILABLE");
    expect(none.stdout).toContain(`asks for a password: there is no ${passwords}`);
    expect(none.stdout).toContain("Set PGPASSWORD");
    const line = `127.0.0.1:${server.port}:*:postgres:se\\:c\\\\ret\n`;
    writeFileSync(passwords, `# mine\nelsewhere:*:*:*:no\n${line}`, { mode: 0o644 });
    chmodSync(passwords, 0o644);
    expect((await claims()).stdout).toContain("can be read by others (chmod 600)");
    chmodSync(passwords, 0o600);
    expect(await claims()).toMatchObject({ code: 0, stderr: "" });
    expect(await claims({ PGPASSWORD: "wrong" })).toMatchObject({ code: 69 });
    expect(await claims({ PGPASSWORD: "se:c\\ret" })).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("rights", () => {
  it("the statements of docs/teams.md are enough for an owner, a writer and a reader", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.dispose());
    const admin = await freshDatabase(server.url());
    const page = readFileSync(join(import.meta.dirname, "../../docs/teams.md"), "utf8");
    const statements = /```sql\n([^]*?)```/.exec(page)?.[1] ?? "";
    expect(statements).toContain("CREATE ROLE");
    const as = (role: string) => {
      const url = new URL(admin);
      url.username = role;
      return postgresPlace(url.href);
    };
    await runSql(admin, statements);
    await openClaimsAt(as("headgate"));
    const writer = await openClaimsAt(as("ada"));
    granted(await writer.as("user:ada").claim({ targets: ["a.ts"] }));
    expect(await writer.as("user:ada").release({ claims: ["a.ts"] })).toMatchObject({
      released: [{ target: "a.ts" }],
    });
    const reader = await as("dashboard").open({ readOnly: true });
    expect((await reader.readEvents({ scope: writer.scope })).head).toBeGreaterThan(1);
    const writing = await as("dashboard").open();
    const code = await codeOf(
      writing.write({ scope: writer.scope }, async (tx) => tx.emit({ kind: "test.noted" })),
    );
    expect(code).toBe("STORE_READ_ONLY");
    await reader.close();
    await writing.close();
  });
});
