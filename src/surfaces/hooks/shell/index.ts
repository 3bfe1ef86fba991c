/**
 * What a command line of an agent does to files, as far as that is certain, and whether it may. What is
 * not certain is never refused here: the ring finds afterwards what was written around the gate.
 */
export type * from "./types.ts";
export { readCommand } from "./read-command.ts";
export { shellLimits } from "./text-cursor.ts";
export { judgeShell } from "./judge-shell.ts";
export { type DirtyFile, listDirty } from "./dirty-files.ts";
