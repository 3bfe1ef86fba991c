/**
 * Every code that Headgate can answer with: what happened, what to do, whether to try again. A new code
 * goes into its part under error-codes/ and nowhere else; exit codes, HTTP, JSON-RPC and docs/errors.md
 * follow from its kind.
 */
import { applyingCodes } from "./error-codes/applying.ts";
import { claimsCodes } from "./error-codes/claims.ts";
import { editingCodes } from "./error-codes/editing.ts";
import { gateCodes } from "./error-codes/gate.ts";
import { generalCodes } from "./error-codes/general.ts";
import { routingCodes } from "./error-codes/routing.ts";
import { ledgerCodes } from "./error-codes/ledger.ts";
import { runnerCodes } from "./error-codes/runners.ts";
import { profileCodes } from "./error-codes/profile.ts";
import { runsCodes } from "./error-codes/runs.ts";
import { stateCodes } from "./error-codes/state.ts";
import { storeCodes } from "./error-codes/store.ts";
import { surfacesCodes } from "./error-codes/surfaces.ts";

export type { ErrorCodeEntry, ErrorKind } from "./error-codes/entry.ts";

export const errorCodes = {
  ...generalCodes,
  ...stateCodes,
  ...storeCodes,
  ...claimsCodes,
  ...gateCodes,
  ...editingCodes,
  ...applyingCodes,
  ...routingCodes,
  ...ledgerCodes,
  ...runnerCodes,
  ...profileCodes,
  ...runsCodes,
  ...surfacesCodes,
} as const;

export type ErrorCode = keyof typeof errorCodes;
