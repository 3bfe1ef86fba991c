/** Asks somebody else about what only one source reports, within what is left of the budget. */
import { limits } from "../../base/limits.ts";
import { sha256 } from "../../base/sha256.ts";
import { plural } from "../../base/text.ts";
import { noRunner, type Runner } from "../../runners/index.ts";
import { dispatch } from "../dispatch/dispatch.ts";
import type { DispatchTotals, ReviewJob } from "../dispatch/types.ts";
import { lookPrompt } from "../second-look/prompt.ts";
import { readLook } from "../second-look/read-look.ts";
import type { Subject } from "../subject/types.ts";
import type { Cluster, Finding, MissedJudgement, Verification } from "../types.ts";
import type { ReviewParts, ReviewWatch } from "./types.ts";

export const secondLooks = async (
  clusters: readonly Cluster[],
  context: {
    readonly parts: Pick<ReviewParts, "runner" | "panel" | "clock" | "repository">;
    readonly subject: Subject;
    readonly findings: readonly Finding[];
    readonly secret: string;
    readonly concurrency: number;
    readonly timeoutMs: number;
    readonly budgetUsd: number | null;
    readonly model?: string | undefined;
    readonly watch: ReviewWatch;
  },
): Promise<{
  readonly verifications: Verification[];
  readonly totals: DispatchTotals;
  readonly notes: string[];
  /** Looks that were due and gave no answer: what they are about stays as it was reported. */
  readonly missed: readonly MissedJudgement[];
}> => {
  const { parts, subject, findings, secret, watch } = context;
  const asked = clusters.slice(0, limits.secondLooksMax);
  const lookers = asked.map((cluster) => lookerFor(cluster, parts));
  const nonces = asked.map(({ id }) => sha256(`${secret}\0look\0${id}`).slice(0, 24));
  const jobs = asked.map((cluster, index): ReviewJob => {
    const members = findings.filter(({ id }) => cluster.members.includes(id));
    const nonce = nonces[index] ?? "";
    return {
      reviewer: lookerName,
      ...{ slice: index + 1, stage: 1, shadow: false },
      request: {
        label: lookerName,
        ...lookPrompt({
          cluster,
          members,
          subject,
          nonce,
          canRead: lookers[index]?.readsFiles === true,
        }),
        ...{ cwd: parts.repository.worktree, readOnly: true, timeoutMs: context.timeoutMs },
        ...(context.model !== undefined && { model: context.model }),
      },
    };
  });
  const { results, totals } = await dispatch(jobs, {
    runner: ({ slice }) => lookers[slice - 1] ?? parts.runner,
    ...{ concurrency: context.concurrency, budgetUsd: context.budgetUsd },
    ...{ signal: watch.signal, clock: parts.clock },
    onProgress: (progress) => watch.onProgress?.({ ...progress, phase: "second look" }),
  });
  const verifications = results.flatMap(({ state, answer, family }, index): Verification[] => {
    const cluster = asked[index];
    if (state !== "answered" || !answer || !cluster) return [];
    const nonce = nonces[index] ?? "";
    const look = answer.truncated
      ? { outcome: "unsure" as const, reason: "the answer was cut" }
      : readLook(answer.text, { nonce });
    return [{ review: cluster.review, cluster: cluster.id, by: lookerName, family, ...look }];
  });
  const missed = clusters.flatMap(({ title, path, line }, index): MissedJudgement[] => {
    const { state = "not-asked", why = `over ${limits.secondLooksMax}` } = results[index] ?? {};
    if (state === "answered") return [];
    const where = path === undefined ? title : `${path}:${line ?? "?"}`;
    return [{ what: "second look", where, why: state === "not-asked" ? why : `${state}: ${why}` }];
  });
  const reasons = Map.groupBy(missed, ({ why }) => why);
  const notes = [...reasons].map(
    ([why, own]) => `${plural(own.length, "second look")} not judged: ${why}`,
  );
  return { verifications, totals, notes, missed };
};

/** Another family than those that reported it, where there is one: a model agrees with itself. */
const lookerFor = (
  { families = [] }: Cluster,
  { runner, panel }: Pick<ReviewParts, "runner" | "panel">,
): Runner => {
  const all = [...(panel?.all ?? []), ...(panel?.byName.values() ?? [])];
  const others = [runner, ...all].filter(({ name }) => name !== noRunner);
  return others.find(({ family }) => !families.includes(family)) ?? others[0] ?? runner;
};

export const lookerName = "second look";
