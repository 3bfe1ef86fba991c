/** One client: is it set up as this release wants it, will it run the hooks, can its version refuse? */
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { DetectedClient } from "../detect.ts";
import type { Manifest } from "../manifest.ts";
import { readFile } from "../plan.ts";
import {
  type Client,
  type FilePart,
  type PartOptions,
  type SetupPlace,
  SetupRefusal,
} from "../types.ts";
import { type Check, checksIn } from "./check.ts";
import { runQuietly } from "./run-quietly.ts";
import { claudeTrust, codexTrust, geminiTrust } from "./trust.ts";

export interface ClientFinding {
  readonly client: Client;
  readonly isConfigured: boolean;
  readonly checks: readonly Check[];
}

/** All checks of one client; its version is asked for. */
export const checkClient = async (
  place: SetupPlace,
  { client, program, signs }: DetectedClient,
  known: KnownClient,
): Promise<ClientFinding> => {
  const { isAbsent, isConfigured, checks } = inspectClient(place, client, known);
  if (isAbsent) {
    const text = `found (${showText(signs[0] ?? "")}), but not set up here: it writes unseen`;
    const remedy = `Run \`headgate init\` or \`headgate init --client ${client.name}\`.`;
    const { warning } = checksIn(client.title);
    return { client, isConfigured, checks: signs.length > 0 ? [warning(text, remedy)] : [] };
  }
  const versions = program === undefined ? [] : await versionChecks(place, client, program);
  return { client, isConfigured, checks: [...checks, ...versions] };
};

export interface KnownClient {
  readonly manifest: Manifest | undefined;
  /** A hook of it ran in this clone: whatever its files say about trust, it runs them. */
  readonly isSeen: boolean;
}

interface InspectedClient {
  /** Neither set up nor ever set up in this clone. */
  readonly isAbsent: boolean;
  readonly isConfigured: boolean;
  readonly checks: readonly Check[];
}

/** Reads files only. */
export const inspectClient = (
  place: SetupPlace,
  client: Client,
  { manifest, isSeen }: KnownClient,
): InspectedClient => {
  const { ok, warning, problem } = checksIn(client.title);
  const parts = client.parts(place, presentOptions(place));
  const hookPart = parts.find(({ path }) => path === client.hookPath);
  const wasInstalled = manifest?.files.some(({ path }) => path === client.hookPath) === true;
  const hooks = hookPart ? stateOf(place, hookPart) : { state: "absent" as const };
  const others = parts.filter((one) => one !== hookPart);
  // Where two clients read one file of hooks, the rest tells which of them was set up.
  const isOfAnother =
    client.sharesHooks === true &&
    !isSeen &&
    others.some((part) => stateOf(place, part).state === "absent");
  if ((hooks.state === "absent" && !wasInstalled) || isOfAnother) {
    return { isAbsent: true, isConfigured: false, checks: [] };
  }
  const isConfigured = hooks.state === "done";
  const again = "Run `headgate init`; it shows what it changes.";
  const checks: Check[] = [];
  if (isConfigured) checks.push(ok(`hooks in ${client.hookPath}`));
  else if (hooks.state === "broken") {
    checks.push(problem(`${client.hookPath}: ${hooks.message}`, hooks.remedy));
  } else {
    const what = hooks.state === "absent" ? "are gone" : "are not those of this release";
    checks.push(problem(`the hooks in ${client.hookPath} ${what}`, again));
  }
  for (const part of others) {
    const found = stateOf(place, part);
    if (found.state === "done") checks.push(ok(`MCP server in ${part.path}`));
    else if (found.state === "broken") {
      checks.push(problem(`${part.path}: ${found.message}`, found.remedy));
    } else checks.push(warning(`no MCP server in ${part.path}`, again));
  }
  if (isConfigured && isSeen) checks.push(ok("its hooks ran in this clone"));
  else if (isConfigured) checks.push(...(trusts[client.name]?.(place, client.title) ?? []));
  return { isAbsent: false, isConfigured, checks };
};

/** Whether this repository was set up with `--http`, and for which port. */
export const presentOptions = (place: Pick<SetupPlace, "root" | "files">): PartOptions => {
  try {
    const text = readFile(place, ".claude/settings.json")?.toString("utf8") ?? "";
    const port = /"http:\/\/127\.0\.0\.1:(\d{1,5})\/hooks\/claude"/.exec(text)?.[1];
    return port === undefined ? {} : { httpPort: Number(port) };
  } catch (error) {
    if (error instanceof SetupRefusal || HeadgateError.isInstance(error)) return {};
    throw error;
  }
};

const trusts: Partial<Record<Client["name"], (place: SetupPlace, group: string) => Check[]>> = {
  claude: claudeTrust,
  codex: codexTrust,
  gemini: geminiTrust,
};

type PartState =
  | { readonly state: "done" | "absent" | "outdated" }
  | { readonly state: "broken"; readonly message: string; readonly remedy: string };

/** Set up, not at all, or not as this release does it. */
export const stateOf = (place: Pick<SetupPlace, "root" | "files">, part: FilePart): PartState => {
  try {
    const text = readFile(place, part.path)?.toString("utf8");
    if (text === undefined) return { state: "absent" };
    if (part.isDone(text)) return { state: "done" };
    return { state: part.strip(text) === text ? "absent" : "outdated" };
  } catch (error) {
    if (error instanceof SetupRefusal) {
      return { state: "broken", message: error.message, remedy: error.remedy };
    }
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    return { state: "broken", message: error.message, remedy: error.toJSON().remedy };
  }
};

const versionChecks = async (
  place: SetupPlace,
  { title, testedFrom }: Client,
  program: string,
): Promise<Check[]> => {
  if (testedFrom === undefined) return [];
  const { ok, warning } = checksIn(title);
  const text = await runQuietly([program, "--version"], place);
  const version = /\d+\.\d+\.\d+/.exec(text ?? "")?.[0];
  if (version === undefined) {
    return [warning(`${program} did not tell its version`, `Try \`${program} --version\`.`)];
  }
  return isOlder(version, testedFrom)
    ? [
        warning(
          `version ${version} is older than ${testedFrom}, the first in which a refusal was seen to hold`,
          `Update ${title}, or see for yourself: \`headgate doctor --prove\`.`,
        ),
      ]
    : [ok(`version ${version} can be refused`)];
};

const isOlder = (version: string, than: string): boolean => {
  const [left, right] = [version, than].map((text) => text.split(".").map(Number));
  for (const [index, number] of (right ?? []).entries()) {
    const own = left?.[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
};
