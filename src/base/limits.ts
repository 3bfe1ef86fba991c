import { agentWorkLimits } from "./agent-work-limits.ts";

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
  /** `.git/config` with hundreds of branches is smaller; git reads what is larger. */
  gitSettingsBytesMax: 256 * 1024,
  /** Longest wait for the store's write turn before STORE_BUSY; measured worst case is under 500 ms. */
  storeWaitMs: 10_000,
  /** In a queue that does not move for so long, somebody who has the turn sleeps: it is left aside then. */
  storeTurnWaitMs: 1_000,
  storeTurnIgnoreMs: 5_000,
  storeStatementTimeoutMs: 15_000,
  /** SQLite: how long a waiting writer may block the event loop before it yields between tries. */
  storeBlockingWaitMs: 3,
  /** Statement texts are constants of the code; more than this means somebody builds SQL. */
  storeStatementsCachedMax: 500,
  /** PostgreSQL: one process needs a writer, a reader and a little room; servers allow 100 by default. */
  storeConnectionsMax: 4,
  storeConnectTimeoutMs: 5_000,
  /** A connection that was idle must answer its first statement, which waits for no lock, within this time. */
  storeFirstAnswerMs: 3_000,
  /** Beyond a statement's own limit, which the server keeps: for the way there and back. */
  storeAnswerSlackMs: 3_000,
  /** For an answer that is in the socket already while this process was stopped. */
  storeLateAnswerMs: 250,
  storeKeepAliveMs: 10_000,
  /** Closing says goodbye to the server; a dead one does not take it. */
  storeCloseMs: 1_000,
  /** How long a reader waits for a store that is behind: it may be in the making. */
  storeMigratingMs: 1_000,
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
  /** Events between two checkpoints of a verification: hashing them takes much longer than one durable write. */
  eventCheckpointEvery: 10_000,
  eventsPerTransactionMax: 1000,
  /** Idempotency keys come from callers and are stored. */
  idempotencyKeyLengthMax: 200,
  /** SQLite has no push: the longest a follower may lag behind a commit by another process. */
  eventPollMs: 100,
  /** PostgreSQL wakes followers; this look covers poolers and lost connections that swallow the wake. */
  eventFallbackPollMs: 1_000,
  /** A kept outcome answers repetitions; callers repeat within minutes. */
  outcomeKeepDays: 7,
  /** A claim must end by itself; a working day and a night is the most a plan needs. */
  claimTtlMsMax: 24 * 60 * 60_000,
  claimTtlMsMin: 1_000,
  claimTtlMs: 15 * 60_000,
  /** One grant; D04. */
  claimTargetsMax: 64,
  claimReasonBytesMax: 2_000,
  /** The longest path with every character escaped, and a symbol behind it. */
  targetBytesMax: 10_240,
  /**
   * A pattern's states, free ways and character ranges behind its literal folders; a character costs two.
   * It bounds every comparison: two accepted targets take at most `overlapStepsMax` steps.
   */
  targetSizeMax: 1_000,
  /** Braces in braces; nobody reads more. */
  targetBracesDepthMax: 10,
  /** Resources and symbols are named by people. */
  targetNameLengthMax: 128,
  targetSymbolBytesMax: 1_024,
  targetSymbolLevelsMax: 64,
  /** Index entries: PostgreSQL takes up to 2,704 bytes, scope and tail included. */
  targetPlaceBytesMax: 1_024,
  targetTailLengthMax: 16,
  /**
   * One pattern read along the other's literal path (its states once per character), then both together
   * (each pair of states in each of five standings): pathBytesMax × size + 5 × size².
   */
  overlapStepsMax: 4_096 * 1_000 + 5 * 1_000 ** 2,
  /** Whether one pattern lies in another can take exponential time; beyond this the answer is no. */
  coversStepsMax: 200_000,
  /** A list longer than this is for a program that pages, not for a person. */
  claimsListedMax: 1_000,
  /** Claims and actors that the dashboard's server keeps in memory for one look; pages are cut from it. */
  claimsOverviewMax: 50_000,
  actorsOverviewMax: 500,
  /** Blockers named in one refusal; with more of them nobody reads on. */
  blockersMax: 100,
  /** A sign of life younger than this is not written again with every call. */
  heartbeatWriteMs: 5_000,
  claimWaitMsMax: 24 * 60 * 60_000,
  claimPriorityMax: 10,
  /** One step of priority counts like this much earlier arrival. */
  claimPriorityStepMs: 30_000,
  /** A waiter this old is not passed by those who just come along. */
  waiterAgedMs: 30_000,
  /** A waiter on another machine shows this often that it is still there, and is skipped without it. */
  waiterSeenEveryMs: 10_000,
  waiterSeenWithinMs: 30_000,
  /** How long a wait that is over goes on trying to leave the line of a store that went away. */
  waiterLeaveMs: 5_000,
  /** How long an ended waiter's row stays for its process to read. */
  waiterOutcomeKeepMs: 60_000,
  /** Each newcomer is compared with those before it. */
  waitersMax: 1_000,
  /** Grants and departures by one transaction that frees something; the other waiters then look by themselves. */
  servedAtOnceMax: 300,
  /** How often a waiter looks whether a holder in its way has died. */
  waiterLookMs: 2_000,
  releaseRequestMsMax: 24 * 60 * 60_000,
  /** How often a running server looks for claims that ended without a word. */
  sweepEveryMs: 30_000,
  /** A session that was refused a claim hears within this time that it is free, and holds it then for a turn. */
  claimWishMs: 10 * 60_000,
  claimTurnMs: 60_000,
  claimWishesMax: 20,
  /** Claims that one transaction ends or renews; each has an event, and there may be waiters to serve. */
  endingsMax: 500,
  /** Fences made safe against a restored database with one durable write. */
  fenceBlock: 1_000,
  /** How many fences other machines may have got that this one never saw. */
  fencesOfOtherMachines: 1_000_000,
  /** Harness, session and sub-agent fit several times; the id stands in every row, event and message. */
  actorBytesMax: 200,
  /** Without a process to look at: a sign of life this young counts as living. */
  heartbeatFreshMs: 60_000,
  /** And one this old as stale; a model may think for minutes between two calls. */
  heartbeatStaleMs: 10 * 60_000,
  /** Processes above this one that are looked at for the harness; shells nest a few levels. */
  processAncestorsMax: 64,
  /** A secret that is a person's word once; 128 bits as text. */
  personSecretLengthMin: 22,
  /** One file of a dead holder; what is larger was hardly typed, and is only reported. */
  rescueBytesMax: 50 * 1024 * 1024,
  /** All of them together: they are copied into the repository's objects. */
  rescueTotalBytesMax: 500 * 1024 * 1024,
  rescueFilesMax: 10_000,
  /** Kept in memory before they are handed to git. */
  rescueBatchBytes: 16 * 1024 * 1024,
  /** Each becomes a file that git syncs; a slow disk manages this many within git's time. */
  rescueBatchObjects: 500,
  /** Worktrees and submodules of one repository that are searched. */
  rescuePlacesMax: 200,
  /** Several worktrees, or other content each time: how many refs one claim may get. */
  rescueRefsMax: 200,
  httpBodyBytesMax: 4 * 1024 * 1024,
  httpHeadersMax: 64,
  httpRequestTimeoutMs: 10_000,
  httpConnectionsMax: 256,
  /** A socket's path: Linux takes 107 bytes, macOS 103. */
  socketPathBytesMax: 100,
  /** Tokens and cookies of other local programs fit; a larger head is an attack. */
  httpHeaderBytesMax: 16 * 1024,
  /** A connection without progress this long is dropped, stuck event streams included. */
  httpIdleTimeoutMs: 60_000,
  /** Dashboards and followers of one repository; each holds a connection and polls the store. */
  httpStreamsMax: 32,
  /** Well under the idle timeout, so that a quiet stream with a living reader stays open. */
  httpStreamHeartbeatMs: 15_000,
  /** Links to the dashboard that nobody has opened yet, and how long one is good for. */
  /** How long an act that a person approved may wait for the command. */
  personApprovalMs: 60 * 60_000,
  signInKeysMax: 16,
  signInKeyMs: 10 * 60_000,
  /** Rows of one answer to the dashboard; it shows about fifty at a time. */
  dashboardRowsMax: 200,
  /** Work on one question about the past before it answers how far it is. */
  dashboardBudgetMs: 400,
  /** What was refused, kept to be looked at: bytes of one difference, and how many of them. */
  refusalDiffBytesMax: 64 * 1024,
  refusalsKeptMax: 200,
  /** How long a client waits for our own server on this machine to answer. */
  serverAnswerMs: 2_000,
  /** A killed server is started anew by the next hook, but not more often than this. */
  serverRevivePauseMs: 60_000,
  /** How often the server looks whether its folder is still there. */
  serverLookMs: 5_000,
  /** From taking the server lock to answering: opening and migrating the store included. */
  serverStartMs: 10_000,
  /** The longest wait of `up --detach` for a server that has not said why it ended. */
  serverDetachMs: 60_000,
  /** A loop that has not turned for so much work is stuck: signals then end the process the hard way. */
  loopStuckMs: 1_000,
  loopLookMs: 200,
  /** After this time a command is a long one. */
  loopGuardAfterMs: 500,
  /** A stuck server ends itself, well before the 25 s for which the hooks' shim waits. */
  serverStuckMs: 10_000,
  /** Time for open requests to finish after SIGTERM. */
  shutdownGraceMs: 2_000,
  /** What a client tells its hook: two versions of a large file; beyond that the tool is refused. */
  hookPayloadBytesMax: 16 * 1024 * 1024,
  /** Objects and lists inside each other; real payloads have fewer than ten levels. */
  hookNestingMax: 64,
  /** A client writes its payload at once. */
  hookInputMs: 5_000,
  /** Clients that let a tool pass when its hook takes too long wait for a minute (init says so). */
  hookAnswerMs: 20_000,
  /** How long a hook waits for another session's commit before it refuses an edit of its lines. */
  hookLinesMs: 2_500,
  /** Free lines are kept this long for the session that waited for them first. */
  linesTurnMs: 30_000,
  /** A commit waits at most this long for the commits that its lines were written onto. */
  commitGroundMs: 4_000,
  commitWaitMs: 15_000,
  /** How long a git command waits for another session's, and how long it may take itself. */
  gitTurnWaitMs: 13_000,
  gitTurnTtlMs: 2 * 60_000,
  /** After this time without a hook a session is idle. */
  claimsIdleSeconds: 300,
  /** Time for paths and claims once the judgement has used all of that; the shim waits 25 s for the server. */
  hookLateMs: 4_000,
  /** How often a server looks for writes that are not judged yet, and how long it judges them at a time. */
  settleEveryMs: 2_000,
  settleMs: 60_000,
  /** Claude Code gives all hooks of a session's end one and a half seconds together. */
  hookEndMs: 1_200,
  /** Two hooks of one tool use come within a second; the second one gets the first one's answer. */
  hookRepeatMs: 5_000,
  hookRepeatsMax: 1_000,
  /** A turn is over: what was claimed on the way stays this long for the next one. */
  hookStopTtlMs: 5 * 60_000,
  /** An agent reads this; the rest is in the error table. */
  hookRefusalLengthMax: 499,
  /** A message to an agent is a sentence or two; more of it belongs into a file. */
  noticeTextBytesMax: 2_000,
  /** Characters of notices in one answer and at the start of a session: 120 and 300 tokens of four characters. */
  noticeCallLengthMax: 480,
  noticeStartLengthMax: 1_200,
  /** Notices in one `headgate inbox`. */
  noticesListedMax: 50,
  /** Kept for one receiver; of more than these the oldest go, delivered ones first. */
  noticesKeptMax: 200,
  /** Messages that wait for one receiver; after that its senders are refused. */
  noticesWaitingMax: 100,
  /** Messages and requests of one session within `noticeRateMs`: an agent that writes more floods others. */
  noticeRateMax: 20,
  noticeRateMs: 60_000,
  /** A notice that a living process took is its own for this time; then it is given again. */
  noticeTakenMs: 30_000,
  /** A sub-agent at work calls a tool within this time; after it, its session gets the notice. */
  noticeAgentMs: 60_000,
  /** An undelivered notice is of no use after two weeks; a delivered one can be read again for two days. */
  noticeKeepMs: 14 * 24 * 60 * 60_000,
  noticeReadKeepMs: 2 * 24 * 60 * 60_000,
  /** Receivers of one message to all. */
  noticeReceiversMax: 100,
  /** Clients move a tool call that takes two minutes to the background, so waiting ends before that. */
  mcpWaitMsMax: 110_000,
  /** One message over standard input: an edit of several large files. */
  mcpMessageBytesMax: 10 * 1024 * 1024,
  /** Tool calls under way in one server; each may hold a waiter and a turn at the store. */
  mcpCallsMax: 64,
  /** Of a file in one answer: clients cut what is longer than about 25,000 tokens. */
  mcpReadBytesMax: 80 * 1024,
  /** The plain text beside the structured answer; the same reason, with room for both. */
  mcpTextLengthMax: 8_000,
  /** Words of agents (reasons, names, notes) in one field of an answer. */
  mcpAgentTextLengthMax: 500,
  /** A diff in an answer; who needs more reads the file. */
  mcpDiffLengthMax: 20_000,
  mcpListMax: 200,
  /** Symbols of one file in an outline. */
  mcpSymbolsMax: 1_000,
  mcpFilesMax: 20,
  mcpProgressEveryMs: 2_000,
  /** How long find_symbol looks through the sources before it answers with what it has. */
  mcpFindMs: 15_000,
  /** Text that came from outside is cut to this before it is shown in a message. */
  shownTextLengthMax: 200,
  /** The largest manifests people write have some hundred kilobytes; larger ones are generated. */
  profileManifestBytesMax: 1024 * 1024,
  /** All manifests of a tree; the largest public monorepos have a few thousand. */
  profileManifestsMax: 4_000,
  profileManifestBytesTotalMax: 64 * 1024 * 1024,
  /** How much of a README is read: the first paragraphs say what the project is. */
  profileReadmeBytesMax: 16 * 1024,
  /** Names taken from one list of a manifest. */
  profileNamesMax: 5_000,
  /** Files of a tree; git itself is asked to stop here through the size of its answer. */
  profileFilesMax: 2_000_000,
  profileListingBytesMax: 512 * 1024 * 1024,
  /** Without git: a folder that is not a project (a home folder) must not be walked for minutes. */
  profileWalkedFilesMax: 200_000,
  profileWalkedDepthMax: 64,
  /** Sources without a manifest whose imports are looked at. */
  profileSampledSourcesMax: 24,
  profileSampledBytesMax: 64 * 1024,
  /** Packages that get a profile of their own. */
  profilePackagesMax: 2_000,
  /** Lines with linguist attributes that are honoured, and their wildcards. */
  profileAttributesMax: 500,
  profilePatternLengthMax: 500,
  /** Elements inside each other in an XML manifest. */
  profileXmlDepthMax: 100,
  profileNotesMax: 200,
  /** Uncommitted files that a cached profile lists; with more of them only their digest is kept. */
  profileChangesMax: 2_000,
  /** How often a check or a detection begins again because the tree or the cache changed meanwhile. */
  profileAttemptsMax: 3,
  /** Lines of one explanation; --json has no more either. */
  profileExplainedMax: 100,
  reviewerDocumentBytesMax: 256 * 1024,
  reviewerAgentBytesMax: 1024 * 1024,
  /** People have been seen with 341 agents; far more than that is no agents' folder. */
  reviewerAgentFilesMax: 5000,
  /** Folders in folders, the agents' folder counted. */
  reviewerAgentDepthMax: 5,
  reviewerManifestEntriesMax: 2000,
  reviewerNameLengthMax: 64,
  /** Clients show descriptions to the model that chooses; longer ones crowd out the others. */
  reviewerDescriptionLengthMax: 1024,
  reviewerDomainsMax: 100,
  /** Larger sources are generated; their structure is not analysed. */
  structureBytesMax: 4 * 1024 * 1024,
  /** Processor time: a parser that takes more of it for one file is ended; real files take under half a second. */
  parseTimeMs: 5_000,
  /** Real time for the same, and for starting a parser: on a busy machine it gets a twelfth of a core at least. */
  parseWallMs: 60_000,
  /** What the parsing process may keep on its JavaScript heap, and in all before it is replaced. */
  parserHeapMb: 1024,
  parserMemoryBytes: 1024 * 1024 * 1024,
  /** Sources whose outlines are remembered, by their size. */
  outlineMemoryBytes: 32 * 1024 * 1024,
  /** Files in one proposal; a larger change is made in several. */
  proposalWritesMax: 1_000,
  /** Files larger than this are not edited here; nobody reads them either. */
  editFileBytesMax: 64 * 1024 * 1024,
  /** Policies of the gate and patterns in each: every one is asked for every written path. */
  policiesMax: 100,
  policyPatternsMax: 100,
  /** A proposal as JSON: two versions of a few large files. */
  proposalBytesMax: 256 * 1024 * 1024,
  /** What git may answer at once when history is looked through. */
  mineOutputBytesMax: 512 * 1024 * 1024,
  /** An edit is planned again this often when somebody else writes its files in between. */
  editAttemptsMax: 50,
  /** The longest pause before the second attempt; later ones are a few times longer. */
  editPauseMs: 20,
  /** How long an edit waits for somebody who is writing the same symbol right now. */
  editClaimWaitMs: 2_000,
  /** Sources of a project, or of one folder of libraries, that are read for their names. */
  namesFilesMax: 30_000,
  /** How much of the sources of libraries is read for their names. */
  namesBytesMax: 40 * 1024 * 1024,
  ...agentWorkLimits,
} as const;
