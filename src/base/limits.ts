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
  /** Objects and lists inside each other; real state files have fewer than ten levels. */
  stateNestingMax: 200,
  /** An update whose transform is asynchronous starts again this often when the file changed meanwhile. */
  stateUpdateAttemptsMax: 50,
  /** Windows refuses to replace a file that a scanner has open; such handles close within a second. */
  stateRenameAttemptsMax: 40,
  /** A directory scanned by `state check`; beyond that the user must name a narrower path. */
  stateScanEntriesMax: 200_000,
  /** Configuration is small; a larger file is a mistake or an attack. */
  configFileBytesMax: 1024 * 1024,
  /** The schema has five levels; the parser recurses, so depth must be bounded before it runs. */
  configDepthMax: 32,
  /** Named files are checked one by one; more of them would be a folder's worth. */
  stateFilesMax: 256,
  stateRequiredKeysMax: 64,
  /** Ten minutes: longer than that, a person has given up. */
  storeWaitMsMax: 600_000,
  /** A hundred years; null is the way to say for ever. */
  eventsKeepDaysMax: 36_500,
  /** One git call: `ls-files` of a 500,000-file repository is about 40 MB. */
  gitOutputBytesMax: 128 * 1024 * 1024,
  gitTimeoutMs: 30_000,
  /** `ps` and `sysctl` answer in milliseconds; a machine that needs longer is in trouble. */
  processQueryTimeoutMs: 5_000,
  /** A `.git` file holds one path; anything longer is not one. */
  gitPointerBytesMax: 8192,
  /** Longest wait for the store's write turn before STORE_BUSY; measured worst case is under 500 ms. */
  storeWaitMs: 10_000,
  storeStatementTimeoutMs: 15_000,
  /** SQLite: how long a waiting writer may block the event loop before it yields between tries. */
  storeBlockingWaitMs: 3,
  /** Statement texts are constants of the code; more than this means somebody builds SQL. */
  storeStatementsCachedMax: 500,
  /** PostgreSQL: one process needs a writer, a reader and a little room; servers allow 100 by default. */
  storeConnectionsMax: 4,
  storeConnectTimeoutMs: 5_000,
  /** One migration may rewrite a large table. */
  storeMigrationTimeoutMs: 10 * 60_000,
  /** A transaction the server asked to repeat (deadlock, serialisation) is repeated this often. */
  storeRepeatsMax: 5,
  /** Events are small facts, not documents. */
  eventDataBytesMax: 64 * 1024,
  eventKindLengthMax: 64,
  /** Actor and subject: the longest path with a symbol behind it fits twice. */
  eventTextBytesMax: 16 * 1024,
  /** Nesting of event data and stored results; ours stay under ten. */
  eventDataDepthMax: 64,
  eventPageMax: 1000,
  /** Events looked at for one page when a kind filter lets few of them through. */
  eventScanMax: 20_000,
  eventsPerTransactionMax: 1000,
  /** Idempotency keys come from callers and are stored. */
  idempotencyKeyLengthMax: 200,
  /** SQLite has no push: the longest a follower may lag behind a commit by another process. */
  eventPollMs: 100,
  /** PostgreSQL wakes followers; this look covers poolers and lost connections that swallow the wake. */
  eventFallbackPollMs: 1_000,
  /** A kept outcome answers repetitions; callers repeat within minutes. */
  outcomeKeepDays: 7,
  httpBodyBytesMax: 4 * 1024 * 1024,
  httpHeadersMax: 64,
  httpRequestTimeoutMs: 10_000,
  httpConnectionsMax: 256,
  /** Tokens and cookies of other local programs fit; a larger head is an attack. */
  httpHeaderBytesMax: 16 * 1024,
  /** A connection without progress this long is dropped, stuck event streams included. */
  httpIdleTimeoutMs: 60_000,
  /** Dashboards and followers of one repository; each holds a connection and polls the store. */
  httpStreamsMax: 32,
  /** Well under the idle timeout, so that a quiet stream with a living reader stays open. */
  httpStreamHeartbeatMs: 15_000,
  /** How long a client waits for our own server on this machine to answer. */
  serverAnswerMs: 2_000,
  /** From taking the server lock to answering: opening and migrating the store included. */
  serverStartMs: 10_000,
  /** Time for open requests to finish after SIGTERM. */
  shutdownGraceMs: 2_000,
  /** Text that came from outside is cut to this before it is shown in a message. */
  shownTextLengthMax: 200,
} as const;
