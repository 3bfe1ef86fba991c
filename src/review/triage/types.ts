/** Who reviews, and why: each considered reviewer with every term of its score. */
import type { RoutingView } from "../../routing/index.ts";
import type { Subject } from "../subject/types.ts";

/** Somebody who can be asked. */
export interface Candidate {
  readonly name: string;
  readonly kind: "static" | "built-in" | "generated" | "own";
  readonly description: string;
  /** The domain that it was generated for. */
  readonly domain?: string;
  /** The whole instruction, as it goes to the model; empty for static ones. */
  readonly instructions: string;
  /** Qualified on planted faults; a generated one that failed takes no slot. */
  readonly qualified?: boolean;
}

export interface TriageInput {
  readonly subject: Subject;
  readonly candidates: readonly Candidate[];
  readonly domains: readonly { readonly name: string; readonly confidence: number }[];
  readonly routing: RoutingView;
  /** These and no others, in this order, whatever their score. */
  readonly chosen?: readonly string[];
  /** How many may be asked; by size and number of domains when not told. */
  readonly slots?: number;
  /** Decides exploration and sampling: the review's id. The same seed, the same choice. */
  readonly seed: string;
}

export interface ScoreTerm {
  /** `path`, `hunk-words`, `language`, `domain`, `precision`, `exploration`, `override` … */
  readonly term: string;
  readonly value: number;
  readonly why: string;
}

export interface Considered {
  readonly reviewer: string;
  readonly kind: Candidate["kind"];
  readonly score: number;
  readonly terms: readonly ScoreTerm[];
  readonly decision:
    | {
        readonly state: "chosen";
        readonly stage: 1 | 2;
        readonly floor?: "P0" | "P1" | "P2" | "P3";
        /** A canary counts what is hidden of it; with what probability it does so in a review. */
        readonly watched?: number;
      }
    /** Runs, is recorded, and is not shown: a canary looks. */
    | { readonly state: "shadow"; readonly probability: number }
    | { readonly state: "left-out"; readonly why: string };
  /** Paths that it looks at, where an override narrows them. */
  readonly except?: readonly string[];
}

export interface Triage {
  readonly slots: number;
  /** How the number came about. */
  readonly slotsWhy?: string;
  /** All candidates, best first; ties by name. */
  readonly considered: readonly Considered[];
  /** What a person is told: overrides that took effect, a broken file, names that nobody has. */
  readonly notes: readonly string[];
}
