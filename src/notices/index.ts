/**
 * Notices: everybody hears what concerns them. One inbox per actor, kept in the store.
 * 1. A notice is never lost: it counts as delivered only after the answer that carries it was written. One that
 *    was taken by a process that ended is given again, under the same id and marked as repeated (N-04).
 * 2. Order is kept; a newer notice about the same thing replaces one that is not delivered yet.
 * 3. An answer carries a bounded length of them, the rest is a count. Text of others is one line without
 *    control characters, and marked as data.
 * 4. Senders are bounded in rate, inboxes in number and age.
 * `sendIn` and `withdrawIn` are part of the sender's transaction; `openInbox` is the receiver's side.
 */
export type { Inbox, NewNotice, Notice, NoticeKind, NoticePage, TakenNotices } from "./types.ts";
export { openInbox, type OpenInboxOptions } from "./open-inbox.ts";
export { countFitting, presentNotice, presentNotices } from "./present.ts";
export {
  passNotices,
  refuseFlood,
  refuseFull,
  refuseUnknownReply,
  sendAll,
  sendIn,
  withdrawIn,
} from "./send.ts";
export { checkNoticeText, oneLine } from "./one-line.ts";
