import type { Readable, Writable } from "node:stream";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import { Background } from "./background.ts";
import type { Doorway } from "./doorway.ts";
import type { Identify } from "./identity.ts";
import { createMcpServer, type Serving } from "./server.ts";

export interface StdioOptions {
  readonly doorway: Doorway;
  readonly identify: Identify;
  readonly version: string;
  readonly onDefect: (error: unknown) => void;
  readonly input: Readable;
  /** Carries protocol bytes and nothing else. */
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/**
 * Serves one client until it closes its end, or the signal aborts. Calls under way are cancelled then and
 * have a moment to end cleanly: whoever waits in line leaves it. Throws INPUT_TOO_LARGE.
 */
export const serveMcpStdio = async (options: StdioOptions): Promise<void> => {
  const { doorway, identify, version, onDefect, input, output, signal } = options;
  const calls = new Set<Promise<unknown>>();
  const background = new Background();
  let problem: HeadgateError | undefined;
  const transport = new StdioServerTransport(input, output, {
    maxBufferSize: limits.mcpMessageBytesMax,
  });
  const answered = new Map<string | number, (() => void)[]>();
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    const id = "id" in message && !("method" in message) ? message.id : undefined;
    if (id === undefined) return;
    for (const done of answered.get(id) ?? []) done();
    answered.delete(id);
  };
  const afterAnswer: Serving["afterAnswer"] = ({ mcpReq: { id } }, done) => {
    answered.set(id, [...(answered.get(id) ?? []), done]);
  };
  const closed = new Promise<void>((resolve) => {
    // `serveStdio` puts its own listener on the transport, so the end is watched at the stream as well.
    for (const event of ["end", "close", "error"]) input.once(event, () => resolve());
    output.once("error", () => resolve());
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const tooLarge = new Promise<void>((resolve) => {
    const handle = serveStdio(
      () =>
        createMcpServer({ doorway, identify, version, onDefect, calls, background, afterAnswer }),
      {
        transport,
        onerror: (error) => {
          if (!/buffer/i.test(error.message)) return;
          const message = `a message is larger than ${limits.mcpMessageBytesMax} bytes`;
          problem = new HeadgateError("INPUT_TOO_LARGE", message);
          resolve();
        },
      },
    );
    void closed.then(() => handle.close()).then(resolve, resolve);
  });
  await tooLarge;
  await settle(calls);
  await background.close();
  input.destroy();
  await doorway.close();
  if (problem) throw problem;
};

/** Ends as soon as all have ended; an edit in the middle of its writes gets the time it needs. */
const settle = async (calls: ReadonlySet<Promise<unknown>>): Promise<void> => {
  const ended = new AbortController();
  const all = Promise.allSettled([...calls]).then(() => ended.abort());
  await Promise.race([all, systemClock.sleep(limits.serverStartMs, ended.signal)]);
};
