/** What GET /api/reviews answers. Imports nothing: the page is built for a browser. */
export interface ReviewView {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly verdict: string;
  readonly reports: readonly { readonly reviewer: string; readonly state: string }[];
  readonly clusters: readonly {
    readonly id: string;
    readonly severity: string;
    readonly title: string;
    readonly body?: string;
    readonly path?: string;
    readonly line?: number;
    readonly reviewers: readonly string[];
    readonly probability: number;
    /** What became of it; absent while nobody said. */
    readonly outcome?: "accepted" | "dismissed";
  }[];
}

export interface ReviewsAnswer {
  /** The newest first. */
  readonly reviews: readonly ReviewView[];
  /** The page offers accept and dismiss (POST /api/actions/finding) only then. */
  readonly canDecide: boolean;
}
