/**
 * The fence where commits become part of a branch or leave the machine. Decided is only what git and the
 * log can prove; docs/git.md says exactly what that is. "Somebody else" is a session that holds claims
 * now: whoever has finished and left may be amended and squashed.
 * 1. A commit that no ref knew before must not change what somebody else holds now.
 * 2. A branch must not lose commits that somebody else made, unless another ref keeps them or the
 *    branch has the same changes in another commit, or an amended commit keeps them.
 * 3. What was committed past the gate while somebody else held it is not pushed before the holder has
 *    built upon it.
 */
import {
  type Git,
  splitNul,
  type Change,
  commitOf,
  digestOf,
  emptyTree,
  isNoObject,
  isObjectName,
  readBlobs,
  treeChanges,
} from "../../git/index.ts";
import { showText } from "../../base/text.ts";
import { parseActor, type TargetInput } from "../../claims/index.ts";
import type { Reason } from "../../gate/index.ts";
import type { Event } from "../../store/index.ts";
import { keepsWork, madeBy } from "./amended.ts";
import { changedReason, type CommitPlan, readPlan } from "./commit-plan.ts";
import { foreignBlockers, foreignSessions } from "./foreign-claims.ts";
import type { HookContext } from "./hook-context.ts";
import { checkLate, noteLate } from "./late-checks.ts";
import { type HookOutcome, passed } from "./refusal.ts";

export const referenceTransaction = async (context: HookContext): Promise<HookOutcome> => {
  if (context.args[0] !== "prepared") return passed();
  const { git, headgate } = context;
  const mixed = await mixedCommit(context);
  if (mixed) return context.refuse("git commit", [mixed]);
  // Without others there is nothing to lose; this is how nearly all calls end.
  const others = await foreignSessions(headgate.claims);
  if (others.size === 0) return passed();
  const reasons: Reason[] = [];
  for (const line of context.input.split("\n")) {
    const [, given = "", ref = ""] = line.split(" ");
    if (!ref.startsWith("refs/heads/") || !isObjectName(given)) continue;
    // The old name in the line is zero for an update by force.
    const [now, next] = [await commitOf(git, ref), isNoObject(given) ? undefined : given];
    if (next !== undefined)
      reasons.push(...(await heldNow(context, await unknownCommits(git, next))));
    if (now !== undefined) {
      const lost = await lostCommits(git, now, next);
      const isElsewhere = isKeptElsewhere(git, ref);
      const isKept = async (commit: string): Promise<boolean> =>
        (commit === now && next !== undefined && (await keepsWork(git, now, next))) ||
        isElsewhere(commit);
      reasons.push(...(await lostWork(context, lost, { ref, others, isKept })));
    }
    if (reasons.length > 0) return context.refuse("change of a branch", reasons);
  }
  return passed();
};

/**
 * Another program that stages files between pre-commit and the commit itself puts its lines into it. Only
 * here, before the branch moves, is it seen what the commit holds.
 */
const mixedCommit = async (context: HookContext): Promise<Reason | undefined> => {
  const plan = readPlan(context);
  if (!plan) return undefined;
  const { git } = context;
  const moves = context.input.split("\n").map((line) => line.split(" "));
  const branches = moves.filter(([, , ref = ""]) => ref.startsWith("refs/heads/"));
  // On no branch, HEAD itself moves.
  const heads = moves.filter(([, , ref]) => ref === "HEAD");
  for (const [, commit = ""] of branches.length > 0 ? branches : heads) {
    if (!isObjectName(commit) || isNoObject(commit)) continue;
    const parent = (await commitOf(git, `${commit}^1`)) ?? null;
    if (parent !== plan.head) continue;
    const changes = await treeChanges(git, parent ?? (await emptyTree(git)), commit);
    if (digestOf(changes) === plan.digest) continue;
    const path = await foreignPath(context, { plan, changes });
    if (path === undefined) continue;
    return changedReason(path);
  }
  return undefined;
};

/** A file of the commit with lines of others that were not to go along. A formatter's own work is none. */
const foreignPath = async (
  context: HookContext,
  { plan, changes }: { readonly plan: CommitPlan; readonly changes: readonly Change[] },
): Promise<string | undefined> => {
  const { headgate, git } = context;
  const { holdsForeign, planPart } = await import("../../landing/index.ts");
  const { workingSide } = await import("./narrow.ts");
  const staged = changes.filter(({ kind }) => kind === "file");
  const after = new Map(staged.map((change) => [change.path, change.after]));
  const { files } = await planPart({
    ...{ lines: headgate.lines, git, head: plan.head ?? undefined },
    ...workingSide(context),
    session: headgate.claims.actor.session,
    paths: staged.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
    along: ["unknown", ...plan.carried],
  });
  const blobs = await readBlobs(
    git,
    [...after.values()].filter((name) => name !== undefined),
  );
  return files.find((file) => holdsForeign(file, blobs.get(after.get(file.path) ?? "")))?.path;
};

export const prePush = async (context: HookContext): Promise<HookOutcome> => {
  const { git, headgate } = context;
  const others = await foreignSessions(headgate.claims);
  const reasons: Reason[] = [];
  const notes: string[] = [];
  for (const line of context.input.split("\n")) {
    const [, local = "", ref = "", remote = ""] = line.split(" ");
    if (!isObjectName(local) || isNoObject(local)) continue;
    notes.push(...(await noteLate(context, local)));
    const late = await checkLate(context, {
      ...{ tip: local, changesFrom: (base) => treeChanges(git, base, local), isPush: true },
    });
    notes.push(...late.notes);
    reasons.push(...late.reasons);
    if (others.size === 0) continue;
    const there = isNoObject(remote) ? undefined : await commitOf(git, remote);
    const commits = await list(
      git,
      ["--not", "--remotes", "--not"],
      [local, ...(there === undefined ? [] : [`^${there}`])],
    );
    reasons.push(...(await pastTheGate(context, commits, others)));
    if (there !== undefined) {
      const lost = await lostCommits(git, there, local);
      reasons.push(...(await lostWork(context, lost, { ref, others, isKept: async () => false })));
    }
  }
  return reasons.length === 0 ? passed(...notes) : context.refuse("git push", reasons);
};

/** Larger histories come from elsewhere; nobody makes so many commits at once. */
const commitsMax = 200;

const list = async (
  git: Git,
  options: readonly string[],
  revisions: readonly string[],
): Promise<string[]> => {
  const { stdout } = await git.run({
    args: ["rev-list", `--max-count=${commitsMax}`, ...options],
    revisions,
  });
  return stdout.toString("latin1").split("\n").filter(isObjectName);
};

/** Made here just now: what was fetched, or is on another branch, is known by a ref already. */
const unknownCommits = (git: Git, tip: string): Promise<string[]> =>
  list(git, ["--no-merges", "--not", "--branches", "--remotes", "--tags", "--not"], [tip]);

const heldNow = async (context: HookContext, commits: readonly string[]): Promise<Reason[]> => {
  const { headgate, git } = context;
  const { claims, repository } = headgate;
  if (commits.length === 0) return [];
  const { openJudging } = await import("./judging.ts");
  const judging = openJudging(context);
  const reasons: Reason[] = [];
  for (const commit of commits) {
    const changes = await changesIn(git, commit);
    const files = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    const targets = files.map((path): TargetInput => ({
      path: `${repository.worktree}/${path}`,
      extent: "file",
    }));
    // The changed parts matter only in files of which another actor holds something.
    if ((await foreignBlockers(claims, targets)).length === 0) continue;
    const found = await judging.judge(changes, { claims, onlyClaims: true });
    reasons.push(...found.reasons.map((reason) => ofCommit(reason, commit)));
  }
  return reasons;
};

const changesIn = async (git: Git, commit: string): Promise<Change[]> =>
  treeChanges(git, (await commitOf(git, `${commit}^1`)) ?? (await emptyTree(git)), commit);

const ofCommit = (reason: Reason, commit: string): Reason => ({
  ...reason,
  message: `commit ${commit.slice(0, 10)}: ${reason.message}`,
});

/** In `now` and not in `next`, in no other form either. */
const lostCommits = async (git: Git, now: string, next: string | undefined): Promise<string[]> => {
  if (next === undefined) return list(git, ["--no-merges"], [now]);
  const { code } = await git.run({
    args: ["merge-base", "--is-ancestor"],
    revisions: [now, next],
    okCodes: [0, 1],
  });
  if (code === 0) return [];
  return list(git, ["--no-merges", "--cherry-pick", "--right-only"], [`${next}...${now}`]);
};

const isKeptElsewhere =
  (git: Git, ref: string) =>
  async (commit: string): Promise<boolean> => {
    const { stdout } = await git.run({
      args: ["for-each-ref", "--format=%(refname)%00", `--contains=${commit}`],
    });
    return splitNul(stdout).some((name) => name.trim() !== "" && name.trim() !== ref);
  };

const lostWork = async (
  { headgate }: HookContext,
  lost: readonly string[],
  {
    ref,
    others,
    isKept,
  }: {
    readonly ref: string;
    readonly others: ReadonlySet<string>;
    isKept(commit: string): Promise<boolean>;
  },
): Promise<Reason[]> => {
  if (lost.length === 0) return [];
  const made = await recorded(headgate, "commit.made", lost);
  const reasons: Reason[] = [];
  for (const event of made) {
    const { subject, data } = event;
    const actor = madeBy(event).find((one) => others.has(sessionOf(one)));
    if (actor === undefined || subject === null || (await isKept(subject))) continue;
    reasons.push({
      code: "FENCE_STALE",
      path: pathsOf(data)[0] ?? ref,
      message: `${showText(ref)} would lose commit ${subject.slice(0, 10)}, which holds work of ${showText(actor)}`,
      remedy:
        "Build upon that commit (git rebase, git merge), or keep it under another branch first.",
    });
  }
  return reasons;
};

/** Commits that went past the gate into what somebody else held, without that one's later work on it. */
const pastTheGate = async (
  { headgate }: HookContext,
  commits: readonly string[],
  others: ReadonlySet<string>,
): Promise<Reason[]> => {
  if (commits.length === 0) return [];
  const unjudged = await recorded(headgate, "commit.unjudged", commits);
  const stale = unjudged.filter(
    ({ data }) =>
      data["code"] === "CLAIM_CONFLICT" && others.has(sessionOf(String(data["holder"]))),
  );
  if (stale.length === 0) return [];
  const made = await recorded(headgate, "commit.made", commits);
  return stale.flatMap(({ subject, data }): Reason[] => {
    const [path, holder] = [String(data["path"]), String(data["holder"])];
    const later = new Set(commits.slice(0, commits.indexOf(subject ?? "")));
    const isBuiltUpon = made.some(
      (one) =>
        later.has(one.subject ?? "") &&
        madeBy(one).some((actor) => sessionOf(actor) === sessionOf(holder)) &&
        pathsOf(one.data).includes(path),
    );
    if (isBuiltUpon) return [];
    return [
      {
        code: "FENCE_STALE",
        path,
        message: `commit ${(subject ?? "").slice(0, 10)} was made past the gate while ${showText(holder)} held ${showText(path)}`,
        remedy: `Let ${showText(holder)} look at it and build upon it, or take the change out of the branch.`,
      },
    ];
  });
};

const eventsMax = 1000;

const recorded = async (
  headgate: HookContext["headgate"],
  kind: string,
  commits: readonly string[],
): Promise<Event[]> => {
  const { events } = await headgate.events.page({ kind, last: eventsMax, limit: eventsMax });
  const wanted = new Set(commits);
  return events.filter(({ subject }) => subject !== null && wanted.has(subject));
};

const sessionOf = (actor: string): string => parseActor(actor).session;

const pathsOf = (data: Event["data"]): string[] => {
  const { paths } = data;
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
};
