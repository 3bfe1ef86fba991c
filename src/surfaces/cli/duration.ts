import { showText } from "../../base/text.ts";
import { usageError } from "./arguments.ts";
import type { Flags } from "./command.ts";

/** How times are written on the command line, for help texts. */
export const durationForm = "500ms, 90s, 15m, 2h; a plain number is seconds";

/** `90s`, `1.5h`, `1h30m`, `90` (seconds) in whole milliseconds; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  if (text.length > 40) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number = "", unit = ""] of text.matchAll(/([\d.]+)(ms|[smhd])/g)) {
    total += Number(number) * (unitMs[unit] ?? Number.NaN);
  }
  return Math.round(total);
};

/** A time within the bounds, or a usage error that names the flag. */
export const durationFlag = (
  flags: Flags,
  name: string,
  { min, max, words }: { readonly min: number; readonly max: number; readonly words: string },
): number | undefined => {
  const given = flags.text(name);
  if (given === undefined) return undefined;
  const ms = parseDuration(given);
  if (ms !== undefined && ms >= min && ms <= max) return ms;
  throw usageError(
    `option --${name} is a time from ${showSpan(min)} to ${showSpan(max)}, such as 90s, 15m or 2h; ` +
      `got "${showText(given)}"`,
    words,
  );
};

/** A span for people, short: `500ms`, `45s`, `15m`, `1h30m`, `2d`. */
export const showSpan = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.round(hours / 24)}d`;
  return minutes % 60 === 0 ? `${hours}h` : `${hours}h${String(minutes % 60).padStart(2, "0")}m`;
};

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
