/**
 * Every code that Headgate can answer with: what happened, what to do, whether to try again. A new code
 * goes in here and nowhere else; exit codes, HTTP, JSON-RPC and docs/errors.md follow from its kind.
 */

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

const never = { retryable: false, mayHaveTakenEffect: false } as const;
const later = { retryable: true, mayHaveTakenEffect: false } as const;
const unknown = { retryable: false, mayHaveTakenEffect: true } as const;

export const errorCodes = {
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
  GIT_LIMIT: {
    kind: "unavailable",
    cause: "A git command ran too long or printed more than its limit.",
    remedy: "Look for a very large or slow repository, or a network file system; then try again.",
    ...later,
  },

  STATE_EMPTY: {
    kind: "usage",
    cause: "Empty content was given for a state file.",
    remedy: "Give the content, or say --allow-empty if an empty file is what you want.",
    ...never,
  },
  STATE_INVALID: {
    kind: "refused",
    cause:
      "The content is not valid for its kind (JSON, YAML, Markdown) or does not fit its schema.",
    remedy: "Correct the content at the place the message names; the file was not changed.",
    ...never,
  },
  STATE_CORRUPT: {
    kind: "refused",
    cause:
      "A state file exists but does not parse, does not fit its schema, or fails its checksum.",
    remedy:
      "Run `headgate state recover --explain FILE`; the bad content is kept as FILE.corrupt-TIME.",
    ...never,
  },
  STATE_CHANGED: {
    kind: "stale",
    cause: "The file is not the version the caller expected: somebody else wrote it first.",
    remedy: "Read the file again and repeat the change on its present content.",
    ...later,
  },
  STATE_BUSY: {
    kind: "unavailable",
    cause: "Other updaters held the file's lock for the whole waiting time.",
    remedy: "Try again; if it stays busy, look for a stopped process that has the file open.",
    ...later,
  },
  STATE_NOT_FOUND: {
    kind: "absent",
    cause: "The file, key or heading does not exist.",
    remedy: "Check the spelling; `headgate state write` creates a file, --create a key or heading.",
    ...never,
  },
  STATE_PARENT_MISSING: {
    kind: "absent",
    cause: "The folder that should hold the file does not exist.",
    remedy: "Create the folder first, or correct the path.",
    ...never,
  },
  STATE_TARGET_KIND: {
    kind: "refused",
    cause: "The target is a link, a folder, a device or a pipe, not a plain file.",
    remedy: "Give the real file's path.",
    ...never,
  },
  STATE_NOT_WRITABLE: {
    kind: "unavailable",
    cause: "The file system is read-only or the permissions do not allow the write.",
    remedy: "Check owner and mode of the folder the message names.",
    ...never,
  },
  STATE_DISK_FULL: {
    kind: "unavailable",
    cause: "The disk, the quota or the file-size limit is exhausted.",
    remedy: "Free some room and repeat the command; the file was not changed.",
    ...later,
  },
  STATE_TOO_MANY_FILES: {
    kind: "unavailable",
    cause: "The process or the system has no file descriptors left.",
    remedy: "Raise the limit (ulimit -n) or stop other programs; the file was not changed.",
    ...later,
  },
  STATE_SYNC_FAILED: {
    kind: "unavailable",
    cause: "The disk reported an error while the content was made durable; nothing was replaced.",
    remedy: "Check the disk (dmesg); do not just try again, the device may be failing.",
    ...never,
  },
  STATE_IO: {
    kind: "unavailable",
    cause: "An unexpected error of the file system; the message names the call.",
    remedy: "Check the disk and the permissions, then repeat the command.",
    ...never,
  },

  OUTCOME_UNKNOWN: {
    kind: "unknown",
    cause: "The answer to the final step was lost: the change may or may not have been made.",
    remedy: "Ask again with the idempotency key in the message, or read the present state first.",
    ...unknown,
  },

  STORE_UNAVAILABLE: {
    kind: "unavailable",
    cause: "The store cannot be opened or reached.",
    remedy: "Check the address in HEADGATE_STORE or the permissions of .headgate/local/store.db.",
    ...later,
  },
  STORE_BUSY: {
    kind: "unavailable",
    cause: "Other writers held the store for the whole waiting time.",
    remedy: "Try again; if it stays busy, look for a stopped process that has store.db open.",
    ...later,
  },
  STORE_CORRUPT: {
    kind: "unavailable",
    cause: "The store's file is damaged, or is not a Headgate store.",
    remedy: "Move the file named in the message aside (keep it), then run the command again.",
    ...never,
  },
  STORE_FULL: {
    kind: "unavailable",
    cause: "The disk that holds the store is full; the transaction was rolled back.",
    remedy: "Free some room and repeat the command.",
    ...later,
  },
  STORE_IO: {
    kind: "unavailable",
    cause: "The disk reported an error under the store; the transaction was rolled back.",
    remedy: "Check the disk (dmesg) and run the command again.",
    ...later,
  },
  STORE_READ_ONLY: {
    kind: "unavailable",
    cause: "The store was opened for reading only, or its file cannot be written.",
    remedy: "Check owner and mode of .headgate/local, or drop the read-only option.",
    ...never,
  },
  STORE_ADDRESS_INVALID: {
    kind: "usage",
    cause: "The store address is neither a file path nor a postgres:// address.",
    remedy: "Set HEADGATE_STORE to a file path or postgres://user@host/database.",
    ...never,
  },
  STORE_SCHEMA_NEWER: {
    kind: "unavailable",
    cause: "The store was written by a newer Headgate than this one.",
    remedy: "Update Headgate on this machine (npm install -g headgate); the store was not touched.",
    ...never,
  },
  STORE_ABSENT: {
    kind: "absent",
    cause: "Nothing was ever stored there, and the store was opened for reading only.",
    remedy: "Run any writing command once (for example `headgate up`) to make it.",
    ...never,
  },
  STORE_SCHEMA_OLDER: {
    kind: "unavailable",
    cause: "The store needs a migration, but was opened for reading only.",
    remedy: "Run any writing command once (for example `headgate up`) to migrate it.",
    ...never,
  },
  STORE_MIGRATION_CHANGED: {
    kind: "unavailable",
    cause: "A migration applied to this store differs from the one this Headgate ships.",
    remedy: "Use the Headgate version that made the store, or report how you got here.",
    ...never,
  },
  STORE_SQLITE_TOO_OLD: {
    kind: "unavailable",
    cause:
      "The SQLite library is older than 3.51.3, which can corrupt a database with several writers.",
    remedy: "Reinstall Headgate so that better-sqlite3 13.0.3 or newer is used.",
    ...never,
  },
  STORE_NETWORK_FILE_SYSTEM: {
    kind: "unavailable",
    cause: "store.db would lie on a network file system, where SQLite's locks cannot be trusted.",
    remedy: "Use HEADGATE_STORE=postgres://… for several machines, or a local disk.",
    ...never,
  },
  STORE_TEXT_INVALID: {
    kind: "usage",
    cause: "A text holds a NUL character or half of a surrogate pair, which no store can keep.",
    remedy: "Remove the character from the value the message names.",
    ...never,
  },
  STORE_REPLACED: {
    kind: "unavailable",
    cause: "The store's file or its -wal file was removed or replaced while it was open.",
    remedy: "Start the command again, and never delete store.db-wal while Headgate runs.",
    ...later,
  },
  EVENT_INVALID: {
    kind: "usage",
    cause: "An event has a bad kind, too much data, or data that is not plain JSON.",
    remedy: "Correct the event; kinds are lower-case words joined by dots.",
    ...never,
  },
  EVENTS_TAMPERED: {
    kind: "refused",
    cause: "The event log's hash chain does not hold: an event was removed or altered.",
    remedy: "Compare with a backup; the message names the first event that does not fit.",
    ...never,
  },
  CURSOR_INVALID: {
    kind: "usage",
    cause: "The cursor is not one that this log handed out.",
    remedy: "Use the number of an event as printed by `headgate events`, or leave --since out.",
    ...never,
  },
  CURSOR_PRUNED: {
    kind: "stale",
    cause: "Events right after the cursor were removed by the retention setting.",
    remedy: "Start again from the oldest kept event; the message names it.",
    ...never,
  },

  SERVER_PORT_IN_USE: {
    kind: "unavailable",
    cause: "Another program listens on the port asked for.",
    remedy: "Leave --port out to let the system choose, or give another one.",
    ...later,
  },
  SERVER_NOT_RUNNING: {
    kind: "absent",
    cause: "No Headgate server runs for this repository.",
    remedy: "Start one with `headgate up`.",
    ...never,
  },
  SERVER_NOT_ANSWERING: {
    kind: "unavailable",
    cause: "A process holds this repository's server lock, but no server answers.",
    remedy: "Try again; if it stays so, end the process that has .headgate/local/server.lock open.",
    ...later,
  },
  HTTP_HOST_REFUSED: {
    kind: "forbidden",
    cause: "The Host header is not this server's loopback name and port.",
    remedy: "Use the address that `headgate up` printed.",
    ...never,
  },
  HTTP_ORIGIN_REFUSED: {
    kind: "forbidden",
    cause: "A page of another origin called the server.",
    remedy: "Use the dashboard at the address that `headgate up` printed.",
    ...never,
  },
  HTTP_TOKEN_REFUSED: {
    kind: "unauthenticated",
    cause: "The request carries no token or a wrong one.",
    remedy: "Send `Authorization: Bearer` with the content of .headgate/local/token.",
    ...never,
  },
  HTTP_CONTENT_TYPE: {
    kind: "usage",
    cause: "A request that changes something is not of type application/json.",
    remedy: "Send the body as JSON with `Content-Type: application/json`.",
    ...never,
  },
  HTTP_STREAMS_FULL: {
    kind: "unavailable",
    cause: "As many event streams are open as the server allows.",
    remedy: "Close one of the dashboards or followers, or read /api/events page by page.",
    ...later,
  },
  HTTP_NOT_FOUND: {
    kind: "absent",
    cause: "The server has no such address or method.",
    remedy: "See docs/http.md for the addresses.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
