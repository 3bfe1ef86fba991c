/** Sending, inside the transaction that causes it and has its own event. */
import type { IdSource } from "../base/ids.ts";
import { limits } from "../base/limits.ts";
import { showText } from "../base/text.ts";
import { HeadgateError } from "../errors.ts";
import type { Scope, Store, StoreTime, Writer } from "../store/index.ts";
import {
  countSent,
  countWaiting,
  deleteAbout,
  deleteBeyond,
  deleteExpired,
  insertNotice,
  moveToOther,
  replaceOlder,
  selectKnown,
} from "./notice-rows.ts";
import { oneLine } from "./one-line.ts";
import type { NewNotice } from "./types.ts";

export interface SendingPlace {
  readonly scope: Scope;
  readonly now: StoreTime;
  readonly ids: IdSource;
}

export const sendIn = async (
  tx: Writer,
  { scope, now, ids }: SendingPlace,
  notices: readonly NewNotice[],
): Promise<void> => {
  if (notices.length === 0) return;
  const ms = Math.trunc(now.wallMs);
  await tx.run(deleteExpired, { scope: scope.id, now: ms });
  for (const { to, from = "", about = null, replaces = about, ...notice } of notices) {
    const receiver = { scope: scope.id, to, session: sessionPart(to) };
    for (const key of new Set([about, replaces])) {
      if (key !== null) await tx.run(replaceOlder, { ...receiver, about: key });
    }
    await tx.run(insertNotice, {
      ...receiver,
      about,
      id: notice.id ?? ids("notice"),
      from,
      fromSession: sessionPart(from),
      kind: notice.kind,
      target: notice.target ?? null,
      replyTo: notice.replyTo ?? null,
      text: oneLine(notice.text).slice(0, limits.noticeTextBytesMax),
      now: Math.max(ms, notice.notBefore ?? 0),
      until: ms + limits.noticeKeepMs,
    });
    await tx.run(deleteBeyond, receiver);
  }
};

/** Notices of Headgate itself, in a transaction of their own. */
export const sendAll = async (
  { store, scope, ids }: { readonly store: Store; readonly scope: Scope; readonly ids: IdSource },
  notices: readonly NewNotice[],
): Promise<void> => {
  await store.write({ scope }, async (tx) => {
    await sendIn(tx, { scope, now: await tx.now(), ids }, notices);
    const to = [...new Set(notices.map((one) => one.to))];
    const kinds = [...new Set(notices.map((one) => one.kind))];
    tx.emit({ kind: "notice.sent", data: { to, kinds } });
    return null;
  });
};

/** The session goes on under another id: what it has not read yet goes with it. */
export const passNotices = async (
  tx: Writer,
  scope: Scope,
  { session, to }: { readonly session: string; readonly to: string },
): Promise<void> => {
  await tx.run(moveToOther, { scope: scope.id, session, to });
};

/** Takes back what is about this and was not delivered yet, from all inboxes. */
export const withdrawIn = async (tx: Writer, scope: Scope, about: string): Promise<void> => {
  await tx.run(deleteAbout, { scope: scope.id, about });
};

/** Throws NOTICE_RATE: one session must not flood the others. */
export const refuseFlood = async (
  tx: Writer,
  { scope, now }: Omit<SendingPlace, "ids">,
  from: string,
): Promise<void> => {
  const since = Math.trunc(now.wallMs) - limits.noticeRateMs;
  const found = await tx.get<{ count: number }>(countSent, {
    ...{ scope: scope.id, session: sessionPart(from), since },
  });
  if ((found?.count ?? 0) < limits.noticeRateMax) return;
  const seconds = limits.noticeRateMs / 1000;
  throw new HeadgateError(
    "NOTICE_RATE",
    `${showText(from, 80)} has sent ${limits.noticeRateMax} messages within ${seconds} s`,
  );
};

/** Throws NOTICE_INBOX_FULL: a receiver that does not read gets no more messages. */
export const refuseFull = async (
  tx: Writer,
  { scope }: Pick<SendingPlace, "scope">,
  to: string,
): Promise<void> => {
  const found = await tx.get<{ count: number }>(countWaiting, {
    ...{ scope: scope.id, session: sessionPart(to), to },
  });
  if ((found?.count ?? 0) < limits.noticesWaitingMax) return;
  throw new HeadgateError(
    "NOTICE_INBOX_FULL",
    `${limits.noticesWaitingMax} notices wait for ${showText(to, 80)} already`,
  );
};

/** Throws NOTICE_UNKNOWN: a reply is to a message that the session got or sent. */
export const refuseUnknownReply = async (
  tx: Writer,
  { scope }: Pick<SendingPlace, "scope">,
  { id, from }: { readonly id: string; readonly from: string },
): Promise<void> => {
  const session = sessionPart(from);
  if (await tx.get(selectKnown, { scope: scope.id, id, session })) return;
  throw new HeadgateError("NOTICE_UNKNOWN", `no notice ${showText(id, 60)} in your inbox`);
};

const sessionPart = (actor: string): string => actor.split("/", 1)[0] ?? actor;
