/** Asking a holder to give something up, and the holder's answers. */
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Statement } from "../store/index.ts";
import { refuseFlood } from "../notices/index.ts";
import { parseActor } from "./actors/actor.ts";
import { type ClaimRow, isHeldBy } from "./claim-row.ts";
import { deadlineAfter } from "./deadline.ts";
import { narrowRow, refuseOthers } from "./holding.ts";
import type { Ledger } from "./ledger.ts";
import { Queue } from "./queue.ts";
import { checkReason, checkSpan, resolveTargets, usage } from "./request.ts";
import { listRequests, requestColumns, type RequestRow, toRequest } from "./requests.ts";
import { readClaims, type Room, writeClaims } from "./room.ts";
import { unheld } from "./telling.ts";
import { answeredNotice, answerNotice, askNotice, withdrawAsk } from "./tidings.ts";
import type { Answer, ReleaseRequest, TargetInput } from "./types.ts";

export const ask = async (room: Room, claim: string, how: AskedHow): Promise<ReleaseRequest> => {
  checkHow(how);
  const result = await writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const [row] = await ledger.byIds([claim]);
    if (!row) {
      throw new HeadgateError("CLAIM_UNKNOWN", `no live claim ${showText(claim)}`, {
        data: { claim },
      });
    }
    if (isHeldBy(row, room.actor)) throw usage(`${claim} is your own: release it`);
    await refuseFlood(ledger.tx, ledger, room.actor.id);
    await ledger.touchActor(room.actor);
    return askHolder(ledger, row, room.actor.id, how);
  });
  return result as ReleaseRequest;
};

export const askFor = async (
  room: Room,
  input: TargetInput,
  how: AskedHow,
): Promise<readonly ReleaseRequest[]> => {
  checkHow(how);
  const [target] = resolveTargets(room, [input]);
  if (!target) throw usage("name a target");
  const result = await writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const rows = await ledger.overlapping(target);
    const others = rows.filter((row) => !isHeldBy(row, room.actor)).slice(0, askedAtOnceMax);
    if (others.length === 0) throw unheld(target);
    await refuseFlood(ledger.tx, ledger, room.actor.id);
    await ledger.touchActor(room.actor);
    return others.map((row) => askHolder(ledger, row, room.actor.id, how));
  });
  return result as readonly ReleaseRequest[];
};

interface AskedHow {
  readonly reason: string;
  readonly withinMs: number;
}

/** A folder may hold many claims; who needs all of them talks to all. */
const askedAtOnceMax = 10;

const checkHow = ({ reason, withinMs }: AskedHow): void => {
  checkReason(reason);
  checkSpan("time to answer", withinMs, 1, limits.releaseRequestMsMax);
};

const askHolder = (
  ledger: Ledger,
  row: ClaimRow,
  asker: string,
  { reason, withinMs }: AskedHow,
): ReleaseRequest => {
  const request: RequestRow = {
    id: ledger.newId("request"),
    claim_id: row.id,
    target: row.target,
    holder: row.actor,
    asker,
    reason,
    asked_at: Math.round(ledger.now.wallMs),
    ...deadlineAfter(ledger.now, withinMs),
    answer: "none",
    note: "",
  };
  ledger.send(insertRequest, { scope: ledger.scope.id, ...request });
  ledger.notices.push(askNotice(request));
  ledger.tx.emit({
    kind: "claim.asked",
    actor: asker,
    subject: row.id,
    data: { request: request.id, holder: row.actor, target: row.target, reason, withinMs },
  });
  return toRequest(request, ledger.now);
};

export const answer = async (
  room: Room,
  id: string,
  given: Answer,
  { inPlaceOf }: { readonly inPlaceOf?: string } = {},
): Promise<ReleaseRequest> => {
  const holder = inPlaceOf === undefined ? room.actor : parseActor(inPlaceOf);
  if (given.kind === "defer") {
    checkSpan("time to defer", given.forMs, 1, limits.releaseRequestMsMax);
  }
  if (given.kind !== "narrow") checkReason(given.note);
  const keep = given.kind === "narrow" ? resolveTargets(room, given.keep) : [];
  const result = await writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const queue = new Queue(ledger);
    const request = await ledger.tx.get<RequestRow>(readRequest, { scope: ledger.scope.id, id });
    const [row] = request ? await ledger.byIds([request.claim_id]) : [];
    if (!request || !row || !["none", "deferred"].includes(request.answer))
      throw unknownRequest(id);
    refuseOthers(row, holder);
    const isInPlace = !isHeldBy(row, room.actor);
    await ledger.touchActor(room.actor);
    await withdrawAsk(ledger, request);
    const answered = (word: string, next: Partial<RequestRow>): RequestRow => {
      const changed = { ...request, ...next } as RequestRow;
      ledger.send(updateRequest, {
        scope: ledger.scope.id,
        id,
        answer: changed.answer,
        note: changed.note,
        expires_at: changed.expires_at,
        expires_mono: changed.expires_mono,
        expires_boot: changed.expires_boot,
      });
      ledger.tx.emit({
        kind: "claim.answered",
        actor: room.actor.id,
        subject: row.id,
        data: {
          ...{ request: id, asker: request.asker, answer: changed.answer, note: changed.note },
          ...(isInPlace && { inPlaceOf: row.actor }),
        },
      });
      ledger.notices.push(answerNotice(changed, room.actor.id, word));
      if (isInPlace) ledger.notices.push(answeredNotice(changed, room.actor.id, word));
      return changed;
    };
    const note = given.kind === "narrow" ? "" : (given.note ?? "");
    let changed: RequestRow;
    if (given.kind === "defer") {
      const until = deadlineAfter(ledger.now, given.forMs);
      changed = answered("later", { answer: "deferred", note, ...until });
    } else if (given.kind === "refuse") {
      changed = answered("no", { answer: "refused", note });
    } else if (given.kind === "narrow") {
      narrowRow(ledger, row, keep, room.actor.id);
      const kept = keep.map(({ text }) => text).join(" ");
      changed = answered("yes, but for", { answer: "narrowed", note: kept });
    } else {
      changed = answered("yes", { answer: "released", note });
      ledger.end(row, "released", { actor: room.actor.id, request: id });
    }
    await queue.serve();
    return toRequest(changed, ledger.now);
  });
  return result as ReleaseRequest;
};

/** Only those concerned hear of a request: its asker and the holder. */
export const requests = (room: Room): Promise<readonly ReleaseRequest[]> =>
  readClaims<readonly ReleaseRequest[]>(room, [], async (tx, at) => {
    const all = await listRequests(tx, at);
    return all.filter(({ asker, holder }) => asker === room.actor.id || holder === room.actor.id);
  });

const unknownRequest = (id: string): HeadgateError =>
  new HeadgateError("REQUEST_UNKNOWN", `no open request ${showText(id)}`, {
    data: { request: id },
  });

const insertRequest: Statement = {
  sql: `INSERT INTO release_requests (scope_id, ${requestColumns})
        VALUES (:scope, :id, :claim_id, :target, :holder, :asker, :reason, :asked_at, :expires_at,
          :expires_mono, :expires_boot, :answer, :note)`,
};
const readRequest: Statement = {
  sql: `SELECT ${requestColumns} FROM release_requests WHERE scope_id = :scope AND id = :id`,
};
const updateRequest: Statement = {
  sql: `UPDATE release_requests SET answer = :answer, note = :note, expires_at = :expires_at,
          expires_mono = :expires_mono, expires_boot = :expires_boot
        WHERE scope_id = :scope AND id = :id`,
};
