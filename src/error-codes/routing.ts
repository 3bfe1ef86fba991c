import { type ErrorCodeEntry, later, never, unknown } from "./entry.ts";

/** Overrides of reviewers: proposing, applying, watching. */
export const routingCodes = {
  ROUTING_PATH: {
    kind: "refused",
    cause:
      "The path of the overrides is absolute, leads out of the repository, or is no plain file.",
    remedy: "Set routing.path to a tracked file inside the repository.",
    ...never,
  },
  ROUTING_FILE: {
    kind: "refused",
    cause:
      "The file of overrides cannot be understood; it is ignored by reviews and never overwritten.",
    remedy: "Correct the file at the place the message names, or restore it from git.",
    ...never,
  },
  ROUTING_FILE_NEWER: {
    kind: "refused",
    cause: "The file of overrides was written by a newer Headgate.",
    remedy: "Update Headgate.",
    ...never,
  },
  ROUTING_UNKNOWN: {
    kind: "absent",
    cause: "There is no such proposal, reviewer, override or watch.",
    remedy: "Look with `headgate routing status` and `headgate reviewers list`.",
    ...never,
  },
  ROUTING_REFUSED: {
    kind: "refused",
    cause: "A guard of routing says no: the message names it.",
    remedy:
      "Do what the message says; `headgate routing patterns --explain` shows what is missing.",
    ...never,
  },
  ROUTING_STALE: {
    kind: "stale",
    cause: "The reviewer's override changed after the proposal was made.",
    remedy: "Look at the present override with `headgate routing status` and propose again.",
    ...never,
  },
  ROUTING_GIT: {
    kind: "refused",
    cause:
      "A commit cannot be made here now: no git, no branch, a merge or rebase, or no right to write.",
    remedy: "Bring the repository into the state the message asks for, then repeat.",
    ...never,
  },
  ROUTING_VETO: {
    kind: "refused",
    cause: "A git hook of the user refused the commit; nothing was changed.",
    remedy: "Do what the hook's lines say, then repeat.",
    ...never,
  },
  ROUTING_BUSY: {
    kind: "unavailable",
    cause: "Somebody else changes the overrides; the waiting time is over.",
    remedy: "Try again; the message names who it is.",
    ...later,
  },
  ROUTING_UNFINISHED: {
    kind: "unknown",
    cause: "The commit is on the branch, but the store could not be told.",
    remedy: "Run `headgate routing status`: it finishes what was begun.",
    ...unknown,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
