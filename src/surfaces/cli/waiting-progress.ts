import { systemClock } from "../../base/clock.ts";
import { showText } from "../../base/text.ts";
import type { Claims, Mode } from "../../claims/index.ts";
import { HeadgateError } from "../../errors.ts";
import { showSpan } from "./duration.ts";
import type { Output } from "./output.ts";
import { withProgress } from "./progress.ts";

/** Waits with a word now and then about the line and the holder; silent where nobody watches. */
export const withWaitingShown = <T>(
  place: {
    readonly output: Output;
    readonly claims: Claims;
    readonly targets: readonly string[];
    readonly mode: Mode;
  },
  work: () => Promise<T>,
): Promise<T> => {
  const { output } = place;
  if (!output.isWatched || output.json) return work();
  return withProgress({ output, what: () => waitingText(place) }, work);
};

const waitingText = async ({
  claims,
  targets,
  mode,
}: {
  readonly claims: Claims;
  readonly targets: readonly string[];
  readonly mode: Mode;
}): Promise<string> => {
  const what = `waiting for ${targets.map((target) => showText(target, 60)).join(", ")}`;
  try {
    const [target = ""] = targets;
    const [{ waiters }, { blockers }] = [
      await claims.list({ target, limit: 1 }),
      await claims.check(targets, { mode }),
    ];
    const own = waiters.find(({ actor }) => actor === claims.actor.id);
    const ahead = waiters.filter(({ position }) => own !== undefined && position < own.position);
    const last = ahead.at(-1);
    const behind = last === undefined ? "" : ` behind ${showText(last.actor, 40)}`;
    const place = own === undefined ? "" : `, place ${own.position} in line${behind}`;
    const holders = blockers.slice(0, 2).map(({ actor, expiresAt }) => {
      const left = showSpan(Date.parse(expiresAt) - systemClock.wallMs());
      return `${showText(actor, 40)} (${left} left)`;
    });
    return `${what}${place}${holders.length > 0 ? `, held by ${holders.join(", ")}` : ""}`;
  } catch (error) {
    // The wait itself reports what is wrong with the store.
    if (HeadgateError.isInstance(error)) return what;
    throw error;
  }
};
