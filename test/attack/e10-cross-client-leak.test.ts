import { describe, expect, it } from "vitest";
import { put } from "../helpers/temporary-folder.ts";
import {
  call,
  connectHttp,
  connectStdio,
  mcpRepository,
  revisions,
  startMcpHttp,
} from "../helpers/mcp.ts";

describe("E10 answers and identities of clients that share a server", () => {
  it.each(revisions)(
    "E10 %s over HTTP: same request numbers, mixed and slow calls, each gets its own answer",
    async (revision) => {
      const cwd = mcpRepository();
      const names = ["ann", "ben", "cid", "dora"];
      for (const name of names) put(`${cwd}/${name}.txt`, `secret of ${name}\n`);
      const place = await startMcpHttp(cwd);
      const clients = await Promise.all(
        names.map((actor) => connectHttp(place, { actor, revision })),
      );
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(
          clients.map(async (client, index) => {
            const own = names[index]!;
            const [read, list, wait] = await Promise.all([
              call(client, "read", { file: `${own}.txt` }),
              call(client, "claims", {}),
              call(client, "wait", { targets: [`${own}.txt`], waitMs: 50 }),
            ]);
            expect(read.data.content).toBe(`secret of ${own}\n`);
            expect(list.data.you).toBe(own);
            expect(wait.data.clear).toBe(true);
            const { data } = await call(client, "claim", { targets: [`${own}.txt`] });
            expect(data.claims.map((one: { actor: string }) => one.actor)).toEqual([own]);
          }),
        );
      }
    },
  );

  it("E10 progress and cancellation stay with the client they belong to", async () => {
    const place = await startMcpHttp();
    const holder = await connectHttp(place, { actor: "holder" });
    await call(holder, "claim", { targets: ["a.txt"] });
    // Both number their requests alike, and both are of the revision in which a cancel is a request.
    const [ann, ben] = await Promise.all(
      ["ann", "ben"].map((actor) => connectHttp(place, { actor, revision: "2025-11-25" })),
    );
    const cancelling = new AbortController();
    const told = { ann: 0, ben: 0 };
    const waitAs = (client: typeof ann, name: "ann" | "ben", signal?: AbortSignal) =>
      call(
        client!,
        "wait",
        { targets: ["a.txt"], waitMs: 100_000 },
        { onprogress: () => (told[name] += 1), ...(signal && { signal }) },
      );
    const first = waitAs(ann, "ann", cancelling.signal);
    const second = waitAs(ben, "ben");
    await expect.poll(() => told.ann > 0 && told.ben > 0).toBe(true);
    cancelling.abort();
    await expect(first).rejects.toThrow(/abort/i);
    const before = { ...told };
    // The other one still waits, and is told so.
    await expect.poll(() => told.ben).toBeGreaterThan(before.ben);
    await call(holder, "release", { all: true });
    expect((await second).data).toMatchObject({ ok: true, clear: true });
    expect(told.ann).toBe(before.ann);
  });

  it("E10 over standard input every client has a process of its own", async () => {
    const cwd = mcpRepository();
    const [ann, ben] = await Promise.all(
      ["ann", "ben"].map((actor) => connectStdio({ cwd, env: { HEADGATE_ACTOR: actor } })),
    );
    await call(ann!, "claim", { targets: ["a.txt"] });
    expect((await call(ann!, "claims", { mine: true })).data).toMatchObject({
      you: "ann",
      claims: [{}],
    });
    expect((await call(ben!, "claims", { mine: true })).data).toMatchObject({
      you: "ben",
      claims: [],
    });
  });
});
