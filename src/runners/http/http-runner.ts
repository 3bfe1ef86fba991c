/** A model service by its own protocol: one request, read as it comes. */
import { HeadgateError } from "../../errors.ts";
import { asObject, type Json, type JsonObject } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { seconds, structuredIn, without } from "../answers.ts";
import { costOf } from "../cost.ts";
import { familyOf } from "../family.ts";
import { maskFor } from "../secrets.ts";
import type { HttpSpec, Ports } from "../spec.ts";
import type { RunAnswer, Runner, RunProgress, RunRequest } from "../types.ts";
import { createEventReader } from "./event-stream.ts";
import { errorOf, type Heard, type Protocol } from "./protocol.ts";
import { anthropic } from "./protocols/anthropic.ts";
import { chat } from "./protocols/chat.ts";
import { responses } from "./protocols/responses.ts";

const protocols: Readonly<Record<HttpSpec["protocol"], Protocol>> = { anthropic, responses, chat };

/** Answers once; asking again is `withRetries`. Throws RUNNER_NOT_READY when its key is not there. */
export const httpRunner = (name: string, spec: HttpSpec, ports: Ports): Runner => {
  const key = keyOf(name, spec, ports);
  const outputTokensMax = spec.outputTokensMax ?? limits.runnerOutputTokensMax;
  return {
    name,
    family: spec.family ?? familyOf(spec.model) ?? name,
    model: spec.model,
    cost: { ...(spec.prices && { prices: spec.prices }), outputTokensMax },
    run: (request, options) => ask({ request, ...options }, { spec, key, outputTokensMax, ports }),
  };
};

const keyOf = (name: string, { keyVariable }: HttpSpec, { environment }: Ports) => {
  if (keyVariable === undefined) return undefined;
  const key = environment.variables[keyVariable];
  if (key !== undefined && key !== "") return key;
  throw new HeadgateError(
    "RUNNER_NOT_READY",
    `runner ${showText(name)}: the variable ${keyVariable} with its key is not set`,
    { data: { runner: name, variable: keyVariable } },
  );
};

interface Asked {
  readonly request: RunRequest;
  readonly signal: AbortSignal;
  onProgress?(progress: RunProgress): void;
}

interface How {
  readonly spec: HttpSpec;
  readonly key: string | undefined;
  readonly outputTokensMax: number;
  readonly ports: Ports;
}

const ask = async (asked: Asked, how: How): Promise<RunAnswer> => {
  const { request, signal } = asked;
  const { ports, key } = how;
  if (signal.aborted) return without("cancelled", "cancelled");
  if (Buffer.byteLength(request.prompt) > limits.runnerPromptBytesMax) {
    return without("failed", `the prompt is larger than ${limits.runnerPromptBytesMax} bytes`);
  }
  const mask = maskFor(ports.environment.variables, key === undefined ? [] : [key]);
  const heard: Heard = { text: "", inputTokens: 0, outputTokens: 0, isOver: false };
  const stop = new AbortController();
  let isLate = false;
  const cancel = () => stop.abort();
  signal.addEventListener("abort", cancel);
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    await ports.clock.sleep(request.timeoutMs, over.signal);
    if (over.signal.aborted) return;
    isLate = true;
    stop.abort();
  };
  const watching = watch();
  let problem: Problem | undefined;
  try {
    problem = await exchange(asked, how, heard, stop.signal);
  } catch (error) {
    problem = { text: `the connection was lost: ${reasonOf(error)}`, retryable: true };
  } finally {
    over.abort();
    await watching;
    stop.abort();
    signal.removeEventListener("abort", cancel);
  }
  if (heard.text.length > limits.runnerTextLengthMax) heard.stoppedBy = "too-large";
  heard.text = heard.text.slice(0, limits.runnerTextLengthMax);
  const answer = answerOf(heard, problem, how);
  const paid = paidOf(answer);
  if (signal.aborted) return without("cancelled", "cancelled", paid);
  if (isLate) {
    return without("timeout", `did not finish in ${seconds(request.timeoutMs)}`, paid);
  }
  const structured = request.schema === undefined ? undefined : structuredIn(answer.text);
  return {
    ...answer,
    text: mask.hideKnown(answer.text),
    ...(structured !== undefined && { structured: mask.hideIn(structured) }),
    ...(answer.problem !== undefined && { problem: showText(mask.hide(answer.problem), 500) }),
  };
};

interface Problem {
  readonly text: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

const exchange = async (
  { request, onProgress }: Asked,
  { spec, key, outputTokensMax, ports }: How,
  heard: Heard,
  signal: AbortSignal,
): Promise<Problem | undefined> => {
  const protocol = protocols[spec.protocol];
  const response = await ports.fetch(spec.url, {
    method: "POST",
    // Elsewhere would get the key as well.
    redirect: "manual",
    signal,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      ...protocol.headers(key),
    },
    body: JSON.stringify(protocol.body(request, request.model ?? spec.model, outputTokensMax)),
  });
  if (response.status >= 300 && response.status < 400) {
    return {
      text: `it answered with a redirect (${response.status}), which is not followed`,
      retryable: false,
    };
  }
  const type = response.headers.get("content-type") ?? "";
  const isStream = response.ok && type.includes("text/event-stream");
  let [size, isBroken] = [0, false];
  const chunks: Uint8Array[] = [];
  const reader = createEventReader((data) => {
    if (data === "[DONE]") return;
    const event = tryJson(data);
    if (event === undefined) isBroken = true;
    else protocol.hear(event, heard);
    onProgress?.({
      characters: heard.text.length,
      // Services count at the end; until then about four characters are a token.
      outputTokens: Math.max(heard.outputTokens, Math.ceil(heard.text.length / 4)),
    });
  });
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (isStream) reader.take(chunk);
    else chunks.push(chunk);
    if (size > limits.runnerOutputBytesMax || heard.text.length > limits.runnerTextLengthMax) {
      heard.stoppedBy = "too-large";
      return undefined;
    }
  }
  if (isStream)
    return isBroken ? { text: "it sent an event that is not JSON", retryable: true } : undefined;
  const text = Buffer.concat(chunks).toString("utf8");
  const body = tryJson(text);
  if (!response.ok) return refusal(response, body, text);
  if (!body) return { text: "it did not answer with JSON", retryable: true };
  protocol.hearWhole(body, heard);
  return undefined;
};

const refusal = (response: Response, body: JsonObject | undefined, text: string): Problem => {
  const { status, headers } = response;
  const said = (body && errorOf(body)) || text.slice(0, 200).trim();
  const retryAfterMs = waitOf(headers);
  return {
    text: `it answered ${status}${said === "" ? "" : `: ${said}`}`,
    // 408 and 409 say themselves that they are for now; of the others only too many and its own faults.
    retryable: status === 429 || status === 408 || status === 409 || status >= 500,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
};

/** Seconds; a date would need a clock that agrees with theirs. */
const waitOf = (headers: Headers): number | undefined => {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms)) return Number(ms);
  const value = headers.get("retry-after");
  return value !== null && /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : undefined;
};

const answerOf = (heard: Heard, problem: Problem | undefined, { spec }: How): RunAnswer => {
  const usage = {
    inputTokens: heard.inputTokens,
    // A cut stream never came to its count.
    outputTokens: heard.outputTokens || Math.ceil(heard.text.length / 4),
  };
  const costUsd = costOf(undefined, usage, spec.prices);
  const base = {
    usage,
    ...(costUsd !== undefined && { costUsd }),
    model: heard.model || spec.model,
    tries: 1,
  };
  const isCut = !heard.isOver && heard.stoppedBy === undefined;
  const trouble: Problem | undefined =
    problem ??
    (heard.error && {
      text: heard.error.message || "it reported an error",
      retryable: heard.error.retryable,
    }) ??
    (isCut ? { text: "the answer was cut off", retryable: true } : undefined);
  const said = trouble && {
    problem: trouble.text,
    retryable: trouble.retryable,
    ...(trouble.retryAfterMs !== undefined && { retryAfterMs: trouble.retryAfterMs }),
  };
  if (heard.text === "") {
    const nothing =
      heard.stoppedBy === undefined ? "it gave no answer" : `it stopped: ${heard.stoppedBy}`;
    return { ended: "failed", text: "", truncated: false, ...base, problem: nothing, ...said };
  }
  return {
    ended: "answer",
    text: heard.text,
    ...base,
    truncated: trouble !== undefined || heard.stoppedBy !== undefined,
    ...(heard.stoppedBy !== undefined && {
      problem: `it stopped early: ${showText(heard.stoppedBy)}`,
    }),
    ...said,
  };
};

const paidOf = ({ usage, costUsd, model }: RunAnswer): Partial<RunAnswer> => ({
  usage,
  ...(costUsd !== undefined && { costUsd }),
  ...(model !== undefined && { model }),
});

const tryJson = (text: string): JsonObject | undefined => {
  try {
    return asObject(JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
};

/** Undici hides the reason behind "fetch failed". */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return (cause as NodeJS.ErrnoException).code ?? cause.message;
  return error instanceof Error ? error.message : String(error);
};
