/** What GET /api/runs answers. Imports nothing: the page is built for a browser. */
export interface RunView {
  readonly id: string;
  readonly state: string;
  readonly startedAt: string;
  readonly plans: readonly {
    readonly plan: string;
    readonly title?: string;
    readonly state: string;
    readonly tasks: readonly {
      readonly name: string;
      readonly state: string;
      readonly commit?: string;
    }[];
  }[];
  /** The last lines that its agent printed. */
  readonly output?: readonly string[];
}

export interface RunsAnswer {
  /** The newest first. */
  readonly runs: readonly RunView[];
}
