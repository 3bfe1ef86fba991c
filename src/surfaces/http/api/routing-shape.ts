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
    readonly commit?: string;
    readonly vanished: boolean;
  }[];
  readonly canaries: readonly {
    readonly reviewer: string;
    readonly state: string;
    readonly shadows: number;
    readonly losses: number;
    /** The e-process after each look, and where it alarms or clears. */
    readonly process: readonly {
      readonly at: string;
      readonly alarm: number;
      readonly clear: number;
    }[];
    readonly alarmAt: number;
    readonly clearAt: number;
  }[];
}
