/** Bounds of this room. A reviewer is a few pages of text; what is far larger is not one. */
export const bounds = {
  documentBytesMax: 256 * 1024,
  agentBytesMax: 1024 * 1024,
  /** People have been seen with 341 agents; far more than that is no agents' folder. */
  agentFilesMax: 5000,
  /** Folders in folders, the agents' folder counted. */
  agentDepthMax: 5,
  manifestEntriesMax: 2000,
  nameLengthMax: 64,
  /** Clients show descriptions to the model that chooses; longer ones crowd out the others. */
  descriptionLengthMax: 1024,
  domainsMax: 100,
} as const;
