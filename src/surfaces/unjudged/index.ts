/**
 * Writes that nothing is known about yet: their judgement ran out of time or room. The hooks put them here and
 * judge them later (hooks/ring/settle-unjudged.ts), so does the server; git's pre-commit settles those that it
 * judges itself; `status` shows those that wait.
 */
export { type UnjudgedWrite, UnjudgedWrites } from "./unjudged-writes.ts";
