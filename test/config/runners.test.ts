import { describe, expect, it } from "vitest";
import { configPlace } from "../helpers/config-place.ts";

const load = (runner: object | string) =>
  configPlace({ user: JSON.stringify({ runners: { mine: runner } }) }).load();

const problemOf = async (runner: object | string): Promise<string> =>
  load(runner).then(
    () => "accepted",
    (error: Error) => error.message.replace(/^[^ ]+: /, ""),
  );

const http = { kind: "http", protocol: "chat", url: "https://example.com/v1", model: "m" };

describe("V-02 runners in the configuration", () => {
  it("each kind is read as it is written", async () => {
    for (const runner of [
      { kind: "exec", argv: ["llm", "-m", "{model}"], output: { format: "json", text: "a.b" } },
      { kind: "preset", preset: "codex", model: "gpt-5", args: ["-c", "x=1"], settings: { a: 1 } },
      { ...http, keyVariable: "OPENAI_API_KEY", prices: { input: 1.25, output: 10 } },
      { ...http, url: "http://127.0.0.1:11434/v1/chat/completions" },
      { kind: "fixture", folder: "/tmp/x", record: "claude" },
    ]) {
      expect((await load(runner)).config.runners).toEqual({ mine: runner });
    }
  });

  it("what is wrong is named with its key and never with its value", async () => {
    const address =
      "runners.mine.url must be https://…, or http:// to this computer, without a password";
    expect(await problemOf({ ...http, url: "http://example.com/v1" })).toBe(address);
    expect(await problemOf({ ...http, url: "https://u:hunter2@example.com" })).toBe(address);
    expect(await problemOf({ ...http, url: "http://127.0.0.1.example.com/" })).toBe(address);
    const key = await problemOf({ ...http, keyVariable: "sk-ant-hunter2" });
    expect(key).toMatch(
      /^runners\.mine\.keyVariable must be the name of a variable, not the key itself$/,
    );
    expect(await problemOf({ ...http, ky: 1 })).toMatch(/unknown key runners\.mine\.ky/);
    expect(await problemOf({ kind: "exec" })).toBe("runners.mine.argv is missing");
    expect(await problemOf({ kind: "shell" })).toMatch(/^runners\.mine\.kind must be /);
    expect(await problemOf("claude")).toMatch(/^runners\.mine must be /);
  });

  it("a repository may not set one, nor who is asked, nor what it may cost", async () => {
    for (const repository of [
      { runners: { mine: http } },
      { review: { runner: "claude" } },
      { review: { budgetUsd: 1000 } },
      { review: { concurrency: 64 } },
    ]) {
      const { load: loaded } = configPlace({ repository: JSON.stringify(repository) });
      await expect(loaded()).rejects.toMatchObject({ code: "CONFIG_NOT_TRUSTED" });
    }
  });
});
