/**
 * Which of a client's events reach Headgate: one table for `headgate init` and for the packages in
 * doors/. Command lines never change between releases, because Codex and Gemini ask again for trust in a
 * hook that changed, and Codex drops it without a word until then.
 */
import { hookLine, hookScripts } from "../../base/hook-line.ts";
import type { Json } from "../../base/json.ts";
import type { ClientName } from "./types.ts";

/** Whether a repository is one of git, or a folder: they keep their state in different places. */
export type RepositoryKind = keyof typeof hookScripts;

/**
 * Clients start hooks in the repository's root, in a folder further down (Codex), or tell where it is. Gemini CLI would
 * expand variables that are set; it leaves the line's own alone.
 */
export const hookCommand = (client: ClientName, kind: RepositoryKind): string =>
  hookLine(kind, client, client === "claude" ? { folder: '"$CLAUDE_PROJECT_DIR"' } : {});

/**
 * For packages that a user installs for all repositories. They run the program on PATH and never a file
 * of the repository: a repository that was only opened must not be able to run anything.
 */
export const packageCommands = {
  claude: `[ ! -e "\${CLAUDE_PROJECT_DIR:-.}/.headgate" ] || exec headgate hook claude`,
  gemini: "[ ! -e .headgate ] || exec headgate hook gemini",
} as const;

/** The MCP server, started the same way by every client, without `headgate` on PATH. */
export const mcpCommand = (kind: RepositoryKind) => ({
  command: "/bin/sh",
  args: ["-c", hookScripts[kind], "headgate", "mcp"],
});

export const packageMcpCommand = { command: "headgate", args: ["mcp"] } as const;

/** Event to the groups that are added to its list. */
export type HookTable = Readonly<Record<string, readonly Json[]>>;

/** Tools of MCP servers, ours included: which of them write, their arguments tell (harness/unknown-tool.ts). */
const mcpTools = "mcp__.*";
const claudeWrites = `Edit|MultiEdit|Write|NotebookEdit|Bash|PowerShell|${mcpTools}`;

/** Seconds. Long enough for a cold start on a busy machine; a client that waits in vain goes on. */
const judgeSeconds = 60;

/**
 * With a port, the server answers what comes with every edit directly, which spares two processes each time; it
 * must run then, or every edit is refused. Claude Code takes only commands at a session's start, and
 * what comes once a turn may as well work without a server.
 */
export const claudeHooks = (command: string, httpPort?: number): HookTable => {
  const handler = { type: "command", command };
  const each = {
    ...(httpPort === undefined ? handler : claudeHttpHandler(httpPort)),
    timeout: judgeSeconds,
  };
  const plain = (timeout: number): Json[] => [{ hooks: [{ ...handler, timeout }] }];
  return {
    SessionStart: plain(15),
    UserPromptSubmit: plain(10),
    PreToolUse: [{ matcher: claudeWrites, hooks: [{ ...each, onFailure: "block" }] }],
    PostToolUse: [{ matcher: `${claudeWrites}|Read`, hooks: [each] }],
    PostToolUseFailure: [{ matcher: claudeWrites, hooks: [each] }],
    Stop: plain(10),
    SubagentStop: plain(10),
    // Claude Code gives all of them 1.5 s together unless a settings file asks for more.
    SessionEnd: plain(5),
  };
};

const claudeHttpHandler = (port: number) => ({
  type: "http",
  url: `http://127.0.0.1:${port}/hooks/claude`,
  headers: { Authorization: "Bearer $HEADGATE_TOKEN", Accept: "application/json" },
  allowedEnvVars: ["HEADGATE_TOKEN"],
});

export const codexHooks = (command: string): HookTable => {
  const group = (timeout: number, matcher?: string): Json[] => [
    {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: "command", command, timeout, statusMessage: "Headgate" }],
    },
  ];
  return {
    SessionStart: group(15),
    UserPromptSubmit: group(10),
    PreToolUse: group(judgeSeconds, `apply_patch|Edit|Write|Bash|${mcpTools}`),
    PostToolUse: group(judgeSeconds, `apply_patch|Edit|Write|Bash|${mcpTools}`),
    Stop: group(10),
    SubagentStop: group(10),
    // Codex allows no more.
    SessionEnd: group(3),
  };
};

const cursorMcp = "MCP:.*";

export const cursorHooks = (command: string): HookTable => ({
  sessionStart: [{ command, timeout: 15 }],
  beforeSubmitPrompt: [{ command, timeout: 10 }],
  preToolUse: [
    {
      command,
      timeout: judgeSeconds,
      matcher: `Write|Delete|Shell|${cursorMcp}`,
      failClosed: true,
    },
  ],
  postToolUse: [
    { command, timeout: judgeSeconds, matcher: `Write|Delete|Shell|Read|${cursorMcp}` },
  ],
  postToolUseFailure: [{ command, timeout: judgeSeconds, matcher: `Write|Delete|${cursorMcp}` }],
  subagentStop: [{ command, timeout: 10 }],
  stop: [{ command, timeout: 10 }],
  sessionEnd: [{ command, timeout: 5 }],
});

export const geminiHooks = (command: string): HookTable => {
  // Milliseconds here.
  const group = (seconds: number, matcher?: string): Json[] => [
    {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: "command", name: "headgate", command, timeout: seconds * 1000 }],
    },
  ];
  return {
    SessionStart: group(15),
    BeforeAgent: group(10),
    BeforeTool: group(judgeSeconds, "write_file|replace|run_shell_command|mcp_.*"),
    AfterTool: group(judgeSeconds, "write_file|replace|run_shell_command|read_file|mcp_.*"),
    AfterAgent: group(10),
    SessionEnd: group(5),
  };
};

export const qwenHooks = (command: string): HookTable => {
  const group = (timeout: number, matcher?: string): Json[] => [
    {
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: "command", name: "headgate", command, timeout }],
    },
  ];
  const writes = `write_file|edit|notebook_edit|run_shell_command|${mcpTools}`;
  return {
    SessionStart: group(15),
    UserPromptSubmit: group(10),
    PreToolUse: group(judgeSeconds, writes),
    PostToolUse: group(judgeSeconds, `${writes}|read_file`),
    PostToolUseFailure: group(judgeSeconds, writes),
    Stop: group(10),
    SubagentStop: group(10),
    SessionEnd: group(5),
  };
};

/** VS Code ignores matchers: the shim must answer at once for tools that do not write. */
export const vscodeHooks = (command: string): HookTable => {
  const entry = (timeout: number): Json[] => [{ type: "command", command, timeout }];
  return {
    SessionStart: entry(15),
    UserPromptSubmit: entry(10),
    PreToolUse: entry(judgeSeconds),
    PostToolUse: entry(judgeSeconds),
    // Only Copilot's command line has these two.
    PostToolUseFailure: entry(judgeSeconds),
    SessionEnd: entry(5),
    SubagentStop: entry(10),
    Stop: entry(10),
  };
};
