/**
 * One commit at a time in a worktree: its index is claimed from pre-commit to post-commit. All worktrees
 * share `@git/index`, and each has an index of its own; so that one is claimed shared, which keeps
 * everybody out who claimed or wants it alone, and the worktree's own exclusively. Both are held by a
 * sub-agent of its own whose life is that of the git process, so that a commit that never happens (an
 * empty message, another hook, Ctrl-C) leaves nothing claimed.
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { ownIdentity, type ProcessIdentity } from "../../base/process-identity.ts";
import { ancestorsOf, type ProcessTree } from "../../base/process-tree.ts";
import { type Actor, type Blocker, parseActor } from "../../claims/index.ts";
import { noteIndexLock } from "../../git/index.ts";
import type { HookContext } from "./hook-context.ts";

type TurnContext = Pick<HookContext, "headgate" | "gitDir" | "processTree">;

const target = "@git/index";
const turnReason = "git commit";

/** A message is being written in an editor all this time; the end of git ends it sooner. */
const ttlMs = 10 * 60_000;
/** Where nothing tells whether git still runs. */
const ttlUnknownMs = 2 * 60_000;

/** Two that commit at the same moment take turns; one that writes its message is not waited for. */
const waitMs = 10_000;

/** Whoever is in the way; undefined: it is this commit's turn. */
export const takeCommitTurn = async ({
  headgate: { claims },
  gitDir,
  processTree,
}: TurnContext): Promise<Blocker | undefined> => {
  const { actor } = claims;
  const { claims: held } = await claims.list({ target });
  // Whoever commits has claimed it already, for longer than this commit.
  if (held.some((claim) => claim.actor === actor.id)) return undefined;
  // It is shared, so it blocks no commit, and would stay until its time is over.
  const isLeft = held.some(
    ({ reason, liveness }) => reason === turnReason && liveness.state === "dead",
  );
  if (isLeft) await claims.sweep();
  const gitProcess = findGit(processTree());
  // Asked by hand: looks, but takes nothing.
  if (gitProcess === "none") {
    return (await claims.check([target], { mode: "shared" })).blockers[0];
  }
  const isKnown = gitProcess !== "unknown";
  const turn = claims.as(isKnown ? turnActor(actor, gitProcess) : actor);
  const request = { ttlMs: isKnown ? ttlMs : ttlUnknownMs, reason: turnReason } as const;
  const shared = await turn.claim({ ...request, targets: [target], mode: "shared" });
  if (!shared.ok) return shared.blockers[0];
  const own = await turn.claim({ ...request, targets: [indexOf(gitDir)], waitMs });
  if (own.ok) return undefined;
  await turn.release({ claims: shared.claims.map(({ id }) => id) });
  return own.blockers[0];
};

/** The index of one worktree. */
const indexOf = (gitDir: string): string => `name:git-index/${hash("sha256", gitDir).slice(0, 12)}`;

export const endCommitTurn = async ({
  headgate: { claims },
  processTree,
}: TurnContext): Promise<void> => {
  const gitProcess = findGit(processTree());
  const own = typeof gitProcess === "string" ? claims.actor : turnActor(claims.actor, gitProcess);
  const { claims: held } = await claims.list({ actor: own.id });
  const turn = held.filter(({ reason }) => reason === turnReason).map(({ id }) => id);
  if (turn.length > 0) await claims.as(own).release({ claims: turn });
};

/** Should this git be killed, its lock is known to be its own. */
export const noteOwnLock = ({
  gitDir,
  processTree,
}: Pick<TurnContext, "gitDir" | "processTree">): void => {
  if (systemFiles.stat(join(gitDir, "index.lock")) === undefined) return;
  const owner = findGit(processTree());
  if (typeof owner !== "string") noteIndexLock(gitDir, owner);
};

const turnActor = (actor: Actor, git: ProcessIdentity): Actor => ({
  ...parseActor(`${actor.session}/git-${git.pid}`),
  process: git,
});

/**
 * The git that makes the commit; unknown where the system does not tell. `git hook run` makes none: its
 * caller has an index of its own, or only asks.
 */
export const findGit = (tree: ProcessTree | undefined): ProcessIdentity | "none" | "unknown" => {
  if (!tree) return "unknown";
  const found = ancestorsOf(tree).find(({ name, isZombie }) => name === "git" && !isZombie);
  if (!found || isHookRun(found.argv)) return "none";
  return { ...ownIdentity(), pid: found.pid, startTime: found.startTime };
};

/** `git [-c NAME=VALUE] hook run …`. */
const isHookRun = ([, ...words]: readonly string[]): boolean => {
  const at = words.findIndex(
    (word, index) => !word.startsWith("-") && !/^-[cC]$/.test(words[index - 1] ?? ""),
  );
  return words[at] === "hook" && words[at + 1] === "run";
};
