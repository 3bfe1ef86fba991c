import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { type Environment, systemEnvironment } from "../../src/base/environment.ts";
import { type Headgate, openHeadgate } from "../../src/compose.ts";
import { answerCall } from "../../src/surfaces/hooks/answer-call.ts";
import type { HookDependencies } from "../../src/surfaces/hooks/dependencies.ts";
import { actorOfCall } from "../../src/surfaces/hooks/hook-actor.ts";
import type { HookCall, HookDecision, ToolUse } from "../../src/surfaces/hooks/types.ts";
import { initRepository } from "./git-repository.ts";
import { sharedParsers } from "./shared-parsers.ts";
import { pathWith } from "./shim.ts";
import { put, temporaryFolder } from "./temporary-folder.ts";

export interface HookPlace {
  readonly root: string;
  readonly headgate: Headgate;
  readonly dependencies: HookDependencies;
  file(name: string, content: string): string;
  call(tool: ToolUse, more?: Partial<HookCall>): HookCall;
  /** Before a tool runs, as the session `s1` of Claude Code. */
  before(tool: ToolUse, more?: Partial<HookCall>): Promise<HookDecision>;
  after(tool: ToolUse, more?: Partial<HookCall>): Promise<HookDecision>;
  ask(call: HookCall, more?: Partial<HookDependencies>): Promise<HookDecision>;
  events(kind: string): Promise<readonly { readonly actor?: string; readonly data: unknown }[]>;
}

/**
 * A real repository with a real Headgate, asked the way the server asks. Its parsers serve the whole test
 * file, unless the test needs some of its own to stop them.
 */
export const hookPlace = async (
  root = join(temporaryFolder(), "repo"),
  { ownParsers = false } = {},
): Promise<HookPlace> => {
  initRepository(root);
  // Without a Python on the path, whose whole library would be read for its names in every test.
  const variables = { HOME: root, PATH: pathWith("git") };
  const environment: Environment = { ...systemEnvironment(), variables, cwd: root };
  const parsers = ownParsers ? {} : { shared: sharedParsers };
  const headgate = await openHeadgate({ repo: root, environment, actor: "test", ...parsers });
  const opened: Headgate[] = [headgate];
  onTestFinished(async () => {
    for (const one of opened) await one.close();
  });
  const dependencies: HookDependencies = {
    open: async () => headgate,
    openWorktree: async (place) => {
      const there = await openHeadgate({ repo: place, environment, actor: "test", ...parsers });
      opened.push(there);
      return there;
    },
    actorOf: (call) => actorOfCall(call, 0),
    environment,
    clock: clockWithoutWaits(),
  };
  const call = (tool: ToolUse, more: Partial<HookCall> = {}): HookCall => ({
    harness: "claude",
    event: "before-tool",
    session: "s1",
    cwd: root,
    tool,
    ...more,
  });
  const ask = (one: HookCall, more: Partial<HookDependencies> = {}) =>
    answerCall(one, { ...dependencies, ...more });
  return {
    root,
    headgate,
    dependencies,
    call,
    ask,
    file: (name, content) => put(join(root, name), content),
    before: (tool, more) => ask(call(tool, more)),
    after: (tool, more) => ask(call(tool, { event: "after-tool", ...more })),
    events: async (kind) => (await headgate.events.page({ kind, limit: 100 })).events as never,
  };
};

/**
 * A hook that waits for another session looks again and again until its time is over; the other does nothing
 * while a test asks, so that time passes at once. What may be broken off, as the time for the answer, is real.
 */
const clockWithoutWaits = (): Clock => {
  let passedMs = 0;
  return {
    ...systemClock,
    monoMs: () => systemClock.monoMs() + passedMs,
    sleep: (ms, signal) => {
      if (signal) return systemClock.sleep(ms, signal);
      passedMs += ms;
      return systemClock.yield();
    },
  };
};
