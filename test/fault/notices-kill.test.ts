/** Notices outlive the ends of servers, hooks and clients, on both stores. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HookedPlace, hookedPlace } from "../helpers/hooked-agents.ts";
import { freshSharedDatabase } from "../helpers/shared-postgres.ts";

const stores: readonly [name: string, env: () => Promise<Record<string, string>>][] = [
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ HEADGATE_STORE: await freshSharedDatabase() })],
];

const scene = async (env: Record<string, string>) => {
  const place = await hookedPlace("one\n", env);
  const server = await place.up();
  const agent = place.agent("s1");
  await place.headgate.as(agent.name).claims.register({ kind: "session.started" });
  await agent.reads();
  const { id } = await place.headgate.claims.tell(agent.name, "hear me");
  const kinds = async () =>
    (await place.headgate.events.page({ kind: "notice.*", limit: 100 })).events.map(
      ({ kind }) => kind,
    );
  return { place, server, agent, id, kinds };
};

/** Asks the server as the shim does, and hands the answer on to nobody. */
const askOnly = async ({ root, file }: HookedPlace): Promise<string> => {
  const local = join(root, ".git/headgate");
  const socketPath = readFileSync(join(local, "socket-path"), "utf8").trim();
  const asking = request({
    ...{ socketPath, path: "/hooks/claude", method: "POST" },
    headers: {
      ...{ "content-type": "application/json", "x-headgate-pid": `${process.pid}` },
      "x-headgate-receipt": "1",
    },
  });
  asking.end(
    JSON.stringify({
      ...{ session_id: "s1", cwd: root, hook_event_name: "PostToolUse", tool_name: "Read" },
      tool_input: { file_path: file },
    }),
  );
  const [answer] = (await once(asking, "response")) as [AsyncIterable<Buffer>];
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return text;
};

/** The time for which a notice belongs to the living process that took it is over. */
const passTime = async ({ headgate }: HookedPlace): Promise<void> => {
  const scope = await headgate.scope();
  await (
    await headgate.store()
  ).write({ scope }, async (tx) => {
    await tx.run({ sql: "UPDATE notices SET taken_at = taken_at - 30000" }, {});
    tx.emit({ kind: "test.passed" });
    return null;
  });
};

describe.each(stores)("a notice on %s", (_, storeEnv) => {
  it("N-04 is delivered when the hook has said that it handed it on, and said once", async () => {
    const { agent, place, kinds } = await scene(await storeEnv());
    expect(await agent.reads()).toMatch(/message from test nt_\w+: \\"hear me\\"/);
    await expect
      .poll(kinds, { timeout: 60_000 })
      .toEqual(["notice.sent", "notice.taken", "notice.delivered"]);
    expect(readdirSync(join(place.root, ".git/headgate/receipts"))).toEqual([]);
    expect(await agent.reads()).toBe("");
  });

  it("N-04 waits while the server that took it in was killed", async () => {
    const { agent, place, server, kinds } = await scene(await storeEnv());
    await place.killed(server);
    const heard = await agent.reads();
    expect(heard).toContain("hear me");
    expect(heard).not.toContain("repeated");
    expect(await agent.reads()).toBe("");
    expect(await kinds()).toEqual(["notice.sent", "notice.taken", "notice.delivered"]);
  });

  it("N-04 is repeated, under its id, after a server that was killed between its answer and the record", async () => {
    const { agent, place, server, id, kinds } = await scene(await storeEnv());
    expect(await askOnly(place)).toMatch(/^0 rc_\w+\n[^]*hear me/);
    await place.killed(server);
    const again = await agent.reads();
    expect(again).toContain(`(repeated, ${id})`);
    expect(again).toContain("hear me");
    expect(await agent.reads()).toBe("");
    expect(await kinds()).toEqual([
      ...["notice.sent", "notice.taken", "notice.taken", "notice.delivered"],
    ]);
  });

  it("N-04 is repeated after a hook that was killed with the server's answer in its hands", async () => {
    const { agent, place, id } = await scene(await storeEnv());
    expect(await askOnly(place)).toContain("hear me");
    // It may still be on its way.
    expect(await agent.reads()).toBe("");
    await passTime(place);
    expect(await agent.reads()).toContain(`(repeated, ${id})`);
  });

  it("N-04 is repeated after a client that was killed while its hook asked", async () => {
    const { agent, place, id, kinds } = await scene(await storeEnv());
    const shim = join(place.root, ".git/headgate/hook");
    // Nobody reads what the hook prints: its client is gone.
    const child = spawn("sh", ["-c", 'sh "$0" claude . | :', shim], {
      ...{ cwd: place.root, stdio: ["pipe", "ignore", "ignore"] },
      env: { PATH: process.env["PATH"] ?? "" },
    });
    child.stdin.end(
      JSON.stringify({
        ...{ session_id: "s1", cwd: place.root, hook_event_name: "PostToolUse" },
        ...{ tool_name: "Read", tool_input: { file_path: place.file } },
      }),
    );
    await once(child, "exit");
    await expect.poll(kinds, { timeout: 60_000 }).toContain("notice.taken");
    expect(await kinds()).not.toContain("notice.delivered");
    await passTime(place);
    expect(await agent.reads()).toContain(`(repeated, ${id})`);
  });
});
