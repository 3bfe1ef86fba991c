import type { Json, JsonObject } from "../../base/json.ts";

/** What the model says, in order. docs/mock-llm.md explains each word to people who write scripts. */
export interface Script {
  readonly conversations: readonly Conversation[];
}

export interface Conversation {
  /** Contained in the first message of the user; sub-agents are told apart by it. Absent: any. */
  readonly when?: string;
  /** Also for requests that offer no tools; others are answered "ok", as they only ask for titles. */
  readonly withoutTools?: boolean;
  /** One per answer; where there are alternatives, the first whose `when` fits. */
  readonly steps: readonly (readonly Step[])[];
}

export interface Step extends Fault {
  /** Contained in what came last: the user's text or a tool's result. */
  readonly when?: string;
  readonly text?: string;
  /** The text so many times: a huge answer. */
  readonly repeat?: number;
  readonly calls?: readonly ToolCall[];
  readonly delayMs?: number;
  /** The answer waits until this file exists: how a test holds a client at a place. */
  readonly untilFile?: string;
}

export interface ToolCall {
  readonly name: string;
  /** A text is a free-form input, as Codex' apply_patch takes it. */
  readonly input: Json;
}

export interface Fault {
  /** Answered with this HTTP status instead. */
  readonly status?: number;
  /** With the header Retry-After, in seconds. */
  readonly retryAfter?: number;
  /** The connection ends in the middle of the answer. */
  readonly cut?: boolean;
  /** The answer has the right type and holds nonsense. */
  readonly garbage?: boolean;
  /** The fault is over after so many requests for this step; otherwise it stays. */
  readonly times?: number;
}

/** A request of any of the protocols, in our words. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Names of the offered tools, as a script calls them. */
  readonly tools: readonly string[];
  /** How often the model has spoken; several items in a row are one answer. */
  readonly answers: number;
  readonly firstUserText: string;
  readonly lastUserText: string;
  /** What the tools answered since the model spoke last. */
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  /** The call's id, or the tool's name where the protocol has no ids. */
  readonly call: string;
  readonly text: string;
}

export interface Answer {
  /** Makes ids unique and stable: the same request gets the same answer. */
  readonly number: number;
  readonly text: string | undefined;
  readonly calls: readonly ToolCall[];
}

/** What goes over the line: a stream in parts, or one JSON body. */
export interface Reply {
  readonly type: "text/event-stream" | "application/json";
  readonly parts: readonly string[];
}

/** One protocol: a file of wires/. */
export interface Wire {
  readonly name: "anthropic" | "responses" | "chat" | "gemini";
  /** `path` without the query. Undefined: not of this protocol. */
  kindOf(path: string): "answer" | "count" | undefined;
  read(body: JsonObject, path: string): ModelRequest;
  reply(answer: Answer, request: ModelRequest, body: JsonObject): Reply;
  /** The number of tokens, made up. */
  count(body: JsonObject): Json;
  error(status: number, message: string): Json;
}

/** One line of the recording. */
export interface Recorded {
  readonly wire: Wire["name"];
  readonly path: string;
  readonly conversation: number | null;
  readonly step: number;
  readonly model: string;
  readonly tools: readonly string[];
  readonly lastUserText: string;
  readonly results: readonly ToolResult[];
  readonly body: JsonObject;
}
