import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunnerSpec } from "../../../src/runners/index.ts";
import type { Client } from "./client.ts";
import { programPath } from "../../helpers/program.ts";
import { type LoneNetwork, startProgram } from "./lone-network.ts";

export const key = "sk-dummy-REDACTED";

/** How a user tells each preset where the scripted model is. */
export const specFor = (client: Client, program: string, address: string): RunnerSpec => {
  const { name } = client;
  if (name === "copilot" || name === "qwen") throw new Error(`${name} is not a preset`);
  const common = { kind: "preset", preset: name, program } as const;
  const provider = `{name="scripted",base_url="${address}/v1",env_key="SCRIPTED_KEY",wire_api="responses",request_max_retries=0}`;
  switch (name) {
    case "claude":
      return common;
    case "codex":
      return {
        ...common,
        model: "gpt-5.5",
        variables: ["SCRIPTED_KEY"],
        args: ["-c", "model_provider=scripted", "-c", `model_providers.scripted=${provider}`],
      };
    case "gemini":
      return { ...common, model: "gemini-2.5-pro" };
    case "opencode":
      return {
        ...common,
        model: "scripted/m",
        variables: ["OPENCODE_DISABLE_MODELS_FETCH"],
        settings: {
          provider: {
            scripted: {
              npm: "@ai-sdk/openai-compatible",
              options: { baseURL: `${address}/v1`, apiKey: "x" },
              models: { m: { name: "m", tool_call: true } },
            },
          },
        },
      };
  }
};

/** A program of the given name that runs the client where nothing leaves the machine. */
export const wrap = (folder: string, client: Client, network: LoneNetwork): string => {
  const [first = "", ...rest] = client.argv("");
  // Gemini CLI is a script for Node.
  const argv = first === process.execPath ? [first, rest[0] ?? ""] : [first];
  const [file, args] = network.inside(argv);
  const path = join(folder, `${client.name}-inside`);
  writeFileSync(path, `#!/bin/sh\nexec ${[file, ...args].join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
};

/** A scripted model in the client's network, and the user's settings that name the client as the runner `real`. */
export const armRunner = async (
  folder: string,
  client: Client,
  network: LoneNetwork,
  steps: readonly unknown[],
): Promise<{ readonly address: string; readonly record: string }> => {
  const [script, record] = [join(folder, "script.json"), join(folder, "record.jsonl")];
  writeFileSync(script, JSON.stringify({ conversations: [{ steps }] }));
  const model = startProgram(
    network.inside([
      ...[process.execPath, programPath, "mock-llm"],
      ...["--script", script, "--record", record],
    ]),
    { cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, timeoutMs: 500_000 },
  );
  const [address] = await model.until(/http:\/\/127\.0\.0\.1:\d+/);
  const config = join(folder, "no-home/config/headgate/config.jsonc");
  mkdirSync(join(config, ".."), { recursive: true });
  const spec = specFor(client, wrap(folder, client, network), address);
  writeFileSync(config, JSON.stringify({ runners: { real: spec } }));
  return { address, record };
};
