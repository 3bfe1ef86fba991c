// Writes schema/config.json, the JSON schema that editors use for config.jsonc, from the one in src/config.
import { mkdirSync, writeFileSync } from "node:fs";
import { toJsonSchema } from "@valibot/to-json-schema";
import { configSchema, type Setting } from "../src/config/index.ts";

export const configJsonSchema = (): string => {
  // Rules beyond JSON schema (paths without `..`) are checked by Headgate itself.
  const { $schema, ...schema } = toJsonSchema(configSchema, { errorMode: "ignore" });
  const head = {
    $schema,
    title: "Headgate configuration (config.jsonc)",
    description: "Defaults < user file < repository file < environment < flags.",
  };
  return `${JSON.stringify({ ...head, ...schema }, replaceFacts, 2)}\n`;
};

/** Our own facts are no words of JSON schema; what the reader needs of them goes into the text. */
const replaceFacts = (_key: string, value: unknown): unknown => {
  if (!isSettingSchema(value)) return value;
  const { setting, ...rest } = value;
  const tier = setting.tier === "user" ? " Only in the user file; refused in a repository's." : "";
  const variable = setting.environment ? ` Environment: ${setting.environment}.` : "";
  return { ...rest, description: `${value.description}${tier}${variable}` };
};

const isSettingSchema = (value: unknown): value is { setting: Setting; description: string } =>
  typeof value === "object" && value !== null && "setting" in value;

if (import.meta.main) {
  const folder = new URL("../schema/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("config.json", folder), configJsonSchema());
}
