/** Reviewers that the project's domains have and the project lacks: named by `init` and `status`, offered by a review. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { sha256 } from "../../base/sha256.ts";
import { plural } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { HeadgateError } from "../../errors.ts";
import type { ListedReviewer } from "../../reviewers/index.ts";
import { noRunner } from "../../runners/index.ts";
import { writeFileAtomic } from "../../state/index.ts";
import type { CommandContext } from "./command.ts";
import { openReviewersFor } from "./reviewers-run.ts";

export const missingReviewers = async (
  { repository }: Headgate,
  domains: readonly string[],
): Promise<string[]> => {
  const { openReviewers } = await import("../../reviewers/index.ts");
  const { worktree, localDir } = repository;
  const reviewers = await openReviewers({ worktree, localDir });
  return namesMissing(reviewers.list({ domains }));
};

export interface WantedReviewers {
  readonly domains: readonly string[];
  readonly missing: readonly string[];
}

/** As the last profile has the project; nothing is detected. Undefined: nothing to say, or a person said no. */
export const wantedReviewers = async (headgate: Headgate): Promise<WantedReviewers | undefined> => {
  try {
    const profile = await headgate.profile.cached();
    if (profile === undefined) return undefined;
    const { detectedIn } = await import("./commands/profile.ts");
    const domains = detectedIn(profile);
    const missing = await missingReviewers(headgate, domains);
    const isSettled = missing.length === 0 || isDeclined(headgate, missing);
    return isSettled ? undefined : { domains, missing };
  } catch (error) {
    // A look at everything else is not spoilt by this.
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    return undefined;
  }
};

export const offerReviewers = async (
  headgate: Headgate,
  context: CommandContext,
  runner: string | undefined,
): Promise<void> => {
  const { review } = headgate.config;
  const isAsking = (runner ?? review.runner) !== noRunner || Object.keys(review.runners).length > 0;
  if (!isAsking) return;
  const { detectedIn } = await import("./commands/profile.ts");
  const domains = detectedIn(await headgate.profile.detect());
  const reviewers = await openReviewersFor(context);
  const missing = namesMissing(reviewers.list({ domains }));
  if (missing.length === 0) return;
  const { output } = context;
  const count = plural(missing.length, "reviewer");
  const about = `${count} for this project (${domains.join(", ")}) not made yet: ${missing.join(", ")}`;
  if (isDeclined(headgate, missing)) return;
  const isWanted = await context.confirm(`${about}. Make them now?`);
  if (isWanted === undefined) {
    output.note(`headgate: ${about}`);
    output.note("  → make them with: headgate reviewers generate");
    return;
  }
  if (!isWanted) {
    const options = { mode: 0o600, durability: "normal" } as const;
    await writeFileAtomic(declinedFile(headgate), `${answerFor(missing)}\n`, options);
    return;
  }
  const made = await reviewers.generate({ domains });
  for (const line of made.messages) output.note(`headgate: ${line}`);
};

const namesMissing = (listed: readonly ListedReviewer[]): string[] =>
  listed.flatMap(({ state, name }) => (state === "missing" ? [name] : []));

const declinedFile = ({ repository }: Headgate): string =>
  join(repository.localDir, "reviewers-declined");

/** Other reviewers that are missing are another question. */
const answerFor = (missing: readonly string[]): string => sha256(missing.toSorted().join("\n"));

const isDeclined = (headgate: Headgate, missing: readonly string[]): boolean => {
  const file = declinedFile(headgate);
  return (
    systemFiles.stat(file)?.isFile() === true &&
    systemFiles.readFile(file).toString("utf8").trim() === answerFor(missing)
  );
};
