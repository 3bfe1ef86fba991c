import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { ClaimsOperation, Held, TargetText } from "../helpers/claims-model.ts";
import { findProblems } from "../helpers/claims-history.ts";
import {
  type ClaimsWorker,
  clockOffsetMs,
  startClaimsWorkers,
  workPlace,
} from "../helpers/run-claims-worker.ts";
import { backends, openScope } from "../helpers/store-backends.ts";

const ttlMs = 1000;
const claim = (targets: readonly TargetText[]) =>
  ({
    kind: "claim",
    targets,
    mode: "exclusive",
    ttlMs,
    partial: false,
    forSession: false,
  }) as const;

const heldIn = ({ outcome }: ClaimsOperation): Held => {
  if (outcome?.kind !== "claims") throw new Error(`refused: ${JSON.stringify(outcome)}`);
  return outcome.claims[0]!;
};

/** Asks until it is granted and written under; on a busy machine a claim may be over before that. */
const takeAndWrite = async (
  worker: ClaimsWorker,
  target: TargetText,
  history: ClaimsOperation[],
): Promise<Held> => {
  for (;;) {
    const asked = await worker.call(claim([target]));
    history.push(asked);
    if (asked.outcome.kind === "claims") {
      const held = heldIn(asked);
      const written = await worker.call(write(held, target));
      history.push(written);
      if (isWritten(written)) return held;
    }
    await systemClock.sleep(20);
  }
};

const write = ({ fence }: Held, target: TargetText) =>
  ({ kind: "write", fence, targets: [target] }) as const;

const isWritten = ({ outcome }: ClaimsOperation): boolean =>
  outcome?.kind === "verified" && outcome.ok;

describe.each(backends)("a holder that is stopped on $name", ({ place: newPlace }) => {
  const start = async () => {
    const place = await newPlace();
    await openScope(place);
    const at = workPlace(place);
    const [ann, bob] = await startClaimsWorkers(at, ["ann", "bob"]);
    const history: ClaimsOperation[] = [];
    const ask = async (worker: ClaimsWorker, call: Parameters<ClaimsWorker["call"]>[0]) => {
      const operation = await worker.call(call);
      history.push(operation);
      return operation.outcome;
    };
    /** Among other things: nobody was given it before its time was over. */
    const expectLinearizable = () => {
      const slackMs = 3 + Math.abs(clockOffsetMs() - at.offsetMs);
      expect(findProblems(history, { slackMs })).toEqual([]);
    };
    return { ann: ann!, bob: bob!, history, ask, expectLinearizable };
  };
  const stale = { kind: "verified", ok: false };

  it("C-17 G3 F05 loses its claim at its end, and cannot write when it goes on", async () => {
    const { ann, bob, history, ask, expectLinearizable } = await start();
    const anns = await takeAndWrite(ann, "a/b", history);
    ann.stop();
    const bobs = await takeAndWrite(bob, "a/b#C.m", history);
    expect(bobs.fence).toBeGreaterThan(anns.fence);
    ann.resume();
    expect(await ask(ann, write(anns, "a/b#C.m"))).toEqual(stale);
    expect(await ask(ann, write(anns, "a/b"))).toEqual(stale);
    expect(await ask(ann, { ...write(anns, "a/b#C.m"), kind: "verify" })).toEqual(stale);
    // The other one's fence does not help her, nor does her own claim come back.
    expect(await ask(ann, write(bobs, "a/b#C.m"))).toEqual(stale);
    const renewal = await ask(ann, { kind: "renew", claim: anns, ttlMs });
    expect(renewal).toEqual({ kind: "refused", code: "CLAIM_UNKNOWN" });
    // Not even when she is given the same again: what she began under the old fence stays refused.
    await ask(bob, { kind: "release", claim: bobs });
    const anew = await takeAndWrite(ann, "a/b", history);
    expect(anew.fence).toBeGreaterThan(bobs.fence);
    expect(await ask(ann, write(anns, "a/b"))).toEqual(stale);
    expectLinearizable();
  });

  it("C-17 G3 stopped right after the commit, it does not write under the grant it then reads", async () => {
    const { ann, bob, history, ask, expectLinearizable } = await start();
    // Two targets, because a server grants a single one by itself, without the steps of a transaction.
    const granted = ann.call(claim(["a/b", "name:x"]), "after-commit");
    await ann.hasStopped();
    const bobs = await takeAndWrite(bob, "a/b#C", history);
    ann.resume();
    const operation = await granted;
    history.push(operation);
    const anns = heldIn(operation);
    expect(anns.fence).toBeLessThan(bobs.fence);
    expect(await ask(ann, write(anns, "a/b#C"))).toEqual(stale);
    expectLinearizable();
  });
});
