/**
 * What kind of project is this? `listing` lists the files that count (git ls-files; vendored, generated
 * and documentation files do not), `manifests/` reads the package files, `signals/` says per domain what
 * speaks for and against it, `score` weighs what was found. `cache` keeps a profile with its evidence,
 * `staleness` tells whether it still holds, by commit ids and digests, never by dates.
 */
export { type DetectOptions, detectProfile } from "./detect.ts";
export { openProfile, type ProfileOptions, type ProjectProfile } from "./open-profile.ts";
export { watchedPatterns } from "./signal-index.ts";
export { isWatched } from "./watched.ts";
export type * from "./types.ts";
/** Which files are somebody else's or a program's: reviews leave them out, too. */
export { isGeneratedName, isVendoredFolder } from "./path-rules.ts";
export { type AttributeRule, readAttributes, ruleFor } from "./attributes.ts";
