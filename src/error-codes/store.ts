import { type ErrorCodeEntry, later, never, unknown } from "./entry.ts";

/** The database and its events. */
export const storeCodes = {
  OUTCOME_UNKNOWN: {
    kind: "unknown",
    cause: "The answer to the final step was lost: the change may or may not have been made.",
    remedy: "Ask again with the idempotency key in the message, or read the present state first.",
    ...unknown,
  },
  STORE_UNAVAILABLE: {
    kind: "unavailable",
    cause: "The store cannot be opened or reached.",
    remedy: "Check the address in HEADGATE_STORE or the permissions of .git/headgate/store.db.",
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
    remedy:
      "In the sandbox of an agent client use Headgate's MCP tool of the same name (claim, release, edit, commit …), which runs outside of it; else check owner and mode of .git/headgate, or drop the read-only option.",
    ...never,
  },
  STATE_IN_TREE: {
    kind: "usage",
    cause:
      "Headgate's state is in the tree, where an earlier release kept it and a branch can change it.",
    remedy:
      "Run `headgate init` once: it moves the state into git's own folder and renews the hooks.",
    ...never,
  },
  STATE_TRACKED: {
    kind: "forbidden",
    cause:
      "Git tracks files in .headgate/local: a commit brought what looks like Headgate's state.",
    remedy:
      "Nothing in it was used. Take it out: git rm -r --cached .headgate/local, and look who added it.",
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
} as const satisfies Record<string, ErrorCodeEntry>;
