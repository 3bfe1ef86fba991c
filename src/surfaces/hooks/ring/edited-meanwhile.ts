/** Contents that were written through Headgate itself while a tool ran: `headgate edit`, the MCP tools. */
import { limits } from "../../../base/limits.ts";
import type { EventPages } from "./types.ts";

/** Whether an edit of this path and content was applied since then. Contents are told by their hash. */
export type Edited = (path: string, hash: string | null) => boolean;

export const editedSince = async (
  events: EventPages | undefined,
  sinceMs: number,
): Promise<Edited> => {
  if (!events) return () => false;
  const page = await events.page({ last: limits.eventPageMax, kind: "edit.*" });
  const known = new Set<string>();
  for (const { at, data } of page.events) {
    if (Date.parse(at) < sinceMs - clockSlackMs || !Array.isArray(data["files"])) continue;
    for (const file of data["files"]) {
      if (typeof file !== "object" || file === null || Array.isArray(file)) continue;
      const { path, after } = file;
      if (typeof path === "string")
        known.add(keyOf(path, typeof after === "string" ? after : null));
    }
  }
  return (path, hash) => known.has(keyOf(path, hash));
};

/** A store on another machine has a clock of its own. */
const clockSlackMs = 60_000;

const keyOf = (path: string, hash: string | null): string => `${hash ?? "-"} ${path}`;
