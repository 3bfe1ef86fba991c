/**
 * E-24: a whole file is not written over by a session that never read it. Refused only where the session would have
 * reported the read; a text that keeps half of what is there comes from a reader of it.
 */
import { splitLines } from "../../structure/index.ts";
import type { SessionReading } from "../seen-files.ts";
import type { Write } from "../types.ts";
import type { Finding } from "./rule.ts";

export const unreadFinding = async (
  { path, after, movedFrom }: Write,
  now: Buffer,
  { reading }: { readonly reading?: (path: string) => Promise<SessionReading> },
): Promise<readonly Finding[]> => {
  if (!reading || after === null || movedFrom !== undefined || isLoadedByClients(path)) return [];
  if (keepsHalf(now.toString("utf8"), Buffer.from(after).toString("utf8"))) return [];
  const what = await reading(path);
  if (what === "read") return [];
  const lines = splitLines(now.toString("utf8")).length;
  return [
    {
      level: what === "never" ? "deny" : "note",
      code: "READ_FIRST",
      path,
      message: `${path} exists (${lines} ${lines === 1 ? "line" : "lines"}) and ${what === "never" ? "this session has never read it" : "no read of it by this session is known"}; the whole file is written over`,
      remedy: "Read the file, then change what has to change, or write the whole file again.",
    },
  ];
};

/** Clients show these to the agent by themselves. */
const isLoadedByClients = (path: string): boolean =>
  /(^|\/)(CLAUDE(\.local)?|AGENTS|GEMINI|README)\.md$|(^|\/)\.(claude|cursor|gemini|opencode|github)\//i.test(
    path,
  );

const keepsHalf = (now: string, after: string): boolean => {
  const lines = now.split(/\r\n|\r|\n/).filter((line) => line.trim() !== "");
  const kept = new Set(after.split(/\r\n|\r|\n/));
  return lines.filter((line) => kept.has(line)).length * 2 >= lines.length;
};
