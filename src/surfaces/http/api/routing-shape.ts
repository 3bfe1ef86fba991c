/** What GET /api/routing answers. Imports nothing: the page is built for a browser. */
export interface RoutingAnswer {
  readonly patterns: readonly {
    readonly reviewer: string;
    readonly class: string;
    readonly state: "emerging" | "growing" | "ready";
    readonly outcomes: number;
    readonly wrong: number;
    readonly eValue: number;
  }[];
  readonly proposals: readonly {
    readonly id: string;
    readonly reviewer: string;
    readonly action: string;
    readonly reason: string;
    readonly state: string;
  }[];
  readonly overrides: readonly {
    readonly reviewer: string;
    readonly action: string;
    readonly reason: string;
    readonly commit?: string;
    readonly vanished: boolean;
  }[];
  readonly canaries: readonly {
    readonly reviewer: string;
    readonly state: string;
    readonly shadows: number;
    readonly losses: number;
    /** Clean shadows until it passes; null when that cannot be reached any more. */
    readonly needed: number | null;
    /** The e-process after each look, and where it alarms or clears. */
    readonly process: readonly {
      readonly shadow: number;
      readonly alarm: number;
      readonly clear: number;
    }[];
    readonly alarmAt: number;
    readonly clearAt: number;
  }[];
  /** Why the overrides file is ignored. */
  readonly problem?: string;
}
