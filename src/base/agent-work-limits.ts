/** Part of `limits`: what plans, routing, reviewers and their programs are bounded by. */
export const agentWorkLimits = {
  /** A plan is read by an agent; more than this is not a plan. */
  runPlanBytesMax: 1024 * 1024,
  runPlansMax: 500,
  runTasksMax: 2_000,
  runTaskNameBytesMax: 200,
  /** Agents work for hours at most; a plan that needs longer is several. */
  runTimeoutMsMax: 24 * 60 * 60_000,
  runTimeoutMs: 30 * 60_000,
  runRetriesMax: 10,
  /** Agents at the same time; each is a program with a model behind it. */
  runParallelMax: 16,
  runParallel: 4,
  /** The history that lies beside a run (L-03). */
  runHistoryMax: 50,
  /** What an agent says is kept and shown up to this; the rest is cut. */
  runAgentOutputBytesMax: 4 * 1024 * 1024,
  /** Of what an agent prints, the end is kept beside the run, for whoever watches; written so often at most. */
  runPrintedBytesMax: 64 * 1024,
  runPrintedEveryMs: 500,
  runPrintedLinesMax: 200,
  runPrintedLineLengthMax: 500,
  runNoteLengthMax: 2_000,
  runNotesPerAgentMax: 50,
  /** Another commit got in between so often: somebody commits in a loop. */
  runCommitAttemptsMax: 20,
  /** How long a task waits for what somebody else has claimed. */
  runClaimWaitMs: 10 * 60_000,
  /** The claim on a run and on what it writes; renewed three times within it. */
  runClaimTtlMs: 60_000,
  /** The first pause before another attempt; each further one is twice as long. */
  runBackoffMs: 1_000,
  runBackoffMsMax: 60_000,
  /** How often a running executor looks whether it is asked to pause. */
  runLookMs: 500,
  /** How long a lost agent may take to end after it was killed. */
  runAgentEndMs: 5_000,
  /** How long a command waits for a type checker that somebody asked for by name. */
  typesOnRequestMs: 20_000,
  /** The first answer about a large project takes tens of seconds; a server that is silent for longer hangs. */
  typesAnswerMs: 5 * 60_000,
  /** Sessions, changes, models, findings: ids of others. */
  evidenceIdLengthMax: 200,
  /** A remark for people: a reason, a note. */
  routingTextLengthMax: 500,
  /** One import is one transaction. */
  evidenceLinesMax: 50_000,
  /** Of one reviewer within 24 hours; eight in a row are not yet a pattern, so none comes from one session. */
  evidencePerSessionMax: 8,
  evidenceImportBytesMax: 64 * 1024 * 1024,
  /** Read in every review, and edited by hand. */
  overridesFileBytesMax: 1024 * 1024,
  overridesMax: 1_000,
  overrideGlobsMax: 100,
  /** Shadows recorded by one call. */
  canaryRecordMax: 10_000,
  /** How long a change of the overrides waits for another one; hooks of the user run in between. */
  routingLockWaitMs: 30_000,
  /** A person's pre-commit hook may run the tests. */
  commitHookMs: 10 * 60_000,
  /** The branch moved while the commit was made: how often it is made again. */
  routingAttemptsMax: 20,
  /** Commits read by a rebuild. */
  rebuildCommitsMax: 10_000,
  /** An agent that is told to end saves its session; then it is ended. */
  programGraceMs: 2_000,
  /** How long outputs may stay open behind a program that has ended. */
  programPipeMs: 1_000,
  /** What an agent may print in all: its events hold the files that it read. */
  runnerOutputBytesMax: 64 * 1024 * 1024,
  /** An answer's text; a report of a hundred findings is a hundredth of it. */
  runnerTextLengthMax: 4 * 1024 * 1024,
  runnerStderrTailBytes: 8 * 1024,
  /** Linux allows 128 KiB for one argument; larger prompts go by file or standard input. */
  runnerArgumentBytesMax: 100 * 1024,
  runnerPromptBytesMax: 8 * 1024 * 1024,
  runnerTriesMax: 4,
  /** The first pause before another try; each next one is twice as long. */
  runnerPauseMs: 1_000,
  runnerPauseMsMax: 60_000,
  /** What a model may write in one answer when nobody says otherwise. */
  runnerOutputTokensMax: 16_000,
  runnersMax: 50,
  runnerTimeoutMs: 10 * 60_000,
  runnerTimeoutMsMax: 6 * 60 * 60_000,
  dispatchConcurrencyMax: 64,
  /** A reviewed file's whole content; larger ones are generated, and nobody reviews them line by line. */
  reviewFileBytesMax: 1024 * 1024,
  /** Of the project beside the change, in one prompt: about a quarter of what a slice takes. */
  reviewContextTokens: 6_000,
  reviewContextTokensMax: 100_000,
  /** One file of rules for agents; longer ones are no rules. */
  reviewRulesBytesMax: 128 * 1024,
  linterTimeoutMs: 60_000,
  linterOutputBytesMax: 32 * 1024 * 1024,
  /** What one file of a change may show as a difference; twice the whole content. */
  reviewFilePatchBytesMax: 2 * 1024 * 1024,
  /** All contents of a subject: they are held in memory, as lines and as text. */
  reviewBytesMax: 256 * 1024 * 1024,
  /** A review of more files than this is several reviews. */
  reviewFilesMax: 5_000,
  /** All differences together; a prompt holds a thousandth of it. */
  reviewPatchBytesMax: 64 * 1024 * 1024,
  /** About fifteen thousand tokens: what one reviewer can look at closely. */
  sliceCharactersMax: 60_000,
  /** More single-source problems than this are a sign of a bad review, not of work for another. */
  secondLooksMax: 12,
} as const;
