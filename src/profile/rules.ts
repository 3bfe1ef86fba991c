/** Which rules a profile was made by: what was looked for, and how it was weighed. */
import { sha256 } from "../base/sha256.ts";
import { type SignalIndex, watchedPatterns } from "./signal-index.ts";
import * as weighing from "./signals/weights.ts";
import type { ProfileOverride } from "./types.ts";

export interface RulesVersion {
  /** Differs: a stored survey may lack what is looked for today. */
  readonly looked: string;
  /** Differs: a stored survey can be weighed again. */
  readonly weighed: string;
}

/** Raised when a reader, the census or the layout finds something else in the same tree. */
const surveyVersion = 3;
/** Raised when score.ts comes to another result with the same figures. */
const scoreVersion = 2;

export const rulesVersion = (index: SignalIndex): RulesVersion => {
  const looked = [
    surveyVersion,
    [...index.byKey.keys()].toSorted(),
    [...index.against].toSorted(),
    watchedPatterns(index),
    index.statements.map(({ domain, expression }) => [domain, expression.source]),
    [...index.tools].toSorted(),
    weighing.roleShare,
    weighing.weights.partOfTop,
  ];
  return {
    looked: digest(looked),
    weighed: digest([scoreVersion, index.signals, { ...weighing }]),
  };
};

/** What the user said, whatever the order of the keys. */
export const overrideDigest = ({
  domains = [],
  add = [],
  remove = [],
  primary,
  ignore = [],
}: ProfileOverride = {}): string => digest([domains, add, remove, primary ?? null, ignore]);

const digest = (value: unknown): string => `sha256:${sha256(JSON.stringify(value))}`;
