import { join } from "node:path";
import { expect, it } from "vitest";
import { put } from "../helpers/temporary-folder.ts";
import { armClients } from "./helpers/arm-client.ts";
import { asks } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { makeStage, type Stage } from "./helpers/stage.ts";
import { describeInNetwork } from "./helpers/suite.ts";

const { claude, codex, gemini, opencode } = clients;
const files = { "shared.ts": "export const a = 1;\nexport const b = 1;\n" };

const heldBy = async (stage: Stage): Promise<string[]> => {
  const { stdout } = await stage.headgate("claims", "--json");
  const { claims } = JSON.parse(stdout) as { claims: { actor: string; target: string }[] };
  return claims.map(({ actor, target }) => `${actor.replace(/:.*/, "")} ${target}`);
};

describeInNetwork("two clients, one file", [claude, codex, gemini], (network) => {
  it.each([
    { first: claude, second: codex, up: true },
    { first: codex, second: gemini, up: false },
  ])("$first.name holds it, $second.name is refused, and gets it afterwards", async (pair) => {
    const { first, second, up } = pair;
    const stage = makeStage(network(), files);
    await armClients(stage, first, second);
    if (up) await stage.up();
    else stage.forbidServer();
    const [firstEnds, secondTries] = ["first-ends", "second-tries"].map((name) =>
      join(stage.repo, "..", name),
    ) as [string, string];
    const holder = await stage.start(first, (place) => [
      first.read(place, "shared.ts") && asks(first.read(place, "shared.ts")),
      asks(first.replace(place, "shared.ts", "export const a = 1;", "export const a = 2;")),
      { text: "done", untilFile: firstEnds },
    ]);
    const isReading = first.read(holder.place, "shared.ts") !== undefined;
    await holder.reached(isReading ? 2 : 1);
    expect(stage.file("shared.ts")).toContain("a = 2");
    expect(await heldBy(stage)).toEqual([expect.stringContaining(`${first.name} `)]);

    const other = await stage.start(second, (place) => {
      const change = asks(
        second.replace(place, "shared.ts", "export const a = 2;", "export const a = 3;"),
      );
      const read = second.read(place, "shared.ts");
      return [
        read ? asks(read) : asks(second.shell("true")),
        change,
        [{ ...change, when: "LINES_HELD", untilFile: secondTries }, { text: "not refused" }],
        { text: "done" },
      ];
    });
    await other.reached(2);
    expect(other.toldAfter(1)).toMatch(/Headgate refused this \S+: LINES_HELD shared\.ts/);
    expect(stage.file("shared.ts")).toContain("a = 2");
    put(firstEnds);
    expect((await holder.ended).code).toBe(0);
    put(secondTries);
    const { code, stdout } = await other.ended;
    expect(code, stdout).toBe(0);
    expect(other.toldAfter(2)).not.toContain("refused");
    expect(stage.file("shared.ts")).toContain("a = 3");
    expect(await heldBy(stage)).toEqual([]);
  });
});

describeInNetwork("one client after the other", [codex, gemini, opencode], (network) => {
  // Gemini CLI does not wait for its hooks at the end, opencode tells nobody that it ends.
  it.each([{ first: gemini }, { first: opencode }])(
    "what $first.name changed is free for the next as soon as it has ended",
    async ({ first }) => {
      const stage = makeStage(network(), files);
      await armClients(stage, first, codex);
      stage.forbidServer();
      const before = await stage.run(first, (place) => [
        asks(first.read(place, "shared.ts")),
        asks(first.replace(place, "shared.ts", "export const a = 1;", "export const a = 2;")),
        { text: "done" },
      ]);
      expect(stage.file("shared.ts"), before.toldAfter(1)).toContain("a = 2");
      const after = await stage.run(codex, (place) => [
        asks(codex.replace(place, "shared.ts", "export const a = 2;", "export const a = 3;")),
        { text: "done" },
      ]);
      expect(after.toldAfter(0)).not.toContain("refused");
      expect(stage.file("shared.ts")).toContain("a = 3");
    },
  );
});

describeInNetwork("a client that dies", [claude, codex, gemini], (network) => {
  it.each([
    { client: claude, up: false },
    { client: codex, up: true },
    { client: gemini, up: false },
  ])("$client.name, killed -9, leaves nothing locked", async ({ client, up }) => {
    const stage = makeStage(network(), files);
    await armClients(stage, client);
    if (up) await stage.up();
    else stage.forbidServer();
    const run = await stage.start(client, (place) => [
      client.read(place, "shared.ts") ? asks(client.read(place, "shared.ts")) : undefined,
      asks(client.replace(place, "shared.ts", "export const a = 1;", "export const a = 2;")),
      { text: "never", untilFile: join(stage.repo, "../never") },
    ]);
    await run.reached(client.read(run.place, "shared.ts") ? 2 : 1);
    expect(await heldBy(stage)).toEqual([expect.stringContaining(`${client.name} `)]);
    run.child.kill("SIGKILL");
    await run.ended;
    const swept = await stage.headgate("sweep");
    expect(swept, swept.stdout + swept.stderr).toMatchObject({ code: 0 });
    expect(await heldBy(stage)).toEqual([]);
  });
});
