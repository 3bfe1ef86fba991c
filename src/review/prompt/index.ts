/** What a reviewer is asked: who is a candidate, and the question as text. */
export { type CandidateOptions, candidatesOf } from "./candidates.ts";
export { type Prompt, promptFor, type PromptInput } from "./prompt.ts";
