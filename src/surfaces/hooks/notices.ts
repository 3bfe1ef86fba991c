/**
 * Notices in a hook's answer. They are looked for, and taken, in the transaction that writes down the session's sign
 * of life; they count as delivered once the answer was written.
 */
import { limits } from "../../base/limits.ts";
import { countFitting, presentNotices, type TakenNotices } from "../../notices/index.ts";
import type { Along } from "../../lines/index.ts";
import type { HookActing } from "./dependencies.ts";
import type { HookCall, HookDecision, HookRefusal } from "./types.ts";

type OwnInbox = Pick<HookActing, "inbox">;

/** Notices that another transaction brings along. */
export interface InboxLook {
  readonly along: Along;
  taken(): TakenNotices | undefined;
  /** The other transaction was made, and took it along. */
  isDone(): boolean;
}

/** An agent that does not see the answer gets none. */
export const lookAtInbox = (
  { inbox }: OwnInbox,
  { isDeaf }: Pick<HookCall, "isDeaf"> = {},
): InboxLook => {
  let taken: TakenNotices | undefined;
  let isDone = false;
  const lengthMax = limits.noticeCallLengthMax;
  return {
    along: async (tx, at) => {
      isDone = true;
      if (isDeaf) return;
      taken = await inbox.takeIn(tx, at, (waiting) => countFitting(waiting, lengthMax));
    },
    taken: () => taken,
    isDone: () => isDone,
  };
};

/** Notices that were taken along, and those that have come since, as far as they fit. */
export const tellTaken = async (
  messages: readonly string[],
  first: TakenNotices | undefined,
  later?: OwnInbox,
): Promise<HookDecision> => {
  const { notices: old = [] } = first ?? {};
  const lengthMax = limits.noticeCallLengthMax;
  const next = await later?.inbox.take((waiting) =>
    Math.max(0, countFitting([...old, ...waiting], lengthMax) - old.length),
  );
  if (!first && !next) return tellAll(messages);
  const page = { notices: [...old, ...(next?.notices ?? [])], more: (next ?? first)?.more ?? 0 };
  const text = [...messages, presentNotices(page, lengthMax)].join("\n");
  const handedOver = async (): Promise<void> => {
    await first?.delivered();
    await next?.delivered();
  };
  return { kind: "tell", text, handedOver };
};

/** The messages of this call, and the notices that fit. */
export const tellWithNotices = async (
  messages: readonly string[],
  { inbox }: OwnInbox,
  lengthMax: number = limits.noticeCallLengthMax,
): Promise<HookDecision> => {
  const taken = await inbox.take((waiting) => countFitting(waiting, lengthMax));
  if (!taken) return tellAll(messages);
  // The start of a session names open requests itself.
  const said = messages.join("\n");
  const notices = taken.notices.filter(({ kind, id }) => kind !== "ask" || !said.includes(id));
  const isAllSaid = notices.length === 0 && taken.more === 0;
  const shown = isAllSaid ? [] : [presentNotices({ ...taken, notices }, lengthMax)];
  const text = [...messages, ...shown].join("\n");
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
