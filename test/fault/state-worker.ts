import { accessSync, readSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { HeadgateError } from "../../src/errors.ts";
import {
  contentHash,
  recoverState,
  setMarkdownValue,
  updateJson,
  writeFileAtomicSync,
} from "../../src/state/index.ts";
import { oldMarkdown, oldText, newText } from "./state-operations.ts";

/**
 * A process that a test can trace, fail and kill. It reads one JSON command per line and answers with one.
 * Reading and the operations are synchronous on the main thread, so that the n-th system call behind an
 * attach is the same one in every run; the marker calls show where an operation begins and ends.
 */
const operations: Record<string, (folder: string, command: Command) => unknown> = {
  write: (folder) => writeFileAtomicSync(join(folder, "state.json"), newText),
  create: (folder) => writeFileAtomicSync(join(folder, "state.json"), newText),
  "create-exclusive": (folder) =>
    writeFileAtomicSync(join(folder, "state.json"), newText, { expect: null }),
  "write-expected": (folder) =>
    writeFileAtomicSync(join(folder, "state.json"), newText, { expect: contentHash(oldText) }),
  "write-normal": (folder) =>
    writeFileAtomicSync(join(folder, "state.json"), newText, { durability: "normal" }),
  "write-cache": (folder) =>
    writeFileAtomicSync(join(folder, "state.json"), newText, { durability: "cache" }),
  "write-size": (folder, { size = 0 }) =>
    writeFileAtomicSync(join(folder, "state.txt"), "x".repeat(size)),
  json: (folder) =>
    updateJson<{ count: number }>(join(folder, "state.json"), (value) => ({
      count: (value?.count ?? 0) + 1,
    })),
  "json-later": (folder) =>
    updateJson<{ count: number }>(join(folder, "state.json"), async (value) => {
      await Promise.resolve();
      return { count: (value?.count ?? 0) + 1 };
    }),
  markdown: (folder) => setMarkdownValue(join(folder, "state.md"), { key: "status", value: "new" }),
  "become-nobody": () => {
    process.setgid?.(65_534);
    process.setuid?.(65_534);
  },
  recover: async (folder) => {
    const { failures, ...report } = await recoverState([folder]);
    const [failure] = failures;
    if (failure) throw failure.error;
    const left = report.temporaries.filter(({ decision }) => decision.action === "leave");
    if (left.length > 0) throw new HeadgateError("STATE_IO", `${folder}: left a temporary`);
    return report;
  },
};

interface Command {
  readonly op: string;
  readonly folder: string;
  readonly times?: number;
  readonly size?: number;
}

const mark = (name: string): void => {
  try {
    accessSync(`/headgate-marker-${name}`);
  } catch {
    // It never exists; only the trace matters.
  }
};

const carryOut = async (command: Command): Promise<unknown> => {
  const operation = operations[command.op];
  if (!operation) throw new Error(`no operation ${command.op}`);
  mark("begin");
  try {
    for (let time = 0; time < (command.times ?? 1); time += 1) {
      await operation(command.folder, command);
    }
    return { ok: true };
  } catch (error) {
    const { code, message, name } = error as { code?: string; message: string; name: string };
    return { ok: false, code, name, message };
  } finally {
    mark("end");
  }
};

const readLine = (): string | undefined => {
  const byte = Buffer.alloc(1);
  let line = "";
  while (readSync(0, byte, 0, 1, null) === 1) {
    if (byte[0] === 10) return line;
    line += byte.toString("latin1");
  }
  return undefined;
};

const warmUpFolder = process.argv[2];
if (warmUpFolder !== undefined) {
  // Modules load, code compiles and the time zone is read before the counting begins.
  new Date().toString();
  writeFileAtomicSync(join(warmUpFolder, "state.md"), oldMarkdown);
  for (const op of ["write", "json", "json-later", "markdown", "recover"]) {
    await carryOut({ op, folder: warmUpFolder });
    writeFileAtomicSync(join(warmUpFolder, "state.json"), '{"count":0}');
  }
}
flushCompileCache();
writeSync(1, "ready\n");
for (let line = readLine(); line !== undefined; line = readLine()) {
  writeSync(1, `${JSON.stringify(await carryOut(JSON.parse(line) as Command))}\n`);
}
