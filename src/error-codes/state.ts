import { type ErrorCodeEntry, later, never } from "./entry.ts";

/** Durable files. */
export const stateCodes = {
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
} as const satisfies Record<string, ErrorCodeEntry>;
