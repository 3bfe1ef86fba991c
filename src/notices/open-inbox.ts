/** The receiver's side of one actor's notices. */
import { limits } from "../base/limits.ts";
import { ownIdentity } from "../base/process-identity.ts";
import type { Scope, Store, StoreTime, Writer } from "../store/index.ts";
import {
  isUnderWay,
  markDelivered,
  markTaken,
  moveToSession,
  type NoticeRow,
  selectAll,
  selectAny,
  selectWaiting,
  toNotice,
} from "./notice-rows.ts";
import type { Inbox, Notice, TakenNotices } from "./types.ts";

interface InboxPlace {
  readonly store: Store;
  readonly scope: Scope;
}

export interface OpenInboxOptions {
  readonly actor: { readonly id: string; readonly session: string };
  open(): Promise<InboxPlace>;
  look(): Promise<InboxPlace | undefined>;
}

export const openInbox = ({ actor, open, look }: OpenInboxOptions): Inbox => {
  const own = (scope: Scope, now: StoreTime) => ({
    scope: scope.id,
    session: actor.session,
    actor: actor.id,
    now: Math.trunc(now.wallMs),
    before: actor.id === actor.session ? Math.trunc(now.wallMs) - limits.noticeAgentMs : -1,
  });

  const deliver = async (rows: readonly NoticeRow[]): Promise<void> => {
    const { store, scope } = await open();
    await store.write({ scope }, async (tx) => {
      const now = Math.trunc((await tx.now()).wallMs);
      const until = now + limits.noticeReadKeepMs;
      for (const { seq } of rows) await tx.run(markDelivered, { scope: scope.id, seq, now, until });
      tell(tx, "notice.delivered", rows);
      return null;
    });
  };

  const tell = (tx: Writer, kind: string, rows: readonly NoticeRow[]): void => {
    tx.emit({ kind, actor: actor.id, data: { notices: rows.map(({ id }) => id) } });
  };

  const takeIn: Inbox["takeIn"] = async (tx, { scope, now }, pick) => {
    const found = await tx.all<NoticeRow>(selectWaiting, own(scope, now));
    const free = found.filter((row) => !isUnderWay(row, now));
    if (free.length === 0) return undefined;
    const rows = free.slice(0, pick(free.map((row) => toNotice(row, actor.id))));
    const by = JSON.stringify(ownIdentity());
    for (const { seq } of rows) {
      await tx.run(markTaken, { scope: scope.id, seq, by, now: Math.trunc(now.wallMs) });
    }
    if (rows.length > 0) tell(tx, "notice.taken", rows);
    return {
      notices: rows.map((row): Notice => toNotice(row, actor.id)),
      more: free.length - rows.length,
      delivered: () => deliver(rows),
    };
  };

  return {
    takeIn,

    take: async (pick) => {
      const there = await look();
      if (!there) return undefined;
      const isThere = await there.store.read(async (tx) =>
        tx.get(selectAny, own(there.scope, await tx.now())),
      );
      if (!isThere) return undefined;
      const { store, scope } = await open();
      let taken: TakenNotices | undefined;
      await store.write({ scope }, async (tx) => {
        taken = await takeIn(tx, { scope, now: await tx.now() }, pick);
        return null;
      });
      return taken;
    },

    list: async ({ isAll = false } = {}) => {
      const there = await look();
      if (!there) return { notices: [], more: 0 };
      return there.store.read(async (tx) => {
        const statement = isAll ? selectAll : selectWaiting;
        const rows = await tx.all<NoticeRow>(statement, own(there.scope, await tx.now()));
        const shown = isAll
          ? rows.slice(-limits.noticesListedMax)
          : rows.slice(0, limits.noticesListedMax);
        return {
          notices: shown.map((row) => toNotice(row, actor.id)),
          more: rows.length - shown.length,
        };
      });
    },

    leaveToSession: async () => {
      const there = await look();
      if (!there || actor.id === actor.session) return;
      const { store, scope } = await open();
      await store.write({ scope }, async (tx) => {
        const who = { scope: scope.id, session: actor.session, actor: actor.id };
        if ((await tx.run(moveToSession, who)) === 0) return null;
        tx.emit({ kind: "notice.moved", actor: actor.id, data: { to: actor.session } });
        return null;
      });
    },
  };
};
