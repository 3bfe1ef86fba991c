import type { Json } from "../../../base/json.ts";
import { showText } from "../../../base/text.ts";
import type { LoadedConfig, Origin, Setting } from "../../../config/index.ts";
import { maskSecret } from "../../mask-secret.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";
import { alignedLines } from "../table.ts";
import { wrapText } from "../wrap-text.ts";

export const command: Command = {
  summary: "Show every setting, its value and where it comes from",
  usage: ["config"],
  description:
    "Later sources win: defaults, your own file, the repository's .headgate/config.jsonc, environment " +
    "variables, options. Settings of the user tier (what could run commands, change addresses or weaken a " +
    "check) are refused in the repository's file. Passwords are never shown.",
  options: {},
  examples: [
    ["headgate config", "all settings"],
    ["HEADGATE_PORT=7400 headgate config", "see that a variable is understood"],
    ["headgate config --json", "the same for programs"],
  ],
  exits: [
    [0, "shown"],
    [2, "a setting is wrong; the message names file, line and key"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { output, environment } = context;
    const { settings, userConfigFile } = await import("../../../config/index.ts");
    await using headgate = await openFor(context, { readOnly: true });
    const shown = settings.map((setting) => showSetting(setting, headgate));
    const files = {
      user: userConfigFile(environment),
      repository: headgate.repository.configFile,
    };
    output.object({ settings: shown, files });
    print(shown, output);
    output.line();
    output.line(`your file        ${showText(files.user)}`);
    output.line(`repository file  ${showText(files.repository)}`);
    return 0;
  },
};

interface ShownSetting {
  readonly key: string;
  readonly value: Json;
  readonly default: Json;
  readonly from: Origin["from"];
  readonly place: string | null;
  readonly tier: Setting["tier"];
  readonly type: string;
  readonly environment: string | null;
  readonly description: string;
}

const showSetting = (setting: Setting, { config, origins }: LoadedConfig): ShownSetting => {
  const { key, tier, type, description } = setting;
  const value = valueAt(config, key);
  const { from, place = null } = origins[key] ?? { from: "default" };
  return {
    key,
    value: setting.secret && typeof value === "string" ? maskSecret(value) : value,
    default: setting.default,
    from,
    place,
    tier,
    type,
    environment: setting.environment ?? null,
    description,
  };
};

const valueAt = (config: LoadedConfig["config"], key: string): Json => {
  let value = config as unknown as Json;
  for (const name of key.split("."))
    value = (value as Readonly<Record<string, Json>>)[name] ?? null;
  return value;
};

const print = (settings: readonly ShownSetting[], output: Output): void => {
  const { bold, dim } = output.style;
  const rows = settings.map(({ key, value, from, place }) => [
    key,
    showText(JSON.stringify(value), 60),
    place === null ? from : `${from} ${showText(place)}`,
  ]);
  const lines = alignedLines(rows, (cell, column) =>
    column === 0 ? bold(cell) : column === 2 ? dim(cell) : cell,
  );
  for (const [index, line] of lines.entries()) {
    const { description, tier, environment } = settings[index] ?? {};
    const also = environment ? `; ${environment}` : "";
    output.line(line);
    for (const text of wrapText(`${description} (${tier} tier${also})`, 92)) {
      output.line(dim(`    ${text}`));
    }
  }
};
