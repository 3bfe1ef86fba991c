/**
 * One MCP server object: what it lists and how a call goes. It is made anew for every connection (over
 * HTTP: for every request), so that no answer can reach another client (E10); what it lists is the same.
 *
 * The SDK's low-level class, not McpServer: the list is static, arguments are checked by us, and every
 * failure of a tool must be our coded JSON.
 */
import { systemEnvironment } from "../../base/environment.ts";
import { refuseTrackedState } from "../../git/index.ts";
import { toJsonSchema } from "@valibot/to-json-schema";
import {
  type JSONObject,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import type { Actor } from "../../claims/index.ts";
import type { Acting, Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import { asHeadgateError } from "../as-headgate-error.ts";
import { failureResult, toolResult, type ToolResult } from "./answers.ts";
import type { Background } from "./background.ts";
import type { Cancelling } from "./cancelling.ts";
import type { Doorway } from "./doorway.ts";
import type { Caller, Identify } from "./identity.ts";
import { withNotices } from "./notices.ts";
import { withProgress } from "./progress.ts";
import { resources } from "./resources.ts";
import { instructions } from "./rules.ts";
import type { Tool, ToolCall } from "./tool.ts";
import { tools } from "./tools/index.ts";

export interface Serving {
  readonly doorway: Doorway;
  readonly identify: Identify;
  readonly version: string;
  /** Told of every failure that is a defect of ours. */
  readonly onDefect: (error: unknown) => void;
  /** What goes on between calls. */
  readonly background: Background;
  /** Calls under way over all connections. */
  readonly calls: Set<Promise<unknown>>;
  /** Runs something once the answer to this request has left this process. */
  readonly afterAnswer: (context: ServerContext, done: () => void) => void;
  /** Where the wish to cancel may come by another way. */
  readonly cancelling?: Cancelling;
}

export const createMcpServer = (serving: Serving): Server => {
  const { doorway, version, onDefect } = serving;
  const server = new Server(
    { name: "headgate", title: "Headgate", version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: { "tools/list": staticList, "resources/list": staticList },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolList() }));
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name, arguments: args } = request.params;
    const tool = tools.find((one) => one.name === name);
    if (!tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no such tool: ${showText(name)}`);
    }
    return tracked(serving, () => callTool(tool, args, { serving, server, context }));
  });
  server.setRequestHandler("resources/list", () => ({
    resources: resources.map(({ uri, name, title, description, mimeType }) => ({
      uri,
      name,
      title,
      description,
      mimeType,
    })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const resource = resources.find((one) => one.uri === uri);
    if (!resource) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `no such resource: ${showText(uri)}`,
      );
    }
    try {
      const text = await resource.read((work) => doorway.use(work));
      return { contents: [{ uri, mimeType: resource.mimeType, text }] };
    } catch (error) {
      const known = asHeadgateError(error);
      if (known.code === "INTERNAL") onDefect(error);
      const told = failureResult(error).structuredContent;
      throw new ProtocolError(ProtocolErrorCode.InternalError, String(told["message"]), told);
    }
  });
  return server;
};

/** It changes with the program only. */
const staticList = { ttlMs: 3_600_000, cacheScope: "public" } as const;

let listed: ListToolsResult["tools"] | undefined;

/** Made when it is first asked for: turning schemas into JSON takes a few milliseconds. */
export const toolList = (): ListToolsResult["tools"] =>
  (listed ??= tools.map(({ name, title, description, annotations, input, output }) => ({
    name,
    title,
    description,
    inputSchema: jsonSchema(input),
    outputSchema: jsonSchema(output),
    annotations,
  })));

const jsonSchema = (schema: Tool["input"]) => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: "draft-2020-12" });
  // The same once more as plain JSON: the SDK's types know no optional undefined.
  return { ...(JSON.parse(JSON.stringify(rest)) as JSONObject), type: "object" as const };
};

const tracked = async (
  { calls }: Serving,
  work: () => Promise<ToolResult>,
): Promise<ToolResult> => {
  if (calls.size >= limits.mcpCallsMax) {
    return failureResult(
      new HeadgateError(
        "MCP_BUSY",
        `${limits.mcpCallsMax} calls are under way; wait for one to end`,
      ),
    );
  }
  const call = work();
  calls.add(call);
  try {
    return await call;
  } finally {
    calls.delete(call);
  }
};

interface CallParts {
  readonly serving: Serving;
  readonly server: Server;
  readonly context: ServerContext;
}

/** Never throws: what fails is an answer that says so. */
const callTool = async (tool: Tool, args: unknown, parts: CallParts): Promise<ToolResult> => {
  const { doorway, onDefect } = parts.serving;
  // With the notices that came with it; the doorway has to see what was thrown.
  let failure: ToolResult | undefined;
  try {
    const { serving, server, context } = parts;
    const actor = serving.identify(callerOf(server, context));
    const run = (signals: readonly (AbortSignal | undefined)[]) =>
      doorway.use(async (headgate) => {
        await refuseTrackedState(headgate.repository, systemEnvironment());
        const signal = AbortSignal.any(signals.filter((one) => one !== undefined));
        const present = await presentActor(headgate, actor);
        const call = toolCall(headgate, { actor: present, signal, context, serving });
        const tell = async (result: ToolResult): Promise<ToolResult> =>
          present ? addNotices(result, headgate.as(present), call) : result;
        try {
          return await tell(toolResult(await tool.run(args, call)));
        } catch (error) {
          failure = await tell(failureResult(error));
          throw error;
        }
      });
    // Without its connection nobody gets the answer.
    const own = [context.mcpReq.signal, context.http?.req?.signal];
    if (!serving.cancelling || !actor) return await run(own);
    const call = { actor: actor.id, id: context.mcpReq.id };
    return await serving.cancelling.during(call, (signal) => run([...own, signal]));
  } catch (error) {
    if (asHeadgateError(error).code === "INTERNAL") onDefect(error);
    return failure ?? failureResult(error);
  }
};

/** The tool has done its work: notices that cannot be read must not make its answer a failure. */
const addNotices = async (
  result: ToolResult,
  acting: Acting,
  call: ToolCall,
): Promise<ToolResult> => {
  try {
    const { taken, result: full } = await withNotices(result, acting);
    if (taken) call.whenAnswered(() => taken.delivered());
    return full;
  } catch (error) {
    if (asHeadgateError(error).code === "INTERNAL") throw error;
    return result;
  }
};

/** The client may have begun another session since it started this server, or never told us of one. */
const presentActor = async (
  headgate: Headgate,
  actor: Actor | undefined,
): Promise<Actor | undefined> => {
  if (!actor?.process || actor.id !== actor.session) return actor;
  return (await headgate.as(actor).claims.currentSession()) ?? actor;
};

const toolCall = (
  headgate: Headgate,
  {
    actor,
    signal,
    context,
    serving,
  }: {
    readonly serving: Serving;
    readonly actor: Actor | undefined;
    readonly signal: AbortSignal;
    readonly context: ServerContext;
  },
): ToolCall => {
  const { notify } = context.mcpReq;
  const acting = actor && headgate.as(actor);
  return {
    headgate,
    signal,
    whenAnswered: (work) => {
      const { doorway, calls, afterAnswer } = serving;
      afterAnswer(context, () => {
        // A notice whose delivery is not recorded comes again, marked as repeated.
        const recording = doorway.use(work).catch(() => {});
        calls.add(recording);
        void recording.finally(() => calls.delete(recording));
      });
    },
    isKnown: acting !== undefined,
    looker: acting ?? headgate.as(nobody),
    actor: () => {
      if (acting) return acting;
      throw new HeadgateError(
        "ACTOR_INVALID",
        "nobody knows who calls: let the client send the header X-Headgate-Actor (claude:SESSION)",
      );
    },
    background: (work) => {
      const { doorway, background, onDefect } = serving;
      return background.start((stopped, began) =>
        doorway.use(async (own) => {
          try {
            await work(own, stopped, began);
          } catch (error) {
            if (asHeadgateError(error).code === "INTERNAL") onDefect(error);
            throw error;
          }
        }),
      );
    },
    withProgress: (told, work) =>
      withProgress(
        {
          token: context.mcpReq._meta?.progressToken,
          signal,
          send: (notification) => notify(notification),
        },
        told,
        work,
      ),
  };
};

/** Looks at claims like anybody, and holds none. */
const nobody = "mcp:unnamed";

const callerOf = (server: Server, { mcpReq, http }: ServerContext): Caller => {
  const envelope = (mcpReq.envelope ?? {}) as Record<string, unknown>;
  const info = envelope["io.modelcontextprotocol/clientInfo"] ?? server.getClientVersion();
  const name = (info as { readonly name?: unknown } | undefined)?.name;
  const header = http?.req?.headers.get("x-headgate-actor");
  return {
    meta: { ...mcpReq._meta },
    clientName: typeof name === "string" ? name : "",
    ...(typeof header === "string" && { header }),
  };
};
