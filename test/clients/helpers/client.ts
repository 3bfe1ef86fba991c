import type { Step, ToolCall } from "../../../src/surfaces/mock-llm/index.ts";

export type ClientName = "claude" | "codex" | "copilot" | "gemini" | "opencode" | "qwen";

export interface Place {
  readonly repo: string;
  /** Fresh for every run: no login, no settings of this machine. */
  readonly home: string;
  /** Of the scripted model. */
  readonly address: string;
}

/** How one agent client is started without a person and how its model asks for things. */
export interface Client {
  readonly name: ClientName;
  /** Shown with the results. */
  readonly version: string;
  /** What must be there to run it. */
  readonly program: string;
  /** Writes what the client itself needs into HOME: where its model is, that the folder is trusted. */
  prepare(place: Place): void;
  argv(prompt: string): readonly string[];
  env(place: Place): Record<string, string>;
  /** The whole file is written, as this client's model asks for it. */
  write(place: Place, file: string, content: string): ToolCall;
  /** `before` is replaced, which the file has once. */
  replace(place: Place, file: string, before: string, after: string): ToolCall;
  /** What clients demand to be read before it may be changed; undefined where nothing is demanded. */
  read(place: Place, file: string): ToolCall | undefined;
  shell(command: string): ToolCall;
  mcp(tool: string, input: Record<string, unknown>): ToolCall;
}

/** A step of the model that asks for these things, all at once. */
export const asks = (...calls: (ToolCall | undefined)[]): Step => ({
  calls: calls.filter((call) => call !== undefined),
});
