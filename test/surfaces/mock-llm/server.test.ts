import { existsSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type MockLlm,
  type Recorded,
  type Script,
  type Step,
  startMockLlm,
} from "../../../src/surfaces/mock-llm/index.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const steps = (...said: (Step | Step[])[]): Script => ({
  conversations: [{ steps: said.map((step) => (Array.isArray(step) ? step : [step])) }],
});

const start = async (script: Script): Promise<MockLlm & { seen: Recorded[] }> => {
  const seen: Recorded[] = [];
  const model = await startMockLlm(script, { onRequest: (one) => seen.push(one) });
  onTestFinished(() => model.close());
  return { ...model, seen };
};

const post = async (model: MockLlm, path: string, body: unknown) => {
  const answer = await fetch(model.address + path, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get("content-type"), text };
};

/** The data of every frame of a stream. */
const framesOf = (text: string): Record<string, unknown>[] =>
  text
    .split(/\r?\n\r?\n/)
    .flatMap((frame) => /^data: (\{.*)$/m.exec(frame)?.[1] ?? [])
    .map((json) => JSON.parse(json) as Record<string, unknown>);

const call = { name: "Write", input: { path: "a.ts" } };

/** One conversation in each protocol: asked, called a tool, was told its result. */
const protocols = {
  anthropic: {
    path: "/v1/messages?beta=true",
    first: {
      model: "m",
      stream: true,
      tools: [{ name: "Write" }],
      messages: [{ role: "user", content: "go" }],
    },
    more: [
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1_1", ...call }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "toolu_1_1",
            content: [{ type: "text", text: "no" }],
          },
        ],
      },
    ],
    list: "messages",
    id: "toolu_1_1",
  },
  responses: {
    path: "/v1/responses",
    first: {
      model: "m",
      stream: true,
      tools: [{ type: "function", name: "Write" }],
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "rules" }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
      ],
    },
    more: [
      { type: "reasoning", summary: [] },
      { type: "function_call", call_id: "call_1_1", name: "Write", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1_1", output: "no" },
    ],
    list: "input",
    id: "call_1_1",
  },
  chat: {
    path: "/v1/chat/completions",
    first: {
      model: "m",
      stream: true,
      tools: [{ type: "function", function: { name: "Write" } }],
      messages: [
        { role: "system", content: "rules" },
        { role: "user", content: [{ type: "text", text: "go" }] },
      ],
    },
    more: [
      { role: "assistant", content: null, tool_calls: [] },
      { role: "tool", tool_call_id: "call_1_1", content: "no" },
    ],
    list: "messages",
    id: "call_1_1",
  },
  gemini: {
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    first: {
      tools: [{ functionDeclarations: [{ name: "Write" }] }],
      contents: [{ role: "user", parts: [{ text: "go" }] }],
    },
    more: [
      { role: "model", parts: [{ functionCall: call }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "Write", response: { output: "no" } } }],
      },
    ],
    list: "contents",
    id: "Write",
  },
} as const;

type Protocol = keyof typeof protocols;
const names = Object.keys(protocols) as Protocol[];

const secondOf = (name: Protocol): Record<string, unknown> => {
  const { first, more, list } = protocols[name];
  const before = (first as Record<string, unknown>)[list] as unknown[];
  return { ...first, [list]: [...before, ...more] };
};

describe("the scripted model", () => {
  it.each(names)("%s: a tool call first, then what fits its result", async (name) => {
    const { path, first, id } = protocols[name];
    const model = await start(
      steps({ text: "I write.", calls: [call] }, [
        { when: "yes", text: "wrong" },
        { when: "no", text: "I see." },
      ]),
    );
    const one = await post(model, path, first);
    expect(one).toMatchObject({ status: 200, type: "text/event-stream" });
    const two = await post(model, path, secondOf(name));
    expect(framesOf(one.text)).toMatchSnapshot("first");
    expect(framesOf(two.text)).toMatchSnapshot("second");
    expect(two.text).toContain("I see.");
    expect(model.seen).toMatchObject([
      { wire: name, conversation: 0, step: 0, tools: ["Write"], lastUserText: "go", results: [] },
      { wire: name, step: 1, model: "m", results: [{ call: id, text: "no" }] },
    ]);
  });

  it.each(["anthropic", "responses", "chat"] as const)("%s: without a stream", async (name) => {
    const { path, first } = protocols[name];
    const model = await start(steps({ text: "I write.", calls: [call] }));
    const { type, text } = await post(model, path, { ...first, stream: false });
    expect(type).toBe("application/json");
    expect(JSON.parse(text)).toMatchSnapshot("whole");
  });

  it("gemini: without a stream", async () => {
    const model = await start(steps({ text: "hello" }));
    const { text } = await post(model, "/v1beta/models/m:generateContent", protocols.gemini.first);
    expect(JSON.parse(text)).toMatchObject({
      candidates: [{ content: { parts: [{ text: "hello" }] }, finishReason: "STOP" }],
    });
  });

  it("a free-form input and a tool of an MCP server go as Codex expects them", async () => {
    const model = await start(
      steps({
        calls: [
          { name: "apply_patch", input: "*** Begin Patch" },
          { name: "mcp__headgate__claim", input: { targets: ["a"] } },
        ],
      }),
    );
    const tools = [
      { type: "custom", name: "apply_patch" },
      { type: "namespace", name: "mcp__headgate", tools: [{ type: "function", name: "claim" }] },
      { type: "web_search" },
    ];
    const { text } = await post(model, "/v1/responses", { ...protocols.responses.first, tools });
    const items = framesOf(text).filter(({ type }) => type === "response.output_item.done");
    expect(items).toMatchObject([
      { item: { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" } },
      { item: { type: "function_call", name: "claim", namespace: "mcp__headgate" } },
    ]);
    expect(model.seen[0]?.tools).toEqual(["apply_patch", "mcp__headgate__claim", "web_search"]);
  });

  it("a tool that Codex hides is searched for first and called then", async () => {
    const model = await start(
      steps(
        { calls: [{ name: "tool_search", input: { query: "claim" } }] },
        { calls: [{ name: "mcp__headgate__claim", input: {} }] },
      ),
    );
    const { first } = protocols.responses;
    const one = await post(model, "/v1/responses", first);
    const [search] = framesOf(one.text).filter(({ type }) => type === "response.output_item.done");
    expect(search).toMatchObject({
      item: { type: "tool_search_call", execution: "client", arguments: { query: "claim" } },
    });
    const found = {
      type: "tool_search_output",
      call_id: "call_1_1",
      tools: [
        { type: "namespace", name: "mcp__headgate", tools: [{ type: "function", name: "claim" }] },
      ],
    };
    const input = [...first.input, (search as { item: unknown }).item, found];
    const two = await post(model, "/v1/responses", { ...first, input });
    const [called] = framesOf(two.text).filter(({ type }) => type === "response.output_item.done");
    expect(called).toMatchObject({ item: { name: "claim", namespace: "mcp__headgate" } });
    expect(model.seen[1]).toMatchObject({
      tools: ["Write", "mcp__headgate__claim"],
      results: [{ call: "call_1_1", text: expect.stringContaining("claim") }],
    });
  });

  it("tells sub-agents apart by their first message, and answers ok where no tools are offered", async () => {
    const model = await start({
      conversations: [
        { when: "You help", steps: [[{ text: "helping" }]] },
        { when: "go", steps: [[{ text: "going" }]] },
      ],
    });
    const ask = async (content: string, tools: unknown[] = [{ name: "Write" }]) =>
      (await post(model, "/v1/messages", { tools, messages: [{ role: "user", content }] })).text;
    expect(await ask("You help here")).toContain("helping");
    expect(await ask("go on")).toContain("going");
    expect(await ask("stop")).toContain("no conversation of the script fits");
    expect(await ask("go on", [])).toContain('"text":"ok"');
    expect(model.seen.map(({ conversation }) => conversation)).toEqual([0, 1, null, null]);
  });

  it("says done behind its last step, and says so when no alternative fits", async () => {
    const model = await start(steps([{ when: "never", text: "a" }]));
    const one = await post(model, protocols.chat.path, protocols.chat.first);
    expect(one.text).toContain("no alternative of step 1 fits");
    expect((await post(model, protocols.chat.path, secondOf("chat"))).text).toContain("done");
  });

  it.each(names)("%s: faults, and that they end after `times`", async (name) => {
    const { path, first } = protocols[name];
    const model = await start(steps({ status: 529, times: 1, text: "busy" }));
    expect(await post(model, path, first)).toMatchObject({
      status: 529,
      type: "application/json",
      text: expect.stringContaining("busy"),
    });
    expect(await post(model, path, first)).toMatchObject({ status: 200 });
    const garbage = await start(steps({ garbage: true }));
    const { text } = await post(garbage, path, first);
    expect(text).toBe("data: {not JSON\n\n");
    const cut = await start(steps({ cut: true, text: "a long answer" }));
    await expect(post(cut, path, first)).rejects.toThrow("terminated");
  });

  it("waits for a time, or until a file is there", async () => {
    const go = join(temporaryFolder(), "go");
    const model = await start(steps({ text: "a", delayMs: 60, untilFile: go }));
    const before = performance.now();
    const asked = post(model, protocols.chat.path, protocols.chat.first).then(() => existsSync(go));
    // Another question is answered first.
    await post(model, "/v1/messages/count_tokens", {});
    writeFileSync(go, "");
    expect(await asked).toBe(true);
    expect(performance.now() - before).toBeGreaterThan(50);
  });

  it("counts tokens, knows what it does not know, and refuses what is no JSON", async () => {
    const model = await start(steps({ text: "a" }));
    expect((await post(model, "/v1/messages/count_tokens", {})).text).toBe('{"input_tokens":1}');
    const counted = await post(model, "/v1beta/models/m:countTokens", {});
    expect(counted.text).toBe('{"totalTokens":1}');
    expect(await post(model, "/v1/embeddings", {})).toMatchObject({ status: 404 });
    expect(await post(model, "/v1/messages", "{")).toMatchObject({ status: 400 });
    expect((await fetch(model.address, { method: "HEAD" })).status).toBe(200);
    expect(model.seen).toEqual([]);
  });

  it.each([[{ host: "evil.example" }], [{ origin: "https://evil.example" }]])(
    "answers no page of a browser: %j",
    async (headers) => {
      const model = await start(steps({ text: "a" }));
      const status = await new Promise((done, fail) => {
        request(`${model.address}/v1/messages`, { method: "POST", headers }, (answer) => {
          answer.resume();
          done(answer.statusCode);
        })
          .on("error", fail)
          .end("{}");
      });
      expect(status).toBe(403);
      expect(model.seen).toEqual([]);
    },
  );

  it("listens on 127.0.0.1 only and says when its port is taken", async () => {
    const model = await start(steps({ text: "a" }));
    await expect(startMockLlm(steps({ text: "a" }), { port: model.port })).rejects.toMatchObject({
      code: "SERVER_PORT_IN_USE",
    });
    await expect(fetch(`http://127.0.0.2:${model.port}/`)).rejects.toThrow("fetch failed");
  });
});

it("a scripted text repeats what only the request holds: the last match, a group where there is one", async () => {
  const model = await start({
    conversations: [
      {
        withoutTools: true,
        steps: [[{ text: "<{{match:run=(\\w+)}}> <{{match:n=\\d}}> <{{match:absent}}>" }]],
      },
    ],
  });
  const content = "run=first n=1\nrun=last n=2";
  const { text } = await post(model, "/v1/messages", {
    model: "m",
    messages: [{ role: "user", content }],
  });
  expect(text).toContain("<last> <n=2> <>");
});
