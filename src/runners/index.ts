/**
 * Asking models and agent programs. `exec` starts any program by an argv template (presets for the agent
 * clients), `http` speaks the model services' own protocols, `fixture` records and replays. Whatever happens
 * outside comes back as an answer with its reason; secrets never reach a log, a child that does not need
 * them, or an error's text. What is asked, and what an answer means, is not known here.
 */
export type * from "./types.ts";
export { priceOf, worstCostUsd } from "./cost.ts";
export { familyOf } from "./family.ts";
export { noRunner, openRunner } from "./open-runner.ts";
export type { RunnerPorts, RunnerSpec } from "./spec.ts";
