/**
 * Git has every change of the overrides with its trailer. From that the store can be proved right, and a
 * lost one made again; what only the store knew (samples, proposals, unblocking) does not come back.
 */
import { newId } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { isAncestor, readTrailers, type WritingGit } from "../../git/index.ts";
import type { Row, Statement, Writer } from "../../store/index.ts";
import { closeCanary, openCanary } from "../canary/canary-rows.ts";
import { readOverrides } from "../overrides/overrides-file.ts";
import { resolveOverridesPath } from "../overrides/overrides-path.ts";
import type { RoutingContext, There } from "../ports.ts";
import type { Override } from "../types.ts";
import { readBlob, refused } from "./git-facts.ts";
import { withRoutingLock } from "./lock.ts";
import { type ChangeKind, openOperations } from "./operations.ts";
import { writeRows } from "./record-change.ts";
import { placeOf, recoverHeld } from "./recover.ts";
import { understood } from "./change.ts";

/** One change as git has it. */
interface Written {
  readonly id: string;
  readonly commit: string;
  readonly atMs: number;
  readonly kind: ChangeKind;
  readonly reviewer: string;
  readonly actor: string;
  readonly proposal: string | null;
  readonly override: Override | null;
}

export interface Disagreement {
  readonly reviewer: string;
  readonly problem: string;
}

export interface Verification {
  readonly ok: boolean;
  /** Changes found on the branch. */
  readonly commits: number;
  readonly disagreements: readonly Disagreement[];
}

export interface Rebuilt {
  readonly commits: number;
  /** Rows that were missing. */
  readonly added: number;
  readonly corrected: number;
}

/** Whether branch, file and store say the same. */
export const verifyRouting = async (context: RoutingContext): Promise<Verification> => {
  const { written, overrides } = await readHistory(context);
  const there = await context.store.look();
  const known = there
    ? await there.store.read((tx) => tx.all<KnownRow>(selectKnown, { scope: there.scope.id }))
    : [];
  const open = there
    ? await there.store.read((tx) => openOperations(tx, there.scope.id, placeOf(context)))
    : [];
  const watched = there
    ? await there.store.read((tx) => tx.all<WatchRow>(selectWatched, { scope: there.scope.id }))
    : [];
  const found: Disagreement[] = open.map(({ payload, id }) => ({
    reviewer: payload.reviewer,
    problem: `the change ${id} was begun and not finished`,
  }));
  const say = (reviewer: string, problem: string) => found.push({ reviewer, problem });
  const ids = new Set(known.map(({ id }) => id));
  for (const one of written) {
    if (!ids.has(one.id)) say(one.reviewer, `the store does not know the commit ${one.commit}`);
  }
  const watchedNames = new Set(watched.map(({ reviewer }) => reviewer));
  const inFile = new Set(overrides.map(({ reviewer }) => reviewer));
  const git = context.gitIn(context.repository.worktree);
  for (const row of known.filter(({ state }) => state === "current")) {
    const isHere = await isAncestor(git, row.commit_id, "HEAD");
    if (!isHere) continue;
    const isSaid = row.override !== null;
    if (isSaid && !inFile.has(row.reviewer)) {
      say(row.reviewer, "the store has an override that the branch does not have");
    }
    if (isSaid && !watchedNames.has(row.reviewer)) say(row.reviewer, "its override is not watched");
  }
  const current = new Map(
    known.flatMap((row) => (row.state === "current" ? [[row.reviewer, row]] : [])),
  );
  for (const { reviewer } of overrides) {
    const row = current.get(reviewer);
    if (row?.override !== null) continue;
    if (row && !(await isAncestor(git, row.commit_id, "HEAD"))) {
      const where = `on another branch (commit ${row.commit_id.slice(0, 10)})`;
      say(reviewer, `taken back ${where}; this branch still has it, and nobody watches it`);
    } else say(reviewer, "the branch has an override that the store has not");
  }
  for (const reviewer of watchedNames) {
    if (inFile.has(reviewer) || current.get(reviewer)?.override) continue;
    say(reviewer, "it is watched, but the branch has no override of it");
  }
  return { ok: found.length === 0, commits: written.length, disagreements: found };
};

export const rebuildRouting = async (context: RoutingContext): Promise<Rebuilt> => {
  const there = await context.store.open();
  const done = await withRoutingLock(
    context,
    Math.max(1, context.settings.lockWaitMs),
    async () => {
      await recoverHeld(context, there);
      return rebuildHeld(context, there);
    },
  );
  return done ?? { commits: 0, added: 0, corrected: 0 };
};

const rebuildHeld = async (context: RoutingContext, { store, scope }: There): Promise<Rebuilt> => {
  const { written, overrides, ref, path } = await readHistory(context);
  return store.write({ scope }, async (tx) => {
    const known = await tx.all<KnownRow>(selectKnown, { scope: scope.id });
    const ids = new Set(known.map(({ id }) => id));
    let added = 0;
    for (const one of written) {
      if (ids.has(one.id)) continue;
      added += 1;
      await writeRows(tx, scope.id, operationOf(context, one, { ref, path }));
    }
    const corrected = await correct(tx, scope.id, overrides, context.actor.id);
    return { commits: written.length, added, corrected };
  });
};

/** What people changed with git alone: an override that went or came back, or one that has no watch. */
const correct = async (
  tx: Writer,
  scope: string,
  overrides: readonly Override[],
  actor: string,
): Promise<number> => {
  const known = await tx.all<KnownRow>(selectKnown, { scope });
  const watched = new Set(
    (await tx.all<WatchRow>(selectWatched, { scope })).map(({ reviewer }) => reviewer),
  );
  const inFile = new Set(overrides.map(({ reviewer }) => reviewer));
  const at = Math.trunc((await tx.now()).wallMs);
  let count = 0;
  for (const row of known) {
    const isGone = !inFile.has(row.reviewer);
    if (row.state !== "current" || isGone === (row.override === null)) continue;
    await tx.run(retire, { scope, id: row.id });
    if (isGone) {
      await closeCanary(tx, scope, { reviewer: row.reviewer, at, why: "gone from the branch" });
    }
    tx.emit({ kind: "routing.corrected", actor, subject: row.reviewer, data: { gone: isGone } });
    count += 1;
  }
  const believed = new Set(known.flatMap((row) => (isCurrentOverride(row) ? [row.reviewer] : [])));
  for (const reviewer of watched) {
    if (inFile.has(reviewer) || believed.has(reviewer)) continue;
    await closeCanary(tx, scope, { reviewer, at, why: "gone from the branch" });
    tx.emit({ kind: "routing.corrected", actor, subject: reviewer, data: { watched: false } });
    count += 1;
  }
  for (const { reviewer } of overrides) {
    if (watched.has(reviewer)) continue;
    const id = newId("canary");
    await openCanary(tx, scope, { id, reviewer, operation: "", settings: "{}", days: 14, at });
    tx.emit({ kind: "routing.corrected", actor, subject: reviewer, data: { watched: true } });
    count += 1;
  }
  return count;
};

const isCurrentOverride = ({ state, override }: KnownRow): boolean =>
  state === "current" && override !== null;

interface History {
  /** Oldest first. */
  readonly written: readonly Written[];
  readonly overrides: readonly Override[];
  readonly ref: string;
  readonly path: string;
}

const readHistory = async (context: RoutingContext): Promise<History> => {
  const { repository, settings, files } = context;
  if (repository.kind !== "git") throw refused("this folder is no git repository");
  const { path } = resolveOverridesPath(repository.worktree, settings.path, files);
  const git = context.gitIn(repository.worktree);
  const head = await git.ask({ args: ["rev-parse", "--symbolic-full-name", "HEAD"] });
  const listed = await git.ask({
    args: [
      "log",
      "-z",
      `--max-count=${limits.rebuildCommitsMax}`,
      "--format=%H%n%ct%n%B",
      "--",
      path,
    ],
  });
  const blob = await readBlob(git, `HEAD:${path}`);
  const { overrides } = understood(readOverrides(blob?.bytes), path);
  const written: Written[] = [];
  for (const text of listed.stdout.split("\0").toReversed()) {
    const one = readCommit(text);
    if (one) written.push({ ...one, override: await overrideAt(git, one, path) });
  }
  return { written, overrides, ref: head.stdout.trim(), path };
};

const kinds: readonly ChangeKind[] = ["apply", "update", "revert", "expire"];

const readCommit = (text: string): Omit<Written, "override"> | undefined => {
  const [commit = "", seconds = ""] = text.split("\n", 2);
  const trailer = (name: string): string | undefined => readTrailers(text, name).at(-1);
  const [id, reviewer] = [trailer("Headgate-Op"), trailer("Headgate-Reviewer")];
  const kind = kinds.find((one) => one === trailer("Headgate-Kind"));
  if (!id || !reviewer || !kind || !/^op_[0-9a-z]{18}$/.test(id)) return undefined;
  return {
    ...{ id, reviewer, kind, commit },
    atMs: Number(seconds) * 1000,
    actor: trailer("Headgate-Actor") ?? "",
    proposal: trailer("Headgate-Proposal") ?? null,
  };
};

const overrideAt = async (
  git: WritingGit,
  { commit, reviewer }: Omit<Written, "override">,
  path: string,
): Promise<Override | null> => {
  const blob = await readBlob(git, `${commit}:${path}`);
  const read = readOverrides(blob?.bytes);
  return (read.ok && read.overrides.find((one) => one.reviewer === reviewer)) || null;
};

const operationOf = (
  context: RoutingContext,
  one: Written,
  { ref, path }: Pick<History, "ref" | "path">,
): Parameters<typeof writeRows>[2] => {
  const { canary } = context.settings;
  const { id, commit, atMs, actor, kind, reviewer, override, proposal } = one;
  return {
    ...{ id, commit, atMs, actor, ref },
    state: "done",
    place: placeOf(context),
    parent: null,
    payload: {
      ...{ kind, reviewer, override, proposal, path },
      reason: override?.reason ?? "taken back (found in git)",
      worktree: context.repository.worktree,
      blobBefore: null,
      blob: "",
      before: null,
      after: "",
      canary: { id: newId("canary"), settings: JSON.stringify(canary), days: canary.days },
      isBlacklisting: kind === "revert",
    },
  };
};

interface KnownRow extends Row {
  readonly id: string;
  readonly reviewer: string;
  readonly override: string | null;
  readonly commit_id: string;
  readonly state: string;
}

interface WatchRow extends Row {
  readonly reviewer: string;
}

const selectKnown: Statement = {
  sql: `SELECT id, reviewer, override, commit_id, state FROM modifications
        WHERE scope_id = :scope ORDER BY id`,
};
const selectWatched: Statement = {
  sql: "SELECT reviewer FROM canaries WHERE scope_id = :scope AND closed_at IS NULL",
};
const retire: Statement = {
  sql: "UPDATE modifications SET state = 'past' WHERE scope_id = :scope AND id = :id",
};
