/**
 * Whether an actor still lives, and why we think so (C-03, C-15). "dead" needs proof from the process
 * itself, because a dead holder's claim is taken away. A sign of life only ever says alive, or stale.
 */
import { limits } from "../../base/limits.ts";
import { type ProcessIdentity, probe as probeProcess } from "../../base/process-identity.ts";
import type { StoreTime } from "../../store/index.ts";
import type { ClaimLiveness } from "../types.ts";

/** When the store last heard of an actor, by the store's clock. */
export interface LastSeen {
  readonly wallMs: number;
  readonly monoMs: number | null;
  readonly bootId: string | null;
}

export const judgeLiveness = (
  actor: { readonly process?: ProcessIdentity; readonly seen: LastSeen },
  now: StoreTime,
  probe: typeof probeProcess = probeProcess,
): ClaimLiveness => {
  const heartbeat = judgeHeartbeat(actor.seen, now);
  const found = actor.process && probe(actor.process);
  // Whatever says that the machine was restarted, its actor was alive a moment ago (M-01).
  const isProven = found?.byRestart !== true || heartbeat.state !== "alive";
  const state = found && found.state !== "unknown" && isProven ? found.state : heartbeat.state;
  const said = isProven ? (found?.evidence.flatMap(inPlainWords) ?? []) : [];
  const evidence = [...said, heartbeat.evidence];
  return { state, evidence };
};

const judgeHeartbeat = (
  seen: LastSeen,
  now: StoreTime,
): { readonly state: ClaimLiveness["state"]; readonly evidence: string } => {
  const sameBoot = seen.monoMs !== null && seen.bootId !== null && seen.bootId === now.bootId;
  const ageMs =
    sameBoot && seen.monoMs !== null && now.monoMs !== undefined
      ? now.monoMs - seen.monoMs
      : now.wallMs - seen.wallMs;
  if (ageMs < -roundingMs) {
    return { state: "unknown", evidence: "last heartbeat in the future: clock jumped" };
  }
  const evidence = `last heartbeat ${showAge(ageMs)} ago`;
  if (ageMs < limits.heartbeatFreshMs) return { state: "alive", evidence };
  return { state: ageMs > limits.heartbeatStaleMs ? "stale" : "unknown", evidence };
};

/** Stored times are rounded, and clocks are steered by milliseconds all the time. */
const roundingMs = 1000;

const showAge = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 120 * 60) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
};

/** The probe's findings as they are said to people; ticks and states help nobody who is waiting. */
const inPlainWords = (finding: string): string[] => {
  for (const [pattern, words] of plainWords) {
    if (pattern.test(finding)) return words === "" ? [] : [finding.replace(pattern, words)];
  }
  return [finding];
};

const plainWords: readonly (readonly [RegExp, string])[] = [
  [/^no process (\d+)$/, "process $1 is gone"],
  [/^process (\d+) has ended \(state .+\)$/, "process $1 has ended (zombie)"],
  [/^process (\d+) is another one$/, "process $1 is another one now (pid reused)"],
  [/^started at .+, not .+$/, ""],
  [/^process (\d+) runs since .+$/, "process $1 is running"],
  [
    /^it runs on another machine or container named (.+?)(?:\/[0-9a-f]{8})?$/s,
    "runs on another machine or container named $1; only heartbeat and expiry count",
  ],
  // The mark after the slash tells machines of one name apart, but says nothing to a reader.
  [/^(.+?)(?:\/[0-9a-f]{8})? was restarted since$/s, "$1 was restarted since"],
  [
    /^it runs on (.+)\/[0-9a-f]{8}, this is \1\/[0-9a-f]{8}$/s,
    "runs on another machine named $1; only heartbeat and expiry count",
  ],
  [
    /^it runs on (.+?)(?:\/[0-9a-f]{8})?, this is .+$/s,
    "runs on $1; only heartbeat and expiry count",
  ],
];
