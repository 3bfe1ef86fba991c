import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasProgram } from "../../helpers/not-run.ts";

/** A shim that keeps what a client hands it, in order, and has no objection. */
export const recordingShim = (folder: string): string => {
  if (!hasProgram("date")) throw new Error("needs date");
  return `[ "$1" = mcp ] && exit 1
exec cat > "${folder}/$(date +%s%N)-$$.json"`;
};

export interface Payload {
  readonly [key: string]: unknown;
}

export const readPayloads = (folder: string): Payload[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Payload);

/** `PreToolUse-Write`, `SessionStart`: the fixture's name. */
export const nameOf = (payload: Payload): string => {
  const event = String(payload["hook_event_name"] ?? payload["event"]);
  const tool = payload["tool_name"] ?? payload["tool"];
  return tool === undefined ? event : `${event}-${String(tool)}`;
};

/**
 * The payload without what differs from run to run and from machine to machine. Ids are numbered in the
 * order in which they are first seen, so that what belongs together still does.
 */
export const createNormaliser = (places: Readonly<Record<string, string>>) => {
  const ids = new Map<string, string>();
  const numbered = (id: string, make: (number: number) => string): string => {
    if (!ids.has(id)) ids.set(id, make(ids.size + 1));
    return ids.get(id)!;
  };
  const normal = (text: string): string => {
    let result = text;
    for (const [path, shown] of Object.entries(places)) {
      result = result.replaceAll(path, shown).replaceAll(path.replaceAll(/[/.]/g, "-"), "-repo");
    }
    return result
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
        numbered(id, (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
      )
      .replaceAll(/\b(ses|msg|prt)_[0-9A-Za-z]{20,}/g, (id, kind: string) =>
        numbered(id, (number) => `${kind}_${String(number).padStart(26, "0")}`),
      )
      .replaceAll(/\btoolu_\d{13}_\w+/g, (id) =>
        numbered(id, (number) => `toolu_${String(number).padStart(13, "0")}_a`),
      )
      .replaceAll(/(?<=\/chats\/session-)[^/"]*(?=\.jsonl)/g, "2026-01-01T00-00-abcd0123")
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "2026-01-01T00:00:00.000Z")
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/g, "2026-01-01T00-00-00")
      .replaceAll(/\ba?[0-9a-f]{16,}\b/g, (id) =>
        numbered(id, (number) => `a${String(number).padStart(16, "0")}`),
      )
      .replaceAll(/(?<=PGID: )\d+/g, "1")
      .replaceAll(/(?<=Wall time: )[\d.]+/g, "0")
      .replaceAll(/\b2026\/\d\d\/\d\d\b/g, "2026/01/01");
  };
  return (payload: Payload): Payload =>
    JSON.parse(
      JSON.stringify(payload, (key, value: unknown) => {
        if (typeof value === "string") return normal(value);
        // Tokens are counted with the names of temporary folders in them.
        const isMeasured = /duration|_ms$|time$|^input_tokens$|^context_usage$/i.test(key);
        if (isMeasured && typeof value === "number") return 1;
        return value;
      }),
    ) as Payload;
};
