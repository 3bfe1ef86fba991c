import { type ErrorCodeEntry, never } from "./entry.ts";

/** Reviews that were kept, and what became of findings. */
export const ledgerCodes = {
  REVIEW_UNKNOWN: {
    kind: "absent",
    cause: "No review has this id, or several ids begin like that.",
    remedy: "Give more of the id; the newest reviews are in the message.",
    ...never,
  },
  REVIEW_ENDED: {
    kind: "refused",
    cause: "The review is done; nothing can be added to it.",
    remedy: "Start another review.",
    ...never,
  },
  REVIEW_RUNNING: {
    kind: "refused",
    cause: "Another process works on this review at the moment.",
    remedy: "Wait until it ends, or end that process; then resume.",
    ...never,
  },
  REVIEW_CHANGED: {
    kind: "stale",
    cause: "What is reviewed has changed since the review began.",
    remedy: "Start a new review with `headgate review`; what was answered stays in the old one.",
    ...never,
  },
  FINDING_UNKNOWN: {
    kind: "absent",
    cause: "No finding has this id, or several ids begin like that.",
    remedy: "Give an id that `headgate findings list` shows, or more of it.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
