/** Asking for claims, and waiting for them. */
import { limits } from "../base/limits.ts";
import { isId } from "../base/ids.ts";
import { HeadgateError } from "../errors.ts";
import { describeBlockers } from "./blockers.ts";
import { type ClaimRow, toClaim } from "./claim-row.ts";
import { apply, plan, type Step } from "./decide.ts";
import type { Ledger } from "./ledger.ts";
import { Queue } from "./queue.ts";
import { quickGrant } from "./quick-grant.ts";
import { type Asked, checkRequest, resolveTargets } from "./request.ts";
import { askedOf } from "./requests.ts";
import { tellRescues } from "./rescues.ts";
import { readClaims, type Room, writeClaims } from "./room.ts";
import { deadAmong, reclaimDead, rescueExpired } from "./sweeping.ts";
import type { ClaimRequest, ClaimResult, Mode, TargetInput } from "./types.ts";
import { readWaiter, type WaiterRow } from "./waiter-row.ts";
import { waitInLine } from "./waiting.ts";
import { dropWishes, keepWish, mayWish, tookTurn } from "./wishes.ts";

interface Waiting {
  readonly waiting: string;
}
interface Attempt {
  readonly answer: ClaimResult | Waiting;
  /** Claims that had run out and were ended on the way. */
  readonly expired: readonly ClaimRow[];
}

export const claim = async (room: Room, request: ClaimRequest): Promise<ClaimResult> => {
  const asked = checkRequest(room, request);
  // A wait whose end is not known: the place in line is given up, or the grant taken.
  if (request.key !== undefined && (await isOwnWait(room, request.key))) {
    return waitInLine(room, request.key, asked, request.signal);
  }
  // What is kept under a key must be decided in one place.
  const quick = request.key === undefined ? await quickGrant(room, asked.wish) : undefined;
  if (quick) return quick;
  let { answer, expired } = await attempt(room, asked, request.key);
  // A dead holder is no reason to refuse: its work is saved, its claim taken back, and asked again.
  if (!isWaiting(answer) && !answer.ok) {
    const dead = deadAmong(answer.blockers);
    const { count, problem } = await reclaimDead(room, dead);
    if (count > 0) ({ answer, expired } = await attempt(room, asked, request.key));
    else if (problem !== undefined) return withEvidence(answer, dead, problem);
  }
  if (isWaiting(answer)) return waitInLine(room, answer.waiting, asked, request.signal);
  // The new holder has not written yet, so what a dead one left there can still be saved.
  const rescued = answer.ok ? await rescueExpired(room, expired) : [];
  if (!answer.ok || rescued.length === 0) return answer;
  return { ...answer, rescued: [...(answer.rescued ?? []), ...rescued] };
};

const isOwnWait = async (room: Room, key: string): Promise<boolean> => {
  if (!isId("waiter", key)) return false;
  return readClaims(room, false, async (tx, { scope }) => {
    const row = await tx.get<WaiterRow>(readWaiter, { scope: scope.id, id: key });
    return row === undefined || row.actor === room.actor.id;
  });
};

const isWaiting = (answer: ClaimResult | Waiting): answer is Waiting => "waiting" in answer;

/** Why a dead holder is still in the way. */
const withEvidence = (
  answer: Extract<ClaimResult, { ok: false }>,
  ids: readonly string[],
  problem: string,
): ClaimResult => ({
  ...answer,
  blockers: answer.blockers.map((blocker) => {
    if (!ids.includes(blocker.id)) return blocker;
    const { state, evidence } = blocker.liveness;
    return { ...blocker, liveness: { state, evidence: [...evidence, problem] } };
  }),
});

const attempt = async (room: Room, asked: Asked, key: string | undefined): Promise<Attempt> => {
  const { wish, isPartial } = asked;
  const options = { key, actor: wish.actor.id, targets: wish.targets };
  return writeClaims(room, options, async (ledger) => {
    const queue = new Queue(ledger);
    const steps = await planInTurn(ledger, queue, asked);
    const blocked = steps.filter((step) => step.kind === "blocked");
    let answer: Attempt["answer"];
    if (blocked.length === 0 || (isPartial && blocked.length < steps.length)) {
      answer = await grant(ledger, asked, steps);
      await queue.serve();
    } else if (asked.waitMs > 0) {
      answer = await joinLine(ledger, queue, asked);
    } else {
      const blocking = blocked.flatMap((step) => step.by);
      const blockers = await describeBlockers(ledger.tx, ledger, blocking);
      answer = { ok: false, code: "CLAIM_CONFLICT", blockers };
      await keepWish(ledger, asked.wish);
    }
    return { answer, expired: ledger.expired };
  });
};

/** Those in line are served first with whatever turned out to have expired. */
const planInTurn = async (ledger: Ledger, queue: Queue, asked: Asked): Promise<Step[]> => {
  const { wish, waitMs, priority } = asked;
  const look = () =>
    plan(
      ledger,
      wish,
      waitMs > 0
        ? queue.aheadOfRank(wish, queue.rankOf(priority), "~")
        : queue.aheadOfNewcomer(wish),
    );
  let steps = await look();
  while (ledger.freed.length > 0 && queue.length > 0) {
    await queue.serve();
    steps = await look();
  }
  return steps;
};

const grant = async (
  ledger: Ledger,
  { wish }: Asked,
  steps: readonly Step[],
): Promise<ClaimResult> => {
  await ledger.touchActor(wish.actor);
  await dropWishes(ledger, wish);
  for (const step of steps) if (step.kind === "renew") await tookTurn(ledger, step.row);
  const granted = apply(ledger, wish, steps);
  const rescued = await tellRescues(ledger, wish.targets);
  const asked = await askedOf(ledger, wish.actor.id);
  const downgraded = steps.flatMap(({ kind, target }) => (kind === "downgrade" ? target.text : []));
  const refused = [];
  for (const step of steps) {
    if (step.kind !== "blocked") continue;
    const blockers = await describeBlockers(ledger.tx, ledger, step.by);
    refused.push({ target: step.target.text, blockers });
  }
  return {
    ok: true,
    claims: granted.map(({ row }) => toClaim(row, ledger.now)),
    ...(downgraded.length > 0 && { downgraded }),
    ...(refused.length > 0 && { refused }),
    ...(rescued.length > 0 && { rescued }),
    ...(asked.length > 0 && { asked }),
  };
};

/** Only asked about, to hear when it is free. */
export const want = async (
  room: Room,
  targets: readonly TargetInput[],
  more: { readonly mode: Mode; readonly reason?: string; readonly forSession?: boolean },
): Promise<void> => {
  const { actor } = room;
  if (!mayWish(actor)) return;
  const { mode, reason, forSession = false } = more;
  const wish = { actor, targets: resolveTargets(room, targets), mode, reason, forSession };
  await writeClaims(room, { actor: actor.id }, async (ledger) => {
    await keepWish(ledger, { ...wish, ttlMs: limits.claimTurnMs });
    return null;
  });
};

const joinLine = async (ledger: Ledger, queue: Queue, asked: Asked): Promise<Waiting> => {
  const { wish, waitMs, priority } = asked;
  if (queue.length >= limits.waitersMax) {
    throw new HeadgateError("CLAIM_QUEUE_FULL", `${queue.length} waiters are in line already`);
  }
  await ledger.touchActor(wish.actor);
  const row = queue.add(wish, { priority, waitMs, id: ledger.newId("waiter") });
  for (let rounds = 0; rounds < limits.waitersMax; rounds += 1) {
    const found = await queue.circleWith(row);
    if (!found) break;
    queue.giveWay(found.victim, found.circle.actors);
  }
  await queue.serve();
  return { waiting: row.id };
};
