import { type ErrorCodeEntry, never } from "./entry.ts";

/** The project's profile. */
export const profileCodes = {
  PROFILE_CACHE_NEWER: {
    kind: "refused",
    cause: "The cached profile was written by a newer version of Headgate; it is left as it is.",
    remedy:
      "Use the newer version, or remove the file that the message names; --no-cache does without it.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
