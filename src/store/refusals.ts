import { HeadgateError } from "../errors.ts";
import { plural } from "../base/text.ts";

/** Refusals that both adapters word the same way. */
export const closed = (location: string): HeadgateError =>
  new HeadgateError("STORE_UNAVAILABLE", `the store ${location} is closed`, { data: { location } });

export const readOnlyStore = (location: string, why: string): HeadgateError =>
  new HeadgateError("STORE_READ_ONLY", `cannot write to the store ${location}: ${why}`, {
    data: { location },
  });

export const changedWithoutEvent = (changes: number): HeadgateError =>
  new HeadgateError("INTERNAL", `a write changed ${plural(changes, "row")} without an event`);
