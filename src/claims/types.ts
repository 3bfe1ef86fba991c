/** What the room offers. The shapes of Claim, Blocker and Check are those of `--json` as well. */
import type { ProcessIdentity } from "../base/process-identity.ts";
import type { NewEvent, Scope, StoreTime, Via, Writer } from "../store/index.ts";

/**
 * `edit` is held by a writer: edits pass each other (their lines keep them apart), and nothing else.
 */
export type Mode = "exclusive" | "shared" | "edit";

/** Who acts. */
export interface Actor {
  /** Shown everywhere and compared byte for byte: `claude:0199c2…`, `claude:0199c2…/reviewer`, `alice`. */
  readonly id: string;
  /** The id without the sub-agent part; equals `id` for a session itself. */
  readonly session: string;
  /** Agent client: `claude`, `codex`, `cursor`, `gemini`, `opencode`; absent for people and programs. */
  readonly harness?: string;
  /** The process whose end proves that this actor is gone; absent where none is known to live as long. */
  readonly process?: ProcessIdentity;
  /** The process that speaks under this name, where that is another one than ours. */
  readonly via?: Via;
  /** Shows that it is the one its claims were granted to; without it the name is enough. */
  readonly proof?: HolderProof;
}

export interface HolderProof {
  /** The system itself showed the session: no secret is needed. */
  readonly isShown: boolean;
  /** Of the secrets that the caller has. */
  hashes(): readonly string[];
  /** Its grants are bound to it; made when it is first asked for. */
  secret?(): string;
}

/**
 * A target as the caller writes it (the grammar is in target.ts). A plain path is the whole tree below
 * it, or exactly itself when it is a file now; the object form says which without looking.
 */
export type TargetInput =
  | string
  | { readonly path: string; readonly extent: "file" | "tree"; readonly symbol?: string };

export interface Claim {
  readonly id: string;
  readonly target: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly fence: number;
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly reason: string;
  /** Held for all sub-agents of the actor's session. */
  readonly forSession?: true;
  /** In the answer to its holder only: shows elsewhere that the caller is the holder (HEADGATE_CLAIM_SECRET). */
  readonly secret?: string;
}

export interface ClaimLiveness {
  /** stale: no proof of death, but no sign of life for a while either. */
  readonly state: "alive" | "stale" | "dead" | "unknown";
  /** Sentences for people: "last heartbeat 14 s ago", "process 812 is gone". */
  readonly evidence: readonly string[];
}

/** Somebody else's claim that is in the way; or a waiter ahead in the queue (id `wa_…`). */
export interface Blocker {
  readonly id: string;
  readonly target: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly reason: string;
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly liveness: ClaimLiveness;
  /** Which of the wanted targets it blocks. */
  readonly blocks: readonly string[];
}

export interface ClaimRequest {
  /** One grant: all of them or none, unless `partial`. */
  readonly targets: readonly TargetInput[];
  readonly mode?: Mode;
  /** 1 s to 24 h; default 15 min. */
  readonly ttlMs?: number;
  readonly reason?: string;
  /** Grants what is free and reports the rest in `refused`. */
  readonly partial?: boolean;
  /** The claim counts for all sub-agents of the actor's session. */
  readonly forSession?: boolean;
  /** Queue this long instead of being refused at once. */
  readonly waitMs?: number;
  /** -10 to 10; each step counts like half a minute of waiting. */
  readonly priority?: number;
  /** Idempotency key: a repetition returns the first call's grant. */
  readonly key?: string;
  /** Gives up waiting; the waiter vanishes. */
  readonly signal?: AbortSignal;
}

export type ClaimResult =
  | {
      readonly ok: true;
      /** In the order of the targets. Covered by a broader claim of the same actor: that claim, renewed. */
      readonly claims: readonly Claim[];
      /** Targets that the actor held exclusively until now. */
      readonly downgraded?: readonly string[];
      /** With `partial` only. */
      readonly refused?: readonly {
        readonly target: string;
        readonly blockers: readonly Blocker[];
      }[];
      /** Work of dead holders that was saved before these targets were given on. */
      readonly rescued?: readonly Rescue[];
      /** What others ask this actor to release and what it has not answered yet. */
      readonly asked?: readonly ReleaseRequest[];
      readonly waitedMs?: number;
    }
  | {
      readonly ok: false;
      readonly code: "CLAIM_CONFLICT" | "CLAIM_WAIT_TIMEOUT" | "CLAIM_WAIT_CANCELLED";
      readonly blockers: readonly Blocker[];
    }
  | {
      readonly ok: false;
      readonly code: "CLAIM_DEADLOCK";
      readonly blockers: readonly Blocker[];
      /** Who waits for whom, ending where it began. */
      readonly circle: readonly string[];
      readonly victim: string;
    };

/** Dirty files of a dead holder, kept as a commit. */
export interface Rescue {
  readonly claim: string;
  readonly target: string;
  readonly actor: string;
  readonly ref: string;
  readonly files: number;
  readonly at: string;
  /** What could not be saved, and why. */
  readonly skipped?: readonly { readonly path: string; readonly why: string }[];
}

/** Which claims: ids (`cl_…`), targets as they were claimed, or all of the actor's. */
export type Selection = { readonly claims: readonly string[] } | { readonly all: true };

export interface FenceCheck {
  readonly ok: boolean;
  /** Absent when ok. */
  readonly code?: "FENCE_STALE";
  readonly problems: readonly {
    readonly target: string;
    readonly problem: string;
    readonly blocker?: Blocker;
  }[];
}

export interface Check {
  readonly clear: boolean;
  readonly blockers: readonly Blocker[];
  /** Asked in mode `edit`: edits that other sessions hold there, which are not in the way. */
  readonly beside?: readonly Blocker[];
}

export interface ClaimFilter {
  readonly actor?: string;
  /** Claims that overlap it. */
  readonly target?: TargetInput;
  readonly mode?: Mode;
  /** Only claims with these ids. */
  readonly ids?: readonly string[];
  readonly limit?: number;
}

export interface ClaimList {
  readonly claims: readonly (Claim & { readonly liveness: ClaimLiveness })[];
  readonly waiters: readonly Waiter[];
  readonly requests: readonly ReleaseRequest[];
  /** More claims exist than `limit` let through. */
  readonly isCut: boolean;
}

/** Whoever holds, waits or was heard of within the last hours. */
export interface ActorState {
  readonly id: string;
  readonly session: string;
  readonly harness?: string;
  readonly lastSeen: string;
  readonly liveness: ClaimLiveness;
}

export interface ClaimHolder {
  readonly actor: string;
  /** Live claims. */
  readonly claims: number;
  readonly liveness: ClaimLiveness;
}

/** One consistent look at the whole scope without its claims, so that it costs no more where there are many. */
export interface ClaimOverview {
  /** Live claims. */
  readonly live: number;
  readonly holders: readonly ClaimHolder[];
  readonly waiters: readonly Waiter[];
  readonly requests: readonly ReleaseRequest[];
  /** The one heard of last first. */
  readonly actors: readonly ActorState[];
}

export interface Waiter {
  readonly id: string;
  readonly actor: string;
  readonly targets: readonly string[];
  readonly mode: Mode;
  readonly reason: string;
  readonly priority: number;
  readonly queuedAt: string;
  readonly until: string;
  /** Its place in the queue of the scope, from 1. */
  readonly position: number;
  readonly liveness: ClaimLiveness;
}

export interface ReleaseRequest {
  readonly id: string;
  readonly claim: string;
  readonly target: string;
  readonly holder: string;
  readonly asker: string;
  readonly reason: string;
  readonly askedAt: string;
  readonly deadline: string;
  readonly answer:
    | "none"
    | "released"
    | "deferred"
    | "narrowed"
    | "refused"
    | "taken-over"
    | "expired";
  readonly note: string;
}

export type Answer =
  | { readonly kind: "release"; readonly note?: string }
  | { readonly kind: "refuse"; readonly note?: string }
  | { readonly kind: "defer"; readonly forMs: number; readonly note?: string }
  | { readonly kind: "narrow"; readonly keep: readonly TargetInput[] };

export interface Transfer {
  readonly to: string;
  /** Also takes claims of other actors; audited in the event. */
  readonly force?: boolean;
  readonly reason?: string;
}

export interface Sweep {
  readonly expired: readonly Claim[];
  readonly reclaimed: readonly (Claim & {
    readonly evidence: readonly string[];
    readonly rescue?: Rescue;
  })[];
  /** Waiters that were gone or too late. */
  readonly waiters: number;
}

/**
 * Which of the sessions that were heard of in the same process go on as the one that begins. It may write with the
 * transaction that makes the actor known and gives it their claims.
 */
export type FollowSession = (moment: {
  readonly tx: Writer;
  readonly scope: Scope;
  readonly now: StoreTime;
  readonly peers: readonly string[];
}) => Promise<readonly string[]>;

/**
 * Bound to one actor. Refusals are values; thrown are TARGET_…, USAGE, ACTOR_INVALID, CLAIM_UNKNOWN,
 * CLAIM_NOT_HELD and what the store throws.
 */
export interface Claims {
  readonly actor: Actor;
  /** The same claims, acting as somebody else. */
  as(actor: Actor | string): Claims;
  /** Makes the actor and its process known, with an event that says why. */
  register(event: NewEvent, follow?: FollowSession): Promise<void>;
  /** The session that the actor's process was last heard of as; undefined when nothing is known. */
  currentSession(): Promise<Actor | undefined>;
  claim(request: ClaimRequest): Promise<ClaimResult>;
  /** Ended claims are not an error: releasing twice is fine. Throws CLAIM_NOT_HELD for another's claim. */
  release(
    selection: Selection,
    options?: { readonly key?: string },
  ): Promise<{ readonly released: readonly Claim[] }>;
  /** A sign of life, too. Throws CLAIM_UNKNOWN for an ended claim: ask for it anew. */
  renew(
    selection: Selection,
    options?: { readonly ttlMs?: number; readonly key?: string },
  ): Promise<{ readonly claims: readonly Claim[]; readonly asked?: readonly ReleaseRequest[] }>;
  /** An earlier end for what may not be needed any more; one that ends sooner anyway stays. */
  shorten(selection: Selection, ttlMs: number): Promise<{ readonly claims: readonly Claim[] }>;
  /** Keeps only parts of a claim; they must lie inside it. Returns what is left, the fence unchanged. */
  narrow(
    claim: string,
    keep: readonly TargetInput[],
  ): Promise<{ readonly claims: readonly Claim[] }>;
  transfer(selection: Selection, to: Transfer): Promise<ClaimResult>;
  /**
   * Remembers for a while that an agent's session was kept off: once these are free it holds them for a moment, and
   * gets a notice. For others nothing is done.
   */
  want(
    targets: readonly TargetInput[],
    options: { readonly mode: Mode; readonly reason?: string; readonly forSession?: boolean },
  ): Promise<void>;
  /** Changes nothing. */
  check(targets: readonly TargetInput[], options?: { readonly mode?: Mode }): Promise<Check>;
  list(filter?: ClaimFilter): Promise<ClaimList>;
  /** How much is held, who holds and waits, what was asked. */
  overview(): Promise<ClaimOverview>;
  /** The live claims, for a page that shows all of them; `isCut`: more than are ever shown. */
  all(): Promise<{
    readonly claims: readonly Claim[];
    readonly isCut: boolean;
  }>;
  /** Resolves when the targets are clear, or with what still blocks when the time is over. */
  waitUntilClear(
    targets: readonly TargetInput[],
    options: { readonly mode?: Mode; readonly waitMs: number; readonly signal?: AbortSignal },
  ): Promise<Check>;
  /** What the gate asks at the moment of the write: are these targets still held under these fences? */
  verify(fence: number | readonly number[], targets: readonly TargetInput[]): Promise<FenceCheck>;
  /**
   * Runs `act` while the store's write turn is held, so that nobody can be granted these targets until
   * it returns: this closes the gap between asking and writing (G3). It must be quick and synchronous.
   * Throws when the turn was lost while it ran (a server ends the turn of a process that sleeps).
   */
  whileHeld<T>(
    fence: number | readonly number[],
    targets: readonly TargetInput[],
    act: () => T,
  ): Promise<{ readonly ok: true; readonly value: T } | (FenceCheck & { readonly ok: false })>;
  /** Asks the holder to give up a claim by a deadline. */
  ask(
    claim: string,
    request: { readonly reason: string; readonly withinMs: number },
  ): Promise<ReleaseRequest>;
  /** Asks every other holder of something that overlaps the target. Throws CLAIM_UNKNOWN: none holds it. */
  askFor(
    target: TargetInput,
    request: { readonly reason: string; readonly withinMs: number },
  ): Promise<readonly ReleaseRequest[]>;
  /**
   * A message to an actor, to `holder:TARGET`, or to `all` sessions that are here. Throws ACTOR_UNKNOWN,
   * CLAIM_UNKNOWN, NOTICE_RATE, NOTICE_INBOX_FULL, NOTICE_UNKNOWN, INPUT_TOO_LARGE, USAGE.
   */
  tell(
    to: string,
    text: string,
    options?: { readonly replyTo?: string },
  ): Promise<{ readonly id: string; readonly to: readonly string[] }>;
  /**
   * Only the holder answers. A person may do it for the holder that they saw (`inPlaceOf`): the event names
   * both, and the holder gets a notice. CLAIM_NOT_HELD when the claim has another holder by now.
   */
  answer(
    request: string,
    answer: Answer,
    options?: { readonly inPlaceOf?: string },
  ): Promise<ReleaseRequest>;
  /** Requests that this actor should answer, or has made. */
  requests(): Promise<readonly ReleaseRequest[]>;
  /** Ends what has expired and takes back what dead holders left, saving their dirty files first. */
  sweep(options?: { readonly dryRun?: boolean }): Promise<Sweep>;
}
