/** The words of this door: what a client asks, in our words, and what it is answered. */

/** The agent clients that have hooks; Copilot in VS Code is `vscode`, its command line `copilot`. */
export type HookHarness =
  | "claude"
  | "codex"
  | "copilot"
  | "cursor"
  | "gemini"
  | "opencode"
  | "qwen"
  | "vscode";

export type HookEvent =
  | "before-tool"
  | "after-tool"
  /** A tool that was to write files did not. */
  | "tool-failed"
  | "session-start"
  | "session-end"
  /** The user has written; the agent has not begun. */
  | "prompt"
  /** A turn is over, the session is not. */
  | "stop"
  | "subagent-stop"
  | "other";

/** One call of a client's hook, read from its payload. Nothing after this knows the client's dialect. */
export interface HookCall {
  readonly harness: HookHarness;
  readonly event: HookEvent;
  readonly session: string;
  /** The sub-agent; several share a session. */
  readonly agent?: string;
  /** Where the client works; a worktree has its own. */
  readonly cwd: string;
  /** Present with before-tool and after-tool. */
  readonly tool?: ToolUse;
  /** The client's name of this very tool use: a hook that fires twice fires with the same one. */
  readonly toolUseId?: string;
  /** With `prompt`: the user's words. */
  readonly prompt?: string;
  /** How the session began: startup, resume, clear, compact, fork. */
  readonly source?: string;
  /** Why it ended. */
  readonly reason?: string;
  /** The client shows the agent nothing of an answer to this event. */
  readonly isDeaf?: true;
  /** The client's own name of the event, for its answer. */
  readonly eventName?: string;
}

/** Paths are absolute, as the client will use them. */
export type ToolUse =
  /** The whole file is written. */
  | {
      readonly kind: "write";
      readonly file: string;
      readonly content: string;
      readonly name: string;
    }
  /** Texts are replaced, one after the other. `exact` is false where the client searches loosely. */
  | {
      readonly kind: "replace";
      readonly file: string;
      readonly edits: readonly TextEdit[];
      readonly exact: boolean;
      readonly name: string;
    }
  /** An `apply_patch` envelope or a unified diff; paths in it are relative to `folder`. */
  | {
      readonly kind: "patch";
      readonly patch: string;
      readonly folder: string;
      readonly name: string;
    }
  /** One cell of a Jupyter notebook. */
  | {
      readonly kind: "notebook";
      readonly file: string;
      readonly cell: NotebookEdit;
      readonly name: string;
    }
  | { readonly kind: "delete"; readonly file: string; readonly name: string }
  | { readonly kind: "move"; readonly file: string; readonly to: string; readonly name: string }
  | {
      readonly kind: "shell";
      readonly command: string;
      readonly shell: "posix" | "powershell";
      readonly name: string;
    }
  | { readonly kind: "read"; readonly file: string; readonly name: string }
  /** A tool that writes, but its input is not one we know: which files, if it tells. */
  | { readonly kind: "unknown-write"; readonly files: readonly string[]; readonly name: string }
  /** Neither reads nor writes files of the repository, as far as is known. */
  | {
      readonly kind: "other";
      readonly name: string;
      /** Of another MCP server: it may write all the same. */
      readonly isForeign?: true;
    };

export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
  /** Where one tool edits several files: absolute; absent means the tool's own file. */
  readonly file?: string;
}

export interface NotebookEdit {
  readonly mode: "replace" | "insert" | "delete";
  readonly id?: string;
  readonly source: string;
  readonly type?: "code" | "markdown";
}

/** What Headgate says to a call. */
export type HookDecision =
  /** No objection: silence. */
  | { readonly kind: "pass" }
  | HookRefusal
  /** Something the agent should know; never stops it. */
  | {
      readonly kind: "tell";
      readonly text: string;
      /** To be called once the answer was written; what it carried is given again otherwise. */
      readonly handedOver?: () => Promise<void>;
    };

export interface HookRefusal {
  readonly kind: "refuse";
  /** Of the first reason; docs/errors.md. */
  readonly code: string;
  /** Complete text for the agent: first line stable, one machine-readable line, remedy (refusal.ts). */
  readonly text: string;
  /** As with `tell`. */
  readonly handedOver?: () => Promise<void>;
}

/** What goes back to the client. */
export interface HookAnswer {
  /** 0: no objection or only a message; 2: refused. No other code ever leaves a hook. */
  readonly exit: 0 | 2;
  readonly stdout: string;
  readonly stderr: string;
  /** To be called once it was written, or could not be; what it carried is given again then. Never throws. */
  readonly settle?: (isWritten: boolean) => Promise<void>;
}

/** One client's dialect: a file of harness/. */
export interface Dialect {
  readonly harness: HookHarness;
  /** Throws HOOK_INPUT_INVALID with what is wrong. */
  read(payload: Readonly<Record<string, unknown>>, context: DialectContext): HookCall;
  answer(decision: HookDecision, call: HookCall): HookAnswer;
}

export interface DialectContext {
  /** Of the process that was asked, for what the payload lacks (GEMINI_SESSION_ID …). */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where the hook was started. */
  readonly cwd: string;
}
