/**
 * Every bound of the product, with its reason. Over a limit is a refusal with a code, never a crash.
 */
export const limits = {
  /** Linux PATH_MAX; longer paths cannot be opened anyway. */
  pathBytesMax: 4096,
  /** One component on every common file system. */
  nameBytesMax: 255,
  /** Linux gives up after 40 links; a longer chain is a loop. */
  symlinkHopsMax: 40,
  /** State files are read whole; a plan history of 50 entries is under 100 KB. */
  stateFileBytesMax: 64 * 1024 * 1024,
  /** How long a caller waits for another updater of the same file before it is told who holds it. */
  stateLockWaitMs: 10_000,
  /** An update whose transform is asynchronous starts again this often when the file changed meanwhile. */
  stateUpdateAttemptsMax: 50,
  /** Windows refuses to replace a file that a scanner has open; such handles close within a second. */
  stateRenameAttemptsMax: 40,
  /** A directory scanned by `state check`; beyond that the user must name a narrower path. */
  stateScanEntriesMax: 200_000,
  /** Configuration is small; a larger file is a mistake or an attack. */
  configFileBytesMax: 1024 * 1024,
  /** One git call: `ls-files` of a 500,000-file repository is about 40 MB. */
  gitOutputBytesMax: 128 * 1024 * 1024,
  gitTimeoutMs: 30_000,
  /** Longest wait for the store's write turn before STORE_BUSY; measured worst case is under 500 ms. */
  storeWaitMs: 10_000,
  storeStatementTimeoutMs: 15_000,
  /** Events are small facts, not documents. */
  eventDataBytesMax: 64 * 1024,
  eventKindLengthMax: 64,
  eventPageMax: 1000,
  eventsPerTransactionMax: 1000,
  /** Idempotency keys come from callers and are stored. */
  idempotencyKeyLengthMax: 200,
  /** SQLite has no push: the longest a follower may lag behind a commit by another process. */
  eventPollMs: 100,
  httpBodyBytesMax: 4 * 1024 * 1024,
  httpHeadersMax: 64,
  httpRequestTimeoutMs: 10_000,
  httpConnectionsMax: 256,
  /** Time for open requests to finish after SIGTERM. */
  shutdownGraceMs: 2_000,
  /** Text that came from outside is cut to this before it is shown in a message. */
  shownTextLengthMax: 200,
} as const;
