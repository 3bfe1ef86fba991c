import { asList, asObject, asText, type JsonObject } from "../../../base/json.ts";
import { asCount, errorOf, type Heard, type Protocol } from "../protocol.ts";

/** `POST /v1/responses` */
export const responses: Protocol = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ system, prompt, schema, label }, model, outputTokensMax) => ({
    model,
    stream: true,
    store: false,
    max_output_tokens: outputTokensMax,
    ...(system !== undefined && system !== "" && { instructions: system }),
    input: [{ role: "user", content: [{ type: "input_text", text: prompt }] }],
    ...(schema !== undefined && {
      text: { format: { type: "json_schema", name: nameFor(label), schema, strict: true } },
    }),
  }),
  hear: (event, heard) => {
    const type = asText(event["type"]);
    if (type === "response.output_text.delta") heard.text += asText(event["delta"]);
    if (/^response\.(completed|incomplete|failed|done)$/.test(type)) {
      responses.hearWhole(asObject(event["response"]), heard);
    }
    if (type === "error") {
      heard.error = { message: errorOf(event) || asText(event["message"]), retryable: true };
    }
  },
  hearWhole: (body, heard) => {
    if (asText(body["model"]) !== "") heard.model = asText(body["model"]);
    const usage = asObject(body["usage"]);
    heard.inputTokens = asCount(usage["input_tokens"]);
    heard.outputTokens = asCount(usage["output_tokens"]);
    const text = textOf(body);
    if (text !== "") heard.text = text;
    hearEnd(body, heard);
  },
};

const hearEnd = (body: JsonObject, heard: Heard): void => {
  const status = asText(body["status"]);
  heard.isOver = status === "completed" || status === "incomplete";
  if (status === "incomplete") {
    heard.stoppedBy = asText(asObject(body["incomplete_details"])["reason"]) || "incomplete";
  }
  if (status === "failed") {
    const code = asText(asObject(body["error"])["code"]);
    heard.error = { message: errorOf(body), retryable: /server_error|rate_limit/.test(code) };
  }
};

const textOf = (body: JsonObject): string =>
  asList(body["output"])
    .flatMap((item) => asList(asObject(item)["content"]))
    .map((part) => asText(asObject(part)["text"]))
    .join("");

/** The service takes few characters. */
export const nameFor = (label: string): string =>
  label.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 60) || "answer";
