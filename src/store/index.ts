/**
 * The database: one port, two back ends (SQLite, PostgreSQL), and the event log.
 * 1. Every write is one true transaction on one scope; its events are committed with it (C-01, C-06).
 * 2. What was acknowledged survives kill -9 and a power cut (G2, G6).
 * 3. A lost answer to COMMIT is OUTCOME_UNKNOWN, and `outcome` then tells the truth (G7).
 * 4. Event numbers have no gaps; a changed or removed event is found by `verifyEvents`.
 * It knows no claims, reviews or runs: those rooms bring their own statements and migrations.
 */
export { openStore, type OpenStoreOptions } from "./open-store.ts";
export { makeLocalDir } from "./local-dir.ts";
export { parseAddress, type StoreAddress } from "./address.ts";
export type { StoreStep } from "./store-context.ts";
export { followEvents, type FollowOptions } from "./events/follow-events.ts";
export { findOutcome, saveOutcome } from "./outcomes.ts";
export { pruneEvents, type Pruned } from "./events/prune-events.ts";
export type { EventCheckpoint } from "./events/checkpoint.ts";
/** Only a verification needs it. */
export const loadCheckpoints = () => import("./events/checkpoint.ts");
export { verifyEvents, type Verification } from "./events/verify-events.ts";
export type {
  Event,
  EventPage,
  EventQuery,
  FunctionCall,
  NewEvent,
  Outcome,
  Reader,
  Row,
  Scope,
  Statement,
  Store,
  StoreCapabilities,
  StoreTime,
  Value,
  Via,
  WriteOptions,
  Writer,
} from "./port.ts";
