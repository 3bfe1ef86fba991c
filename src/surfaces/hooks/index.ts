/**
 * The door of the agent clients' hooks. One call goes this way, whether it comes through the server
 * (`POST /hooks/<harness>`, used by the shim) or in a process of its own (`headgate hook <harness>`):
 *
 *   payload ──read-payload──▶ JSON ──harness/<client>──▶ HookCall ──answer-call──▶ HookDecision ──harness──▶ HookAnswer
 *
 * `harness/` holds one file per client and knows nothing but its dialect. `proposal` turns a tool use
 * into the writes it will make, `shell/` says what a command line will do as far as that is certain,
 * `ring/` finds afterwards what was written around the gate. Whatever fails on the way is a refusal with
 * the line that repairs it: a guard that can be missed is worse than none.
 */
export type * from "./types.ts";
export { answerCall } from "./answer-call.ts";
export type { HookActing, HookDependencies, HookHeadgate } from "./dependencies.ts";
export { answerHookRequest, type HookRouteDependencies } from "./http-route.ts";
export { hookParts } from "./parts.ts";
export { type Placed, placeOf } from "./place.ts";
export { openRing, RingFiles } from "./ring/index.ts";
export { Receipts } from "./receipts.ts";
export { Repeats } from "./repeats.ts";
export { rulesText } from "./rules-text.ts";
