/** Agents whose clients ask through the real hook, beside a real server that a test kills, stops and starts again. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openHeadgate, type Headgate } from "../../src/compose.ts";
import { systemEnvironment } from "../../src/base/environment.ts";
import { takeServerLock } from "../../src/surfaces/http/server-lock.ts";
import { git, initRepository } from "./git-repository.ts";
import { cleanEnvironment, programPath, run, startServer, type TestServer } from "./program.ts";
import { arm, runShim, type ShimEnded, shimFolder } from "./shim.ts";
import { put, temporaryFolder } from "./temporary-folder.ts";

export interface HookedAgent {
  readonly name: string;
  reads(): Promise<string>;
  /** Its client asks before it writes; the hook's answer. */
  asks(use: string, content: string): Promise<ShimEnded>;
  writes(content: string): void;
  /** Its client tells that it has written; what the agent reads then. */
  tells(use: string, content: string): Promise<string>;
  headgate(...args: string[]): ReturnType<typeof run>;
}

export interface HookedPlace {
  readonly root: string;
  readonly file: string;
  readonly headgate: Headgate;
  agent(session: string): HookedAgent;
  /** Until the test ends no hook starts a server by itself. */
  forbidServer(): void;
  up(): Promise<TestServer>;
  killed(server: TestServer): Promise<void>;
}

/** A repository with one committed file, set up for Claude Code. A session is idle after a second. */
export const hookedPlace = async (
  content: string,
  more: Record<string, string> = {},
): Promise<HookedPlace> => {
  const root = initRepository(join(temporaryFolder(), "repo"));
  const file = put(join(root, "notes.txt"), content);
  git(root, "config", "user.name", "Ada");
  git(root, "config", "user.email", "ada@example.org");
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
  const local = join(shimFolder(root), ".git/headgate");
  arm(local, { runtime: [process.execPath, programPath] });
  const home = temporaryFolder();
  put(join(home, "config/headgate/config.jsonc"), '{ "claims": { "idle": 1 } }\n');
  const env = { ...cleanEnvironment(home), ...more };
  const environment = { ...systemEnvironment(), variables: env, cwd: root };
  const headgate = await openHeadgate({ repo: root, environment, actor: "test" });
  onTestFinished(() => headgate.close());
  const agent = (session: string): HookedAgent => {
    const hook = (event: string, tool: object): Promise<ShimEnded> => {
      const facts = { session_id: session, cwd: root, hook_event_name: event };
      const input = JSON.stringify({ ...facts, ...tool });
      return runShim(root, { harness: ["claude"], input, env });
    };
    const write = (use: string, text: string) => ({
      ...{ tool_name: "Write", tool_use_id: `${session}-${use}` },
      tool_input: { file_path: file, content: text },
    });
    const said = async (ending: Promise<ShimEnded>): Promise<string> => {
      const { code, stdout, stderr } = await ending;
      if (code !== 0) throw new Error(`the hook of ${session} ended with ${code}: ${stderr}`);
      return stdout;
    };
    return {
      name: `claude:${session}`,
      reads: () =>
        said(hook("PostToolUse", { tool_name: "Read", tool_input: { file_path: file } })),
      asks: (use, text) => hook("PreToolUse", write(use, text)),
      writes: (text) => writeFileSync(file, text),
      tells: (use, text) =>
        said(hook("PostToolUse", { ...write(use, text), tool_response: { filePath: file } })),
      headgate: (...args) =>
        run(args, {
          cwd: root,
          env: { ...env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: session },
        }),
    };
  };
  return {
    ...{ root, file, headgate, agent },
    forbidServer: () => {
      const lock = takeServerLock(local);
      if (!lock) throw new Error("a server runs already");
      onTestFinished(() => lock.release());
    },
    up: async () => {
      const server = await startServer({ cwd: root, env });
      // A hook that finds it killed would start another; it leaves a server alone that was started just now.
      put(join(local, "server.log"), "");
      return server;
    },
    killed: async ({ child, ended }) => {
      child.kill("SIGKILL");
      await ended;
    },
  };
};
