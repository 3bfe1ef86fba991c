import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A stranger on a TCP port: keeps what is sent to it, and answers as told. */
export const listening = async (
  options: { readonly port?: number; readonly answer?: string } = {},
): Promise<{
  readonly port: number;
  readonly received: string[];
  readonly connected: () => number;
}> => {
  const received: string[] = [];
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on("error", () => {});
    socket.setEncoding("latin1").on("data", (text: string) => {
      received.push(text);
      if (options.answer !== undefined) socket.end(options.answer);
    });
  });
  await new Promise<void>((ready, fail) => {
    server.once("error", fail).listen(options.port ?? 0, "127.0.0.1", ready);
  });
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, received, connected: () => count };
};
