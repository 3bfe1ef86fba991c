/**
 * Git commands of several sessions in one worktree take turns: git itself fails at once when another one holds
 * its index. The turn is taken before the command runs, never while git holds its lock, and given back after
 * it. A commit also waits a moment for the commits that its lines were written onto. Both waits are bounded:
 * after them the command runs.
 */
import { hash } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { Claims } from "../../claims/index.ts";
import type { Lines } from "../../lines/index.ts";
import type { GitEffect } from "./shell/index.ts";

export interface GitTurnContext {
  readonly claims: Claims;
  readonly lines: Pick<Lines, "ground">;
  readonly clock: Clock;
  readonly root: string;
  /** The answer went out already. */
  readonly isOver: () => boolean;
}

const turnReason = "git in this checkout";

const turnName = (root: string): string => `name:git-turn/${hash("sha256", root).slice(0, 12)}`;

export const takeGitTurn = async (
  effects: readonly GitEffect[],
  context: GitTurnContext,
): Promise<void> => {
  const writing = effects.filter(({ touches }) => touches.includes("index"));
  if (writing.length === 0) return;
  const commits = writing.filter(({ operation }) => operation === "commit");
  const isGroundFree = commits.length === 0 || (await waitForGround(context));
  // It waits longer for them itself, and must not keep them from git all the while.
  if (!isGroundFree && commits.every(({ by }) => by === "headgate commit")) return;
  if (context.isOver()) return;
  await context.claims.claim({
    targets: [turnName(context.root)],
    reason: turnReason,
    ttlMs: limits.gitTurnTtlMs,
    waitMs: limits.gitTurnWaitMs,
  });
};

export const endGitTurn = async (
  command: string,
  { claims, root }: Pick<GitTurnContext, "claims" | "root">,
): Promise<void> => {
  if (!/\b(?:git|headgate)\b/.test(command)) return;
  const { claims: held } = await claims.list({ actor: claims.actor.id, target: turnName(root) });
  if (held.length > 0) await claims.release({ claims: held.map(({ id }) => id) });
};

/** Until the sessions whose uncommitted lines the own ones were written onto have committed them. */
const waitForGround = async ({
  claims,
  lines,
  clock,
  isOver,
}: GitTurnContext): Promise<boolean> => {
  const by = { actor: claims.actor, kind: "edit" } as const;
  const untilMs = clock.monoMs() + limits.commitGroundMs;
  while (clock.monoMs() < untilMs && !isOver()) {
    if ((await lines.ground(by, true)).length === 0) return true;
    await clock.sleep(groundPollMs);
  }
  await lines.ground(by, false);
  return false;
};

const groundPollMs = 150;
