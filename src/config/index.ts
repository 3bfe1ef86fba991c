/**
 * Settings: one schema, five sources (defaults < user file < repository file < environment < flags),
 * checked once, frozen, with the origin of every value.
 * 1. An unknown key, a wrong type, a doubled key or broken JSON is an error with its place.
 * 2. A repository file cannot set what runs commands, moves addresses, widens or weakens (B01–B03).
 * 3. Nothing a file says is executed, fetched or expanded.
 * It does not watch files, write them, or know what a setting is for.
 */
export { loadConfig, userConfigFile } from "./load-config.ts";
export type { ConfigSources, LoadedConfig, Origin } from "./load-config.ts";
export { configSchema } from "./schema.ts";
export type { Config } from "./schema.ts";
export { settings } from "./settings.ts";
export type { Setting } from "./settings.ts";
