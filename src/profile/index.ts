/**
 * What kind of project is this? `scan` lists the files that count (git ls-files; vendored, generated and
 * documentation files do not), `manifests/` reads the package files, `signals/` says per domain what
 * speaks for and against it, `score` weighs what was found. `cache` keeps a profile with its evidence,
 * `staleness` tells whether it still holds, by commit ids and digests, never by dates.
 */
export type * from "./types.ts";
