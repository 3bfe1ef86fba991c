import { asList, asObject, asText, type Json } from "../../../base/json.ts";
import { type Said, summarise, textIn, tokensOf } from "../conversation.ts";
import type { Wire } from "../types.ts";

/** `POST /v1/chat/completions`: opencode and most others. */
export const chat: Wire = {
  name: "chat",
  kindOf: (path) => (path.endsWith("/chat/completions") ? "answer" : undefined),
  read: (body) => ({
    model: asText(body["model"]),
    stream: body["stream"] === true,
    tools: asList(body["tools"]).map((tool) =>
      asText(asObject(asObject(tool)["function"])["name"]),
    ),
    ...summarise(asList(body["messages"]).map(saidIn)),
  }),
  reply: ({ number, text, calls }, { model, stream }, body) => {
    const toolCalls = calls.map(({ name, input }, index) => ({
      id: `call_${number}_${index + 1}`,
      type: "function",
      function: {
        name,
        arguments: typeof input === "string" ? input : JSON.stringify(input),
      },
    }));
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    const base = { id: `chatcmpl-${number}`, created: 0, model };
    const prompt = tokensOf(body);
    const usage = { prompt_tokens: prompt, completion_tokens: 10, total_tokens: prompt + 10 };
    if (!stream) {
      const message = {
        role: "assistant",
        content: text ?? null,
        ...(calls.length > 0 && { tool_calls: toolCalls }),
      };
      const whole = {
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        usage,
      };
      return { type: "application/json", parts: [JSON.stringify(whole)] };
    }
    const chunk = (delta: unknown, finish: string | null, more: object = {}): string => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      const data = { ...base, object: "chat.completion.chunk", choices, ...more };
      return `data: ${JSON.stringify(data)}\n\n`;
    };
    return {
      type: "text/event-stream",
      parts: [
        chunk({ role: "assistant", content: text ?? "" }, null),
        ...toolCalls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] }, null)),
        chunk({}, finish_reason, { usage }),
        "data: [DONE]\n\n",
      ],
    };
  },
  count: () => ({}),
  error: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null },
  }),
};

const saidIn = (value: Json): Said => {
  const message = asObject(value);
  const text = textIn(message["content"]);
  switch (message["role"]) {
    case "assistant":
      return { by: "model", text };
    case "tool":
      return { by: "tool", call: asText(message["tool_call_id"]), text };
    case "user":
      return { by: "user", text };
    default:
      return { by: "other", text };
  }
};
