/**
 * A model that says what a script tells it, for trying agent clients and their hooks without a network, an
 * account or a bill: `headgate mock-llm`. It speaks the protocols of Anthropic, OpenAI (responses and chat
 * completions) and Gemini, on this computer's loopback address only. Nothing in it knows Headgate.
 */
export { type MockLlm, type MockLlmOptions, startMockLlm } from "./server.ts";
export { parseScript } from "./script.ts";
export type * from "./types.ts";
