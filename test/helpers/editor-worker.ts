/**
 * A process that edits one symbol of a file again and again: `node editor-worker.ts JOB` with the job as
 * JSON. It says "ready", waits for a line, works, and answers with what became of each edit.
 */
import { createInterface } from "node:readline";
import { openHeadgate } from "../../src/index.ts";

export interface EditorJob {
  readonly repo: string;
  readonly actor: string;
  readonly file: string;
  readonly symbol: string;
  readonly rounds: number;
}

const job = JSON.parse(process.argv[2] ?? "{}") as EditorJob;
const headgate = await openHeadgate({ repo: job.repo, actor: job.actor });
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
process.stdout.write("ready\n");
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const written: number[] = [];
  const refused: string[] = [];
  const from = Number(JSON.parse(line.value));
  for (let round = from; round < from + job.rounds; round += 1) {
    const name = job.symbol.split(".").at(-1);
    const code = `def ${name}(self):\n    return "${job.actor} ${round}"\n`;
    const result = await headgate.edit.edit({
      operations: [{ do: "modify", file: job.file, symbol: job.symbol, code }],
    });
    if (result.ok) written.push(round);
    else refused.push(result.code);
  }
  process.stdout.write(`${JSON.stringify({ ok: true, written, refused })}\n`);
}
await headgate.close();
