import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import {
  openRunner,
  type RunnerSpec,
  type RunProgress,
  type RunRequest,
} from "../../src/runners/index.ts";
import { type Recorded, startMockLlm, type Step } from "../../src/surfaces/mock-llm/index.ts";
import { runnerPlace, unaborted } from "../helpers/runner-place.ts";

const key = "test-key-REDACTED-1234";
const protocols = [
  ["anthropic", "/v1/messages"],
  ["responses", "/v1/responses"],
  ["chat", "/v1/chat/completions"],
] as const;

/** Waits no real seconds, and remembers how long it was asked to. */
const quickClock = () => {
  const pauses: number[] = [];
  let skipped = 0;
  const clock: Clock = {
    ...systemClock,
    monoMs: () => systemClock.monoMs() + skipped,
    sleep: async (ms, signal) => {
      // The request's own deadline is far away, a pause is not.
      if (ms > 100_000) return systemClock.sleep(ms, signal);
      pauses.push(ms);
      skipped += ms;
    },
  };
  return { clock, pauses };
};

const model = async (steps: readonly Step[]) => {
  const seen: Recorded[] = [];
  const server = await startMockLlm(
    { conversations: [{ withoutTools: true, steps: steps.map((step) => [step]) }] },
    { onRequest: (request) => seen.push(request) },
  );
  onTestFinished(() => server.close());
  return { address: server.address, seen };
};

const service = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const open = async (url: string, more: Partial<Extract<RunnerSpec, { kind: "http" }>> = {}) => {
  const place = runnerPlace({ MODEL_KEY: key });
  const { clock, pauses } = quickClock();
  const runner = await openRunner(
    {
      kind: "http",
      protocol: "anthropic",
      url,
      model: "claude-x",
      keyVariable: "MODEL_KEY",
      ...more,
    },
    { ...place.ports, clock },
  );
  const request = (more: Partial<RunRequest> = {}) =>
    place.request({ timeoutMs: 300_000, ...more });
  return { runner, place: { ...place, request }, pauses };
};

const prices = { input: 3, output: 15 };

describe.each(protocols)("V-02 a model service by %s", (protocol, path) => {
  it("answers with text, tokens, cost and model, counted as they come", async () => {
    const { address, seen } = await model([{ text: "## Findings\nnone — keine" }]);
    const { runner, place } = await open(address + path, {
      protocol,
      prices,
      outputTokensMax: 100,
    });
    const progress: RunProgress[] = [];
    const answer = await runner.run(place.request({ system: "Be brief." }), {
      ...unaborted(),
      onProgress: (one) => progress.push(one),
    });
    expect(answer).toMatchObject({
      ended: "answer",
      text: "## Findings\nnone — keine",
      usage: { outputTokens: 10 },
      model: "claude-x",
      truncated: false,
      tries: 1,
    });
    expect(answer.usage.inputTokens).toBeGreaterThan(10);
    expect(answer.costUsd).toBeCloseTo((answer.usage.inputTokens * 3 + 150) / 1e6, 12);
    expect(progress.at(-1)?.characters).toBe(answer.text.length);
    expect(JSON.stringify(seen[0]!.body)).toContain("Be brief.");
    expect(JSON.stringify(seen[0]!.body)).toContain("100");
    expect(runner.family).toBe("claude");
  });

  it.each([[429], [529], [500], [503]])(
    "%i is asked again, after what Retry-After says",
    async (status) => {
      const { address, seen } = await model([
        { status, text: "later", times: 2, ...(status === 429 && { retryAfter: 7 }) },
      ]);
      const { runner, place, pauses } = await open(address + path, { protocol });
      const progress: RunProgress[] = [];
      const answer = await runner.run(place.request(), {
        ...unaborted(),
        onProgress: (one) => progress.push(one),
      });
      expect(answer).toMatchObject({ ended: "answer", tries: 3 });
      expect(seen).toHaveLength(3);
      expect(pauses).toHaveLength(2);
      if (status === 429) for (const ms of pauses) expect(ms).toBeGreaterThanOrEqual(7000);
      else {
        expect(pauses[0]).toBeGreaterThanOrEqual(500);
        expect(pauses[0]).toBeLessThan(1000);
        expect(pauses[1]).toBeGreaterThanOrEqual(1000);
      }
      expect(progress.some(({ why }) => why?.includes(String(status)))).toBe(true);
    },
  );

  it("a refusal for good is not asked again, and tells no key", async () => {
    const { address, seen } = await model([{ status: 401, text: `bad key ${key}` }]);
    const { runner, place } = await open(address + path, { protocol });
    const answer = await runner.run(place.request(), unaborted());
    expect(answer).toMatchObject({
      ended: "failed",
      tries: 1,
      problem: "it answered 401: bad key [secret]",
    });
    expect(seen).toHaveLength(1);
  });

  it("a cut stream is asked again, and what is left of the last try is truncated", async () => {
    const text = "words and words ".repeat(50);
    const { address, seen } = await model([{ text, cut: true }]);
    const { runner, place } = await open(address + path, { protocol, prices });
    const answer = await runner.run(place.request(), unaborted());
    expect(seen).toHaveLength(4);
    expect(answer).toMatchObject({ tries: 4, retryable: true });
    if (answer.ended === "answer") expect(answer).toMatchObject({ truncated: true });
    else expect(answer.problem).toMatch(/lost|cut/);
    const again = await model([{ text, cut: true, times: 1 }]);
    const other = await open(again.address + path, { protocol });
    expect(await other.runner.run(place.request(), unaborted())).toMatchObject({
      ended: "answer",
      text,
      truncated: false,
      tries: 2,
    });
  });

  it("nonsense of the right type is asked again, then said", async () => {
    const { address } = await model([{ text: "x", garbage: true }]);
    const { runner, place } = await open(address + path, { protocol });
    expect(await runner.run(place.request(), unaborted())).toMatchObject({
      ended: "failed",
      tries: 4,
      problem: "it sent an event that is not JSON",
    });
  });

  it("a huge answer is bounded", async () => {
    const { address } = await model([{ text: "0123456789", repeat: 1_000_000 }]);
    const { runner, place } = await open(address + path, { protocol });
    const answer = await runner.run(place.request(), unaborted());
    expect(answer.text.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(answer.truncated).toBe(true);
  });

  it("one that is too slow is ended by the clock, and so is one that is cancelled", async () => {
    const { address } = await model([{ text: "x", delayMs: 600_000 }]);
    const place = runnerPlace();
    const spec = { kind: "http", protocol, url: address + path, model: "m" } as const;
    const runner = await openRunner(spec, place.ports);
    expect(await runner.run(place.request({ timeoutMs: 300 }), unaborted())).toMatchObject({
      ended: "timeout",
    });
    const controller = new AbortController();
    const asked = runner.run(place.request(), { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect(await asked).toMatchObject({ ended: "cancelled" });
  });
});

describe("V-02 a model service", () => {
  it("a redirect is not followed: the key would go elsewhere", async () => {
    let asked = 0;
    const elsewhere = await service((_request, response) => {
      asked += 1;
      response.end("{}");
    });
    const address = await service((_request, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    const { runner, place } = await open(address);
    const answer = await runner.run(place.request(), unaborted());
    expect(answer).toMatchObject({ ended: "failed", tries: 1 });
    expect(answer.problem).toContain("redirect");
    expect(asked).toBe(0);
  });

  it("one that stops at its length limit has a truncated answer, which is not asked again", async () => {
    const address = await service((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const content = [{ type: "text", text: "half" }];
      response.end(
        JSON.stringify({ type: "message", content, stop_reason: "max_tokens", usage: {} }),
      );
    });
    const { runner, place } = await open(address);
    expect(await runner.run(place.request(), unaborted())).toMatchObject({
      ended: "answer",
      text: "half",
      truncated: true,
      tries: 1,
      problem: "it stopped early: max_tokens",
    });
  });

  it("characters that are cut between two packets arrive whole", async () => {
    const frame = `data: ${JSON.stringify({ choices: [{ delta: { content: "grün — 緑" }, finish_reason: "stop" }] })}\r\n\r\ndata: [DONE]\r\n\r\n`;
    const bytes = Buffer.from(frame);
    const address = await service(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise((done) => setImmediate(done));
      }
      response.end();
    });
    const { runner, place } = await open(address, { protocol: "chat" });
    expect(await runner.run(place.request(), unaborted())).toMatchObject({
      text: "grün — 緑",
      truncated: false,
    });
  });

  it("nobody there is asked again, within the request's time", async () => {
    const { runner, place, pauses } = await open("http://127.0.0.1:9/v1/messages");
    const answer = await runner.run(place.request(), unaborted());
    expect(answer).toMatchObject({ ended: "failed", tries: 4 });
    expect(answer.problem).toMatch(/connection was lost/);
    expect(pauses).toHaveLength(3);
  });

  it("a wait that is longer than the time left is not waited for", async () => {
    const { address, seen } = await model([{ status: 429, retryAfter: 3600 }]);
    const { runner, place } = await open(`${address}/v1/messages`);
    const answer = await runner.run(place.request(), unaborted());
    expect(answer).toMatchObject({ ended: "failed", tries: 1 });
    expect(answer.problem).toContain("would be too late");
    expect(seen).toHaveLength(1);
  });

  it("without its key it is not ready, and says which variable", async () => {
    const place = runnerPlace();
    const spec = {
      kind: "http",
      protocol: "chat",
      url: "https://x.example/",
      model: "m",
      keyVariable: "NO_KEY",
    } as const;
    await expect(openRunner(spec, place.ports)).rejects.toThrow(/the variable NO_KEY/);
  });
});
