import { asList, asObject, asText, type JsonObject } from "../../../base/json.ts";
import { asCount, errorOf, type Heard, type Protocol } from "../protocol.ts";
import { nameFor } from "./responses.ts";

/** `POST /v1/chat/completions`: OpenAI, and nearly everybody else. */
export const chat: Protocol = {
  headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  body: ({ system, prompt, schema, label }, model, outputTokensMax) => ({
    model,
    stream: true,
    stream_options: { include_usage: true },
    // Newer models of OpenAI take only the other name, and compatible services only this one.
    [/^(gpt-[5-9]|o\d)/.test(model) ? "max_completion_tokens" : "max_tokens"]: outputTokensMax,
    messages: [
      ...(system !== undefined && system !== "" ? [{ role: "system", content: system }] : []),
      { role: "user", content: prompt },
    ],
    ...(schema !== undefined && {
      response_format: {
        type: "json_schema",
        json_schema: { name: nameFor(label), schema, strict: true },
      },
    }),
  }),
  hear: (event, heard) => {
    hearCommon(event, heard);
    const choice = asObject(asList(event["choices"])[0]);
    heard.text += asText(asObject(choice["delta"])["content"]);
    hearFinish(asText(choice["finish_reason"]), heard);
    if (event["error"] !== undefined) heard.error = { message: errorOf(event), retryable: true };
  },
  hearWhole: (body, heard) => {
    hearCommon(body, heard);
    const choice = asObject(asList(body["choices"])[0]);
    heard.text = asText(asObject(choice["message"])["content"]);
    hearFinish(asText(choice["finish_reason"]), heard);
  },
};

const hearCommon = (body: JsonObject, heard: Heard): void => {
  if (asText(body["model"]) !== "") heard.model = asText(body["model"]);
  const usage = asObject(body["usage"]);
  heard.inputTokens = Math.max(heard.inputTokens, asCount(usage["prompt_tokens"]));
  heard.outputTokens = Math.max(heard.outputTokens, asCount(usage["completion_tokens"]));
};

const hearFinish = (reason: string, heard: Heard): void => {
  if (reason === "") return;
  heard.isOver = true;
  if (reason !== "stop") heard.stoppedBy = reason;
};
