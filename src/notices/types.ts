/** The shape of a notice, and the side of its receiver. */
import type { Scope, StoreTime, Writer } from "../store/index.ts";

export type NoticeKind =
  | "ask"
  | "answer"
  | "message"
  /** Of the gate, about an edit of the receiver. */
  | "note"
  | "branch"
  /** A claim or lines: taken, free, expired, rescued, handed over. */
  | "claim"
  | "late-write"
  | "collision"
  | "landed"
  | "land-failed"
  | "decision";

export interface NewNotice {
  /** Default: a new id. Several receivers may share one. */
  readonly id?: string;
  /** An actor: a session, `SESSION/agent`, a person. */
  readonly to: string;
  /** Default: Headgate itself. */
  readonly from?: string;
  readonly kind: NoticeKind;
  readonly text: string;
  /** An undelivered notice to the same receiver with the same key is replaced. */
  readonly about?: string;
  /** The key of another notice to the same receiver, which this one makes needless. */
  readonly replaces?: string;
  readonly target?: string;
  readonly replyTo?: string;
  /** Given from this time on; wall clock of the store. */
  readonly notBefore?: number;
}

/** The shape of `inbox --json`. */
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  /** `headgate` for its own. */
  readonly from: string;
  readonly at: string;
  readonly text: string;
  readonly target?: string;
  readonly replyTo?: string;
  /** It was given before, by an answer of which nothing proves that it arrived. */
  readonly repeated?: true;
  /** The sub-agent it was sent to, where its session gets it. */
  readonly for?: string;
}

export interface NoticePage {
  readonly notices: readonly Notice[];
  /** How many more wait. */
  readonly more: number;
}

export interface TakenNotices extends NoticePage {
  /** To be called once the answer that carries them was written. */
  delivered(): Promise<void>;
}

/** Bound to one actor. */
export interface Inbox {
  /** As `take`, in a transaction that is there anyway; one read where nothing waits. */
  takeIn(
    tx: Writer,
    at: { readonly scope: Scope; readonly now: StoreTime },
    pick: (waiting: readonly Notice[]) => number,
  ): Promise<TakenNotices | undefined>;
  /** Undelivered ones in order, as many as `pick` says; undefined: nothing waits. */
  take(pick: (waiting: readonly Notice[]) => number): Promise<TakenNotices | undefined>;
  /** Changes nothing. With `isAll` also those that were delivered and are still kept. */
  list(options?: { readonly isAll?: boolean }): Promise<NoticePage>;
  /** The sub-agent has ended: its session gets what it has not heard. */
  leaveToSession(): Promise<void>;
}
