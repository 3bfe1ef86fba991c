/** All rules, in the order of their names. */
import type { StaticRule } from "../rule.ts";
import { busyWait } from "./busy-wait.ts";
import { checkThenAct } from "./check-then-act.ts";
import { deferInLoop } from "./defer-in-loop.ts";
import { deferredTransaction } from "./deferred-transaction.ts";
import { asyncForEach } from "./async-foreach.ts";
import { floatingPromise } from "./floating-promise.ts";
import { gitAddAll } from "./git-add-all.ts";
import { gitDestructive } from "./git-destructive.ts";
import { ignoredFailure } from "./ignored-failure.ts";
import { ignoredWriteError } from "./ignored-write-error.ts";
import { impossibleComparison } from "./impossible-comparison.ts";
import { lockReleasedEarly } from "./lock-released-early.ts";
import { missingTimeout } from "./missing-timeout.ts";
import { mtimeBoundary } from "./mtime-boundary.ts";
import { nonAtomicStateWrite } from "./non-atomic-state-write.ts";
import { pathFromRequest } from "./path-from-request.ts";
import { patternFromInput } from "./pattern-from-input.ts";
import { pidOnlyLiveness } from "./pid-only-liveness.ts";
import { predictableTemp } from "./predictable-temp.ts";
import { secretInCode } from "./secret-in-code.ts";
import { shellInjection } from "./shell-injection.ts";
import { sqlConcatenation } from "./sql-concatenation.ts";
import { swallowedError } from "./swallowed-error.ts";
import { bindAll } from "./bind-all-interfaces.ts";
import { tlsVerificationOff } from "./tls-verification-off.ts";
import { unboundedBody } from "./unbounded-body.ts";
import { uncheckedScan } from "./unchecked-scan.ts";
import { unclosedBody } from "./unclosed-body.ts";
import { unclosedFile } from "./unclosed-file.ts";
import { unguardedRm } from "./unguarded-rm.ts";
import { unsafeLoad } from "./unsafe-load.ts";
import { unsyncedRename } from "./unsynced-rename.ts";
import { versionAsText } from "./version-as-text.ts";
import { worldWritable } from "./world-writable.ts";

export const rules: readonly StaticRule[] = [
  asyncForEach,
  bindAll,
  busyWait,
  checkThenAct,
  deferInLoop,
  deferredTransaction,
  floatingPromise,
  gitAddAll,
  gitDestructive,
  ignoredFailure,
  ignoredWriteError,
  impossibleComparison,
  lockReleasedEarly,
  missingTimeout,
  mtimeBoundary,
  nonAtomicStateWrite,
  pathFromRequest,
  patternFromInput,
  pidOnlyLiveness,
  predictableTemp,
  secretInCode,
  shellInjection,
  sqlConcatenation,
  swallowedError,
  tlsVerificationOff,
  unboundedBody,
  uncheckedScan,
  unclosedBody,
  unclosedFile,
  unguardedRm,
  unsafeLoad,
  unsyncedRename,
  versionAsText,
  worldWritable,
];
