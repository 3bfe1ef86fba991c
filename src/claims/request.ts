/** Checks what a caller asks for before any storage is touched (C-04). */
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Wish } from "./decide.ts";
import type { Room } from "./room.ts";
import type { Target } from "./targets/target.ts";
import type { ClaimRequest, Mode, TargetInput } from "./types.ts";

export interface Asked {
  readonly wish: Wish;
  readonly isPartial: boolean;
  readonly waitMs: number;
  readonly priority: number;
}

export const checkRequest = (room: Room, request: ClaimRequest): Asked => {
  const {
    mode = "exclusive",
    ttlMs = limits.claimTtlMs,
    reason,
    waitMs = 0,
    priority = 0,
  } = request;
  checkMode(mode);
  checkTtl(ttlMs);
  checkReason(reason);
  checkSpan("time to wait", waitMs, 0, limits.claimWaitMsMax);
  const bound = limits.claimPriorityMax;
  if (!Number.isSafeInteger(priority) || Math.abs(priority) > bound) {
    throw usage(`the priority is a whole number from -${bound} to ${bound}; got ${show(priority)}`);
  }
  const isPartial = request.partial === true;
  if (isPartial && waitMs > 0) {
    throw usage("a partial claim takes what is free now; it cannot wait for the rest");
  }
  const wish: Wish = {
    targets: resolveTargets(room, request.targets),
    mode,
    actor: room.actor,
    ttlMs,
    reason,
    forSession: request.forSession === true,
  };
  return { wish, isPartial, waitMs, priority };
};

/** Each target once, in the order given. */
export const resolveTargets = (
  room: Room,
  inputs: readonly TargetInput[],
  max: number = limits.claimTargetsMax,
): Target[] => {
  if (!Array.isArray(inputs) || inputs.length === 0) throw usage("name at least one target");
  if (inputs.length > max) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `${inputs.length} targets in one call; ${max} are the most (claim a folder instead)`,
    );
  }
  const targets = new Map<string, Target>();
  for (const input of inputs) {
    const target = room.resolve(input);
    targets.set(`${target.extent} ${target.text}`, target);
  }
  return [...targets.values()];
};

export const checkMode = (mode: Mode): void => {
  if (mode !== "exclusive" && mode !== "shared" && mode !== "edit") {
    throw usage(`the mode is "exclusive", "shared" or "edit"; got ${show(mode)}`);
  }
};

export const checkTtl = (ttlMs: number): void =>
  checkSpan("time to live", ttlMs, limits.claimTtlMsMin, limits.claimTtlMsMax);

export const checkSpan = (what: string, ms: number, min: number, max: number): void => {
  if (Number.isSafeInteger(ms) && ms >= min && ms <= max) return;
  throw usage(`the ${what} is ${min} to ${max} ms in whole milliseconds; got ${show(ms)}`);
};

export const checkReason = (reason: string | undefined): void => {
  if (reason === undefined) return;
  if (typeof reason !== "string") throw usage(`the reason is a text; got ${show(reason)}`);
  if (Buffer.byteLength(reason, "utf8") > limits.claimReasonBytesMax) {
    throw new HeadgateError(
      "INPUT_TOO_LARGE",
      `the reason is longer than ${limits.claimReasonBytesMax} bytes`,
    );
  }
};

export const usage = (message: string): HeadgateError => new HeadgateError("USAGE", message);

const show = (value: unknown): string => `"${showText(String(value), 40)}"`;
