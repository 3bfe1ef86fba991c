/**
 * The completion marker, the last line of a report. It counts only there, alone on its line and outside of code:
 * reviews of reviews quote it. Ours names run and reviewer, so that an old or foreign file is not taken for the
 * answer, and holds count and hash, so that a cut text is noticed.
 */
import { sha256 } from "../../base/sha256.ts";
import type { ReportLines } from "./lines.ts";

export interface Marker {
  /** The bare `flux-drive:complete`, which says only that somebody came to the end. */
  readonly isPlain: boolean;
  readonly run?: string;
  readonly agent?: string;
  readonly count?: number;
  readonly sha256?: string;
  /** The text before it, as it is hashed. */
  readonly before: string;
}

export const readMarker = ({ all, isOpen }: ReportLines): Marker | undefined => {
  const at = all.findLastIndex(({ text }) => text.trim() !== "");
  const line = all[at];
  if (!line || line.isCode || isOpen) return undefined;
  const text = line.text.trim();
  const before = hashed(
    all
      .slice(0, at)
      .map((one) => one.text)
      .join("\n"),
  );
  if (/^<!--\s*flux-drive:complete\s*-->$/.test(text)) return { isPlain: true, before };
  const values = /^<!--\s*headgate:complete((?:\s+[a-z0-9]+=[^\s<>]{1,200})*)\s*-->$/.exec(
    text,
  )?.[1];
  if (values === undefined) return undefined;
  // The contract's own placeholders, left standing, say nothing.
  const pairs = new Map(
    [...values.matchAll(/(?<![a-z0-9])([a-z0-9]+)=(\S+)/g)]
      .map(([, key = "", value = ""]): [string, string] => [key, value])
      .filter(([, value]) => !/^(?:none|RUN|HASH|COUNT)$/.test(value)),
  );
  const [run, agent, count, hash] = ["run", "agent", "n", "sha256"].map((key) => pairs.get(key));
  return {
    isPlain: false,
    before,
    ...(run !== undefined && { run }),
    ...(agent !== undefined && { agent }),
    ...(count !== undefined && /^\d{1,6}$/.test(count) && { count: Number(count) }),
    ...(hash !== undefined && { sha256: hash }),
  };
};

/** Models cannot hash: whoever stores a report puts this line behind its text. */
export const completionMarker = (
  text: string,
  { run, agent, count }: { readonly run: string; readonly agent: string; readonly count: number },
): string =>
  `<!-- headgate:complete run=${run} agent=${agent} n=${count} sha256=${sha256(hashed(text))} -->`;

export const hashOf = (text: string): string => sha256(hashed(text));

const hashed = (text: string): string => text.replace(/\r\n?/g, "\n").trimEnd();
