/**
 * Asking models and agent programs. `exec` starts any program by an argv template (presets for the agent
 * clients), `http` speaks the model services' own protocols, `fixture` records and replays.
 * 1. Whatever happens outside comes back as an answer with its reason, within time and size limits (V-02).
 * 2. Secrets reach no log, no error's text, and no child that does not need them.
 * 3. A program is started without a shell and ends with its whole group; a repository cannot name one (B01).
 * What is asked, and what an answer means, is not known here.
 */
export type * from "./types.ts";
export { priceOf, worstCostUsd } from "./cost.ts";
export { familyOf } from "./family.ts";
export { noRunner, openRunner } from "./open-runner.ts";
export type { RunnerPorts, RunnerSpec } from "./spec.ts";
