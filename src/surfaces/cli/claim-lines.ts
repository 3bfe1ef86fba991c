/** Claims, blockers and requests as people read them. Every word of another actor is made harmless. */
import { showText } from "../../base/text.ts";
import type { Blocker, Claim, ReleaseRequest, Rescue } from "../../claims/index.ts";
import { showSpan } from "./duration.ts";
import type { Style } from "./output.ts";
import { commandLine } from "../../base/shell-word.ts";
import { alignedLines } from "./table.ts";

/** One line per claim: `claimed  src/auth.ts  exclusive  for 15m, until 14:32  fence 7  cl_…`. */
export const claimLines = (
  word: string,
  claims: readonly Claim[],
  { style, nowMs }: { readonly style: Style; readonly nowMs: number },
): string[] =>
  alignedLines(
    claims.map((claim) => [
      word,
      showText(claim.target, targetLengthMax),
      claim.mode,
      `for ${showSpan(Date.parse(claim.expiresAt) - nowMs)}, until ${clockTime(claim.expiresAt)}`,
      `fence ${claim.fence}`,
      claim.id,
    ]),
    (cell, column) =>
      column === 0 ? style.green(cell) : column === 1 ? style.bold(cell) : style.dim(cell),
  );

/** What is in the way: whose, why, since when, until when, and whether its holder lives. */
export const blockerLines = (
  blockers: readonly Blocker[],
  { style, nowMs }: { readonly style: Style; readonly nowMs: number },
): string[] =>
  blockers.flatMap((one) => {
    const isWaiter = isWaiterId(one.id);
    const agoMs = nowMs - Date.parse(one.grantedAt);
    const ago = agoMs < 1000 ? "just now" : `${showSpan(agoMs)} ago`;
    const left = showSpan(Date.parse(one.expiresAt) - nowMs);
    const rows = [
      [isWaiter ? "in line" : "held by", showText(one.actor)],
      ...(one.reason === "" ? [] : [["reason", showText(one.reason)]]),
      ["since", `${clockTime(one.grantedAt)}, ${ago}`],
      [
        "until",
        `${clockTime(one.expiresAt)}, ${left} left, unless ${isWaiter ? "served" : "renewed"}`,
      ],
      ["life", lifeText(one.liveness)],
      [isWaiter ? "waiter" : "claim", one.id],
    ];
    const head = `  ${style.bold(showText(one.target, targetLengthMax))}  ${one.mode}`;
    return [
      head,
      ...alignedLines(rows, (cell, column) => (column === 0 ? style.dim(cell) : cell)).map(
        (line) => `    ${line}`,
      ),
    ];
  });

const lifeText = ({ state, evidence }: Blocker["liveness"]): string =>
  [state, ...evidence.map((one) => showText(one))].join(", ").replace(", ", ": ");

/** Commands to run next, each behind what it is for. */
export const nextLines = (
  steps: readonly (readonly [purpose: string, words: readonly string[]])[],
  style: Style,
): string[] => {
  const rows = steps.map(([purpose, words]) => [purpose, commandLine(words)]);
  const lines = alignedLines(rows, (cell, column) => (column === 1 ? style.cyan(cell) : cell));
  return [style.bold("What to do"), ...lines.map((line) => `  ${line}`)];
};

/** `asked  bob wants src/auth.ts (cl_…) back within 4m: "…"`, and how to answer. */
export const askedLines = (
  requests: readonly ReleaseRequest[],
  { style, nowMs }: { readonly style: Style; readonly nowMs: number },
): string[] =>
  requests.map(
    (one) =>
      `${style.yellow("asked")} by ${showText(one.asker, 60)} to release ` +
      `${showText(one.target, targetLengthMax)} ${deadlineText(one, nowMs)}${because(one.reason)}; ` +
      `answer: headgate release --answer ${one.id} [--defer 10m | --keep TARGET]`,
  );

export const deadlineText = ({ deadline }: ReleaseRequest, nowMs: number): string => {
  const leftMs = Date.parse(deadline) - nowMs;
  return leftMs > 0 ? `within ${showSpan(leftMs)}` : `since ${showSpan(-leftMs)} overdue`;
};

export const because = (reason: string): string => (reason === "" ? "" : `: "${showText(reason)}"`);

/** Where the work of dead holders is. */
export const rescueLines = (rescued: readonly Rescue[], style: Style): string[] =>
  rescued.map(
    ({ files, target, actor, ref }) =>
      `${style.yellow("saved")} ${files === 1 ? "1 file" : `${files} files`} that ` +
      `${showText(actor, 60)}, now dead, had changed in ${showText(target, targetLengthMax)}; ` +
      `see: git show ${ref}`,
  );

/** `14:32`, where the reader is; claims last a day at most, so the day is clear. */
export const clockTime = (iso: string): string => {
  const at = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}`;
};

export const isWaiterId = (id: string): boolean => id.startsWith("wa_");

// The longest path is a valid target; a cut one could not be copied.
const targetLengthMax = 4096;
