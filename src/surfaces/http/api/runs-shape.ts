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
  /** An agent is at work since then. */
  readonly agentSince?: string;
  readonly plans: readonly {
    readonly plan: string;
    readonly title?: string;
    readonly state: string;
    readonly reason?: string;
    readonly tasks: readonly {
      readonly name: string;
      readonly state: string;
      readonly commit?: string;
      readonly reason?: string;
    }[];
  }[];
}

export interface RunsAnswer {
  /** The newest first. */
  readonly runs: readonly RunView[];
}
