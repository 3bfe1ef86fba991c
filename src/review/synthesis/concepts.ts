/**
 * Reviewers name one problem by different words: "data race", "not goroutine safe", "missing lock". Each
 * line holds words for the same thing. On the labelled set in eval/review, threshold chosen without the review that
 * is measured, the pairwise F1 is 0.889 with it and 0.874 without.
 */
import { stemOf } from "./stem.ts";

export const conceptOf = (stem: string): string | undefined => concepts.get(stem);

const lines: readonly string[] = [
  "race racy concurrent concurrency concurrently thread goroutine synchronise synchronize synchronization synchronised lock locking mutex atomic atomically simultaneous simultaneously parallel toctou",
  "leak leaked leaking cleanup release close dispose orphan orphaned teardown dangling",
  "inject injection escape unescaped sanitise sanitize sanitization xss traversal interpolate interpolation concatenate concatenation",
  "null nil none undefined nullable npe dereference nullpointerexception",
  "unbounded unlimited exhaust exhaustion oom memory bound bounded limit cap dos denial huge",
  "overflow bounds truncate truncation wrap wraparound underflow oob",
  "expire expired expires expiry expiration ttl stale outdated indefinitely",
  "auth authentication authenticated authorization authorisation permission access tenant idor privilege bypass",
  "swallow swallowed ignore ignored silent silently suppress suppressed discard discarded",
  "crash crashes panic throw throws exception uncaught unhandled abort terminate",
  "duplicate duplicated double twice repeat repeated repeatedly idempotent idempotency retry",
  "slow performance inefficient expensive latency overhead quadratic",
  "secret secrets password credential credentials apikey",
  "encode encoding utf charset unicode latin",
  "timezone utc clock timestamp date datetime monotonic",
  "test tests tested coverage untested",
  "rename naming typo spelling misspelled",
  "dead unused unreachable redundant unnecessary needless",
  "typing cast annotation annotations",
  "doc docs documentation docstring javadoc documented undocumented",
  "deadlock livelock hang hangs block blocks blocked stuck forever",
  "order ordering sort sorted unsorted unordered deterministic nondeterministic",
  "invert inverted negate negated reversed backwards opposite swapped",
  "hardcode hardcoded constant literal magic configurable",
  "validate validation validated unvalidated unchecked guard verify check",
  "log logs logged logging logger console print printed",
];

const concepts: ReadonlyMap<string, string> = new Map(
  lines.flatMap((line, index) =>
    line.split(" ").map((word): [string, string] => [stemOf(word), `=${index}`]),
  ),
);
