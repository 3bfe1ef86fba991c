/** The protocol's own inspector and conformance scenarios (144 MB), installed when first needed. */
import { spawn } from "node:child_process";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { HttpPlace } from "./mcp.ts";
import { installPinned } from "./pinned-tools.ts";

/** The folder with `node_modules`. Throws where the registry cannot be reached. */
export const installMcpTools = (): Promise<string> => installPinned("mcp", "mcp-tools");

export interface ToolRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const runMcpTool = (
  folder: string,
  program: "conformance" | "mcp-inspector",
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<ToolRun> =>
  new Promise((done, fail) => {
    const child = spawn(
      process.execPath,
      [resolve(folder, "node_modules/.bin", program), ...args],
      {
        cwd: options.cwd,
        env: { PATH: process.env["PATH"] ?? "", HOME: options.cwd, ...options.env },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
    }
    child.on("error", fail).on("close", (code) => done({ code, ...text }));
  });

/**
 * The scenarios know no tokens: this adds it, and passes everything else on as it came, Host included.
 * They also call tools and resources of a demonstration server by name: these become ours that do the same.
 */
export const startTokenProxy = async ({ port, token }: HttpPlace): Promise<string> => {
  const proxy = createServer((request, response) => {
    const own = (proxy.address() as AddressInfo).port;
    const toServer = (text: string) => text.replace(new RegExp(`:${own}$`), `:${port}`);
    const { host = "", origin } = request.headers;
    const headers = {
      ...request.headers,
      host: toServer(host),
      ...(origin !== undefined && { origin: toServer(origin) }),
      authorization: `Bearer ${token}`,
    };
    const { method, url: path } = request;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.from(ourNames(Buffer.concat(chunks).toString("utf8")));
      const sent = { ...headers, "content-length": String(body.length) };
      const onward = httpRequest(
        { host: "127.0.0.1", port, method, path, headers: sent },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on("error", () => response.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
};

/** Claiming nothing is an error; the rules are a text. */
const ourNames = (body: string): string =>
  body
    .replace('"test_error_handling"', '"claim"')
    .replace('"test://static-text"', '"headgate://rules"');
