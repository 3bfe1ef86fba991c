import { asList, asObject, asText, type Json } from "../../../base/json.ts";
import { type Said, summarise, textIn, tokensOf } from "../conversation.ts";
import type { Wire } from "../types.ts";

/** `POST /v1/messages`, as Claude Code speaks it. */
export const anthropic: Wire = {
  name: "anthropic",
  kindOf: (path) =>
    path.endsWith("/v1/messages")
      ? "answer"
      : path.endsWith("/v1/messages/count_tokens")
        ? "count"
        : undefined,
  read: (body) => ({
    model: asText(body["model"]),
    stream: body["stream"] === true,
    tools: asList(body["tools"]).map((tool) => asText(asObject(tool)["name"])),
    ...summarise(asList(body["messages"]).flatMap(saidIn)),
  }),
  reply: ({ number, text, calls }, { model, stream }, body) => {
    const blocks: Json[] = [
      ...(text === undefined ? [] : [{ type: "text", text }]),
      ...calls.map(({ name, input }, at) => ({
        type: "tool_use",
        id: `toolu_${number}_${at + 1}`,
        name,
        input,
      })),
    ];
    const stopReason = calls.length > 0 ? "tool_use" : "end_turn";
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model,
      content: blocks,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: { input_tokens: tokensOf(body), output_tokens: 10 },
    };
    if (!stream) return { type: "application/json", parts: [JSON.stringify(message)] };
    return {
      type: "text/event-stream",
      parts: [
        frame("message_start", { message: { ...message, content: [], stop_reason: null } }),
        ...blocks.flatMap((block, index) => blockFrames(asObject(block), index)),
        frame("message_delta", {
          delta: { stop_reason: stopReason, stop_sequence: null },
          usage: { output_tokens: 10 },
        }),
        frame("message_stop", {}),
      ],
    };
  },
  count: (body) => ({ input_tokens: tokensOf(body) }),
  error: (status, message) => ({
    type: "error",
    error: { type: status >= 500 ? "api_error" : "invalid_request_error", message },
  }),
};

const saidIn = (message: Json): Said[] => {
  const { role, content } = asObject(message);
  if (role === "assistant") return [{ by: "model", text: textIn(content ?? "") }];
  if (role !== "user") return [];
  const results = asList(content)
    .map(asObject)
    .filter(({ type }) => type === "tool_result")
    .map((block): Said => ({
      by: "tool",
      call: asText(block["tool_use_id"]),
      text: textIn(block["content"]),
    }));
  const text = textIn(content);
  return text === "" ? results : [...results, { by: "user", text }];
};

const frame = (type: string, data: Record<string, unknown>): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;

const blockFrames = (block: Readonly<Record<string, Json>>, index: number): string[] => {
  const isText = block["type"] === "text";
  const start = isText ? { ...block, text: "" } : { ...block, input: {} };
  const delta = isText
    ? { type: "text_delta", text: block["text"] }
    : { type: "input_json_delta", partial_json: JSON.stringify(block["input"]) };
  return [
    frame("content_block_start", { index, content_block: start }),
    frame("content_block_delta", { index, delta }),
    frame("content_block_stop", { index }),
  ];
};
