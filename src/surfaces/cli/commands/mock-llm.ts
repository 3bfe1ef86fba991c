import { resolve } from "node:path";
import { openFlags, systemFiles } from "../../../base/files.ts";
import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Recorded, Script } from "../../mock-llm/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { whyNot } from "../read-bounded.ts";
import { alignedLines } from "../table.ts";

export const command: Command = {
  summary: "Start a scripted model, to try agent clients without a network",
  usage: ["mock-llm [--port N] [--script FILE] [--record FILE]"],
  description:
    "Speaks the protocols of Anthropic, OpenAI (responses and chat completions) and Gemini on 127.0.0.1 and " +
    "answers what the script says: texts, tool calls, faults. Which step is next follows from the request " +
    'alone. Without a script it says "done" to everything. Runs until Ctrl-C. docs/mock-llm.md has the ' +
    "form of a script and how to point each client here.",
  options: {
    port: {
      type: "string",
      value: "N",
      description: "Listen on this port (default: any free one)",
    },
    script: {
      type: "string",
      value: "FILE",
      description: "What the model says: JSON with comments",
    },
    record: {
      type: "string",
      value: "FILE",
      description: "Add every request to this file, one JSON object per line",
    },
  },
  examples: [
    ["headgate mock-llm --script hello.jsonc", "start, and stay until Ctrl-C"],
    ["headgate mock-llm --port 8130 --record seen.jsonl", "keep what the client sent"],
  ],
  exits: [
    [0, "stopped by Ctrl-C"],
    [2, "the script is not of the documented form"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output, signal } = context;
    const port = flags.integer("port", { min: 0, max: 65_535 }) ?? 0;
    const { startMockLlm } = await import("../../mock-llm/index.ts");
    const script = await readScript(context);
    using record = openRecord(context);
    const model = await startMockLlm(script, { port, onRequest: (request) => record.add(request) });
    try {
      const { address } = model;
      output.object({ ok: true, state: "running", address, port: model.port });
      output.line(`${output.style.bold("The scripted model is running")} at ${address}`);
      const rows = [
        ["  Claude Code", `ANTHROPIC_BASE_URL=${address}  ANTHROPIC_API_KEY=dummy`],
        ["  Gemini CLI", `GOOGLE_GEMINI_BASE_URL=${address}  GEMINI_API_KEY=dummy`],
        ["  Codex, opencode", `base URL ${address}/v1`],
        ["  stop", "Ctrl-C"],
      ];
      for (const line of alignedLines(rows, (cell) => cell)) output.line(line);
      await untilAborted(signal);
    } finally {
      await model.close();
    }
    return 0;
  },
};

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done(), { once: true });
  });

const readScript = async ({ flags, environment }: CommandContext): Promise<Script> => {
  const name = flags.text("script");
  if (name === undefined) return { conversations: [{ steps: [], withoutTools: true }] };
  const { parseScript } = await import("../../mock-llm/index.ts");
  let bytes: Buffer;
  try {
    bytes = systemFiles.readFile(resolve(environment.cwd, name));
  } catch (error) {
    throw new HeadgateError("USAGE", `cannot read ${showText(name)}: ${whyNot(error)}`);
  }
  return parseScript(bytes.toString("utf8"), name);
};

/** Requests hold what the client's user typed: the file is for its owner alone. */
const openRecord = ({
  flags,
  environment,
}: CommandContext): Disposable & { add(request: Recorded): void } => {
  const name = flags.text("record");
  if (name === undefined) return { add: () => {}, [Symbol.dispose]: () => {} };
  const path = resolve(environment.cwd, name);
  let fd: number;
  try {
    fd = systemFiles.open(path, openFlags.readWriteCreate, 0o600);
  } catch (error) {
    throw new HeadgateError("USAGE", `cannot write ${showText(name)}: ${whyNot(error)}`);
  }
  let position = systemFiles.statHandle(fd).size;
  return {
    add: (request) => {
      const line = Buffer.from(`${JSON.stringify(request)}\n`);
      for (let done = 0; done < line.length;) {
        const count = systemFiles.write(fd, line, done, position);
        done += count;
        position += count;
      }
    },
    [Symbol.dispose]: () => systemFiles.close(fd),
  };
};
