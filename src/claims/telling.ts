/** Messages between actors: who is meant, and whether it may be sent. */
import { showText } from "../base/text.ts";
import { limits } from "../base/limits.ts";
import { HeadgateError } from "../errors.ts";
import { checkNoticeText, refuseFlood, refuseFull, refuseUnknownReply } from "../notices/index.ts";
import type { Statement } from "../store/index.ts";
import { actorColumns, type ActorRow, livenessOf, readActors } from "./actors/actor-row.ts";
import { parseActor } from "./actors/actor.ts";
import { isHeldBy } from "./claim-row.ts";
import { listParameters } from "./in-list.ts";
import type { Ledger } from "./ledger.ts";
import { actorSilentMsMax } from "./overview.ts";
import { resolveTargets, usage } from "./request.ts";
import { type Room, writeClaims } from "./room.ts";
import type { Target } from "./targets/target.ts";

export const tell = async (
  room: Room,
  to: string,
  text: string,
  { replyTo }: { readonly replyTo?: string } = {},
): Promise<{ readonly id: string; readonly to: readonly string[] }> => {
  const said = checkNoticeText(text);
  const [target] = to.startsWith(holderWord)
    ? resolveTargets(room, [to.slice(holderWord.length)])
    : [];
  if (!target && to !== everybody) parseActor(to);
  if (to === room.actor.id) throw usage("a message goes to another actor");
  return writeClaims(room, { actor: room.actor.id }, async (ledger) => {
    const from = room.actor.id;
    const receivers = target ? await holders(ledger, room, target) : await actors(ledger, room, to);
    await refuseFlood(ledger.tx, ledger, from);
    if (replyTo !== undefined) {
      await refuseUnknownReply(ledger.tx, ledger, { id: replyTo, from });
    }
    for (const one of receivers) await refuseFull(ledger.tx, ledger, one);
    await ledger.touchActor(room.actor);
    const id = ledger.newId("notice");
    for (const one of receivers) {
      ledger.notices.push({
        ...{ id, to: one, from, kind: "message", text: said },
        ...(target && { target: target.text }),
        ...(replyTo !== undefined && { replyTo }),
      });
    }
    ledger.tx.emit({ kind: "notice.sent", actor: from, subject: id, data: { to: receivers } });
    return { id, to: receivers };
  });
};

const holderWord = "holder:";
const everybody = "all";

const holders = async (ledger: Ledger, room: Room, target: Target): Promise<string[]> => {
  const rows = await ledger.overlapping(target);
  const others = rows.filter((row) => !isHeldBy(row, room.actor)).map(({ actor }) => actor);
  if (others.length === 0) throw unheld(target);
  return [...new Set(others)].slice(0, limits.noticeReceiversMax);
};

export const unheld = (target: Target): HeadgateError =>
  new HeadgateError("CLAIM_UNKNOWN", `no other actor holds ${showText(target.text)}`, {
    data: { target: target.text },
  });

/** One that is named, or every session that was heard of lately and is not proven dead. */
const actors = async (ledger: Ledger, room: Room, to: string): Promise<string[]> => {
  const scope = ledger.scope.id;
  if (to !== everybody) {
    const [row] = await ledger.tx.all<ActorRow>(readActors([to]), {
      scope,
      ...listParameters("id", [to]),
    });
    if (!row) {
      throw new HeadgateError("ACTOR_UNKNOWN", `no actor ${showText(to, 80)} is known here`);
    }
    return [to];
  }
  const since = Math.round(ledger.now.wallMs - actorSilentMsMax);
  const rows = await ledger.tx.all<ActorRow>(readSessions, { scope, since });
  const found = rows
    .filter(({ session }) => session !== room.actor.session)
    .filter((row) => livenessOf(row, ledger.now).state !== "dead")
    .map(({ id }) => id);
  if (found.length === 0) {
    throw new HeadgateError("ACTOR_UNKNOWN", "no other session was heard of here lately");
  }
  return found;
};

const readSessions: Statement = {
  sql: `SELECT ${actorColumns} FROM actors
        WHERE scope_id = :scope AND session = id AND seen_at >= :since
        ORDER BY seen_at DESC, id LIMIT ${limits.noticeReceiversMax}`,
};
