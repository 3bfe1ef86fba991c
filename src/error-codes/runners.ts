import { type ErrorCodeEntry, never } from "./entry.ts";

/** Who is asked. */
export const runnerCodes = {
  RUNNER_UNKNOWN: {
    kind: "usage",
    cause: "A runner was named that neither the user's configuration nor Headgate knows.",
    remedy: "Use one of the names in the message, or add it to `runners` in your user file.",
    ...never,
  },
  RUNNER_NOT_READY: {
    kind: "unavailable",
    cause: "A runner's program is not installed, or the variable with its key is not set.",
    remedy: "Install the program or set the variable that the message names; then try again.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
