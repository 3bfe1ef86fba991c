import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mcpRepository, startMcpHttp } from "../helpers/mcp.ts";
import { installMcpTools, runMcpTool, startTokenProxy } from "../helpers/mcp-tools.ts";
import { cleanEnvironment, programPath } from "../helpers/program.ts";

let tools = "";
beforeAll(async () => {
  tools = await installMcpTools();
}, 300_000);

/** Those that concern us; the others want prompts, sampling, images, logging or a demonstration server. */
const scenarios = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-error",
  "resources-list",
  "resources-read-text",
  "dns-rebinding-protection",
];

describe("the protocol's own conformance scenarios", () => {
  it.each(scenarios)("%s passes", async (scenario) => {
    const place = await startMcpHttp();
    const url = await startTokenProxy(place);
    const args = ["server", "--url", url, "--scenario", scenario];
    const { code, stdout, stderr } = await runMcpTool(tools, "conformance", args, {
      cwd: place.cwd,
    });
    expect(stdout + stderr).toMatch(/Passed: ([1-9])\/\1, 0 failed, 0 warnings/);
    expect(code).toBe(0);
  });
});

describe("the protocol's inspector", () => {
  const inspect = (cwd: string, server: readonly string[], ...args: string[]) =>
    runMcpTool(tools, "mcp-inspector", ["--cli", ...server, ...args], {
      cwd,
      env: { ...cleanEnvironment(join(cwd, "..", "no-home")), HEADGATE_ACTOR: "inspector" },
    });

  it("lists tools and resources, calls tools and shows refusals, over standard input", async () => {
    const cwd = mcpRepository();
    const server = [process.execPath, programPath, "mcp"];
    const list = await inspect(cwd, server, "--method", "tools/list");
    expect(list.code, list.stderr).toBe(0);
    expect(JSON.parse(list.stdout).tools).toHaveLength(27);
    const edit = JSON.stringify([{ do: "replace", file: "a.txt", old: "one", new: "two" }]);
    const call = ["--method", "tools/call", "--tool-name", "edit", "--tool-arg"];
    const edited = await inspect(cwd, server, ...call, `operations=${edit}`);
    expect(edited.code, edited.stderr).toBe(0);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("two\n");
    const refused = await inspect(cwd, server, ...call, `operations=${edit}`);
    // It says so with a code of its own: the tool answered, and the answer is an error.
    expect(refused.code, refused.stderr).toBe(5);
    expect(refused.stdout).toContain("TEXT_NOT_FOUND");
  });

  it("lists and calls over HTTP, with the token as a header", async () => {
    const place = await startMcpHttp();
    const token = `Authorization: Bearer ${place.token}`;
    const server = [place.url, "--transport", "http", "--header", token];
    const list = await inspect(place.cwd, server, "--method", "tools/list");
    expect(list.code, list.stderr).toBe(0);
    expect(JSON.parse(list.stdout).tools).toHaveLength(27);
    const claims = await inspect(
      place.cwd,
      server,
      "--method",
      "tools/call",
      "--tool-name",
      "claims",
    );
    expect(claims.code, claims.stderr).toBe(0);
    expect(claims.stdout).toContain("nothing is claimed");
  });
});
