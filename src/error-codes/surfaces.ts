import { type ErrorCodeEntry, later, never } from "./entry.ts";

/** The server and its guard. */
export const surfacesCodes = {
  SERVER_PORT_IN_USE: {
    kind: "unavailable",
    cause: "Another program listens on the port asked for.",
    remedy: "Leave --port out to let the system choose, or give another one.",
    ...later,
  },
  SERVER_SOCKET_FAILED: {
    kind: "unavailable",
    cause: "No folder that only you can enter takes the server's socket.",
    remedy:
      "Set XDG_RUNTIME_DIR or TMPDIR to a short path of a folder with mode 0700 that is yours.",
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
    remedy: "Try again; if it stays so, end the process that has .git/headgate/server.lock open.",
    ...later,
  },
  OUTPUT_FAILED: {
    kind: "unavailable",
    cause: "Standard output or standard error cannot be written: a full disk, a broken device.",
    remedy: "Make room, or send the output elsewhere; what the command did is done.",
    ...never,
  },
  DEMO_FAILED: {
    kind: "unavailable",
    cause: "The demo could not set its small repository up.",
    remedy: "The message says what failed; `headgate doctor` looks at this machine.",
    ...never,
  },
  MOCK_SCRIPT_INVALID: {
    kind: "usage",
    cause: "The script of `headgate mock-llm` is not of the documented form.",
    remedy: "Correct the place that the message names; docs/mock-llm.md has every word.",
    ...never,
  },
  MCP_BUSY: {
    kind: "unavailable",
    cause: "A client has as many MCP calls under way as one connection may have.",
    remedy: "Wait until one of them ends, then call again.",
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
    remedy: "Send `Authorization: Bearer` with the content of .git/headgate/token.",
    ...never,
  },
  HTTP_KEY_REFUSED: {
    kind: "unauthenticated",
    cause: "The key of a dashboard link is wrong, too old or was used before.",
    remedy: "Run `headgate up` in the repository again and open the link that it prints.",
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
  HOOK_INPUT_INVALID: {
    kind: "usage",
    cause: "An agent client's hook was given something that is not its payload.",
    remedy: "Run `headgate doctor`; a client newer than this Headgate may need a newer one.",
    ...never,
  },
  HOOK_FAILED: {
    kind: "internal",
    cause: "The hook could not judge the tool use, so it was refused.",
    remedy: "Run `headgate doctor`, and tell the person you work for if it stays so.",
    ...later,
  },
  HOOK_TIMEOUT: {
    kind: "unavailable",
    cause:
      "The hook ran out of time before paths and claims were looked at, or for the second time on the same content.",
    remedy:
      "Wait until `headgate status` shows no write that is not judged, then try again; if it stays so, run `headgate doctor`.",
    ...later,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
