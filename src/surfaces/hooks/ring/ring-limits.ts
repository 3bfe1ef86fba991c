/** Bounds of the ring: over them a tool use counts as not compared; the agent never waits longer. */
export const ringLimits = {
  /** Uncommitted files of a worktree, or all files of a folder without git. */
  filesMax: 5_000,
  /** Contents that are hashed at one time; further files are known by size and time only. */
  hashedBytesMax: 64 * 1024 * 1024,
  hashedFileBytesMax: 16 * 1024 * 1024,
  /** Git and hashing together, once before and once after. */
  lookMs: 3_000,
  /** What the gate may take for saying what it would have said. */
  judgeMs: 3_000,
  /** The same for what a hook judges late; the server, which keeps no agent waiting, takes longer. */
  settleMs: 8_000,
  judgedFilesMax: 20,
  judgedBytesMax: 1024 * 1024,
  /** A tool that runs longer than this is not compared any more. */
  snapshotMs: 60 * 60_000,
  snapshotsMax: 200,
  /** A content that passed the gate is written by its client at once; slow ones ask a person first. */
  admissionMs: 10 * 60_000,
  /** About 2,500 of them, and as many older ones. */
  passedBytesMax: 256 * 1024,
  messageMs: 24 * 60 * 60_000,
  messagesMax: 20,
  /** Things that an actor has heard once; kept as fingerprints. */
  saidMax: 1_000,
  inboxesMax: 500,
  /** Paths in an event and in a text. */
  eventPathsMax: 50,
  shownPathsMax: 5,
  heldPathsMax: 256,
} as const;
