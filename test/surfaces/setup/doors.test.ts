import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { doorFiles } from "../../../scripts/door-files.ts";
import { opencodePlugin } from "../../../src/surfaces/setup/opencode-plugin.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";

describe("the packages in doors/", () => {
  it.each(Object.entries(doorFiles()))("%s is what `npm run generate` writes", (path, content) => {
    expect(readFileSync(resolve("doors", path), "utf8")).toBe(content);
  });

  it("run nothing that lies in the repository", () => {
    for (const [path, content] of Object.entries(doorFiles())) {
      expect(content, path).not.toContain("headgate/hook");
    }
  });
});

interface Plugin {
  "experimental.chat.system.transform"(
    input: { sessionID: string },
    output: { system: string[] },
  ): Promise<void>;
  "tool.execute.before"(input: object, output: object): Promise<void>;
  "tool.execute.after"(input: object, output: object): Promise<void>;
  event(input: object): Promise<void>;
}

/** The plugin as opencode loads it, with a shim that does as the test says. */
const loadPlugin = async (shim: string): Promise<{ plugin: Plugin; root: string }> => {
  const root = temporaryFolder();
  const file = put(join(root, ".opencode/plugins/headgate.mjs"), opencodePlugin("git"));
  put(join(root, ".git/headgate/hook"), `${shim}\n`);
  const { Headgate } = (await import(pathToFileURL(file).href)) as {
    Headgate(place: object): Promise<Plugin>;
  };
  return { plugin: await Headgate({ directory: root, worktree: root }), root };
};

const use = { tool: "write", sessionID: "ses_1", callID: "call_1" };
const args = { filePath: "/r/a.txt", content: "x" };

describe("the opencode plugin", () => {
  it("throws the reason of a refusal", async () => {
    const { plugin } = await loadPlugin("cat >/dev/null; echo 'because' >&2; exit 2");
    await expect(plugin["tool.execute.before"](use, { args })).rejects.toThrow(/^because$/);
  });

  it("lets a tool pass in silence, and hands on what it was given", async () => {
    const { plugin, root } = await loadPlugin(
      `cat > "\${0%/*}/payload"; echo "$1" >> "\${0%/*}/words"`,
    );
    await plugin["tool.execute.before"](use, { args });
    expect(JSON.parse(readFileSync(join(root, ".git/headgate/payload"), "utf8"))).toEqual({
      event: "tool.execute.before",
      directory: root,
      ...use,
      args,
    });
    expect(readFileSync(join(root, ".git/headgate/words"), "utf8")).toBe("opencode\n");
  });

  it.each([
    ["crashes", "exit 1", /without a reason/],
    ["is killed", "kill -9 $$", /without a reason/],
  ])("refuses when the shim %s", async (_, shim, reason) => {
    const { plugin } = await loadPlugin(shim);
    await expect(plugin["tool.execute.before"](use, { args })).rejects.toThrow(reason);
  });

  it("is silent in a clone that is not armed", async () => {
    const { plugin, root } = await loadPlugin("exit 2");
    await expect(plugin["tool.execute.before"](use, { args })).rejects.toThrow(/without a reason/);
    rmSync(join(root, ".git/headgate/hook"));
    await plugin["tool.execute.before"](use, { args });
  });

  it("adds to a tool's result what Headgate tells, and never fails it", async () => {
    const told = await loadPlugin("cat >/dev/null; echo 'you wrote past the gate'");
    const output = { output: "done" };
    await told.plugin["tool.execute.after"](use, output);
    expect(output.output).toBe("done\n\nyou wrote past the gate\n");
    const failing = await loadPlugin("exit 2");
    await failing.plugin["tool.execute.after"](use, { output: "done" });
    await failing.plugin.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
  });

  it("tells of a session's beginning and end, and of nothing else", async () => {
    const { plugin, root } = await loadPlugin(
      `cat >> "\${0%/*}/payloads"; echo >> "\${0%/*}/payloads"`,
    );
    for (const type of ["session.created", "message.updated", "session.deleted"]) {
      await plugin.event({ event: { type, properties: { info: { id: "ses_1" } } } });
    }
    const told = readFileSync(join(root, ".git/headgate/payloads"), "utf8").trim().split("\n");
    expect(told.map((line) => JSON.parse(line) as object)).toEqual([
      { event: "session.created", directory: root, sessionID: "ses_1", listens: true },
      { event: "session.deleted", directory: root, sessionID: "ses_1" },
    ]);
  });

  it("N-05 puts the start of a session into every request of its model, and asks for it once", async () => {
    const { plugin, root } = await loadPlugin(
      `cat > /dev/null; echo asked >> "\${0%/*}/asked"; echo "who is here"`,
    );
    const request = async () => {
      const output = { system: ["own"] };
      await plugin["experimental.chat.system.transform"]({ sessionID: "ses_1" }, output);
      return output.system;
    };
    await plugin.event({
      event: { type: "session.created", properties: { info: { id: "ses_1" } } },
    });
    expect(await request()).toEqual(["own", "who is here\n"]);
    expect(await request()).toEqual(["own", "who is here\n"]);
    expect(readFileSync(join(root, ".git/headgate/asked"), "utf8")).toBe("asked\n");
  });
});
