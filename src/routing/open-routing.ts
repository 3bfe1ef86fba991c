/** Everything that can be done with routing, bound to one actor in one worktree. */
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import type { Statement, Writer } from "../store/index.ts";
import { type ChangeOutcome, changeOverrides } from "./apply/change.ts";
import { decideApply, decideRevert } from "./apply/decide.ts";
import { rebuildRouting, type Rebuilt, type Verification, verifyRouting } from "./apply/rebuild.ts";
import { recoverRouting, type RoutingRecovery } from "./apply/recover.ts";
import type { Canary } from "./canary/judge.ts";
import { type Probe, type ProbeCounts, recordProbe } from "./canary/probes.ts";
import {
  extend,
  lookAtCanaries,
  type ManyShadows,
  recordEscape,
  recordMany,
  recordShadow,
  recordUse,
  type ShadowResult,
} from "./canary/record.ts";
import { checkEvidence, checkReviewer, remark } from "./evidence/check-evidence.ts";
import {
  type EvidenceFilter,
  type Imported,
  importEvidence,
  listEvidence,
  readEvidenceLines,
  recordEvidence,
  type StoredEvidence,
  type Told,
} from "./evidence/evidence.ts";
import { type Confirmed, confirmHeld, discardHeld, type HeldFilter } from "./evidence/held.ts";
import { leastAction, type Remedy } from "./patterns/least-action.ts";
import { findPatterns, type Pattern } from "./patterns/patterns.ts";
import type { RoutingContext } from "./ports.ts";
import {
  type Autonomy,
  autonomyOff,
  neverAlerted,
  readAutonomy,
  setAutonomy,
} from "./proposals/autonomy.ts";
import {
  approve,
  type ApproveOutcome,
  type ApproveRequest,
  propose,
  type ProposeOutcome,
  type ProposeRequest,
} from "./proposals/propose.ts";
import { isSafetyCritical } from "./settings.ts";
import type { Evidence, RoutingView, Severity } from "./types.ts";
import { isExpired, readFile, readRoutingView, readStatus, type RoutingStatus } from "./view.ts";

export interface Routing {
  /** What a review needs; never fails because of a broken file. */
  view(): Promise<RoutingView>;
  status(): Promise<RoutingStatus>;
  patterns(options?: { readonly reviewer?: string }): Promise<readonly ExplainedPattern[]>;
  propose(request: ProposeRequest): Promise<ProposeOutcome>;
  approve(request: ApproveRequest): Promise<ApproveOutcome>;
  /** One commit on the branch, and everything that follows from it; or nothing at all. */
  apply(id: string): Promise<ChangeOutcome>;
  revert(request: { readonly reviewer: string; readonly reason?: string }): Promise<ChangeOutcome>;
  /** True when it was on the list. */
  unblock(pattern: string): Promise<boolean>;
  /** True when it was not on the list. */
  block(request: { readonly pattern: string; readonly reason?: string }): Promise<boolean>;
  /** Whether overrides may be changed without a person; turning it on again is a person's. */
  autonomy(set?: AutonomyRequest): Promise<Autonomy>;
  readonly evidence: {
    add(entry: Evidence): Promise<Told>;
    /** JSON lines; all of them or none. */
    import(text: string): Promise<Imported>;
    list(filter?: EvidenceFilter): Promise<readonly StoredEvidence[]>;
    /** What was held counts from now on, unless the same session told it. */
    confirm(filter: HeldFilter): Promise<Confirmed>;
    /** How many were taken away; only what is held can be. */
    discard(filter: HeldFilter): Promise<number>;
  };
  readonly canary: {
    list(): Promise<readonly Canary[]>;
    record(request: ManyShadows): Promise<CanaryAnswer>;
    /** One look in shadow; undefined when nobody watches this reviewer, or the review was counted. */
    shadow(result: ShadowResult): Promise<CanaryAnswer | undefined>;
    /** A review went by without a look. */
    used(reviewers: readonly string[]): Promise<void>;
    escape(request: EscapeRequest): Promise<CanaryAnswer>;
    extend(reviewer: string): Promise<Canary>;
    /** Ends what is over: expired overrides, and inconclusive watches on safety-critical reviewers. */
    check(): Promise<readonly CanaryAnswer[]>;
  };
  recordProbe(
    probe: ProbeCounts & { readonly reviewer: string; readonly domain?: string },
  ): Promise<Probe>;
  recover(): Promise<RoutingRecovery>;
  rebuild(): Promise<Rebuilt>;
  verify(): Promise<Verification>;
}

export interface AutonomyRequest {
  readonly to: "on" | "off";
  readonly reason?: string;
  /** A person does it or has approved it, whatever the actor's name. */
  readonly isPersons?: boolean;
}

export interface EscapeRequest {
  readonly reviewer: string;
  readonly severity: Severity;
  readonly note?: string;
}

/** A watch after something was seen; with the revert that followed, if one did. */
export interface CanaryAnswer {
  readonly canary: Canary | null;
  readonly reviewer: string;
  readonly reverted?: ChangeOutcome;
  /** Why it was not reverted by itself, although it alerts and that is configured. */
  readonly notReverted?: string;
}

export interface ExplainedPattern extends Pattern {
  readonly remedy: Remedy;
}

export const openRouting = (context: RoutingContext): Routing => {
  const { store: place, settings, actor } = context;
  const write = async <T>(work: (tx: Writer, scope: string) => Promise<T>): Promise<T> => {
    const { store, scope } = await place.open();
    return store.write({ scope }, (tx) => work(tx, scope.id) as Promise<never>) as Promise<T>;
  };
  const revert = (reviewer: string, reason: string, kind: "revert" | "expire" = "revert") =>
    changeOverrides(context, decideRevert({ reviewer, reason, kind }));
  /** Whoever looks at a read-only repository sees what is unfinished, and leaves it. */
  const recovered = async (): Promise<void> => {
    try {
      await recoverRouting(context);
    } catch (error) {
      if (!HeadgateError.isInstance(error) || !unwritable.has(error.code)) throw error;
    }
  };
  const autonomy = async (): Promise<Autonomy> => {
    const there = await place.look();
    return there ? there.store.read((tx) => readAutonomy(tx, there.scope.id)) : neverAlerted;
  };
  /** On an alert the revert is done where the user's own configuration says so. */
  const answered = async (canary: Canary): Promise<CanaryAnswer> => {
    const { reviewer, state } = canary;
    if (state !== "ALERT" || !settings.autoRevert) return { canary, reviewer };
    const { isOn, why } = await autonomy();
    if (!isOn) return { canary, reviewer, notReverted: autonomyOff(why) };
    return { canary, reviewer, reverted: await revert(reviewer, "the canary alerted") };
  };
  return {
    view: async () => {
      await recovered();
      return readRoutingView(context);
    },
    status: async () => {
      await recovered();
      return readStatus(context);
    },
    patterns: async ({ reviewer = "" } = {}) => {
      const there = await place.look();
      if (!there) return [];
      const scope = there.scope.id;
      return there.store.read(async (tx) => {
        const found: ExplainedPattern[] = [];
        for (const pattern of await findPatterns(tx, scope, settings, reviewer)) {
          const remedy = await leastAction(tx, scope, pattern.reviewer, pattern.class);
          found.push({ ...pattern, remedy });
        }
        return found;
      });
    },
    propose: (request) => propose(context, request),
    approve: (request) => approve(context, request),
    apply: (id) => changeOverrides(context, decideApply(context, id)),
    revert: async ({ reviewer, reason = "" }) =>
      revert(checkReviewer(reviewer), remark(reason) || "taken back by a person"),
    unblock: (pattern) =>
      write(async (tx, scope) => {
        if ((await tx.run(deleteBlacklist, { scope, pattern })) === 0) return false;
        tx.emit({ kind: "routing.unblocked", actor: actor.id, subject: pattern });
        return true;
      }),
    block: ({ pattern, reason = "" }) =>
      write(async (tx, scope) => {
        const name = checkReviewer(pattern);
        const at = Math.trunc((await tx.now()).wallMs);
        const row = { scope, pattern: name, at, actor: actor.id, reason: remark(reason) };
        if ((await tx.run(insertBlacklist, row)) === 0) return false;
        tx.emit({ kind: "routing.blocked", actor: actor.id, subject: name });
        return true;
      }),
    autonomy: (set) =>
      set
        ? write((tx, scope) =>
            setAutonomy(tx, scope, { ...set, reason: remark(set.reason ?? ""), actor }),
          )
        : autonomy(),
    evidence: {
      add: async (entry) => {
        const checked = checkEvidence({ session: actor.session, ...entry });
        return write((tx, scope) => recordEvidence(tx, scope, checked, { actor: actor.id }));
      },
      import: async (text) => {
        const lines = readEvidenceLines(text);
        return write((tx, scope) => importEvidence(tx, scope, lines, actor.id));
      },
      list: async (filter) => {
        const there = await place.look();
        return there ? there.store.read((tx) => listEvidence(tx, there.scope.id, filter)) : [];
      },
      confirm: (filter) =>
        write(async (tx, scope) => ({ ...(await confirmHeld(tx, scope, filter, actor)) })),
      discard: (filter) => write((tx, scope) => discardHeld(tx, scope, filter, actor)),
    },
    canary: {
      list: async () => {
        const there = await place.look();
        return there ? there.store.read((tx) => lookAtCanaries(tx, there.scope.id)) : [];
      },
      record: async (request) => {
        const { clean, loss } = request;
        if (![clean, loss].every((count) => Number.isInteger(count) && count >= 0)) {
          throw new HeadgateError("USAGE", "clean and loss must be whole numbers from 0");
        }
        if (clean + loss === 0 || clean + loss > limits.canaryRecordMax) {
          throw new HeadgateError("USAGE", `record 1 to ${limits.canaryRecordMax} shadows at once`);
        }
        return answered(await write((tx, scope) => recordMany(tx, scope, request)));
      },
      shadow: async (result) => {
        const canary = await write(
          async (tx, scope) => (await recordShadow(tx, scope, result)) ?? null,
        );
        return canary ? answered(canary) : undefined;
      },
      used: async (reviewers) => {
        await write(async (tx, scope) => {
          for (const reviewer of reviewers) await recordUse(tx, scope, reviewer);
          return null;
        });
      },
      escape: async (request) => {
        const canary = await write((tx, scope) => recordEscape(tx, scope, request));
        if (canary) return answered(canary);
        throw new HeadgateError("ROUTING_UNKNOWN", `no override of ${request.reviewer} is watched`);
      },
      extend: (reviewer) => write((tx, scope) => extend(tx, scope, reviewer)),
      check: async () => {
        await recoverRouting(context);
        const nowMs = context.clock.wallMs();
        const expired = readFile(context).overrides.filter((one) => isExpired(one, nowMs));
        const answers: CanaryAnswer[] = [];
        for (const { reviewer } of expired) {
          const reverted = await revert(reviewer, "its time is over", "expire");
          answers.push({ canary: null, reviewer, reverted });
        }
        const there = await place.look();
        const canaries = there
          ? await there.store.read((tx) => lookAtCanaries(tx, there.scope.id))
          : [];
        for (const canary of canaries) {
          const { reviewer, state } = canary;
          if (state === "INCONCLUSIVE" && isSafetyCritical(reviewer)) {
            const reverted = await revert(reviewer, "the canary stayed inconclusive", "expire");
            answers.push({ canary, reviewer, reverted });
          } else answers.push(await answered(canary));
        }
        return answers;
      },
    },
    recordProbe: (probe) =>
      write((tx, scope) => recordProbe(tx, scope, { ...probe, actor: actor.id })),
    recover: () => recoverRouting(context),
    rebuild: () => rebuildRouting(context),
    verify: () => verifyRouting(context),
  };
};

const unwritable = new Set(["ROUTING_GIT", "STATE_NOT_WRITABLE", "STORE_READ_ONLY"]);

const deleteBlacklist: Statement = {
  sql: "DELETE FROM blacklist WHERE scope_id = :scope AND pattern = :pattern",
};
const insertBlacklist: Statement = {
  sql: `INSERT INTO blacklist (scope_id, pattern, at, actor, reason)
        VALUES (:scope, :pattern, :at, :actor, :reason) ON CONFLICT (scope_id, pattern) DO NOTHING`,
};
