/**
 * A process that writes edits while a test harms it: `node edit-worker.ts JOB` with the job as JSON. It
 * says "ready", then answers each line as line-worker.ts expects it.
 */
import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemFiles } from "../../src/base/files.ts";
import { newId } from "../../src/base/ids.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { FenceMark, openClaimsIn, parseActor } from "../../src/claims/index.ts";
import { applyChanges } from "../../src/edit/apply.ts";
import { openHistoryIn } from "../../src/edit/history.ts";
import type { EditStep } from "../../src/edit/ports.ts";
import { recoverEdits } from "../../src/edit/recover.ts";
import { HeadgateError } from "../../src/errors.ts";
import { openStore } from "../../src/store/index.ts";
import { dirOf, fiveChanges, removeFolder } from "../edit/scene.ts";

export interface EditJob {
  readonly address: string;
  readonly localDir: string;
}

export type EditCommand =
  | {
      readonly do: "apply" | "recover";
      readonly root: string;
      readonly id?: string;
      /** The process kills itself at the n-th step of this call, from 1. */
      readonly killAt?: number;
      /** The verify command says no: everything is to be taken back. */
      readonly isRefused?: boolean;
      /** Claims the files first. */
      readonly actor?: string;
    }
  /** Adds a line to each of the files, in one edit; repeated on STALE_VIEW until it is in. */
  | {
      readonly do: "append";
      readonly root: string;
      readonly files: readonly string[];
      readonly lines: readonly string[];
      /** Stops itself when it first comes there. */
      readonly stopAt?: EditStep;
    }
  /** Writes under an old fence. */
  | {
      readonly do: "fenced";
      readonly root: string;
      readonly actor: string;
      readonly fence: number;
      readonly file: string;
      readonly text: string;
      /** Stops itself before the store is asked whether the claim is still held. */
      readonly isStopped?: boolean;
    };

const job = JSON.parse(process.argv[2] ?? "{}") as EditJob;

const open = async () => {
  const store = await openStore(job);
  const scope = await store.scope({ key: "github.com/acme/app", name: "app" });
  const fences = new FenceMark({
    files: systemFiles,
    dir: job.localDir,
    store: store.location,
    isShared: store.capabilities.shared,
    bootId: ownIdentity().bootId,
  });
  flushCompileCache();
  return { store, scope, fences };
};
let opened: ReturnType<typeof open> | undefined;
const place = () => (opened ??= open());

const obey = async (command: EditCommand): Promise<unknown> => {
  const there = await place();
  const history = openHistoryIn(there);
  const { root } = command;
  const base = { root, dir: dirOf(root), removeFolder, history };
  const claimsOf = (actor: string) =>
    openClaimsIn(there, { actor: { ...parseActor(actor), process: ownIdentity() } });
  if (command.do === "append") {
    let tries = 0;
    let isStopped = false;
    const onStep = (step: EditStep): void => {
      if (step !== command.stopAt || isStopped) return;
      isStopped = true;
      process.kill(process.pid, "SIGSTOP");
    };
    for (const line of command.lines) {
      for (;;) {
        tries += 1;
        const changes = command.files.map((path) => {
          const before = readFileSync(join(root, path));
          const after = Buffer.concat([before, Buffer.from(`${line}\n`)]);
          return { path, kind: "modify" as const, before, after };
        });
        const id = newId("edit");
        const result = await applyChanges(changes, { ...base, id, actor: "w", onStep });
        if (result.ok) break;
        if (result.code !== "STALE_VIEW") throw new Error(result.message);
      }
    }
    return tries;
  }
  if (command.do === "fenced") {
    const { actor, fence, file, text, isStopped = false } = command;
    const before = readFileSync(join(root, file));
    const change = { path: file, kind: "modify" as const, before, after: Buffer.from(text) };
    return applyChanges([change], {
      ...base,
      id: newId("edit"),
      actor,
      claims: claimsOf(actor),
      fences: fence,
      onStep: (step) => {
        if (isStopped && step === "prepared") process.kill(process.pid, "SIGSTOP");
      },
    });
  }
  let count = 0;
  const steps: EditStep[] = [];
  const onStep = (step: EditStep): void => {
    count += 1;
    steps.push(step);
    if (count === command.killAt) process.kill(process.pid, "SIGKILL");
  };
  if (command.do === "recover") return { ...(await recoverEdits({ ...base, onStep })), steps };
  const { actor = "alice", isRefused = false, id = newId("edit") } = command;
  const verified = { ok: false, message: "no", output: "", isCut: false, tookMs: 1 };
  const result = await applyChanges(fiveChanges(), {
    ...base,
    id,
    actor,
    onStep,
    ...(isRefused && { verify: async () => verified }),
  });
  return { result, steps };
};

const say = (value: unknown): unknown => process.stdout.write(`${JSON.stringify(value)}\n`);
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say({ ok: true, value: await obey(JSON.parse(line) as EditCommand) });
  } catch (error) {
    const { name, message } = error as Error;
    const known = HeadgateError.isInstance(error) ? { code: error.code, data: error.data } : {};
    say({ ok: false, name, message, ...known });
  }
}
await (await opened)?.store.close();
