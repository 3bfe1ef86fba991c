/** What a person or an agent reads when git was stopped. Names come from outside and are made harmless. */
import { showText } from "../../base/text.ts";
import type { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";

export interface HookOutcome {
  readonly isRefused: boolean;
  /** For standard error, which git shows. */
  readonly lines: readonly string[];
}

export const passed = (...lines: string[]): HookOutcome => ({ isRefused: false, lines });

/** A judgement that ran out of time or room, as a reason: the file may be right, but that is not known. */
export const notJudgedReason = ({ message, data, remedy }: HeadgateError): Reason => ({
  code: "NOT_JUDGED",
  path: typeof data["path"] === "string" ? data["path"] : "",
  message,
  remedy,
});

/** The first line is stable, the line with JSON is for programs. */
export const refused = (
  act: string,
  reasons: readonly Reason[],
  { isPerson = false } = {},
): HookOutcome => {
  const [first] = reasons;
  if (!first) return passed();
  const { code, path, line, symbol, message, remedy } = first;
  const others = reasons.slice(1, shownMax);
  const hidden = reasons.length - 1 - others.length;
  return {
    isRefused: true,
    lines: [
      `Headgate refused this ${act}: ${code} ${place(first)}`,
      showText(message, 300),
      // It may hold a line to run, which is of no use when it is cut.
      `→ ${showText(remedy, 1_000)}`,
      ...others.map((one) => `also: ${one.code} ${place(one)} ${showText(one.message, 120)}`),
      ...(hidden > 0 ? [`and ${hidden} more`] : []),
      // Agents read the refusal as well: it shows them no way around.
      ...(isPerson
        ? ["To pass on purpose: HEADGATE_BYPASS='why' before the git command; it is recorded."]
        : []),
      `headgate: ${JSON.stringify({ code, path: showText(path), ...(line !== undefined && { line }), ...(symbol !== undefined && { symbol: showText(symbol) }) })}`,
    ],
  };
};

const shownMax = 6;

const place = ({ path, symbol, line }: Reason): string =>
  showText(
    `${path}${symbol === undefined ? "" : `#${symbol}`}${line === undefined ? "" : `:${line}`}`,
  );
