/** What each reviewer is good at, as words, paths and domains that triage weighs. */
import type { Affinity } from "./affinity.ts";
import { architecture, correctness, quality, safety, tests } from "./general.ts";
import {
  accessibility,
  apiCompatibility,
  concurrency,
  dataMigration,
  dependency,
  gameDesign,
  performance,
  userProduct,
} from "./special.ts";

export type { Affinity, Role } from "./affinity.ts";

/** By the name of a reviewer of the roster; a test holds the two lists together. */
export const affinities: Readonly<Record<string, Affinity>> = {
  architecture,
  safety,
  correctness,
  quality,
  performance,
  "user-product": userProduct,
  "game-design": gameDesign,
  tests,
  "api-compatibility": apiCompatibility,
  "data-migration": dataMigration,
  concurrency,
  accessibility,
  dependency,
};
