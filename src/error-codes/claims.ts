import { type ErrorCodeEntry, later, never } from "./entry.ts";

/** Targets, actors, claims and fences. */
export const claimsCodes = {
  CLAIM_CONFLICT: {
    kind: "refused",
    cause: "Another actor holds a claim that overlaps a wanted target.",
    remedy: "Work on something else, wait (claim --wait 60s), or ask the holder (headgate ask).",
    ...later,
  },
  LINES_HELD: {
    kind: "refused",
    cause:
      "The edit meets lines that another session wrote in this checkout and has not committed.",
    remedy:
      "Do something else and repeat it later: it passes when they are committed, or their author is idle or gone.",
    ...later,
  },
  LINES_MOVED: {
    kind: "refused",
    cause: "The file was written by others again and again while the edit was being judged.",
    remedy: "Repeat the edit; it starts from the file as it is now.",
    ...later,
  },
  LINES_NONE: {
    kind: "absent",
    cause: "The actor has no uncommitted lines here: they are committed, taken back, or elsewhere.",
    remedy: "See who has uncommitted lines with `headgate diff`; what is committed, git reverts.",
    ...never,
  },
  LINES_WITHOUT_GIT: {
    kind: "refused",
    cause: "Whose lines are whose is known between two commits, and this folder has no git.",
    remedy: "Make it a git repository (git init), or name one with --repo DIR.",
    ...never,
  },
  CLAIM_WAIT_TIMEOUT: {
    kind: "refused",
    cause: "The targets did not become free within the time given to --wait.",
    remedy: "Wait longer, or ask the holders named in the answer to release.",
    ...later,
  },
  CLAIM_WAIT_CANCELLED: {
    kind: "interrupted",
    cause: "Waiting for a claim was given up; the place in the queue is gone.",
    remedy: "Ask again for a new place in the queue.",
    ...later,
  },
  CLAIM_DEADLOCK: {
    kind: "refused",
    cause: "Actors wait for each other in a circle; this one was chosen to give way.",
    remedy: "Release what the circle waits for, then claim everything needed in one call.",
    ...later,
  },
  CLAIM_QUEUE_FULL: {
    kind: "refused",
    cause: "More waiters are in line than Headgate keeps in order.",
    remedy: "Try again later, or claim without waiting.",
    ...later,
  },
  CLAIM_UNKNOWN: {
    kind: "absent",
    cause: "No live claim has this id or target; it may have been released or have expired.",
    remedy: "List the live ones with `headgate claims`; claim the target again if it is needed.",
    ...never,
  },
  CLAIM_NOT_HELD: {
    kind: "refused",
    cause:
      "The claim belongs to another actor, or the caller has neither its session nor its secret.",
    remedy: "Ask its holder for it: `headgate ask TARGET`.",
    ...never,
  },
  CLAIM_NOT_INSIDE: {
    kind: "usage",
    cause: "A claim can be narrowed only to parts that lie inside it.",
    remedy: "Name targets inside the claim; claim anything else on its own.",
    ...never,
  },
  FENCE_STALE: {
    kind: "stale",
    cause: "The claim behind this fence ended meanwhile, or does not cover the target.",
    remedy: "Read the file again, claim it anew, and repeat the change on its present content.",
    ...never,
  },
  FENCE_MARK_UNUSABLE: {
    kind: "unavailable",
    cause: "The record of the highest fence beside the store cannot be read or written.",
    remedy: "Restore or remove the file the message names; remove it only when nothing is claimed.",
    ...never,
  },
  STORE_DIFFERS: {
    kind: "refused",
    cause: "This repository's claims live in another store than the one configured here.",
    remedy: "Use the same store everywhere, or release the claims there before changing it.",
    ...later,
  },
  REQUEST_UNKNOWN: {
    kind: "absent",
    cause: "No open request for release has this id, or it is addressed to another actor.",
    remedy: "List the open ones with `headgate claims --requests`.",
    ...never,
  },
  ACTOR_UNKNOWN: {
    kind: "absent",
    cause: "No actor of this name was ever seen in this repository.",
    remedy: "See who is here with `headgate status`, who holds what with `headgate claims`.",
    ...never,
  },
  NOTICE_UNKNOWN: {
    kind: "absent",
    cause: "No notice with this id was sent to you, or it is too old to be kept.",
    remedy: "List yours with `headgate inbox --all`, or send the message without --reply-to.",
    ...never,
  },
  NOTICE_RATE: {
    kind: "refused",
    cause: "One session sent more messages and requests within a minute than others should read.",
    remedy: "Put what is left into one message, and send it in a minute.",
    ...later,
  },
  NOTICE_INBOX_FULL: {
    kind: "refused",
    cause: "The receiver has 100 unread notices, which is the limit.",
    remedy: "Look whether it is still at work with `headgate status`; try again later.",
    ...later,
  },
  TARGET_INVALID: {
    kind: "usage",
    cause: "A target is not a path, pattern, symbol, name:RESOURCE or @git/PART.",
    remedy: "Write it as the message says; docs/targets.md has the grammar with examples.",
    ...never,
  },
  TARGET_TOO_COMPLEX: {
    kind: "too-large",
    cause: "A pattern is too long or has too many wildcards or braces to be compared quickly.",
    remedy: "Claim several simpler targets in one call, or the folder that holds them.",
    ...never,
  },
  ACTOR_NOT_YOURS: {
    kind: "refused",
    cause:
      "Inside an agent's session the actor is that session; only its own sub-agents can be named.",
    remedy: "Leave --as out, and ask the holder of a claim for it: `headgate ask TARGET`.",
    ...never,
  },
  ACTOR_INVALID: {
    kind: "usage",
    cause: "An actor's name is empty, too long, or holds NUL, half a character or bidi controls.",
    remedy: "Correct --as or HEADGATE_ACTOR: NAME, or NAME/AGENT for a sub-agent of a session.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
