import { posix, win32 } from "node:path";
import { HeadgateError } from "../errors.ts";
import { assert } from "../base/assert.ts";
import { type Environment, systemEnvironment } from "../base/environment.ts";
import { type Files, systemFiles } from "../base/files.ts";
import type { Json } from "../base/json.ts";
import { resolveInRepository } from "../base/paths.ts";
import type { Repository } from "../git/index.ts";
import { userFolder } from "../base/state-place.ts";
import { showText } from "../base/text.ts";
import { readJsoncFile } from "./jsonc-file.ts";
import type { Config } from "./schema.ts";
import { type Setting, settings } from "./settings.ts";

export interface ConfigSources {
  /** Without one, only the user's settings count. */
  readonly repository?: Pick<Repository, "configFile">;
  readonly environment?: Environment;
  readonly files?: Files;
  /** By key: `{ "server.port": 4711 }`; undefined means not given. */
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Nothing of a broken repository file counts, and `problem` says so, instead of an error. */
  readonly evenIfBroken?: boolean;
}

export interface LoadedConfig {
  readonly config: Config;
  /** By key, for every key. */
  readonly origins: Readonly<Record<string, Origin>>;
  /** What is wrong with the repository's file; only with `evenIfBroken`. */
  readonly problem?: HeadgateError;
}

export interface Origin {
  readonly from: "default" | "user-file" | "repository-file" | "environment" | "flag";
  /** `file:line:column`, or the variable's name. */
  readonly place?: string;
}

/** Throws CONFIG_INVALID, CONFIG_UNREADABLE, CONFIG_NOT_TRUSTED. */
export const loadConfig = async (sources: ConfigSources = {}): Promise<LoadedConfig> => {
  const { environment = systemEnvironment(), files = systemFiles, flags = {} } = sources;
  const values = new Map<string, Json>();
  const origins: Record<string, Origin> = {};
  for (const { key, default: value } of settings) {
    values.set(key, value);
    origins[key] = { from: "default" };
  }
  let problem: HeadgateError | undefined;
  const ownFile = () => repositoryLayer(sources.repository, environment, files);
  const layers = [
    () => userLayer(environment, files),
    ownFile,
    () => environmentLayer(environment),
    () => flagLayer(flags),
  ];
  for (const read of layers) {
    const layer = await checkedLayer(read).catch((error: unknown) => {
      const isBorne = sources.evenIfBroken === true && read === ownFile;
      if (!isBorne || !HeadgateError.isInstance(error)) throw error;
      problem = error;
      return undefined;
    });
    if (!layer) continue;
    for (const { key } of settings) {
      const path = key.split(".");
      const value = valueAt(layer.value, path);
      if (value === undefined) continue;
      values.set(key, value);
      origins[key] = { from: layer.from, place: layer.placeOf(path) };
    }
  }
  // Every value is a default or was checked with its layer, and there is one for every key.
  const config = nest(values) as unknown as Config;
  return { ...deepFreeze({ config, origins }), ...(problem && { problem }) };
};

const checkedLayer = async (
  read: () => Promise<Layer | undefined> | Layer | undefined,
): Promise<Layer | undefined> => {
  const layer = await read();
  if (!layer) return undefined;
  // Only where something is set: the rules and their library take longer than most commands.
  const { findProblems, problemsError } = await import("./config-problems.ts");
  const [problem, ...others] = findProblems(layer.value, layer.placeOf);
  if (problem) throw problemsError("CONFIG_INVALID", [problem, ...others]);
  return layer;
};

/** Where the user's own settings are, whether the file exists or not. */
export const userConfigFile = (environment: Environment): string => {
  const { join } = environment.platform === "win32" ? win32 : posix;
  return join(userFolder(environment, "config"), "headgate", "config.jsonc");
};

interface Layer {
  readonly from: Exclude<Origin["from"], "default">;
  readonly value: Json;
  placeOf(keys: readonly (string | number)[]): string;
}

const userLayer = async (environment: Environment, files: Files): Promise<Layer | undefined> => {
  const file = await readJsoncFile(userConfigFile(environment), { files, noFollow: false });
  return file && !isNothing(file.value) ? { ...file, from: "user-file" } : undefined;
};

/** Says nothing, so it need not be checked: `init` writes such a file, and the schema costs start-up time. */
const isNothing = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === 0;

const repositoryLayer = async (
  repository: ConfigSources["repository"],
  environment: Environment,
  files: Files,
): Promise<Layer | undefined> => {
  // Most repositories have none, and where nothing is there is nothing to find out about its place.
  if (!repository || !files.stat(repository.configFile)) return undefined;
  const { dirname } = environment.platform === "win32" ? win32 : posix;
  const root = dirname(dirname(repository.configFile));
  const place = resolveInRepository([root], repository.configFile, {
    cwd: root,
    files,
    caseInsensitive: false,
    platform: environment.platform,
  });
  if (!place.ok) {
    const shown = showText(repository.configFile);
    throw new HeadgateError("CONFIG_UNREADABLE", `${shown} cannot be used: ${place.message}`);
  }
  const file = await readJsoncFile(place.absolute, { files, noFollow: true });
  if (!file || isNothing(file.value)) return undefined;
  await refuseUserKeys(file, userConfigFile(environment));
  return { ...file, from: "repository-file" };
};

/** Before anything else about the file is judged: an attempt should not hide behind a typing error. */
const refuseUserKeys = async (file: Omit<Layer, "from">, userFile: string): Promise<void> => {
  const problems = settings
    .filter(({ key, tier }) => tier === "user" && valueAt(file.value, key.split(".")) !== undefined)
    .map(({ key }) => ({
      key,
      place: file.placeOf(key.split(".")),
      message: `a repository may not set ${key}; if you want it, put it into ${showText(userFile)}`,
    }));
  const [problem, ...others] = problems;
  const { problemsError } = await import("./config-problems.ts");
  if (problem) throw problemsError("CONFIG_NOT_TRUSTED", [problem, ...others]);
};

const environmentLayer = ({ variables }: Environment): Layer | undefined => {
  const values = new Map<string, Json>();
  for (const setting of settings) {
    const text = setting.environment === undefined ? undefined : variables[setting.environment];
    // Set to nothing is how a variable is switched off for one command.
    if (text !== undefined && text !== "") values.set(setting.key, fromText(setting, text));
  }
  if (values.size === 0) return undefined;
  return {
    from: "environment",
    value: nest(values),
    placeOf: (keys) => variableOf(keys.join(".")) ?? "environment",
  };
};

const variableOf = (key: string): string | undefined =>
  settings.find((one) => one.key === key)?.environment;

const flagLayer = (flags: Readonly<Record<string, unknown>>): Layer | undefined => {
  const values = new Map<string, Json>();
  for (const [key, value] of Object.entries(flags)) {
    assert(
      settings.some((one) => one.key === key),
      `the flag for ${key} belongs to no setting`,
    );
    if (value !== undefined) values.set(key, value as Json);
  }
  if (values.size === 0) return undefined;
  return { from: "flag", value: nest(values), placeOf: () => "command line" };
};

/** What does not read as the setting's type stays text, and the schema refuses it. */
const fromText = ({ type }: Setting, text: string): Json => {
  if (type === "text") return text;
  if (text === "null") return null;
  return /^-?[0-9]{1,15}$/.test(text) ? Number(text) : text;
};

const valueAt = (value: Json, path: readonly string[]): Json | undefined => {
  let found: Json | undefined = value;
  for (const name of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Readonly<Record<string, Json>>)[name];
  }
  return found;
};

const nest = (values: ReadonlyMap<string, Json>): Json => {
  const result: Record<string, Json> = {};
  for (const [key, value] of values) {
    const [first = "", second] = key.split(".");
    if (second === undefined) result[first] = value;
    else result[first] = { ...(result[first] as Record<string, Json>), [second]: value };
  }
  return result;
};

const deepFreeze = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
};
