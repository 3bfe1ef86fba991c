/** A review that models answer wants the reviewers of the project's domains: asked once, and the answer is kept. */
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { sha256 } from "../../base/sha256.ts";
import { plural } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import { noRunner } from "../../runners/index.ts";
import { writeFileAtomic } from "../../state/index.ts";
import type { CommandContext } from "./command.ts";
import { openReviewersFor } from "./reviewers-run.ts";

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
  const missing = reviewers
    .list({ domains })
    .flatMap(({ state, name }) => (state === "missing" ? [name] : []));
  if (missing.length === 0) return;
  const file = join(headgate.repository.localDir, "reviewers-declined");
  // Other reviewers that are missing are another question.
  const answer = sha256(missing.toSorted().join("\n"));
  const { output } = context;
  const count = plural(missing.length, "reviewer");
  const about = `${count} for this project (${domains.join(", ")}) not made yet: ${missing.join(", ")}`;
  if (isKept(file, answer)) return;
  const isWanted = await context.confirm(`${about}. Make them now?`);
  if (isWanted === undefined) {
    output.note(`headgate: ${about}`);
    output.note("  → make them with: headgate reviewers generate");
    return;
  }
  if (!isWanted) {
    await writeFileAtomic(file, `${answer}\n`, { mode: 0o600, durability: "normal" });
    return;
  }
  const made = await reviewers.generate({ domains });
  for (const line of made.messages) output.note(`headgate: ${line}`);
};

const isKept = (file: string, answer: string): boolean =>
  systemFiles.stat(file)?.isFile() === true &&
  systemFiles.readFile(file).toString("utf8").trim() === answer;
