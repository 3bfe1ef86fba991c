/**
 * `headgate demo`: eight scripted agents in a temporary repository, each a process of its own that edits through
 * the hooks that `init` installs. Nothing is staged but their mistakes: what is refused is refused by the gate,
 * and the summary is counted from the files and the event log.
 */
export { runAgent } from "./agent.ts";
export { type Cast, hireCast } from "./cast.ts";
export { checkAll, direct } from "./direct.ts";
export { makeStage, type Stage } from "./stage.ts";
export type * from "./types.ts";
