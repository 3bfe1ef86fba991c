import { asList, asObject, asText, type JsonObject } from "../../../base/json.ts";
import { asCount, errorOf, type Heard, type Protocol } from "../protocol.ts";

/** `POST /v1/messages` */
export const anthropic: Protocol = {
  headers: (key) => ({
    "anthropic-version": "2023-06-01",
    ...(key !== undefined && { "x-api-key": key }),
  }),
  body: ({ system, prompt }, model, outputTokensMax) => ({
    model,
    max_tokens: outputTokensMax,
    stream: true,
    ...(system !== undefined && system !== "" && { system }),
    messages: [{ role: "user", content: prompt }],
  }),
  hear: (event, heard) => {
    switch (event["type"]) {
      case "message_start": {
        const message = asObject(event["message"]);
        heard.model = asText(message["model"]);
        hearUsage(message["usage"] as JsonObject, heard);
        break;
      }
      case "content_block_delta":
        heard.text += asText(asObject(event["delta"])["text"]);
        break;
      case "message_delta":
        hearUsage(event["usage"] as JsonObject, heard);
        hearStop(asText(asObject(event["delta"])["stop_reason"]), heard);
        break;
      case "message_stop":
        heard.isOver = true;
        break;
      case "error": {
        const type = asText(asObject(event["error"])["type"]);
        const retryable = /overloaded|rate_limit|api_error|timeout/.test(type);
        heard.error = { message: errorOf(event), retryable };
      }
    }
  },
  hearWhole: (body, heard) => {
    heard.model = asText(body["model"]);
    heard.text = asList(body["content"])
      .map((block) => asText(asObject(block)["text"]))
      .join("");
    hearUsage(body["usage"] as JsonObject, heard);
    hearStop(asText(body["stop_reason"]), heard);
    heard.isOver = body["type"] === "message";
  },
};

const hearUsage = (value: JsonObject | undefined, heard: Heard): void => {
  const usage = asObject(value);
  const input =
    asCount(usage["input_tokens"]) +
    asCount(usage["cache_creation_input_tokens"]) +
    asCount(usage["cache_read_input_tokens"]);
  heard.inputTokens = Math.max(heard.inputTokens, input);
  heard.outputTokens = Math.max(heard.outputTokens, asCount(usage["output_tokens"]));
};

const hearStop = (reason: string, heard: Heard): void => {
  if (reason !== "" && reason !== "end_turn" && reason !== "stop_sequence")
    heard.stoppedBy = reason;
};
