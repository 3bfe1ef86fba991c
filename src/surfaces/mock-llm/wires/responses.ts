import { asList, asObject, asText, type Json, type JsonObject } from "../../../base/json.ts";
import { type Said, summarise, textIn, tokensOf } from "../conversation.ts";
import type { Answer, ToolCall, Wire } from "../types.ts";

/** `POST /v1/responses`, as Codex speaks it. */
export const responses: Wire = {
  name: "responses",
  kindOf: (path) => (path.endsWith("/responses") ? "answer" : undefined),
  read: (body) => {
    const { input } = body;
    const said: Said[] =
      typeof input === "string" ? [{ by: "user", text: input }] : asList(input).map(saidIn);
    return {
      model: asText(body["model"]),
      stream: body["stream"] === true,
      tools: namedTools(body).map(({ asked }) => asked),
      ...summarise(said),
    };
  },
  reply: (answer, { model, stream }, body) => {
    const output = itemsOf(answer, body);
    const response = {
      id: `resp_${answer.number}`,
      object: "response",
      created_at: 0,
      model,
      status: "in_progress",
      output: [],
    };
    const completed = {
      ...response,
      status: "completed",
      output,
      usage: {
        input_tokens: tokensOf(body),
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: tokensOf(body) + 10,
      },
    };
    if (!stream) return { type: "application/json", parts: [JSON.stringify(completed)] };
    const events = [
      { type: "response.created", response },
      ...output.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item },
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response: completed },
    ];
    return {
      type: "text/event-stream",
      parts: events.map(
        (event, at) =>
          `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`,
      ),
    };
  },
  count: () => ({}),
  error: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null },
  }),
};

const saidIn = (value: Json): Said => {
  const item = asObject(value);
  const type = asText(item["type"]) || "message";
  if (type === "tool_search_output") {
    return { by: "tool", call: asText(item["call_id"]), text: JSON.stringify(item["tools"] ?? []) };
  }
  if (type.endsWith("_call_output")) {
    const output = item["output"];
    // Some outputs are an object with the text inside.
    const text = textIn(output) || textIn(asObject(output)["content"]);
    return { by: "tool", call: asText(item["call_id"]), text };
  }
  if (type.endsWith("_call") || type === "reasoning") return { by: "model", text: "" };
  const text = textIn(item["content"]);
  if (item["role"] === "assistant") return { by: "model", text };
  return { by: item["role"] === "user" ? "user" : "other", text };
};

/**
 * Tools by the name a script uses; those of an MCP server stand inside a namespace. Codex offers some only
 * after they were searched for.
 */
const namedTools = (body: JsonObject): { asked: string; name: string; namespace?: string }[] =>
  [...asList(body["tools"]), ...asList(body["input"]).flatMap(foundTools)]
    .map(asObject)
    .flatMap((tool) => {
      const name = asText(tool["name"]) || asText(tool["type"]);
      if (tool["type"] !== "namespace") return [{ asked: name, name }];
      return asList(tool["tools"]).map((inner) => {
        const own = asText(asObject(inner)["name"]);
        return { asked: `${name.replace(/__$/, "")}__${own}`, name: own, namespace: name };
      });
    });

const foundTools = (item: Json): readonly Json[] => {
  const { type, tools } = asObject(item);
  return type === "tool_search_output" ? asList(tools) : [];
};

const itemsOf = ({ number, text, calls }: Answer, body: JsonObject): Json[] => [
  ...(text === undefined
    ? []
    : [
        {
          type: "message",
          id: `msg_${number}`,
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]),
  ...calls.map((call, at) => callItem(call, `${number}_${at + 1}`, body)),
];

const callItem = ({ name, input }: ToolCall, id: string, body: JsonObject): Json => {
  const call_id = `call_${id}`;
  if (typeof input === "string") {
    return { type: "custom_tool_call", id: `ctc_${id}`, call_id, name, input };
  }
  if (name === "tool_search") {
    return { type: "tool_search_call", call_id, execution: "client", arguments: input };
  }
  const tool = namedTools(body).find(({ asked }) => asked === name);
  return {
    type: "function_call",
    id: `fc_${id}`,
    call_id,
    name: tool?.name ?? name,
    ...(tool?.namespace !== undefined && { namespace: tool.namespace }),
    arguments: JSON.stringify(input),
    status: "completed",
  };
};
