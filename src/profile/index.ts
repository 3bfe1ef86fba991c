/**
 * What kind of project is this? `listing` lists the files that count (git ls-files; vendored, generated
 * and documentation files do not), `manifests/` reads the package files, `signals/` says per domain what
 * speaks for and against it, `score` weighs what was found. `cache` keeps a profile with its evidence,
 * `staleness` tells whether it still holds.
 * 1. Freshness is decided by commit ids and contents, never by dates, on one consistent snapshot (D-01, D-02).
 * 2. What counts as structural follows from the signals themselves, over the whole tree (D-05).
 * 3. A cache that is broken, older or newer is said so and detected anew; an older program never overwrites a newer
 *    one's (D-04, D-09). Every domain comes with its evidence. Nothing of the project is run.
 */
export { type DetectOptions, detectProfile } from "./detect.ts";
export { openProfile, type ProfileOptions, type ProjectProfile } from "./open-profile.ts";
export { watchedPatterns } from "./signal-index.ts";
export { isWatched } from "./watched.ts";
export type * from "./types.ts";
export { type AttributeRule, readAttributes, ruleFor } from "./attributes.ts";
