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
import { clearLeftIndexLock, noteGitBegins, noteGitEnded } from "../../git/index.ts";
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

/** Answers what the agent must know of git's own lock. */
export const takeGitTurn = async (
  effects: readonly GitEffect[],
  context: GitTurnContext,
): Promise<string | undefined> => {
  const writing = effects.filter(({ touches }) => touches.includes("index"));
  if (writing.length === 0) return undefined;
  const commits = writing.filter(({ operation }) => operation === "commit");
  const isGroundFree = commits.length === 0 || (await waitForGround(context));
  // It waits longer for them itself, and must not keep them from git all the while.
  if (!isGroundFree && commits.every(({ by }) => by === "headgate commit")) return undefined;
  if (context.isOver()) return undefined;
  const { claims, clock, root } = context;
  await claims.claim({
    targets: [turnName(root)],
    reason: turnReason,
    ttlMs: limits.gitTurnTtlMs,
    waitMs: limits.gitTurnWaitMs,
  });
  const lock = clearLeftIndexLock(root, { clock });
  noteGitBegins(root, claims.actor.id);
  if (!lock) return undefined;
  return lock.isRemoved
    ? `Headgate removed a lock of git that was left: ${lock.what}.`
    : `Git's index is locked: ${lock.what}.`;
};

export const endGitTurn = async (
  command: string,
  { claims, clock, root }: Pick<GitTurnContext, "claims" | "clock" | "root">,
): Promise<void> => {
  if (!/\b(?:git|headgate)\b/.test(command)) return;
  noteGitEnded(root, claims.actor.id, { clock });
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
