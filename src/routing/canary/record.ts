/** What was seen under an override, as samples; a bound that is crossed stays crossed. */
import { limits } from "../../base/limits.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reader, Writer } from "../../store/index.ts";
import { remark } from "../evidence/check-evidence.ts";
import { tripAutonomy } from "../proposals/autonomy.ts";
import { dayMs } from "../settings.ts";
import type { Severity } from "../types.ts";
import {
  addSample,
  addUses,
  extendCanary,
  markCanary,
  readCanaries,
  type StoredCanary,
} from "./canary-rows.ts";
import { type Canary, judgeCanaries } from "./judge.ts";

export interface ShadowResult {
  readonly reviewer: string;
  /** The review it belongs to: counted once. */
  readonly review?: string;
  /** With what probability it was run in shadow. */
  readonly probability: number;
  /** Something severe was found that no shown reviewer found, and it was confirmed. */
  readonly isLoss: boolean;
  readonly severity?: Severity;
}

/** Inside the caller's transaction. Undefined when nobody watches this reviewer, or it was known. */
export const recordShadow = async (
  tx: Writer,
  scope: string,
  { reviewer, review, probability, isLoss, severity }: ShadowResult,
): Promise<Canary | undefined> => {
  const canary = await openOf(tx, scope, reviewer);
  if (!canary) return undefined;
  const isNew = await addSample(tx, scope, canary.id, {
    kind: isLoss ? "loss" : "clean",
    amount: 1,
    probability: checkProbability(probability),
    ...(severity && { severity }),
    ...(review !== undefined && { review: review.slice(0, limits.evidenceIdLengthMax) }),
  });
  if (!isNew) return undefined;
  await addUses(tx, scope, canary.id, 1);
  return judged(tx, scope, reviewer, { clean: isLoss ? 0 : 1, loss: isLoss ? 1 : 0 });
};

/** A review under the override without a shadow: it counts as a use, and for nothing else. */
export const recordUse = async (tx: Writer, scope: string, reviewer: string): Promise<void> => {
  const canary = await openOf(tx, scope, reviewer);
  if (!canary) return;
  await addUses(tx, scope, canary.id, 1);
  tx.emit({ kind: "canary.used", subject: reviewer });
};

export interface ManyShadows {
  readonly reviewer: string;
  readonly clean: number;
  readonly loss: number;
  readonly severity?: Severity;
  readonly probability?: number;
  readonly note?: string;
}

/** Entered by hand. Throws ROUTING_UNKNOWN when nobody watches this reviewer. */
export const recordMany = async (
  tx: Writer,
  scope: string,
  request: ManyShadows,
): Promise<Canary> => {
  const { reviewer, clean, loss, probability = 1, severity, note } = request;
  const canary = requireCanary(await openOf(tx, scope, reviewer), reviewer);
  const said = {
    probability: checkProbability(probability),
    ...(note !== undefined && { note: remark(note) }),
  };
  if (clean > 0) await addSample(tx, scope, canary.id, { kind: "clean", amount: clean, ...said });
  if (loss > 0) {
    const told = { ...said, ...(severity && { severity }) };
    await addSample(tx, scope, canary.id, { kind: "loss", amount: loss, ...told });
  }
  await addUses(tx, scope, canary.id, clean + loss);
  return judged(tx, scope, reviewer, { clean, loss });
};

/** Found later on code that was reviewed without the reviewer: a P0 is an alert at once. */
export const recordEscape = async (
  tx: Writer,
  scope: string,
  escape: { readonly reviewer: string; readonly severity?: Severity; readonly note?: string },
): Promise<Canary | undefined> => {
  const { reviewer, severity, note } = escape;
  const canary = await openOf(tx, scope, reviewer);
  if (!canary) return undefined;
  await addSample(tx, scope, canary.id, {
    kind: "escape",
    amount: 1,
    probability: 1,
    ...(severity && { severity }),
    ...(note !== undefined && { note: remark(note) }),
  });
  return judged(tx, scope, reviewer, { escape: 1 });
};

/** Once, by the same number of days. */
export const extend = async (tx: Writer, scope: string, reviewer: string): Promise<Canary> => {
  const canary = requireCanary(await openOf(tx, scope, reviewer), reviewer);
  const { wallMs } = await tx.now();
  const expires = Math.max(canary.expiresMs, wallMs) + canary.settings.days * dayMs;
  if ((await extendCanary(tx, scope, canary.id, expires)) === 0) {
    throw new HeadgateError(
      "ROUTING_REFUSED",
      `the watch on ${reviewer} was extended before, and that is possible once`,
      { data: { guard: "extension", reviewer } },
    );
  }
  tx.emit({ kind: "canary.extended", subject: reviewer });
  return oneOf(await lookAtCanaries(tx, scope), reviewer);
};

/** All of them, because several are judged together. */
export const lookAtCanaries = async (tx: Reader, scope: string): Promise<Canary[]> =>
  judgeCanaries(await readCanaries(tx, scope), (await tx.now()).wallMs);

const judged = async (
  tx: Writer,
  scope: string,
  reviewer: string,
  data: Readonly<Record<string, number>>,
): Promise<Canary> => {
  const canary = oneOf(await lookAtCanaries(tx, scope), reviewer);
  await markCanary(tx, scope, canary.id, {
    passed: canary.state === "PASS",
    alerted: canary.state === "ALERT",
  });
  if (canary.state === "ALERT") await tripAutonomy(tx, scope);
  tx.emit({ kind: "canary.recorded", subject: reviewer, data: { ...data, state: canary.state } });
  return canary;
};

const openOf = async (
  tx: Reader,
  scope: string,
  reviewer: string,
): Promise<StoredCanary | undefined> => (await readCanaries(tx, scope, reviewer))[0];

const oneOf = (canaries: readonly Canary[], reviewer: string): Canary => {
  const found = canaries.find((canary) => canary.reviewer === reviewer);
  if (!found) throw new HeadgateError("INTERNAL", `the watch on ${reviewer} is gone`);
  return found;
};

const requireCanary = (canary: StoredCanary | undefined, reviewer: string): StoredCanary => {
  if (canary) return canary;
  throw new HeadgateError("ROUTING_UNKNOWN", `no override of ${reviewer} is watched`);
};

const checkProbability = (probability: number): number => {
  if (probability > 0 && probability <= 1) return probability;
  throw new HeadgateError("USAGE", "a probability must be above 0 and at most 1");
};
