/**
 * Notices in a hook's answer. Whether any wait is one read in the transaction that writes down the session's sign
 * of life; only where some do are they taken, and they count as delivered once the answer was written.
 */
import { limits } from "../../base/limits.ts";
import { countFitting, presentNotices } from "../../notices/index.ts";
import type { Along } from "../../lines/index.ts";
import type { HookActing } from "./dependencies.ts";
import type { HookDecision, HookRefusal } from "./types.ts";

type OwnInbox = Pick<HookActing, "inbox">;

/** To be read with another transaction. */
export interface InboxLook {
  readonly along: Along;
  isWaiting(): boolean;
}

export const lookAtInbox = ({ inbox }: OwnInbox): InboxLook => {
  let isWaiting = false;
  return {
    along: async (tx, { scope, now }) => {
      isWaiting = await inbox.hasWaiting(tx, scope, now);
    },
    isWaiting: () => isWaiting,
  };
};

/** The messages of this call, and the notices that fit. */
export const tellWithNotices = async (
  messages: readonly string[],
  { inbox }: OwnInbox,
  lengthMax: number = limits.noticeCallLengthMax,
): Promise<HookDecision> => {
  const taken = await inbox.take((waiting) => countFitting(waiting, lengthMax));
  if (!taken) return tellAll(messages);
  const text = [...messages, presentNotices(taken, lengthMax)].join("\n");
  return { kind: "tell", text, handedOver: () => taken.delivered() };
};

/** An agent whose tools are refused one after the other hears as well; the last line stays the one for programs. */
export const refuseWithNotices = async (
  refusal: HookRefusal,
  { inbox }: OwnInbox,
): Promise<HookRefusal> => {
  const lengthMax = limits.noticeCallLengthMax;
  const taken = await inbox.take((waiting) => countFitting(waiting, lengthMax));
  if (!taken) return refusal;
  const end = refusal.text.lastIndexOf("\n");
  const text = `${refusal.text.slice(0, end)}\n${presentNotices(taken, lengthMax)}${refusal.text.slice(end)}`;
  return { ...refusal, text, handedOver: () => taken.delivered() };
};

export const tellAll = (messages: readonly string[]): HookDecision =>
  messages.length === 0 ? { kind: "pass" } : { kind: "tell", text: messages.join("\n") };
