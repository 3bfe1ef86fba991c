export { type CandidateOptions, candidatesOf } from "./candidates.ts";
export { type Prompt, promptFor, type PromptInput } from "./prompt.ts";
