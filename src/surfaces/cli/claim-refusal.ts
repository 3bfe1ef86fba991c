import { showText } from "../../base/text.ts";
import type { Blocker, ClaimResult } from "../../claims/index.ts";
import { errorCodes, exitCodes } from "../../errors.ts";
import { blockerLines, isWaiterId, nextLines } from "./claim-lines.ts";
import type { CommandContext, ExitCode } from "./command.ts";

type Refusal = Extract<ClaimResult, { readonly ok: false }>;
type Step = readonly [purpose: string, words: readonly string[]];

/** What was wanted, as it was typed; the commands that are proposed repeat it. */
export interface Wanted {
  readonly targets: readonly string[];
  readonly isShared: boolean;
}

/** Shows a refusal and gives its exit code. */
export const reportRefusal = (
  refusal: Refusal,
  wanted: Wanted,
  context: CommandContext,
  more: { readonly nowMs: number; readonly extra?: object },
): ExitCode => {
  const { output } = context;
  const { ok, code, ...rest } = refusal;
  const { remedy, kind } = errorCodes[code];
  const message = messageOf(refusal, wanted);
  output.object({ ok, code, message, remedy, ...rest, ...more.extra });
  const { style } = output;
  output.line(`${style.red("refused:")} ${message} ${style.dim(`[${code}]`)}`);
  for (const line of blockerLines(refusal.blockers, { style, nowMs: more.nowMs }))
    output.line(line);
  for (const line of nextLines(stepsAfter(refusal, wanted, context), style)) output.line(line);
  return exitCodes[kind];
};

/** A claim cannot be handed to somebody who holds what overlaps it. */
export const reportTransferRefusal = (
  { code, blockers }: Refusal,
  to: string,
  context: CommandContext,
  nowMs: number,
): ExitCode => {
  const { output } = context;
  const { style } = output;
  const { kind, remedy } = errorCodes[code];
  const message = `${showText(to)} already holds what overlaps it; nothing was handed over`;
  output.object({ ok: false, code, message, remedy, blockers });
  output.line(`${style.red("refused:")} ${message} ${style.dim(`[${code}]`)}`);
  for (const line of blockerLines(blockers, { style, nowMs })) output.line(line);
  const mine = sameCaller(context);
  const steps: Step[] = [
    ["see what the receiver holds", ["headgate", "claims", ...mine, "--actor", to]],
    ["see your own", ["headgate", "claims", ...mine, "--mine"]],
  ];
  for (const line of nextLines(steps, style)) output.line(line);
  return exitCodes[kind];
};

/** `src/auth.ts is held by bob`; with several in the way, how many. */
export const inTheWay = (blockers: readonly Blocker[], { targets }: Wanted): string => {
  const [first, ...others] = blockers;
  if (first === undefined)
    return `${listed(targets)} ${targets.length > 1 ? "are" : "is"} not free`;
  const blocked = listed([...new Set(blockers.flatMap(({ blocks }) => blocks))]);
  const overlaps = first.blocks.length > 1 ? "overlap" : "overlaps";
  if (others.length > 0)
    return `${blockers.length} claims and waiters are in the way of ${blocked}`;
  const [target, actor] = [showText(first.target), showText(first.actor)];
  if (isWaiterId(first.id)) return `${actor} waits for ${target} and comes first`;
  return target === blocked
    ? `${blocked} is held by ${actor}`
    : `${blocked} ${overlaps} ${target}, which ${actor} holds`;
};

const messageOf = (refusal: Refusal, wanted: Wanted): string => {
  if (refusal.code === "CLAIM_DEADLOCK") {
    const circle = refusal.circle.map((actor) => showText(actor, 60)).join(" → ");
    return `waiting would never end: ${circle}; ${showText(refusal.victim, 60)} gives way`;
  }
  const what = inTheWay(refusal.blockers, wanted);
  if (refusal.code === "CLAIM_WAIT_TIMEOUT") return `the time to wait is over and ${what}`;
  return refusal.code === "CLAIM_WAIT_CANCELLED"
    ? `waiting was given up; the place in the queue of ${listed(wanted.targets)} is free again`
    : what;
};

const stepsAfter = (refusal: Refusal, wanted: Wanted, context: CommandContext): Step[] => {
  const mine = sameCaller(context);
  const again = (wait: string) => wordsFor("claim", wanted, [...mine, "--wait", wait]);
  if (refusal.code === "CLAIM_WAIT_CANCELLED") return [["queue again", again("60s")]];
  if (refusal.code === "CLAIM_DEADLOCK") {
    return [
      ["see what you hold", ["headgate", "claims", ...mine, "--mine"]],
      ["let the others go on", ["headgate", "release", ...mine, "--all"]],
      ["then claim all you need in one call", again("10m")],
    ];
  }
  const isTimeout = refusal.code === "CLAIM_WAIT_TIMEOUT";
  return [
    [isTimeout ? "wait longer" : "wait in line", again(isTimeout ? "10m" : "60s")],
    ...askSteps(refusal.blockers, context),
    ["see all claims", ["headgate", "claims", ...mine]],
  ];
};

/** How to ask the first holder. */
export const askSteps = (blockers: readonly Blocker[], context: CommandContext): Step[] => {
  const held = blockers.find(({ id }) => !isWaiterId(id));
  if (held === undefined) return [];
  const words = ["headgate", "ask", held.id, "why I need it"];
  return [["ask the holder", [...words, ...sameCaller(context)]]];
};

/** A command about the same targets. Those that look like options come last, after `--`. */
export const wordsFor = (
  command: string,
  { targets, isShared }: Wanted,
  options: readonly string[],
): string[] => {
  const all = [...(isShared ? ["--shared"] : []), ...options];
  return targets.some((target) => target.startsWith("-"))
    ? ["headgate", command, ...all, "--", ...targets]
    : ["headgate", command, ...targets, ...all];
};

/** Without these a proposed command would act for somebody else, or somewhere else. */
export const sameCaller = ({ flags }: CommandContext): string[] =>
  ["as", "repo"].flatMap((name) => {
    const value = flags.text(name);
    return value === undefined ? [] : [`--${name}`, value];
  });

const listed = (targets: readonly string[]): string => {
  const shown = targets.slice(0, 3).map((target) => showText(target));
  const more = targets.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
};
