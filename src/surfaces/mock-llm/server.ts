import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../base/clock.ts";
import { errnoOf, type Files, systemFiles } from "../../base/files.ts";
import { asObject, type Json, type JsonObject } from "../../base/json.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { chooseStep } from "./choose-step.ts";
import { fillText } from "./fill-text.ts";
import type { Recorded, Reply, Script, Step, Wire } from "./types.ts";
import { anthropic } from "./wires/anthropic.ts";
import { chat } from "./wires/chat.ts";
import { gemini } from "./wires/gemini.ts";
import { responses } from "./wires/responses.ts";

const wires: readonly Wire[] = [anthropic, responses, chat, gemini];

const bodyBytesMax = 64 * 1024 * 1024;
const untilFileMs = 120_000;
const lookEveryMs = 20;

export interface MockLlmOptions {
  /** 0, the default, lets the system choose. */
  readonly port?: number;
  /** Called for every request that is answered from the script, before the answer. */
  readonly onRequest?: (request: Recorded) => void;
  readonly clock?: Clock;
  readonly files?: Files;
}

export interface MockLlm {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1 only. Throws SERVER_PORT_IN_USE. */
export const startMockLlm = async (
  script: Script,
  options: MockLlmOptions = {},
): Promise<MockLlm> => {
  const answerer = createAnswerer(script, options);
  const server = createServer((request, response) => {
    answerer(request, response).catch((error: unknown) => {
      // The client went away in the middle; there is nobody left to tell.
      if (response.headersSent || response.destroyed) response.destroy();
      else answerJson(response, 500, { error: { message: showText(String(error)) } });
    });
  });
  await listen(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      if (errnoOf(cause) !== "EADDRINUSE") return reject(cause);
      const message = `port ${port} on 127.0.0.1 is in use`;
      reject(new HeadgateError("SERVER_PORT_IN_USE", message, { data: { port }, cause }));
    });
    server.listen({ host: "127.0.0.1", port, exclusive: true }, resolve);
  });

const createAnswerer = (script: Script, options: MockLlmOptions) => {
  const { onRequest, clock = systemClock, files = systemFiles } = options;
  const faultsMade = new Map<Step, number>();

  /** The fault that is due now, if any. */
  const faultOf = (step: Step): Step | undefined => {
    if (step.status === undefined && !step.cut && !step.garbage) return undefined;
    const made = faultsMade.get(step) ?? 0;
    faultsMade.set(step, made + 1);
    return made < (step.times ?? Number.POSITIVE_INFINITY) ? step : undefined;
  };

  const pause = async ({ delayMs, untilFile }: Step, gone: AbortSignal): Promise<void> => {
    if (delayMs !== undefined) await clock.sleep(delayMs, gone);
    if (untilFile === undefined) return;
    const deadlineMs = clock.monoMs() + untilFileMs;
    while (files.stat(untilFile) === undefined && !gone.aborted) {
      if (clock.monoMs() > deadlineMs) return;
      await clock.sleep(lookEveryMs, gone);
    }
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "/").replace(/\?.*$/s, "");
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    if (!isFromHere(request)) {
      return answerJson(response, 403, {
        error: { message: "only for programs of this computer" },
      });
    }
    if (request.method !== "POST") return answerJson(response, 200, { ok: true, data: [] });
    const wire = wires.find((one) => one.kindOf(path) !== undefined);
    if (!wire) {
      const message = `mock-llm has no ${showText(path)}`;
      return answerJson(response, 404, { error: { message } });
    }
    const body = await readBody(request);
    if (typeof body === "string") return answerJson(response, 400, wire.error(400, body));
    if (wire.kindOf(path) === "count") return answerJson(response, 200, wire.count(body));

    const asked = wire.read(body, path);
    const { conversation, step, said } = chooseStep(script, asked);
    const { model, tools, lastUserText, results } = asked;
    const name = wire.name;
    onRequest?.({
      wire: name,
      path,
      conversation,
      step,
      model,
      tools,
      lastUserText,
      results,
      body,
    });
    await pause(said, gone.signal);
    const fault = faultOf(said);
    if (fault?.status !== undefined) {
      const message = said.text ?? `mock-llm: status ${fault.status}, as the script says`;
      if (fault.retryAfter !== undefined) response.setHeader("retry-after", fault.retryAfter);
      return answerJson(response, fault.status, wire.error(fault.status, message));
    }
    const number = (conversation ?? 0) * 1000 + step + 1;
    const isEmpty = said.text === undefined && said.calls === undefined;
    const filled = said.text === undefined ? undefined : fillText(said.text, asked.lastUserText);
    const text = isEmpty ? "done" : filled?.repeat(said.repeat ?? 1);
    const answer = { number, text, calls: said.calls ?? [] };
    send(response, wire.reply(answer, asked, body), fault);
  };
};

/** A page in a browser must not talk to it, whatever name it calls us by. */
const isFromHere = ({ headers }: IncomingMessage): boolean =>
  headers.origin === undefined &&
  /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? "");

/** The body as an object, or what is wrong with it. */
const readBody = async (request: IncomingMessage): Promise<JsonObject | string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) return "mock-llm: the request is too large";
    chunks.push(chunk);
  }
  try {
    return asObject(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json);
  } catch {
    return "mock-llm: the request is not JSON";
  }
};

const answerJson = (response: ServerResponse, status: number, value: Json): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
};

const send = (response: ServerResponse, { type, parts }: Reply, fault: Step | undefined): void => {
  response.writeHead(200, { "content-type": type, "cache-control": "no-store" });
  if (fault?.garbage) {
    response.end(type === "application/json" ? "<html>not JSON" : "data: {not JSON\n\n");
    return;
  }
  const text = parts.join("");
  if (fault?.cut) {
    response.write(text.slice(0, text.length / 2), () => response.destroy());
    return;
  }
  response.end(text);
};
