/**
 * A process that works with claims for a test: `node claims-worker.ts JOB` with the job as JSON. It says
 * "ready" and then answers one line of JSON to each line it is given, as line-worker.ts expects it.
 */
import { openSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { type Claims, FenceMark, openClaimsIn, parseActor } from "../../src/claims/index.ts";
import { HeadgateError } from "../../src/errors.ts";
import { openStore, type StoreStep } from "../../src/store/index.ts";
import { perform, RandomClient, randomNumbers } from "./claims-history.ts";
import type { Call } from "./claims-model.ts";

export interface ClaimsJob {
  readonly address: string;
  readonly localDir: string;
  readonly actor: string;
  /** Wall clock minus monotonic clock, for all workers the same. */
  readonly offsetMs: number;
}

export type ClaimsCommand =
  /** One call; the answer is a record of it. At that step of the store the process stops itself. */
  | { readonly do: "call"; readonly call: Call; readonly stopAt?: StoreStep | undefined }
  /** Asks for `race/ROUND` and says so at once; the next command is answered with an Attempt. */
  | { readonly do: "race"; readonly round: number }
  | { readonly do: "finish" }
  /** Random calls until a line "stop" comes; each is written to the file before and after it. */
  | {
      readonly do: "history";
      readonly seed: number;
      readonly file: string;
      readonly ttlsMs: readonly number[];
      readonly others: readonly string[];
    };

/** When it was asked and answered, and the fence if it won. */
export type Attempt = readonly [from: number, to: number, fence: number | null];

const job = JSON.parse(process.argv[2] ?? "{}") as ClaimsJob;
const { address, localDir, offsetMs } = job;
let stopAt: StoreStep | undefined;
const store = await openStore({
  address,
  localDir,
  onStep: (step) => {
    if (step !== stopAt) return;
    stopAt = undefined;
    process.kill(process.pid, "SIGSTOP");
  },
});
const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
const fences = new FenceMark({
  files: systemFiles,
  dir: localDir,
  store: store.location,
  isShared: store.capabilities.shared,
  bootId: ownIdentity().bootId,
});
const claimsOf = (actor: string): Claims =>
  openClaimsIn(
    { store, scope, fences },
    { actor: { ...parseActor(actor), process: ownIdentity() } },
  );

const say = (text: string): unknown => process.stdout.write(`${text}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const racer = claimsOf(job.actor);
let racing: Promise<Attempt> | undefined;
const race = async (round: number): Promise<Attempt> => {
  const from = systemClock.monoMs();
  for (;;) {
    try {
      const result = await racer.claim({ targets: [`race/${round}`], ttlMs: 3_600_000 });
      return [from, systemClock.monoMs(), result.ok ? result.claims[0]!.fence : null];
    } catch (error) {
      // Sixty-four processes on two cores: a turn may be long in coming. Anything else is a failure.
      if (!HeadgateError.isInstance(error) || error.code !== "STORE_BUSY") throw error;
    }
  }
};

const makeHistory = async (command: ClaimsCommand & { do: "history" }): Promise<void> => {
  const stop = new AbortController();
  void lines.next().then(() => stop.abort());
  const file = openSync(command.file, "a");
  // A killed process cannot take back what it has handed to the kernel.
  const note = (value: unknown): unknown => writeSync(file, `${JSON.stringify(value)}\n`);
  const random = randomNumbers(command.seed);
  let actor = job.actor;
  let client = new RandomClient(actor, random, command.ttlsMs);
  let retired = 0;
  while (!stop.signal.aborted) {
    // Alone at a file it would never come to reading its standard input.
    await systemClock.yield();
    const call = client.next(command.others);
    note({ call, from: systemClock.monoMs() });
    const outcome = await perform(claimsOf(actor), call, offsetMs);
    note({ outcome: outcome ?? "unknown", to: systemClock.monoMs() });
    if (outcome === undefined) {
      // What it holds is unknown now; the model knows only actors that know what they did.
      retired += 1;
      actor = `${job.actor}.${retired}`;
      client = new RandomClient(actor, random, command.ttlsMs);
    } else if (outcome !== "nothing") client.learn(call, outcome);
  }
};

const obey = async (command: ClaimsCommand): Promise<unknown> => {
  if (command.do === "race") {
    racing = race(command.round);
    // What goes wrong is said when it is asked for.
    racing.catch(() => {});
    return null;
  }
  if (command.do === "finish") return racing;
  if (command.do === "history") return makeHistory(command);
  stopAt = command.stopAt;
  const from = systemClock.monoMs();
  const outcome = await perform(claimsOf(command.call.actor), command.call, offsetMs);
  return { outcome, from, to: systemClock.monoMs() };
};

// It will hardly end by itself, which is when the compiled code is kept otherwise.
flushCompileCache();
say("ready");
for (let line = await lines.next(); !line.done; line = await lines.next()) {
  try {
    say(JSON.stringify({ ok: true, value: await obey(JSON.parse(line.value) as ClaimsCommand) }));
  } catch (error) {
    const { name, message } = error as Error;
    say(JSON.stringify({ ok: false, name, message }));
  }
}
await store.close();
