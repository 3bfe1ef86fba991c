import { systemClock } from "../../base/clock.ts";
import type { Claims, ReleaseRequest } from "../../claims/index.ts";
import { askedLines } from "./claim-lines.ts";
import type { Output } from "./output.ts";

/** What others ask this actor to release and what it has not answered yet. */
export const openRequests = async (claims: Claims): Promise<readonly ReleaseRequest[]> => {
  const all = await claims.requests();
  return all.filter(({ holder, answer }) => holder === claims.actor.id && answer === "none");
};

export const printAsked = (asked: readonly ReleaseRequest[], output: Output): void => {
  const shown = { style: output.style, nowMs: systemClock.wallMs() };
  for (const line of askedLines(asked, shown)) output.line(line);
};
