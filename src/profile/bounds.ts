/** The bounds of this room, with their reasons. What is over one of them is left out and noted. */
export const bounds = {
  /** The largest manifests people write have some hundred kilobytes; larger ones are generated. */
  manifestBytesMax: 1024 * 1024,
  /** All manifests of a tree; the largest public monorepos have a few thousand. */
  manifestsMax: 4_000,
  manifestBytesTotalMax: 64 * 1024 * 1024,
  /** How much of a README is read: the first paragraphs say what the project is. */
  readmeBytesMax: 16 * 1024,
  /** Names taken from one list of a manifest. */
  namesMax: 5_000,
  /** Files of a tree; git itself is asked to stop here through the size of its answer. */
  filesMax: 2_000_000,
  listingBytesMax: 512 * 1024 * 1024,
  /** Without git: a folder that is not a project (a home folder) must not be walked for minutes. */
  walkedFilesMax: 200_000,
  walkedDepthMax: 64,
  /** Sources without a manifest whose imports are looked at. */
  sampledSourcesMax: 24,
  sampledBytesMax: 64 * 1024,
  /** Packages that get a profile of their own. */
  packagesMax: 2_000,
  /** Lines with linguist attributes that are honoured, and their wildcards. */
  attributesMax: 500,
  patternLengthMax: 500,
  /** Elements inside each other in an XML manifest. */
  xmlDepthMax: 100,
  notesMax: 200,
} as const;
