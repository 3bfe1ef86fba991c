// The share that line records have in an edit's hooks: the processor time inside of the lines' room against that of
// the whole hook, edit by edit, in one process with its parsers. So nothing else of two versions is compared.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../src/base/clock.ts";
import { type Environment, systemEnvironment } from "../src/base/environment.ts";
import { type Headgate, openHeadgate } from "../src/compose.ts";
import { answerCall } from "../src/surfaces/hooks/answer-call.ts";
import { actorOfCall } from "../src/surfaces/hooks/hook-actor.ts";
import type { HookCall } from "../src/surfaces/hooks/types.ts";

export interface RecordsCost {
  /** Milliseconds of processor time of each edit's two hooks, and how much of them was the lines'. */
  readonly whole: readonly number[];
  readonly lines: readonly number[];
}

export interface BenchFile {
  readonly name: string;
  readonly source: string;
  /** A text that is in the file once, and what becomes of it. */
  change(round: number, text: string): readonly [old: string, now: string];
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** `parsersMs`: processor time of the parsers so far, which are processes of their own. */
export const measureRecords = async (
  cwd: string,
  { name, source, change }: BenchFile,
  {
    runs,
    run,
    parsersMs,
  }: { readonly runs: number; run(...argv: string[]): void; parsersMs(): number },
): Promise<RecordsCost> => {
  mkdirSync(cwd, { recursive: true });
  const file = join(cwd, name);
  writeFileSync(file, source);
  run("git", "-C", cwd, "init", "--quiet");
  run("git", "-C", cwd, "add", "--all");
  run("git", "-C", cwd, "commit", "--quiet", "--message", "first");
  const environment: Environment = {
    ...systemEnvironment(),
    ...{ variables: { PATH: process.env["PATH"] ?? "", HOME: cwd }, cwd },
  };
  await using headgate = await openHeadgate({ repo: cwd, environment, actor: "bench" });
  let inLines = 0;
  watchLines(headgate, (ms) => (inLines += ms));
  const dependencies = {
    ...{ open: async () => headgate, openWorktree: async () => headgate },
    ...{ actorOf: (call: HookCall) => actorOfCall(call, 0), environment, clock: systemClock },
  };
  const costs: { whole: number[]; lines: number[] } = { whole: [], lines: [] };
  for (let round = -warmUps; round < runs; round += 1) {
    const text = readFileSync(file, "utf8");
    const [old, now] = change(round + warmUps, text);
    const call: HookCall = {
      ...{ harness: "claude", event: "before-tool", session: "s1", cwd },
      toolUseId: `t${round}`,
      tool: {
        ...{ kind: "replace", file, exact: true, name: "Edit" },
        edits: [{ old, new: now, all: false }],
      },
    };
    inLines = 0;
    const [from, parsers] = [cpuMs(), parsersMs()];
    const decision = await answerCall(call, dependencies);
    if (decision.kind === "refuse") throw new Error(decision.text);
    writeFileSync(
      file,
      text.replace(old, () => now),
    );
    await answerCall({ ...call, event: "after-tool" }, dependencies);
    const whole = cpuMs() - from + (parsersMs() - parsers);
    if (round >= 0) {
      costs.whole.push(whole);
      costs.lines.push(inLines);
    }
    // A few edits to a commit, as agents make them.
    if (round % editsToCommit === 0) {
      run("git", "-C", cwd, "commit", "--quiet", "--all", "--message", "next");
      const committed = new Map([[name, readFileSync(file)]]);
      await headgate.lines.committed(committed, ({ weave }) => [
        new Set(weave.edits.map(({ id }) => id)),
      ]);
    }
  }
  return costs;
};

const warmUps = 20;
const editsToCommit = 5;

/** Adds up the processor time between a call of the room and its answer. */
const watchLines = ({ lines }: Headgate, add: (ms: number) => void): void => {
  const methods = lines as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of ["ask", "note", "heard", "records", "record", "noted", "authors"]) {
    const plain = methods[name]!.bind(lines);
    methods[name] = async (...args) => {
      const from = cpuMs();
      const answer = await plain(...args);
      add(cpuMs() - from);
      return answer;
    };
  }
};
