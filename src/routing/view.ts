/** Looking at routing: what a review needs, and what a person wants to see. Nothing is written. */
import { isoTime } from "../base/clock.ts";
import { HeadgateError } from "../errors.ts";
import type { Reader, Row, Statement } from "../store/index.ts";
import { openOperations } from "./apply/operations.ts";
import { placeOf } from "./apply/recover.ts";
import type { Canary } from "./canary/judge.ts";
import { type Probe, readProbes } from "./canary/probes.ts";
import { lookAtCanaries } from "./canary/record.ts";
import { countHeld } from "./evidence/held.ts";
import { readOverrides } from "./overrides/overrides-file.ts";
import { resolveOverridesPath } from "./overrides/overrides-path.ts";
import { readIfAny } from "./overrides/read-if-any.ts";
import { readTallies, type Tally, totalOf } from "./patterns/patterns.ts";
import type { RoutingContext } from "./ports.ts";
import { type Autonomy, neverAlerted, readAutonomy } from "./proposals/autonomy.ts";
import { listProposals, type Proposal, shownProposal } from "./proposals/proposal-rows.ts";
import type { Override, RoutingView } from "./types.ts";

export interface ShownOverride extends Override {
  /** That brought it; null when no change through Headgate did. */
  readonly commit: string | null;
  /** Nobody is called so any more. */
  readonly vanished: boolean;
  readonly expired: boolean;
}

export interface BlacklistEntry {
  readonly pattern: string;
  readonly at: string;
  readonly actor: string;
  readonly reason: string;
}

export interface RoutingStatus {
  readonly path: string;
  readonly overrides: readonly ShownOverride[];
  readonly canaries: readonly Canary[];
  readonly proposals: readonly Proposal[];
  readonly blacklist: readonly BlacklistEntry[];
  readonly probes: readonly Probe[];
  /** Whether overrides may be changed without a person. */
  readonly autonomy: Autonomy;
  /** Outcomes known; counted up to 10,000. */
  readonly evidence: number;
  /** Of these, how many wait to be confirmed and count for nothing yet. */
  readonly held: number;
  /** Changes that a crash interrupted and that are not finished yet. */
  readonly unfinished: number;
  /** Why the file is ignored. */
  readonly problem?: string;
}

/** Never throws for a broken file: the review goes on without overrides. */
export const readRoutingView = async (context: RoutingContext): Promise<RoutingView> => {
  const file = readFile(context);
  const nowMs = context.clock.wallMs();
  const live = file.overrides.filter((override) => !isExpired(override, nowMs));
  const roster = new Set(await context.roster());
  const vanished = live.filter(({ reviewer }) => !roster.has(reviewer));
  const there = await context.store.look();
  const [canaries, tallies] = there
    ? await there.store.read(async (tx): Promise<[Canary[], Tally[]]> => [
        await lookAtCanaries(tx, there.scope.id),
        await readTallies(tx, there.scope.id),
      ])
    : [[], []];
  return {
    overrides: live,
    canaries: canaries.map(({ reviewer, state, shadows, losses, needed, shadowProbability }) => ({
      ...{ reviewer, state, shadows, losses, needed, shadowProbability },
    })),
    precision: tallies.map((tally) => ({
      reviewer: tally.reviewer,
      right: tally.right,
      wrong: totalOf(tally) - tally.right,
    })),
    ...(file.problem !== undefined && { problem: file.problem }),
    ...(vanished.length > 0 && { vanished: vanished.map(({ reviewer }) => reviewer) }),
  };
};

export const readStatus = async (context: RoutingContext): Promise<RoutingStatus> => {
  const file = readFile(context);
  const nowMs = context.clock.wallMs();
  const roster = new Set(await context.roster());
  const there = await context.store.look();
  const stored = there
    ? await there.store.read((tx) => readStored(tx, there.scope.id, placeOf(context)))
    : nothingStored;
  const { commits, ...rest } = stored;
  return {
    path: context.settings.path,
    overrides: file.overrides.map((override) => ({
      ...override,
      commit: commits.get(override.reviewer) ?? null,
      vanished: !roster.has(override.reviewer),
      expired: isExpired(override, nowMs),
    })),
    ...rest,
    ...(file.problem !== undefined && { problem: file.problem }),
  };
};

type Stored = Omit<RoutingStatus, "path" | "overrides" | "problem"> & {
  readonly commits: ReadonlyMap<string, string>;
};

const nothingStored: Stored = {
  canaries: [],
  proposals: [],
  blacklist: [],
  probes: [],
  autonomy: neverAlerted,
  evidence: 0,
  held: 0,
  unfinished: 0,
  commits: new Map(),
};

const readStored = async (tx: Reader, scope: string, place: string): Promise<Stored> => {
  const current = await tx.all<CommitRow>(selectCommits, { scope });
  const count = await tx.get<{ amount: number } & Row>(countEvidence, { scope });
  return {
    canaries: await lookAtCanaries(tx, scope),
    proposals: (await listProposals(tx, scope)).map(shownProposal),
    blacklist: await readBlacklist(tx, scope),
    probes: await readProbes(tx, scope),
    autonomy: await readAutonomy(tx, scope),
    evidence: count?.amount ?? 0,
    held: await countHeld(tx, scope),
    unfinished: (await openOperations(tx, scope, place)).length,
    commits: new Map(current.map(({ reviewer, commit_id: id }) => [reviewer, id])),
  };
};

export const readBlacklist = async (tx: Reader, scope: string): Promise<BlacklistEntry[]> =>
  (await tx.all<BlacklistRow>(selectBlacklist, { scope })).map((row) => ({
    pattern: row.pattern,
    at: isoTime(row.at),
    actor: row.actor,
    reason: row.reason,
  }));

/** As it lies in the worktree; a writer replaces it whole, so no half is ever read (RACE-02). */
export const readFile = (
  context: Pick<RoutingContext, "repository" | "settings" | "files">,
): { readonly overrides: readonly Override[]; readonly problem?: string } => {
  const { repository, settings, files } = context;
  try {
    const { absolute, path } = resolveOverridesPath(repository.worktree, settings.path, files);
    const read = readOverrides(readIfAny(absolute, files));
    if (read.ok) return { overrides: read.overrides };
    const told = read.code === "newer" ? read.message : `is malformed: ${read.message}`;
    return { overrides: [], problem: `${path} ${told}; reviews go on without it` };
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    return { overrides: [], problem: `${error.message}; reviews go on without overrides` };
  }
};

export const isExpired = ({ expires }: Override, nowMs: number): boolean =>
  expires !== undefined && Date.parse(expires) <= nowMs;

interface CommitRow extends Row {
  readonly reviewer: string;
  readonly commit_id: string;
}

interface BlacklistRow extends Row {
  readonly pattern: string;
  readonly at: number;
  readonly actor: string;
  readonly reason: string;
}

/** The newest of each reviewer is the last; what was taken back on another branch may still be on this one. */
const selectCommits: Statement = {
  sql: `SELECT reviewer, commit_id FROM modifications
        WHERE scope_id = :scope AND override IS NOT NULL ORDER BY id`,
};
const countEvidence: Statement = {
  sql: `SELECT COUNT(*) AS amount FROM
          (SELECT 1 AS one FROM evidence WHERE scope_id = :scope LIMIT 10000) AS known`,
};
const selectBlacklist: Statement = {
  sql: "SELECT pattern, at, actor, reason FROM blacklist WHERE scope_id = :scope ORDER BY pattern",
};
