/** The words of the ring: what was written around the gate, and who has to know. */
import type { Clock } from "../../../base/clock.ts";
import type { Environment } from "../../../base/environment.ts";
import type { Files } from "../../../base/files.ts";
import type { Git } from "../../../git/index.ts";
import type { Claims } from "../../../claims/index.ts";
import type { Gate, NearEdit } from "../../../gate/index.ts";
import type { Lines } from "../../../lines/index.ts";
import type { NewNotice } from "../../../notices/index.ts";
import type { EventPage, NewEvent } from "../../../store/index.ts";

export interface RingContext {
  /** Of the worktree the client works in; absolute, links resolved. */
  readonly root: string;
  readonly kind: "git" | "folder";
  /** `repository.localDir`; the ring keeps its files in `ring/` below it. */
  readonly localDir: string;
  /** Of the calling actor; the ring acts for `claims.actor`. */
  readonly claims: Pick<Claims, "actor" | "check">;
  /** `gate.judge`; without it nothing is said about what the gate would have found. */
  readonly judge?: Gate["judge"];
  /** `headgate.events`: what was edited through Headgate meanwhile (`headgate edit`, MCP) is known from it. */
  readonly events?: EventPages;
  /** Whose every uncommitted line is: what a command changed is its session's. */
  readonly lines?: Pick<Lines, "noteCommand" | "presence">;
  /** Sends notices; without it no session hears of a branch that was switched. */
  readonly notify?: (notices: readonly NewNotice[]) => Promise<void>;
  /** `events.append`. */
  readonly emit: (event: NewEvent) => Promise<void>;
  readonly clock?: Clock;
  readonly files?: Files;
  readonly environment?: Environment;
  readonly git?: Git;
}

/** The reading half of `headgate.events`. */
export interface EventPages {
  page(query: {
    readonly since?: number;
    readonly last?: number;
    readonly kind?: string;
    readonly limit?: number;
  }): Promise<EventPage>;
}

/** One tool use, the same before and after. */
export interface RingCall {
  /** The tool's name, for the event. */
  readonly tool: string;
  /** Without it an actor has one tool use at a time. */
  readonly toolUseId?: string;
}

export interface Ring {
  /** Before a tool that may write around the gate. Never throws; what failed is said by `after`. */
  before(call: RingCall): Promise<void>;
  /** After it. Emits `write.ungated`, leaves word for the holders, answers what to tell the agent. */
  after(call: RingCall): Promise<RingReport>;
  /**
   * Before a commit of the session: what its running command has written so far is the session's. A command line
   * often writes and commits.
   */
  noteSoFar(): Promise<void>;
  /** The gate has let this content pass: sha256 in hex, null for a file that is deleted. */
  admitted(
    writes: readonly { readonly path: string; readonly hash: string | null }[],
  ): Promise<void>;
  /**
   * Judges what was written unjudged in this worktree, for as long as `ms`, and leaves word for its writers.
   * Never throws; what is not judged then goes on waiting.
   */
  settle(ms?: number): Promise<void>;
  /**
   * Others change the same things: the texts for this actor, each pair of sessions and each thing once, with the
   * event `lines.near` for whatever tells the other side.
   */
  tellNear(near: readonly NearEdit[]): Promise<readonly string[]>;
  /** Whether it is new to this session, to which it counts as said from now on. */
  isNews(what: readonly string[]): Promise<boolean>;
  /** Whether this actor wrote something since it was last reminded of its lines; it counts as reminded then. */
  isNewsOfLines(newestMs: number): Promise<boolean>;
  /** Messages about this actor's claims and late judgements; each is given out once. */
  takeMessages(): Promise<readonly string[]>;
}

export interface RingReport {
  readonly compared: boolean;
  /** Why not compared: for the log, and once per session and reason in `text`. */
  readonly notCompared?: string;
  readonly ungated: readonly UngatedWrite[];
  /** For the agent; absent when there is nothing to say. */
  readonly text?: string;
  /** HEAD was there before; the sessions that were at work since. */
  readonly moved?: { readonly from: string; readonly by: readonly string[] };
}

export interface UngatedWrite {
  /** Relative to the worktree's root. */
  readonly path: string;
  /** Null: it was not there, or is not any more. Undefined before: as the last commit has it. */
  readonly before?: string | null;
  readonly after: string | null;
  /** Who else holds it, each named once. */
  readonly holders: readonly string[];
  /** What the gate would have refused: codes with their messages. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
  /** Why nothing is known about it: then no problems does not mean that it is right. */
  readonly notJudged?: string;
  /** Brought by git itself (checkout, merge, pull, commit), not written by a program. */
  readonly byGit?: true;
}
