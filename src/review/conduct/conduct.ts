/**
 * Reviews that begin and reviews that go on. Every answer is kept as soon as it is there, so that an interrupted
 * review goes on where it stopped.
 */
import { join, relative } from "node:path";
import type { Json } from "../../base/json.ts";
import { nearestName, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { candidatesOf } from "../prompt/index.ts";
import { staticReviewer } from "../static/index.ts";
import { readSubject } from "../subject/index.ts";
import type { Subject } from "../subject/types.ts";
import { type Begun, carryOn } from "./carry-on.ts";
import { hasRunner } from "./choose.ts";
import type { ReviewOutcome, ReviewParts, ReviewRequest, ReviewWatch } from "./types.ts";

/** Throws what reading the subject throws, and USAGE for reviewers that nobody is. Undefined: nothing to review. */
export const conductReview = async (
  parts: ReviewParts,
  request: ReviewRequest,
  watch: ReviewWatch,
): Promise<ReviewOutcome | undefined> => {
  const subject = await readAsked(parts, request);
  if (subject.files.length === 0) return undefined;
  const { id } = await parts.ledger.begin({
    id: parts.ids("review"),
    subject,
    request: kept(parts, request),
  });
  watch.onBegin?.(id);
  return safely(parts, request, { id, subject, answers: [], watch });
};

/** The subject, once it is sure that the named reviewers can be asked. */
export const readAsked = (parts: ReviewParts, request: ReviewRequest): Promise<Subject> => {
  checkNames(parts, request);
  return subjectOf(parts, request);
};

/** Goes on with a review that was interrupted. Throws REVIEW_CHANGED when its subject is another by now. */
export const resumeReview = async (
  parts: ReviewParts,
  wanted: { readonly review: string; readonly patch?: Uint8Array },
  watch: ReviewWatch,
): Promise<ReviewOutcome> => {
  const { review, request: before, answers } = await parts.ledger.resume(wanted.review);
  const { cwd, ...rest } = before as unknown as KeptRequest;
  const request: ReviewRequest = { ...rest, ...(wanted.patch && { patch: wanted.patch }) };
  const { id } = review;
  watch.onBegin?.(id);
  // Paths were typed where it began.
  const there = { ...parts, cwd: join(parts.repository.worktree, cwd ?? ".") };
  const subject = await subjectOf(there, request).catch(async (error: unknown) => {
    await parts.ledger.interrupt(id, { problem: "its subject could not be read" });
    throw error;
  });
  if (subject.digest !== review.subjectDigest) {
    await parts.ledger.interrupt(id, { problem: "its subject has changed" });
    throw new HeadgateError(
      "REVIEW_CHANGED",
      `${showText(review.subject)} is not what review ${id} began with`,
    );
  }
  return safely(there, request, { id, subject, answers, watch });
};

/** Whatever breaks on the way, what was answered can be used: the review waits to be resumed. */
const safely = async (
  parts: ReviewParts,
  request: ReviewRequest,
  begun: Begun,
): Promise<ReviewOutcome> => {
  try {
    return await carryOn(parts, request, begun);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    // The first failure is the one to tell.
    await parts.ledger.interrupt(begun.id, { problem }).catch(() => false);
    throw error;
  }
};

const subjectOf = (parts: ReviewParts, request: ReviewRequest): Promise<Subject> => {
  const { target, staged, patch } = request;
  const { repository, cwd, environment } = parts;
  if (target === "-" && !patch) {
    throw new HeadgateError(
      "USAGE",
      "a patch was reviewed: give it again on standard input, with --stdin",
    );
  }
  return readSubject(
    {
      ...(target !== undefined && { target }),
      ...(staged !== undefined && { staged }),
      ...(patch && { patch }),
    },
    { repository, cwd, environment },
  );
};

interface KeptRequest extends ReviewRequest {
  readonly runner?: string;
  /** From the root of the worktree. */
  readonly cwd?: string;
}

/** A patch comes again on standard input when the review is resumed. */
const kept = (
  { cwd, repository, runner, panel }: ReviewParts,
  request: ReviewRequest,
): { [key: string]: Json } => {
  const whole: KeptRequest = {
    ...request,
    // Resumed, it takes the runners of the settings.
    ...(!panel && { runner: runner.name }),
    cwd: relative(repository.worktree, cwd),
  };
  return JSON.parse(JSON.stringify({ ...whole, patch: undefined })) as { [key: string]: Json };
};

const checkNames = (parts: ReviewParts, { reviewers = [] }: ReviewRequest): void => {
  if (reviewers.length === 0) return;
  const names = candidatesOf(parts.reviewers, { domains: [] }).map(({ name }) => name);
  for (const name of reviewers) {
    if (!names.includes(name)) {
      const near = nearestName(name, names);
      const hint = near === undefined ? "" : `, did you mean ${near}?`;
      throw new HeadgateError(
        "USAGE",
        `there is no reviewer ${showText(name)}${hint}; \`headgate reviewers list\` shows all`,
      );
    }
  }
  const asked = reviewers.find((name) => name !== staticReviewer && !hasRunner(name, parts));
  if (asked !== undefined) {
    throw new HeadgateError(
      "USAGE",
      `asking ${showText(asked)} needs a runner: --runner claude, or the setting review.runner`,
    );
  }
};
