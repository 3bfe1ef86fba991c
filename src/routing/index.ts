/**
 * Routing: what became of findings (`evidence`), what that says of a reviewer (`patterns`), what to do about
 * it (`proposals`), the rule as a commit (`overrides`, `apply`), and the watch that can see a loss (`canary`).
 * It knows nothing of how reviews are made: they hand over plain data and read a `RoutingView`.
 */
export type * from "./types.ts";
