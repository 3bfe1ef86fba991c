import { type ErrorCodeEntry, later, never, unknown } from "./entry.ts";

/** Anything, configuration, paths and git. */
export const generalCodes = {
  USAGE: {
    kind: "usage",
    cause: "The command line or a call's arguments are not of the documented form.",
    remedy: "Run the command with --help and correct the named argument.",
    ...never,
  },
  NODE_TOO_OLD: {
    kind: "usage",
    cause: "Headgate was started with a Node.js older than 22.14.",
    remedy: "Install Node.js 22.14 or newer (24 is the reference) and run the command again.",
    ...never,
  },
  INPUT_TOO_LARGE: {
    kind: "too-large",
    cause: "An input is larger than its documented limit.",
    remedy: "Send less, or split the input; the message names the limit.",
    ...never,
  },
  INTERRUPTED: {
    kind: "interrupted",
    cause: "The user or the system asked the program to stop.",
    remedy: "Run the command again; finished parts are kept.",
    ...never,
  },
  WORKING_FOLDER_GONE: {
    kind: "absent",
    cause: "The folder in which the command was started does not exist any more.",
    remedy: "Go to a folder that exists (cd) and run the command there.",
    ...never,
  },
  INTERNAL: {
    kind: "internal",
    cause: "A defect in Headgate: something that cannot happen did.",
    remedy: "Run again with --debug and report the text together with the command.",
    ...unknown,
  },
  CONFIG_INVALID: {
    kind: "usage",
    cause: "A configuration file or variable has an unknown key or a value of the wrong type.",
    remedy: "Correct the key at the place the message names; schema/config.json lists all of them.",
    ...never,
  },
  CONFIG_UNREADABLE: {
    kind: "usage",
    cause: "A configuration file exists but cannot be read or is not valid JSON with comments.",
    remedy: "Repair the file at the line and column the message names, or remove it.",
    ...never,
  },
  CONFIG_NOT_TRUSTED: {
    kind: "usage",
    cause: "The repository's configuration names a key that only the user may set.",
    remedy:
      "Remove the key from .headgate/config.jsonc; if you want it, put it into your user file.",
    ...never,
  },
  PATH_INVALID: {
    kind: "usage",
    cause: "A path is empty, too long, or holds NUL, line breaks or bidi control characters.",
    remedy: "Give a plain path inside the repository.",
    ...never,
  },
  PATH_OUTSIDE: {
    kind: "refused",
    cause: "A path leads outside the repository, by `..`, by a link, or because it is absolute.",
    remedy: "Give a path inside the repository, or choose the repository with --repo.",
    ...never,
  },
  REPOSITORY_NOT_FOUND: {
    kind: "absent",
    cause: "The folder given as repository does not exist or is not a folder.",
    remedy: "Change into the repository or name it with --repo DIR.",
    ...never,
  },
  WORKTREE_MISSING: {
    kind: "absent",
    cause: "The repository is bare: no files are checked out where the command looks.",
    remedy: "Change into a worktree of it (`git worktree add ../work`) or into a clone.",
    ...never,
  },
  GIT_MISSING: {
    kind: "unavailable",
    cause: "The git program was not found although the folder is a git repository.",
    remedy: "Install git 2.30 or newer and make sure it is on PATH.",
    ...never,
  },
  GIT_FAILED: {
    kind: "unavailable",
    cause: "A git command ended with an error.",
    remedy: "Run the git command the message names by hand and repair what it reports.",
    ...never,
  },
  GIT_LOCKED: {
    kind: "unavailable",
    cause: "Another git holds a lock file that the command needs, or was killed and left it.",
    remedy:
      "Wait for the other git command. If no git runs in this repository, remove the lock file.",
    ...later,
  },
  GIT_LIMIT: {
    kind: "unavailable",
    cause: "A git command ran too long or printed more than its limit.",
    remedy: "Look for a very large or slow repository, or a network file system; then try again.",
    ...later,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
