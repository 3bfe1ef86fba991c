import type { Liveness, ProcessIdentity } from "../base/process-identity.ts";
import type { Clock } from "../base/clock.ts";
import type { Environment } from "../base/environment.ts";
import type { Claims } from "../claims/index.ts";
import type { Editor } from "../edit/index.ts";
import type { Repository } from "../git/index.ts";
import type { Routing } from "../routing/index.ts";
import type { Scope, Store } from "../store/index.ts";

/** Each kind of finding, in words. */
export const leftoverCodes = {
  EDIT_HALF: "an edit of several files was killed between them",
  EDIT_UNRECORDED: "an edit is whole on disk, and the store does not know it",
  EDIT_CONFLICT: "a killed edit cannot be taken back: a file was changed since",
  EDIT_UNREADABLE: "the record of an edit is damaged or was not written by this Headgate",
  COMMIT_UNFINISHED: "a commit was killed before git's index learned of it",
  ROUTING_UNFINISHED: "a change of routing overrides was killed before its end",
  SCRATCH_LEFT: "a scratch file of an edit is in the working tree",
  SCRATCH_TRACKED: "a scratch file of an edit is in git's index",
  LOCK_LEFT: "a killed process left git's index locked",
  LOCK_HELD:
    "git's index has been locked for more than a minute, and nothing proves that its git has ended",
  CLAIM_GHOST: "a claim's holder is dead",
  WAITER_GHOST: "a waiter is gone",
  STORE_OLDER: "the store is older than the fences that were handed out: a copy was put back",
  BLOB_MISSING: "the content of an earlier edit is gone, so the edit cannot be undone",
  EVENTS_TAMPERED: "the event log was altered or cut",
} as const;

export type LeftoverCode = keyof typeof leftoverCodes;

export interface Leftover {
  readonly code: LeftoverCode;
  /** One line: what, where, and what to do when it needs a person. */
  readonly what: string;
  readonly repaired: boolean;
  /** Whose work it was, where that is known. */
  readonly actor?: string;
  /** Files of an edit that have their old content again. */
  readonly takenBack?: readonly string[];
}

interface LossFinder {
  /** Undefined where the store knows all fences that were handed out. */
  find(
    there: ScopeInStore | undefined,
  ): Promise<{ readonly marked: number; readonly stored: number } | undefined>;
  forget(
    there: ScopeInStore | undefined,
    lost: { readonly marked: number; readonly stored: number },
  ): Promise<void>;
}

interface ScopeInStore {
  readonly store: Store;
  readonly scope: Scope;
}

/** An open Headgate has all of these. */
export interface VerifyPorts {
  readonly repository: Repository;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly claims: Pick<Claims, "actor" | "sweep">;
  readonly edit: Pick<Editor, "recover">;
  readonly routing: Pick<Routing, "recover">;
  readonly events: {
    verify(): Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>;
  };
  readonly loss: LossFinder;
  /** Whether a process lives; default: as the system says. */
  readonly probe?: (identity: ProcessIdentity) => Liveness;
  /** Undefined while nothing was ever stored. */
  look(): Promise<ScopeInStore | undefined>;
}
