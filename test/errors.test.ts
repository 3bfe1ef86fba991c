import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorsDocument } from "../scripts/errors-document.ts";
import {
  type ErrorCodeEntry,
  errorCodes,
  exitCodes,
  HeadgateError,
  httpStatuses,
  jsonRpcCodes,
} from "../src/errors.ts";

// Programs rely on these: a changed line here is a change of the interface and belongs in CHANGELOG.md.
const pinnedKinds = {
  USAGE: "usage",
  NODE_TOO_OLD: "usage",
  INPUT_TOO_LARGE: "too-large",
  INTERRUPTED: "interrupted",
  INTERNAL: "internal",
  CONFIG_INVALID: "usage",
  CONFIG_UNREADABLE: "usage",
  CONFIG_NOT_TRUSTED: "usage",
  PATH_INVALID: "usage",
  PATH_OUTSIDE: "refused",
  REPOSITORY_NOT_FOUND: "absent",
  WORKTREE_MISSING: "absent",
  GIT_MISSING: "unavailable",
  GIT_FAILED: "unavailable",
  GIT_LIMIT: "unavailable",
  STATE_EMPTY: "usage",
  STATE_INVALID: "refused",
  STATE_CORRUPT: "refused",
  STATE_CHANGED: "stale",
  STATE_BUSY: "unavailable",
  STATE_NOT_FOUND: "absent",
  STATE_PARENT_MISSING: "absent",
  STATE_TARGET_KIND: "refused",
  STATE_NOT_WRITABLE: "unavailable",
  STATE_DISK_FULL: "unavailable",
  STATE_TOO_MANY_FILES: "unavailable",
  STATE_SYNC_FAILED: "unavailable",
  STATE_IO: "unavailable",
  OUTCOME_UNKNOWN: "unknown",
  STORE_UNAVAILABLE: "unavailable",
  STORE_BUSY: "unavailable",
  STORE_CORRUPT: "unavailable",
  STORE_FULL: "unavailable",
  STORE_IO: "unavailable",
  STORE_READ_ONLY: "unavailable",
  STORE_ADDRESS_INVALID: "usage",
  STORE_SCHEMA_NEWER: "unavailable",
  STORE_ABSENT: "absent",
  STORE_SCHEMA_OLDER: "unavailable",
  STORE_MIGRATION_CHANGED: "unavailable",
  STORE_SQLITE_TOO_OLD: "unavailable",
  STORE_NETWORK_FILE_SYSTEM: "unavailable",
  STORE_TEXT_INVALID: "usage",
  STORE_REPLACED: "unavailable",
  EVENT_INVALID: "usage",
  EVENTS_TAMPERED: "refused",
  CURSOR_INVALID: "usage",
  CURSOR_PRUNED: "stale",
  HOOKS_SKIPPED: "refused",
  LINES_NONE: "absent",
  LINES_WITHOUT_GIT: "refused",
  COMMIT_NOTHING: "refused",
  COMMIT_REFUSED: "refused",
  COMMIT_UNFINISHED: "refused",
  COMMIT_PARTIAL: "refused",
  COMMIT_CHANGED: "refused",
  COMMIT_FOREIGN: "refused",
  COMMIT_HOOKS: "refused",
  COMMIT_MIXED: "refused",
  LINES_HELD: "refused",
  LINES_MOVED: "refused",
  PATH_GIT: "refused",
  PATH_OWN: "refused",
  PATH_PROTECTED: "refused",
  PATH_LINK: "refused",
  PATH_HARD_LINK: "refused",
  PATH_SPECIAL: "refused",
  FILE_UNREADABLE: "unavailable",
  DUPLICATE_SYMBOL: "refused",
  DUPLICATE_IMPORT: "refused",
  DUPLICATE_EXPORT: "refused",
  DUPLICATE_KEY: "refused",
  SYNTAX_ERROR: "refused",
  LAZY_PLACEHOLDER: "refused",
  FILE_WRAPPED: "refused",
  ODD_CHARACTER: "refused",
  LINE_ENDS_CHANGED: "refused",
  BYTE_ORDER_MARK: "refused",
  SECRET_FOUND: "refused",
  FILE_GENERATED: "refused",
  TESTS_FEWER: "refused",
  TEST_SKIPPED: "refused",
  TEST_FOCUSED: "refused",
  CHECK_SUPPRESSED: "refused",
  SYMBOLS_LOST: "refused",
  DEBUGGER_LEFT: "refused",
  MERGE_MARKER: "refused",
  CALL_UNKNOWN: "refused",
  SIGNATURE_CHANGED: "refused",
  SYMBOL_REMOVED: "refused",
  NOT_ANALYSED: "refused",
  CLAIM_CONFLICT: "refused",
  CLAIM_WAIT_TIMEOUT: "refused",
  CLAIM_WAIT_CANCELLED: "interrupted",
  CLAIM_DEADLOCK: "refused",
  CLAIM_QUEUE_FULL: "refused",
  CLAIM_UNKNOWN: "absent",
  CLAIM_NOT_HELD: "refused",
  CLAIM_NOT_INSIDE: "usage",
  FENCE_STALE: "stale",
  FENCE_MARK_UNUSABLE: "unavailable",
  STORE_DIFFERS: "refused",
  REQUEST_UNKNOWN: "absent",
  ACTOR_UNKNOWN: "absent",
  NOTICE_UNKNOWN: "absent",
  NOTICE_RATE: "refused",
  NOTICE_INBOX_FULL: "refused",
  TARGET_INVALID: "usage",
  TARGET_TOO_COMPLEX: "too-large",
  ACTOR_INVALID: "usage",
  SYMBOL_UNKNOWN: "absent",
  SYMBOL_AMBIGUOUS: "refused",
  STRUCTURE_ABSENT: "refused",
  CODE_UNFIT: "usage",
  TEXT_NOT_FOUND: "stale",
  TEXT_NOT_UNIQUE: "refused",
  ALREADY_APPLIED: "refused",
  PATCH_MISMATCH: "stale",
  FILE_EXISTS: "refused",
  FILE_ABSENT: "absent",
  ENCODING_UNFIT: "refused",
  STALE_VIEW: "stale",
  EDIT_TARGET_KIND: "refused",
  EDIT_NOT_APPROVED: "refused",
  EDIT_VERIFY_FAILED: "refused",
  EDIT_NOT_TAKEN_BACK: "refused",
  EDIT_JOURNAL_DAMAGED: "unavailable",
  EDIT_UNKNOWN: "absent",
  EDIT_NOT_UNDOABLE: "absent",
  UNDO_CONFLICT: "refused",
  ROUTING_PATH: "refused",
  ROUTING_FILE: "refused",
  ROUTING_FILE_NEWER: "refused",
  ROUTING_UNKNOWN: "absent",
  ROUTING_REFUSED: "refused",
  ROUTING_STALE: "stale",
  ROUTING_GIT: "refused",
  ROUTING_VETO: "refused",
  ROUTING_BUSY: "unavailable",
  ROUTING_UNFINISHED: "unknown",
  PROFILE_CACHE_NEWER: "refused",
  SERVER_PORT_IN_USE: "unavailable",
  SERVER_NOT_RUNNING: "absent",
  SERVER_RUNNING: "refused",
  SERVER_NOT_ANSWERING: "unavailable",
  OUTPUT_FAILED: "unavailable",
  DEMO_FAILED: "unavailable",
  MOCK_SCRIPT_INVALID: "usage",
  MCP_BUSY: "unavailable",
  HTTP_HOST_REFUSED: "forbidden",
  HTTP_ORIGIN_REFUSED: "forbidden",
  HTTP_TOKEN_REFUSED: "unauthenticated",
  HTTP_KEY_REFUSED: "unauthenticated",
  HTTP_CONTENT_TYPE: "usage",
  HTTP_STREAMS_FULL: "unavailable",
  HTTP_NOT_FOUND: "absent",
  HOOK_INPUT_INVALID: "usage",
  HOOK_FAILED: "internal",
  HOOK_TIMEOUT: "unavailable",
  NOT_JUDGED: "unavailable",
  RUNNER_UNKNOWN: "usage",
  RUNNER_NOT_READY: "unavailable",
  REVIEW_UNKNOWN: "absent",
  REVIEW_ENDED: "refused",
  REVIEW_RUNNING: "refused",
  REVIEW_CHANGED: "stale",
  FINDING_UNKNOWN: "absent",
  PLANS_ABSENT: "absent",
  PLAN_INVALID: "usage",
  RUN_UNKNOWN: "absent",
  RUN_BUSY: "refused",
  RUN_STATE: "refused",
  RUN_NEEDS_GIT: "usage",
  ROLLBACK_REFUSED: "refused",
};

describe("error codes", () => {
  it("are exactly these, each of this kind", () => {
    const entries: [string, ErrorCodeEntry][] = Object.entries(errorCodes);
    expect(Object.fromEntries(entries.map(([code, { kind }]) => [code, kind]))).toEqual(
      pinnedKinds,
    );
  });

  it("map to these exit codes", () => {
    expect(exitCodes).toEqual({
      refused: 1,
      usage: 2,
      stale: 3,
      absent: 4,
      unknown: 5,
      unauthenticated: 1,
      forbidden: 1,
      "too-large": 2,
      unavailable: 69,
      internal: 70,
      interrupted: 130,
    });
  });

  it("map to these HTTP statuses", () => {
    expect(httpStatuses).toEqual({
      refused: 409,
      usage: 400,
      stale: 412,
      absent: 404,
      unknown: 504,
      unauthenticated: 401,
      forbidden: 403,
      "too-large": 413,
      unavailable: 503,
      internal: 500,
      interrupted: 503,
    });
  });

  it("map to these JSON-RPC codes", () => {
    expect(jsonRpcCodes).toEqual({
      refused: -32001,
      usage: -32602,
      stale: -32002,
      absent: -32004,
      unknown: -32005,
      unauthenticated: -32003,
      forbidden: -32003,
      "too-large": -32602,
      unavailable: -32006,
      internal: -32603,
      interrupted: -32007,
    });
  });

  it("each say in one sentence what happened and in another what to do", () => {
    for (const [code, { cause, remedy }] of Object.entries(errorCodes)) {
      for (const text of [cause, remedy]) {
        expect(`${code}: ${text}`).toMatch(/^[A-Z_]+: \S[^\n]*[.]$/);
      }
    }
  });

  it("are documented in docs/errors.md exactly as the table says", () => {
    const committed = readFileSync(new URL("../docs/errors.md", import.meta.url), "utf8");
    expect(committed).toBe(errorsDocument());
  });

  it("show as the same object everywhere, and are known across copies of the package", () => {
    const error = new HeadgateError("USAGE", "bad", { data: { flag: "x" } });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      ok: false,
      code: "USAGE",
      message: "bad",
      remedy: errorCodes.USAGE.remedy,
      data: { flag: "x" },
    });
    expect(HeadgateError.isInstance(error)).toBe(true);
    expect(HeadgateError.isInstance({ [Symbol.for("headgate.error")]: true })).toBe(true);
    expect(HeadgateError.isInstance(new Error("x"))).toBe(false);
  });
});
