import { readFileSync } from "node:fs";

/** Runs or is stopped; a process that ended and was not waited for is not alive. Linux. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};
