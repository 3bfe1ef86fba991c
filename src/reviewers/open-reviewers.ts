import { generate, type GenerateOptions, type GenerateReport } from "./generate.ts";
import { type Library, openLibrary } from "./library.ts";
import {
  adopt,
  type AdoptReport,
  prune,
  type PruneOptions,
  type PruneReport,
} from "./lifecycle.ts";
import {
  type AgentText,
  agentTexts,
  type DiffReport,
  diffReviewers,
  type ListedReviewer,
  listOrphans,
  listReviewers,
  type LookOptions,
} from "./look.ts";
import { type ReviewersPlace, settlePlace } from "./place.ts";

export interface Reviewers {
  readonly library: Library;
  list(options?: LookOptions): ListedReviewer[];
  agents(): AgentText[];
  generate(options: GenerateOptions): Promise<GenerateReport>;
  diff(options?: {
    readonly names?: readonly string[];
    readonly own?: boolean;
  }): Promise<DiffReport>;
  orphans(options: LookOptions): ListedReviewer[];
  adopt(options?: { readonly names?: readonly string[] }): Promise<AdoptReport>;
  prune(options: PruneOptions): Promise<PruneReport>;
}

/** The reviewers of one worktree. Throws PATH_OUTSIDE when its agents' folder leads out of it. */
export const openReviewers = async (given: ReviewersPlace): Promise<Reviewers> => {
  const place = settlePlace(given);
  const { files } = place;
  const folder = given.documents;
  const library = await openLibrary({ files, ...(folder !== undefined && { folder }) });
  return {
    library,
    list: (options) => listReviewers(place, library, options),
    agents: () => agentTexts(place, library),
    generate: (options) => generate(place, library, options),
    diff: (options) => diffReviewers(place, library, options),
    orphans: (options) => listOrphans(place, library, options),
    adopt: (options) => adopt(place, library, options),
    prune: (options) => prune(place, library, options),
  };
};
