/**
 * How much one piece of evidence says on its own. Kinds are weighed, not single signals, so that a new
 * signal needs no tuning. A signal listed by several domains is divided between them.
 */
export const weights = {
  definingFile: 0.6,
  uniqueFile: 0.35,
  commonFile: 0.06,
  framework: 0.55,
  helper: 0.15,
  entry: 0.35,
  commonEntry: 0.12,
  uniqueDirectory: 0.4,
  directory: 0.08,
  category: 0.3,
  statement: 0.35,
  keyword: 0.03,
  /** All keywords of a domain together. */
  keywordsMax: 0.15,
  /** All that says little (folders, helpers, common files and entries) together. */
  hintsMax: 0.35,
  /** From here on a piece of evidence bears out the names of folders. */
  support: 0.1,
  /** Share of the files in a language, times this, up to the maximum. */
  extensionSlope: 1.5,
  extensionMax: 0.6,
  /** A general language says little about the kind of project. */
  generalLanguage: 0.35,
  /** Of the lesser of the two domains that are combined. */
  combination: 0.9,
  /** What a package is sure of is found in the tree too, with this much at most. */
  fromPackage: 0.45,
  /** Part that a domain loses when the project calls itself something else. */
  unsaid: 0.25,
  /** Of the packages below a top that is a package of the same kind itself: they are parts of it. */
  partOfTop: 0.7,
} as const;

/** How much of a dependency's weight is left when it is not simply one. */
export const usedFor = { dev: 0.35, peer: 0.5, optional: 0.6 } as const;
export type Use = keyof typeof usedFor;

/**
 * A folder's name can say that what lies in it serves the project without being it. This much counts of
 * what is found there, unless hardly anything lies elsewhere.
 */
export const roleShare = {
  main: 1,
  example: 0.15,
  test: 0.05,
  docs: 0.3,
  tooling: 0.3,
  deployment: 0.3,
  settings: 0.05,
} as const;
export type Role = keyof typeof roleShare;

/** Deeper than this below its package, a file or folder tells more about its surroundings than about the project. */
export const depthFree = { "defining-file": 2, directory: 1 } as const;
/** What is left of it with every further level. */
export const depthLoss = 0.6;

export const detectedFrom = 0.4;
export const likelyFrom = 0.2;
export const primaryMargin = 0.1;
/** What is left, with every level, of a file that makes a project only at its top (two levels at most). */
export const belowTop = 0.5;
