/** What sort of outcome a code is. Each surface maps the kind, so the tables below stay small. */
export type ErrorKind =
  | "refused"
  | "usage"
  | "stale"
  | "absent"
  | "unknown"
  | "unauthenticated"
  | "forbidden"
  | "too-large"
  | "unavailable"
  | "internal"
  | "interrupted";

export interface ErrorCodeEntry {
  readonly kind: ErrorKind;
  readonly cause: string;
  readonly remedy: string;
  /** The same call may succeed later without any change by the caller. */
  readonly retryable: boolean;
  /** The operation may have happened although the caller was told of an error. */
  readonly mayHaveTakenEffect: boolean;
}

export const never = { retryable: false, mayHaveTakenEffect: false } as const;
export const later = { retryable: true, mayHaveTakenEffect: false } as const;
export const unknown = { retryable: false, mayHaveTakenEffect: true } as const;
