/** What GET /api/runs answers. Imports nothing: the page is built for a browser. */
export interface RunView {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly startedAt: string;
  /** What a person can do now. */
  readonly next: string;
  readonly claimed: readonly string[];
  readonly tokens: number;
  readonly costUsd: number;
  /** Who carries it out at this moment. */
  readonly executor?: string;
  /** It was asked to stop, and has not yet. */
  readonly isPausing: boolean;
  /** Agents at work. */
  readonly working: readonly {
    readonly plan: string;
    readonly task: number;
    readonly since: string;
  }[];
  readonly plans: readonly RunPlanView[];
  /** What agents said, the questions that wait for an answer first. */
  readonly notes: readonly NoteView[];
  /** What happened last, the newest first. */
  readonly happened: readonly {
    readonly seq: number;
    readonly at: string;
    readonly kind: string;
    readonly text: string;
  }[];
}

export interface RunPlanView {
  readonly plan: string;
  readonly title?: string;
  readonly state: string;
  readonly reason?: string;
  readonly after: readonly string[];
  readonly tasks: readonly {
    readonly number: number;
    readonly name: string;
    readonly state: string;
    readonly commit?: string;
    readonly reason?: string;
  }[];
}

export interface NoteView {
  readonly id: string;
  readonly kind: string;
  readonly plan: string;
  readonly task: number;
  readonly text: string;
  readonly answer?: string;
}

/** What GET /api/run-output answers: of the agents at work, and of the last one. */
export interface RunOutputAnswer {
  readonly agents: readonly {
    readonly agent: string;
    readonly plan: string;
    readonly task: number;
    readonly isAtWork: boolean;
    readonly lines: readonly string[];
  }[];
}

export interface RunsAnswer {
  /** The newest first. */
  readonly runs: readonly RunView[];
  /** How many there are besides. */
  readonly more: number;
}
