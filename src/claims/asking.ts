/** Asking a holder to give something up, and the holder's answers. */
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Statement } from "../store/index.ts";
import { isHeldBy } from "./claim-row.ts";
import { deadlineAfter } from "./deadline.ts";
import { narrowRow, refuseOthers } from "./holding.ts";
import { Queue } from "./queue.ts";
import { checkReason, checkSpan, resolveTargets, usage } from "./request.ts";
import { listRequests, requestColumns, type RequestRow, toRequest } from "./requests.ts";
import { readClaims, type Room, writeClaims } from "./room.ts";
import type { Answer, ReleaseRequest } from "./types.ts";

export const ask = async (
  room: Room,
  claim: string,
  { reason, withinMs }: { readonly reason: string; readonly withinMs: number },
): Promise<ReleaseRequest> => {
  checkReason(reason);
  checkSpan("time to answer", withinMs, 1, limits.releaseRequestMsMax);
  const result = await writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const [row] = await ledger.byIds([claim]);
    if (!row) {
      throw new HeadgateError("CLAIM_UNKNOWN", `no live claim ${showText(claim)}`, {
        data: { claim },
      });
    }
    if (isHeldBy(row, room.actor)) throw usage(`${claim} is your own: release it`);
    await ledger.touchActor(room.actor);
    const request: RequestRow = {
      id: ledger.newId("request"),
      claim_id: row.id,
      target: row.target,
      holder: row.actor,
      asker: room.actor.id,
      reason,
      asked_at: Math.round(ledger.now.wallMs),
      ...deadlineAfter(ledger.now, withinMs),
      answer: "none",
      note: "",
    };
    ledger.send(insertRequest, { scope: ledger.scope.id, ...request });
    ledger.tx.emit({
      kind: "claim.asked",
      actor: request.asker,
      subject: row.id,
      data: { request: request.id, holder: row.actor, target: row.target, reason, withinMs },
    });
    return toRequest(request, ledger.now);
  });
  return result as ReleaseRequest;
};

export const answer = async (room: Room, id: string, given: Answer): Promise<ReleaseRequest> => {
  if (given.kind === "defer") {
    checkSpan("time to defer", given.forMs, 1, limits.releaseRequestMsMax);
    checkReason(given.note);
  }
  const keep = given.kind === "narrow" ? resolveTargets(room, given.keep) : [];
  const result = await writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const queue = new Queue(ledger);
    const request = await ledger.tx.get<RequestRow>(readRequest, { scope: ledger.scope.id, id });
    const [row] = request ? await ledger.byIds([request.claim_id]) : [];
    if (!request || !row || !["none", "deferred"].includes(request.answer))
      throw unknownRequest(id);
    refuseOthers(row, room);
    await ledger.touchActor(room.actor);
    const answered = (next: Partial<RequestRow>): RequestRow => {
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
        data: { request: id, asker: request.asker, answer: changed.answer, note: changed.note },
      });
      return changed;
    };
    let changed: RequestRow;
    if (given.kind === "defer") {
      const note = given.note ?? "";
      changed = answered({ answer: "deferred", note, ...deadlineAfter(ledger.now, given.forMs) });
    } else if (given.kind === "narrow") {
      narrowRow(ledger, row, keep, room.actor.id);
      changed = answered({ answer: "narrowed", note: keep.map(({ text }) => text).join(" ") });
    } else {
      changed = answered({ answer: "released" });
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
