/** What this room is given by whoever opens it. */
import type { Clock } from "../base/clock.ts";
import type { Files } from "../base/files.ts";
import type { Random } from "../base/random.ts";
import type { CommitStep, Repository, WritingGit } from "../git/index.ts";
import type { Scope, Store } from "../store/index.ts";
import type { RoutingSettings } from "./settings.ts";

export interface RoutingStore {
  /** Opens the store for writing, creating it first. */
  open(): Promise<There>;
  /** For looking: undefined while nothing was ever stored. */
  look(): Promise<There | undefined>;
}

export interface There {
  readonly store: Store;
  readonly scope: Scope;
}

export interface RoutingActor {
  readonly id: string;
  /** Proposer and approver are compared by it. */
  readonly session: string;
}

export interface RoutingContext {
  readonly repository: Pick<
    Repository,
    "kind" | "worktree" | "worktrees" | "commonDir" | "localDir" | "root"
  >;
  readonly host: string;
  readonly platform: NodeJS.Platform;
  readonly store: RoutingStore;
  /** False: nothing can be changed, not even what a crash left half done. */
  readonly mayWrite: boolean;
  readonly settings: RoutingSettings;
  readonly actor: RoutingActor;
  /** The names of all reviewers there are now. Asked inside the lock. */
  readonly roster: () => Promise<readonly string[]>;
  /** The user's git in a worktree of this repository. */
  readonly gitIn: (worktree: string) => WritingGit;
  readonly clock: Clock;
  readonly random: Random;
  readonly files: Files;
  /** Called after each step of a change; a crash test ends the process there. */
  readonly onStep: (step: RoutingStep) => void;
}

/** Where a crash leaves something different behind. */
export type RoutingStep =
  | "locked"
  | "recovered"
  | "decided"
  | CommitStep
  | "prepared"
  | "ref-moved"
  | "folder"
  | "worktree-written"
  | "index-refreshed"
  | "stored"
  | "aborted";

/** A person, not an agent's session: approving an own proposal is the person's to decide. */
export const isPerson = ({ session }: RoutingActor): boolean => session.startsWith("user:");

/** `claude:SESSION`: a client's own. A free name that somebody gave (`alice`) is whoever gave it. */
export const isAgentSession = (session: string): boolean =>
  session.includes(":") && !session.startsWith("user:");

/** Of an actor's id: sub-agents belong to their session. */
export const sessionOf = (actor: string): string => actor.split("/", 1)[0] ?? actor;
