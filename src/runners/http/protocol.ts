import { asObject, asText, type Json, type JsonObject } from "../../base/json.ts";
import type { RunRequest } from "../types.ts";

/** What has come in so far. */
export interface Heard {
  text: string;
  inputTokens: number;
  outputTokens: number;
  model?: string;
  /** The service said that the answer is over; without it, the stream was cut. */
  isOver: boolean;
  /** Over because of its length, or because the service stopped it. */
  stoppedBy?: string;
  /** An error inside a stream that began well. */
  error?: { readonly message: string; readonly retryable: boolean };
}

/** One of the services' own protocols; a file of protocols/. */
export interface Protocol {
  headers(key: string | undefined): Record<string, string>;
  body(request: RunRequest, model: string, outputTokensMax: number): JsonObject;
  /** One event of the stream. */
  hear(event: JsonObject, heard: Heard): void;
  /** A service that answered with one JSON body although a stream was asked for. */
  hearWhole(body: JsonObject, heard: Heard): void;
}

export const asCount = (value: Json | undefined): number =>
  typeof value === "number" && value > 0 ? value : 0;

/** `{ error: { message, type } }`, which all of them send. */
export const errorOf = (body: JsonObject): string => {
  const error = body["error"];
  if (typeof error === "string") return error;
  return asText(asObject(error)["message"]) || asText(body["message"]);
};
