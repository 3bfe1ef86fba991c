/**
 * A process that holds, wants and gives up claims while a test harms it: `node claims-fault-worker.ts
 * JOB` with the job as JSON. It says "ready", then answers each line as line-worker.ts expects it.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { systemClock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { type Claims, FenceMark, openClaimsIn, parseActor } from "../../src/claims/index.ts";
import { HeadgateError } from "../../src/errors.ts";
import { openStore, type StoreStep } from "../../src/store/index.ts";
import { soak, type SoakOptions } from "./claims-soak.ts";

export interface FaultJob {
  readonly address: string;
  readonly localDir: string;
  readonly actor: string;
  readonly waitMs?: number;
}

export type FaultCommand =
  | {
      readonly do: "call";
      readonly method: Exclude<keyof Claims, "actor" | "as">;
      readonly args: readonly unknown[];
      /** The process kills itself when its store gets there for the n-th time in this call. */
      readonly killAt?: { readonly step: StoreStep; readonly time: number };
    }
  /** Writes the file while the target is held; the process stops itself in the middle if asked. */
  | {
      readonly do: "write";
      readonly fence: number;
      readonly target: string;
      readonly file: string;
      readonly text: string;
      readonly isStoppedInside?: boolean;
    }
  | { readonly do: "self" }
  /** Starts a process that outlives this one. */
  | { readonly do: "child" }
  | ({ readonly do: "soak" } & SoakOptions);

export interface Self {
  readonly pid: number;
  readonly wallMs: number;
  readonly monoMs: number;
  readonly bootId: string;
}

const job = JSON.parse(process.argv[2] ?? "{}") as FaultJob;
const { address, localDir, waitMs } = job;

let armed: { readonly step: StoreStep; time: number } | undefined;
const onStep = (step: StoreStep): void => {
  if (step !== armed?.step) return;
  armed.time -= 1;
  if (armed.time === 0) process.kill(process.pid, "SIGKILL");
};

/** Opened by the first call, so that a store that cannot be opened is an answer like any other. */
const open = async () => {
  const store = await openStore({ address, localDir, onStep, ...(waitMs && { waitMs }) });
  const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
  const fences = new FenceMark({
    files: systemFiles,
    dir: localDir,
    store: store.location,
    isShared: store.capabilities.shared,
    bootId: ownIdentity().bootId,
  });
  const actor = { ...parseActor(job.actor), process: ownIdentity() };
  // This process will hardly end by itself, which is when the cache is written otherwise.
  flushCompileCache();
  return { store, claims: openClaimsIn({ store, scope, fences }, { actor }) };
};
let opened: ReturnType<typeof open> | undefined;
const claims = async (): Promise<Claims> => {
  opened ??= open();
  opened.catch(() => (opened = undefined));
  return (await opened).claims;
};

const self = (): Self => ({
  pid: process.pid,
  wallMs: systemClock.wallMs(),
  monoMs: systemClock.monoMs(),
  bootId: ownIdentity().bootId,
});

const obey = async (command: FaultCommand): Promise<unknown> => {
  if (command.do === "self") return self();
  if (command.do === "child") {
    const child = spawn("sleep", ["60"], { stdio: "ignore", detached: true });
    child.unref();
    return child.pid;
  }
  const room = await claims();
  if (command.do === "soak") return soak(room, command);
  if (command.do === "write") {
    const { fence, target, file, text, isStoppedInside = false } = command;
    return room.whileHeld(fence, [target], () => {
      if (isStoppedInside) process.kill(process.pid, "SIGSTOP");
      writeFileSync(file, text);
      return null;
    });
  }
  armed = command.killAt && { ...command.killAt };
  const method = room[command.method] as (...args: readonly unknown[]) => Promise<unknown>;
  return method(...command.args);
};

const say = (value: unknown): unknown => process.stdout.write(`${JSON.stringify(value)}\n`);
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say({ ok: true, value: await obey(JSON.parse(line) as FaultCommand) });
  } catch (error) {
    const { name, message } = error as Error;
    const known = HeadgateError.isInstance(error) ? { code: error.code, data: error.data } : {};
    say({ ok: false, name, message, ...known });
  }
}
await (await opened)?.store.close();
