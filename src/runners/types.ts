/** The words of this room: one question to a model or an agent program, and what came back. */
import type { Json } from "../base/json.ts";

export interface RunRequest {
  /** Who is asked, for logs and recordings: a reviewer's name, a task. */
  readonly label: string;
  readonly prompt: string;
  readonly system?: string;
  readonly model?: string;
  /** The folder that the agent looks at. */
  readonly cwd: string;
  /** Variables that the program gets beside those it needs itself: as whom it acts in a run. */
  readonly env?: Readonly<Record<string, string>>;
  /** It may look and nothing else; a run's agent may write. */
  readonly readOnly: boolean;
  /** Wall clock; then the whole process group ends. */
  readonly timeoutMs: number;
  /** What this one question may cost, where the program can be told. */
  readonly budgetUsd?: number;
  /** A JSON schema for the answer, where the program can hold to one. */
  readonly schema?: Json;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * `answer`: there is a text, whole or not. `failed`: the program or the service said no. `timeout`,
 * `cancelled`: we ended it. A runner throws only for defects; everything that can happen is an answer.
 */
export interface RunAnswer {
  readonly ended: "answer" | "failed" | "timeout" | "cancelled";
  readonly text: string;
  readonly structured?: Json;
  readonly usage: Usage;
  readonly costUsd?: number;
  /** As the service names it. */
  readonly model?: string;
  readonly exit?: number;
  /** The end of what it said on standard error, without secrets. */
  readonly stderrTail?: string;
  /** The answer ended early: length limit, cut stream. */
  readonly truncated: boolean;
  /** One line: what went wrong. */
  readonly problem?: string;
  /** Worth another try (429, 5xx, 529, lost connection). */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** How often it was asked; more than one after retries. */
  readonly tries: number;
}

export interface RunProgress {
  readonly outputTokens?: number;
  readonly characters?: number;
  /** Waiting for the next try, and why. */
  readonly waitingMs?: number;
  readonly why?: string;
}

/** In US dollars for a million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

export interface Runner {
  readonly name: string;
  /** The model family behind it: copies of one model are not independent. */
  readonly family: string;
  /** Asked when a request names none. */
  readonly model?: string;
  /** It can look into `cwd` by itself; without it a prompt must hold all that is needed. */
  readonly readsFiles?: boolean;
  /** Its answers are found by the prompt's text, so that must be the same every time. */
  readonly isReplayed?: boolean;
  /** What one question can cost; absent: nobody knows. */
  readonly cost?: {
    readonly prices?: Prices;
    /** One answer has at most so many tokens. */
    readonly outputTokensMax?: number;
    /** The program itself holds to `budgetUsd`. */
    readonly keepsBudget?: boolean;
  };
  run(
    request: RunRequest,
    options: {
      readonly signal: AbortSignal;
      onProgress?(progress: RunProgress): void;
      /** What a program prints, as it comes, on either stream; services print nothing. */
      onPrinted?(chunk: Uint8Array): void;
    },
  ): Promise<RunAnswer>;
}
