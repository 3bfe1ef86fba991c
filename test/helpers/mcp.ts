/** The real SDK client against the real program, in both revisions of the protocol. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { openHeadgate } from "../../src/compose.ts";
import { asHeadgateError } from "../../src/surfaces/as-headgate-error.ts";
import { errorAnswer, refuse } from "../../src/surfaces/http/error-answer.ts";
import { createGuard } from "../../src/surfaces/http/guard.ts";
import { readJsonBody } from "../../src/surfaces/http/json-body.ts";
import { createMcpEndpoint } from "../../src/surfaces/mcp/index.ts";
import { copyRepository, git, makeRepository } from "./git-repository.ts";
import { cleanEnvironment, programPath } from "./program.ts";
import { type AtEnd, put, temporaryFolder } from "./temporary-folder.ts";
import { sharedParsers } from "./shared-parsers.ts";

export const revisions = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof revisions)[number];

/** One class with two methods, committed. */
export const mcpRepository = (atEnd?: AtEnd): string =>
  copyRepository(join(temporaryFolder(atEnd), "work"), "auth", (template) => {
    makeRepository(template);
    put(join(template, "src/auth.ts"), source);
    git(template, "add", ".");
    git(template, "commit", "--quiet", "--message", "Auth");
  });

export const source = `export class Auth {
  login(name: string): boolean {
    return name !== "";
  }

  logout(): void {}
}
`;

const newClient = (revision: Revision, name: string): Client =>
  new Client(
    { name, version: "1.0.0" },
    {
      versionNegotiation: {
        mode: revision === "2025-11-25" ? "legacy" : { pin: revision },
      },
    },
  );

export interface StdioOptions {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  readonly revision?: Revision;
  readonly name?: string;
  readonly args?: readonly string[];
  readonly atEnd?: AtEnd;
}

export const connectStdio = async (options: StdioOptions): Promise<Client> => {
  const { cwd, env = {}, revision = "2026-07-28", name = "test-client", args = [] } = options;
  const { atEnd = onTestFinished } = options;
  const client = newClient(revision, name);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programPath, "mcp", ...args],
    cwd,
    env: { ...cleanEnvironment(join(cwd, "..", "no-home")), ...env },
    stderr: "inherit",
  });
  await client.connect(transport);
  atEnd(() => client.close());
  return client;
};

export interface HttpPlace {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly cwd: string;
}

/** The endpoint behind the server's own guard. */
export const startMcpHttp = async (
  cwd: string = mcpRepository(),
  atEnd: AtEnd = onTestFinished,
): Promise<HttpPlace> => {
  const headgate = await openHeadgate({ repo: cwd, actor: "test-server", shared: sharedParsers });
  const token = "t".repeat(64);
  const defects: unknown[] = [];
  const onDefect = (error: unknown) => void defects.push(error);
  const endpoint = createMcpEndpoint({ headgate, version: "0.0.0", onDefect });
  // Else it may hang up on a connection that the client is about to use again, when a busy machine pauses a test.
  const server = createServer({ keepAliveTimeout: 0 });
  const guard = createGuard({ port: () => (server.address() as AddressInfo).port, token });
  const answer = getRequestListener(
    async (request, { outgoing }) => {
      try {
        const onSent = (done: () => void) => void outgoing.once("finish", done);
        return await endpoint.answer(request, await readJsonBody(request), onSent);
      } catch (error) {
        return errorAnswer(asHeadgateError(error));
      }
    },
    { overrideGlobalObjects: false },
  );
  server.on("request", (request, response) => {
    const refusal = guard.refusal(request);
    if (refusal) refuse(response, refusal);
    else void answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  atEnd(async () => {
    await endpoint.close();
    server.closeAllConnections();
    server.close();
    await headgate.close();
    if (defects.length > 0) throw defects[0];
  });
  return { url: `http://127.0.0.1:${port}/mcp`, port, token, cwd };
};

export const connectHttp = async (
  { url, token }: HttpPlace,
  options: {
    readonly actor?: string;
    readonly revision?: Revision;
    readonly name?: string;
    readonly atEnd?: AtEnd;
  } = {},
): Promise<Client> => {
  const { actor, revision = "2026-07-28", name = "test-client", atEnd = onTestFinished } = options;
  const client = newClient(revision, name);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(actor !== undefined && { "x-headgate-actor": actor }),
  };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  atEnd(() => client.close());
  return client;
};

export interface Called {
  readonly isError: boolean;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows which answer it asked for.
  readonly data: any;
}

/** The client checks the answer against the tool's output schema, once it has the list. */
export const call = async (
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client["callTool"]>[1] & { readonly meta?: Record<string, unknown> } = {},
): Promise<Called> => {
  const { meta, ...rest } = options;
  const result = await client.callTool(
    { name, arguments: args, ...(meta && { _meta: meta }) },
    rest,
  );
  const content = result.content as { type: string; text: string }[];
  return {
    isError: result.isError === true,
    text: content.map(({ text }) => text).join("\n"),
    data: result.structuredContent,
  };
};
