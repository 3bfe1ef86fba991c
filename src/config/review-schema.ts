/** Settings of `review` that say who looks and with which words. Apart, because they are many. */
import * as v from "valibot";
import { limits } from "../base/limits.ts";
import { facts, linterNames } from "./parts-schema.ts";
import { settingFacts } from "./settings.ts";

export const reviewPanel = () => ({
  runners: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.nonEmpty()),
        v.union([
          v.pipe(v.string(), v.nonEmpty()),
          v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1), v.maxLength(8)),
        ]),
      ),
      v.description(settingFacts["review.runners"].description),
      facts(settingFacts["review.runners"]),
    ),
    settingFacts["review.runners"].default,
  ),
  linters: v.optional(
    v.pipe(
      v.array(v.picklist(linterNames)),
      v.description(settingFacts["review.linters"].description),
      facts(settingFacts["review.linters"]),
    ),
    [...settingFacts["review.linters"].default],
  ),
  linterRepositories: v.optional(
    v.pipe(
      v.array(v.pipe(v.string(), v.nonEmpty())),
      v.maxLength(1000),
      v.description(settingFacts["review.linterRepositories"].description),
      facts(settingFacts["review.linterRepositories"]),
    ),
    [...settingFacts["review.linterRepositories"].default],
  ),
  contextTokens: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(limits.reviewContextTokensMax),
      v.description(settingFacts["review.contextTokens"].description),
      facts(settingFacts["review.contextTokens"]),
    ),
    settingFacts["review.contextTokens"].default,
  ),
});
