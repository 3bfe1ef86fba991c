import { appendFileSync } from "node:fs";

/**
 * How often a proof by repetition repeats. `npm run soak` runs the full number; the other suites run a
 * tenth of it, or `quick` where less is a proof as well, and print both numbers, so that a short proof is
 * never taken for the long one.
 */
export const countRounds = (what: string, full: number, quick?: number): number => {
  const isChosen = process.env["HEADGATE_ROUNDS"] !== undefined;
  const count =
    quick === undefined || isChosen ? Math.max(1, Math.round(full * readShare())) : quick;
  const list = process.env["HEADGATE_ROUNDS_LIST"];
  if (list) appendFileSync(list, `${what}: ${count} of ${full}\n`);
  return count;
};

/** Of the full number: 1 in `npm run soak`, a tenth everywhere else. */
const readShare = (): number => {
  const text = process.env["HEADGATE_ROUNDS"] ?? "0.1";
  const share = Number(text);
  if (Number.isFinite(share) && share > 0) return share;
  throw new Error(`HEADGATE_ROUNDS is ${text}; it must be a number above 0 (1 is the full proof)`);
};
