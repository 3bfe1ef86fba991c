import { asList, asObject, asText, type Json } from "../../../base/json.ts";
import { type Said, summarise, textIn, tokensOf } from "../conversation.ts";
import type { Wire } from "../types.ts";

/** `POST /v1beta/models/<model>:streamGenerateContent` and its relatives. */
export const gemini: Wire = {
  name: "gemini",
  kindOf: (path) =>
    /:(stream)?generateContent$/i.test(path)
      ? "answer"
      : path.endsWith(":countTokens")
        ? "count"
        : undefined,
  read: (body, path) => ({
    model: /models\/([^:]*):/.exec(path)?.[1] ?? "",
    stream: path.endsWith(":streamGenerateContent"),
    tools: asList(body["tools"])
      .flatMap((tool) => asList(asObject(tool)["functionDeclarations"]))
      .map((one) => asText(asObject(one)["name"])),
    ...summarise(asList(body["contents"]).flatMap(saidIn)),
  }),
  reply: ({ text, calls }, { stream, model }, body) => {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      // The signature stands for the model's thoughts; clients send it back and some ask for one.
      ...calls.map(({ name, input: args }) => ({
        functionCall: { name, args },
        thoughtSignature: "AAAA",
      })),
    ];
    const prompt = tokensOf(body);
    const whole = {
      candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: prompt,
        candidatesTokenCount: 10,
        totalTokenCount: prompt + 10,
      },
      modelVersion: model,
    };
    const json = JSON.stringify(whole);
    return stream
      ? { type: "text/event-stream", parts: [`data: ${json}\r\n\r\n`] }
      : { type: "application/json", parts: [json] };
  },
  count: (body) => ({ totalTokens: tokensOf(body) }),
  error: (code, message) => ({
    error: { code, message, status: code >= 500 ? "INTERNAL" : "INVALID_ARGUMENT" },
  }),
};

const saidIn = (value: Json): Said[] => {
  const { role, parts } = asObject(value);
  if (role === "model") return [{ by: "model", text: textIn(parts) }];
  const results = asList(parts)
    .map((part) => asObject(asObject(part)["functionResponse"]))
    .filter((one) => one["name"] !== undefined)
    .map((one): Said => ({
      by: "tool",
      call: asText(one["name"]),
      text: resultText(asObject(one["response"])),
    }));
  const text = textIn(parts);
  return text === "" ? results : [...results, { by: "user", text }];
};

/** `{ output }` or `{ error }` with a text, otherwise whatever it is. */
const resultText = (response: Readonly<Record<string, Json>>): string =>
  asText(response["output"]) || asText(response["error"]) || JSON.stringify(response);
