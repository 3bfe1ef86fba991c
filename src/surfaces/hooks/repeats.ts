/** A tool use that is asked about twice (two configurations of one client) is answered once. */
import type { Clock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import type { HookCall, HookDecision } from "./types.ts";

export class Repeats {
  readonly #clock: Pick<Clock, "monoMs">;
  readonly #known = new Map<
    string,
    { readonly monoMs: number; readonly decision: Promise<HookDecision> }
  >();

  constructor(clock: Pick<Clock, "monoMs">) {
    this.#clock = clock;
  }

  /** The decision of the first call; `decide` runs only for that one. */
  once(call: HookCall, decide: () => Promise<HookDecision>): Promise<HookDecision> {
    const key = keyOf(call);
    if (key === undefined) return decide();
    const now = this.#clock.monoMs();
    const known = this.#known.get(key);
    if (known && now - known.monoMs <= limits.hookRepeatMs) return known.decision;
    this.#forget(now);
    const decision = decide();
    this.#known.set(key, { monoMs: now, decision });
    // A failure is nothing to repeat.
    decision.catch(() => this.#known.delete(key));
    return decision;
  }

  #forget(now: number): void {
    for (const [key, { monoMs }] of this.#known) {
      // In the order in which they came.
      const isOld = now - monoMs > limits.hookRepeatMs;
      if (!isOld && this.#known.size < limits.hookRepeatsMax) return;
      this.#known.delete(key);
    }
  }
}

/** The input counts too: a client that numbers its calls anew must not get an old answer. */
const keyOf = ({
  harness,
  session,
  agent,
  toolUseId,
  event,
  tool,
}: HookCall): string | undefined => {
  if (toolUseId === undefined || toolUseId === "" || tool === undefined) return undefined;
  const { name: _, ...input } = tool;
  return JSON.stringify([harness, session, agent, event, toolUseId, input]);
};
