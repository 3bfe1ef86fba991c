import { HeadgateError } from "../errors.ts";

/** For programmer errors only: always on, never caught below a surface. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new HeadgateError("INTERNAL", message);
}
