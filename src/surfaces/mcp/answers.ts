/** How answers of the rooms are told; what several tools have in common. */
import { limits } from "../../base/limits.ts";
import { plural, showText } from "../../base/text.ts";
import type { Blocker, Claim } from "../../claims/index.ts";
import type { EditResult } from "../../edit/index.ts";
import { type ErrorCode, errorCodes, HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import { asHeadgateError } from "../as-headgate-error.ts";
import { plainBlock, plainData } from "./data-text.ts";
import type { Answer } from "./tool.ts";

/** What goes back to the client; `isError` tells an agent to change course. */
export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { type: "text"; text: string }[];
  readonly structuredContent: { [key: string]: unknown };
  readonly isError?: true;
}

export const toolResult = ({ structured, text, isVerbatim }: Answer): ToolResult => ({
  content: [{ type: "text", text: isVerbatim ? text : plainBlock(text, limits.mcpTextLengthMax) }],
  structuredContent: { ...structured },
  ...(!structured.ok && { isError: true as const }),
});

/** The same JSON as on the command line. The inside of a defect is for us, not for its callers. */
export const failureResult = (error: unknown): ToolResult => {
  const known = asHeadgateError(error);
  const { ok, code, remedy, message, data } = known.toJSON();
  const isDefect = code === "INTERNAL";
  const told = isDefect ? "internal error" : showText(message, messageLengthMax);
  const structured = { ok, code, message: told, remedy, data: isDefect ? {} : plainData(data) };
  return toolResult({ structured, text: `${code}: ${told}\n${remedy}` });
};

const messageLengthMax = 2_000;

export const claimLine = ({ id, target, mode, actor, expiresAt }: Claim): string =>
  `${id} ${showText(target, 200)}${mode === "shared" ? " (shared)" : ""} by ${showText(actor, 80)} until ${expiresAt}`;

export const blockerLine = (one: Blocker): string => {
  const why = one.reason === "" ? "" : `, who wrote: ${JSON.stringify(showText(one.reason, 120))}`;
  return (
    `held: ${showText(one.target, 200)} (${one.id}) by ${showText(one.actor, 80)}, ` +
    `${one.liveness.state}, until ${one.expiresAt}${why}`
  );
};

/** A refusal that is a value, with the words its code has. */
export const refusal = <T extends object>(code: string, message: string, more: T) => ({
  ok: false as const,
  code,
  message,
  remedy: Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode].remedy : "",
  ...more,
});

const reasonLine = ({ code, path, line, message, remedy }: Reason): string => {
  const place = `${showText(path, 200)}${line === undefined ? "" : `:${line}`}`;
  return `${code} ${place} ${showText(message, 400)} → ${showText(remedy, 300)}`;
};

export const reasonLines = (reasons: readonly Reason[]): string[] =>
  reasons.slice(0, linesMax).map((one) => reasonLine(one));

const linesMax = 30;

/** Code proposed by a reason is used as it is; its other words are made safe. */
export const plainReasons = (reasons: readonly Reason[]) =>
  reasons.slice(0, limits.mcpListMax).map(({ call, ...rest }) => ({
    ...plainData(rest, messageLengthMax),
    ...(call && { call: { ...call } }),
  }));

/** What became of an edit, an applied patch or an undo. */
export const editAnswer = (result: EditResult) => {
  const diff = plainBlock(result.diff, limits.mcpDiffLengthMax);
  if (!result.ok) {
    const { code, reasons } = result;
    const first = reasons[0];
    const message = plainBlock(
      result.message ?? first?.message ?? "refused",
      limits.mcpTextLengthMax,
    );
    const refused = refusal(code, message, { reasons: plainReasons(reasons), diff });
    const remedy = first?.remedy ?? refused.remedy;
    const lines = reasons.length > 0 ? reasonLines(reasons) : [`${code}: ${message} → ${remedy}`];
    return {
      structured: { ...refused, remedy },
      text: ["refused, nothing was written", ...lines].join("\n"),
    };
  }
  const { id, files, notes, dryRun } = result;
  const word = dryRun ? "would be written" : "written";
  const lines = files.flatMap(({ path, symbols }) =>
    symbols
      .filter(({ change }) => change !== "moved")
      .slice(0, linesMax)
      .map(({ path: symbol, change, lines: at }) => {
        const place = at ? `:${at[0]}-${at[1]}` : "";
        return `${change} ${showText(symbol, 200)} in ${showText(path, 200)}${place}`;
      }),
  );
  return {
    structured: {
      ok: true,
      ...(!dryRun && { id }),
      dryRun: dryRun ?? false,
      diff,
      files: plainData(files, limits.pathBytesMax),
      notes: plainReasons(notes),
    },
    text: [
      `${word}: ${plural(files.length, "file")}${dryRun ? "" : ` (${id})`}`,
      ...lines,
      ...reasonLines(notes).map((line) => `note: ${line}`),
    ].join("\n"),
  };
};

export const usage = (message: string): HeadgateError => new HeadgateError("USAGE", message);
