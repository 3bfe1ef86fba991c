/** What agents come through on a running server: the hooks of their clients and of git, and MCP. Loaded when first used. */
import { join } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { limits } from "../../base/limits.ts";
import type { Headgate } from "../../compose.ts";
import type { HookRouteDependencies, Receipts } from "../hooks/index.ts";
import type { McpEndpoint } from "../mcp/index.ts";
import { UnjudgedWrites } from "../unjudged/index.ts";
import { receiptsPath } from "./server-files.ts";
import type { GitHooks } from "./git-hooks.ts";
import { openWatches } from "./watches.ts";
import { Worktrees } from "./worktrees.ts";

export interface Doors {
  /** Undefined for a client that is not known. */
  hook(harness: string, request: Request, onSent?: OnSent): Promise<Response | undefined>;
  /** Undefined for a hook that is not known. */
  gitHook(name: string, request: Request): Promise<Response | undefined>;
  mcp(request: Request, body: unknown, onSent?: OnSent): Promise<Response>;
  /** Judges what was written unjudged, in all worktrees. Never throws. */
  settleUnjudged(): Promise<void>;
  close(): Promise<void>;
}

/** Runs something once the answer has left this process. */
export type OnSent = (done: () => void) => void;

export interface DoorsOptions {
  readonly headgate: Headgate;
  readonly version: string;
  readonly environment: Environment;
  readonly onDefect: (error: unknown) => void;
  readonly clock?: Clock;
  readonly mark: string;
}

export const openDoors = (options: DoorsOptions): Doors => {
  const { headgate, version, environment, onDefect, mark, clock = systemClock } = options;
  const worktrees = new Worktrees(headgate, { environment, clock });
  const watches = openWatches({ headgate, worktrees, environment, clock, onDefect });
  let hooks: Promise<HookRouteDependencies> | undefined;
  let receipts: Receipts | undefined;
  let gitHooks: Promise<GitHooks> | undefined;
  let mcp: Promise<McpEndpoint> | undefined;

  const openHooks = async (): Promise<HookRouteDependencies> => {
    const { hookParts, placeOf, Receipts, Repeats } = await import("../hooks/index.ts");
    receipts = new Receipts(receiptsPath(headgate.repository.localDir), clock);
    return {
      ...hookParts,
      isServing: true,
      open: async ({ cwd }) => {
        const there = placeOf(join(cwd, "any"), await worktrees.list());
        const root = there?.root ?? headgate.repository.worktree;
        watches.start(root);
        return worktrees.at(root);
      },
      openWorktree: (root) => worktrees.at(root),
      worktrees: () => worktrees.list(),
      environment,
      clock,
      mark,
      stateFolder: headgate.repository.localDir,
      repeats: new Repeats(clock),
      receipts,
    };
  };

  return {
    hook: async (harness, request, onSent) => {
      const { answerHookRequest } = await import("../hooks/index.ts");
      const ports = await (hooks ??= openHooks());
      return watches.paused(() => answerHookRequest(harness, request, ports, onSent));
    },
    gitHook: async (name, request) => {
      gitHooks ??= import("./git-hooks.ts").then(({ openGitHooks }) =>
        openGitHooks({ worktrees, environment, mark }),
      );
      const { answer } = await gitHooks;
      return watches.paused(() => answer(name, request));
    },
    mcp: async (request, body, onSent) => {
      mcp ??= import("../mcp/index.ts").then(({ createMcpEndpoint }) =>
        createMcpEndpoint({ headgate, version, onDefect }),
      );
      return (await mcp).answer(request, body, onSent);
    },
    settleUnjudged: async () => {
      const { localDir } = headgate.repository;
      const roots = new Set(
        new UnjudgedWrites({ localDir, clock }).waiting().map(({ root }) => root),
      );
      for (const root of roots) {
        try {
          await settleIn(await worktrees.at(root), { clock, environment });
        } catch (error) {
          onDefect(error);
        }
      }
    },
    close: async () => {
      watches.close();
      await receipts?.close();
      await (await mcp)?.close();
      await worktrees.close();
    },
  };
};

const settleIn = async (
  { repository, claims, gate, events }: Headgate,
  ports: { readonly clock: Clock; readonly environment: Environment },
): Promise<void> => {
  const { openRing } = await import("../hooks/index.ts");
  const { worktree: root, kind, localDir } = repository;
  const ring = openRing({
    ...{ root, kind, localDir, claims, events, ...ports },
    judge: (proposal, manner) => gate.judge(proposal, manner),
    emit: (event) => events.append({ ...event, actor: "headgate" }),
  });
  await ring.settle(limits.settleMs);
};
