/**
 * A process that changes overrides while a test harms it: `node routing-worker.ts JOB` with the job as JSON.
 * It says "ready", then answers each line as line-worker.ts expects it.
 */
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import type { WritingGit } from "../../src/git/writing-git.ts";
import { HeadgateError } from "../../src/errors.ts";
import { openRouting } from "../../src/routing/index.ts";
import { openStore } from "../../src/store/index.ts";
import { contextOf } from "../routing/scene.ts";

export interface RoutingJob {
  readonly address: string;
  readonly localDir: string;
  /** Several repositories share one store. */
  readonly key: string;
}

export type RoutingCommand =
  | {
      readonly do: "apply" | "revert" | "recover" | "status";
      readonly root: string;
      /** The proposal, or the reviewer. */
      readonly what?: string;
      /** The process kills itself at the n-th step of this call, from 1. */
      readonly killAt?: number;
    }
  | {
      readonly do: "many";
      readonly root: string;
      readonly actor: string;
      readonly ids: readonly string[];
      readonly roster: readonly string[];
    }
  /** Takes the lock in the middle of an apply and keeps it. */
  | { readonly do: "hold"; readonly root: string; readonly what: string; readonly actor: string };

const job = JSON.parse(process.argv[2] ?? "{}") as RoutingJob;
let count = 0;
let killAt = 0;
const steps: string[] = [];
const onStep = (step: string): void => {
  count += 1;
  steps.push(step);
  if (count === killAt) process.kill(process.pid, "SIGKILL");
};

const open = async () => {
  const store = await openStore({
    address: job.address,
    localDir: job.localDir,
    onStep: (step) => {
      if (killAt > 0 && step.endsWith("-commit")) onStep(`store ${step}`);
    },
  });
  const scope = await store.scope({ key: job.key, name: "app" });
  flushCompileCache();
  return { store, scope };
};
let opened: ReturnType<typeof open> | undefined;

/** Every call of git is a place to die, besides the steps in between. */
const stepping = (git: WritingGit): WritingGit => ({
  cwd: git.cwd,
  converse: (call) => {
    onStep(`git ${call.args[0]}`);
    const talk = git.converse(call);
    return {
      ...talk,
      say: (text) => {
        talk.say(text);
        onStep(`git ${call.args[0]}: ${text.split(" ", 1)[0]}`);
      },
    };
  },
  ask: async (call) => {
    onStep(`git ${call.args[0]}`);
    return git.ask(call);
  },
  run: async (call) => {
    onStep(`git ${call.args[0]}`);
    return git.run(call);
  },
});

const obey = async (command: RoutingCommand): Promise<unknown> => {
  const there = await (opened ??= open());
  const { root } = command;
  if (command.do === "many") {
    const { actor, ids, roster } = command;
    const context = await contextOf(
      { root, ...there },
      {
        actor,
        roster: async () => roster,
        settings: { changesPerDay: 10_000, lockWaitMs: 120_000 },
      },
    );
    const routing = openRouting(context);
    const commits: string[] = [];
    for (const id of ids) {
      const outcome = await routing.apply(id);
      if (!outcome.done) throw new Error(outcome.why);
      commits.push(outcome.change.commit);
    }
    return commits;
  }
  if (command.do === "hold") {
    const context = await contextOf({ root, ...there }, { actor: command.actor });
    const routing = openRouting({
      ...context,
      onStep: (step) => {
        if (step !== "decided") return;
        process.stdout.write(`${JSON.stringify({ ok: true, value: "held" })}\n`);
        process.kill(process.pid, "SIGSTOP");
      },
    });
    return routing.apply(command.what);
  }
  const context = await contextOf({ root, ...there });
  const routing = openRouting({
    ...context,
    onStep,
    gitIn: (worktree) => stepping(context.gitIn(worktree)),
  });
  count = 0;
  steps.length = 0;
  killAt = command.killAt ?? 0;
  const { what = "" } = command;
  const value =
    command.do === "apply"
      ? await routing.apply(what)
      : command.do === "revert"
        ? await routing.revert({ reviewer: what })
        : command.do === "status"
          ? await routing.status()
          : await routing.recover();
  killAt = 0;
  return { value, steps };
};

const say = (value: unknown): unknown => process.stdout.write(`${JSON.stringify(value)}\n`);
process.stdout.write("ready\n");
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say({ ok: true, value: await obey(JSON.parse(line) as RoutingCommand) });
  } catch (error) {
    const { name, message } = error as Error;
    const known = HeadgateError.isInstance(error) ? { code: error.code, data: error.data } : {};
    say({ ok: false, name, message, ...known });
  }
}
await (await opened)?.store.close();
