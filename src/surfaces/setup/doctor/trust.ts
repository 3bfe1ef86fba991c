/** Whether the clients will run the hooks that are there. Read from the user's own files of each client. */
import { join } from "node:path";
import { parse as parseToml, TomlError } from "smol-toml";
import { parseJsonText } from "../../../state/index.ts";
import type { SetupPlace } from "../types.ts";
import { type Check, checksIn } from "./check.ts";

type Table = Readonly<Record<string, unknown>>;

export const claudeTrust = (place: SetupPlace, group: string): Check[] => {
  const { home } = place.environment;
  const files = [
    join(home, ".claude/settings.json"),
    join(place.root, ".claude/settings.json"),
    join(place.root, ".claude/settings.local.json"),
  ];
  return files
    .filter((path) => readTable(place, path)?.["disableAllHooks"] === true)
    .map((path) =>
      checksIn(group).problem(`${path} switches all hooks off`, "Remove `disableAllHooks` there."),
    );
};

export const codexTrust = (place: SetupPlace, group: string): Check[] => {
  const { ok, problem } = checksIn(group);
  const { variables, home } = place.environment;
  const path = join(variables["CODEX_HOME"] || join(home, ".codex"), "config.toml");
  const config = readToml(place, path);
  const project = tableIn(tableIn(config, "projects"), place.root);
  const states = Object.entries(tableIn(tableIn(config, "hooks"), "state") ?? {});
  const isApproved = states.some(
    ([key, state]) =>
      key.includes(join(place.root, ".codex/hooks.json")) &&
      typeof (state as Table | null)?.["trusted_hash"] === "string",
  );
  if (isApproved) return [ok("its hooks are approved")];
  const remedy = "Start `codex` here, trust the folder, and approve Headgate's hooks with /hooks.";
  return [
    problem(
      project?.["trust_level"] === "trusted"
        ? "Codex skips the hooks without a word until you approve them"
        : "Codex does not trust this folder yet and skips its hooks without a word",
      remedy,
    ),
  ];
};

export const geminiTrust = (place: SetupPlace, group: string): Check[] => {
  const { ok, warning, problem } = checksIn(group);
  const path = join(place.environment.home, ".gemini/trustedFolders.json");
  const folders = Object.entries(readTable(place, path) ?? {});
  const above = folders
    .filter(([folder, trust]) => {
      const base = trust === "TRUST_PARENT" ? join(folder, "..") : folder;
      return place.root === base || place.root.startsWith(`${base}/`);
    })
    .toSorted(([a], [b]) => b.length - a.length)[0];
  const remedy = "Start `gemini` here and trust the folder (/permissions changes it later).";
  if (above === undefined) return [warning("Gemini CLI was not told to trust this folder", remedy)];
  return above[1] === "DO_NOT_TRUST"
    ? [problem("Gemini CLI was told not to trust this folder; no hook runs", remedy)]
    : [ok("the folder is trusted")];
};

const tableIn = (table: Table | undefined, key: string): Table | undefined => {
  const value = table && Object.hasOwn(table, key) ? table[key] : undefined;
  return typeof value === "object" && value !== null ? (value as Table) : undefined;
};

const readText = ({ files }: SetupPlace, path: string): string | undefined => {
  const stat = files.statFollowing(path);
  if (!stat?.isFile() || stat.size > 4 * 1024 * 1024) return undefined;
  return files.readFile(path).toString("utf8");
};

const readTable = (place: SetupPlace, path: string): Table | undefined => {
  const parsed = parseJsonText(readText(place, path) ?? "", { hasComments: true });
  return parsed.ok && typeof parsed.value === "object" && parsed.value !== null
    ? (parsed.value as Table)
    : undefined;
};

const readToml = (place: SetupPlace, path: string): Table | undefined => {
  try {
    return parseToml(readText(place, path) ?? "");
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
};
