import { expect, it } from "vitest";
import { armClients } from "./helpers/arm-client.ts";
import { asks } from "./helpers/client.ts";
import { makeStage } from "./helpers/stage.ts";
import { describeEachClient } from "./helpers/suite.ts";

/**
 * Claude Code and Codex tell an MCP server which session it serves. The others do not; there an agent that
 * claims through MCP is somebody else for the hooks, and its own edit tool is refused.
 */
const isOneActor = {
  claude: true,
  codex: true,
  copilot: true,
  gemini: true,
  opencode: true,
  qwen: true,
};

describeEachClient("MCP", (client, network) => {
  it("lists Headgate's tools, claims and edits with them, and is the actor of its hooks where the client says who it is", async () => {
    const stage = makeStage(network(), {
      "a.ts": "export const a = (): number => 1;\nexport const b = 1;\n",
    });
    await armClients(stage, client);
    const search = { name: "tool_search", input: { query: "headgate claim edit", limit: 30 } };
    const run = await stage.run(client, (place) => [
      // Codex hides the tools of MCP servers until they are searched for.
      asks(client.name === "codex" ? search : client.mcp("claims", {})),
      asks(client.mcp("claim", { targets: ["a.ts"] })),
      asks(
        client.mcp("edit", {
          operations: [
            {
              do: "modify",
              file: "a.ts",
              symbol: "a",
              code: "export const a = (): number => 2;",
            },
          ],
        }),
      ),
      // What the agent claimed by hand must be its own when its edit tool comes along.
      client.read(place, "a.ts") && asks(client.read(place, "a.ts")),
      asks(client.replace(place, "a.ts", "export const b = 1;", "export const b = 2;")),
      { text: "done" },
    ]);
    const { tools } = run.requests().at(-1) ?? {};
    const { name } = client.mcp("claim", {});
    // Qwen Code shows its model the tools of MCP servers only when it searches; it runs them all the same.
    if (client.name !== "qwen") expect(tools, run.stdout + run.stderr).toContain(name);
    expect(run.toldAfter(1)).toContain("a.ts");
    expect(run.toldAfter(2)).not.toMatch(/refused|rror/);
    const told = run.toldAfter(client.read(run.place, "a.ts") ? 4 : 3);
    expect(told?.includes("CLAIM_CONFLICT")).toBe(!isOneActor[client.name]);
    const b = isOneActor[client.name] ? 2 : 1;
    expect(stage.file("a.ts")).toBe(`export const a = (): number => 2;\nexport const b = ${b};\n`);
  });
});
