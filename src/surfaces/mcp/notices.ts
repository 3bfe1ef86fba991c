/** Notices in the result of every tool: after its own answer, within the length of one call. */
import * as v from "valibot";
import { limits } from "../../base/limits.ts";
import type { Acting } from "../../compose.ts";
import {
  countFitting,
  type Notice,
  presentNotices,
  type TakenNotices,
} from "../../notices/index.ts";
import type { ToolResult } from "./answers.ts";
import { plainData } from "./data-text.ts";
import { agentText, repositoryText } from "./shapes.ts";

export const noticeShape = v.object({
  id: v.string(),
  kind: v.string(),
  from: agentText,
  at: v.string(),
  text: agentText,
  target: v.optional(repositoryText),
  replyTo: v.optional(v.string()),
  repeated: v.optional(v.boolean()),
  for: v.optional(agentText),
});

export const plainNotices = (notices: readonly Notice[]) => notices.map((one) => plainData(one));

/** The result with what waits for the caller, and how to record that it was delivered. */
export const withNotices = async (
  result: ToolResult,
  { inbox }: Pick<Acting, "inbox">,
): Promise<{ readonly result: ToolResult; readonly taken?: TakenNotices }> => {
  const lengthMax = limits.noticeCallLengthMax;
  const taken = await inbox.take((waiting) => countFitting(waiting, lengthMax));
  if (!taken) return { result };
  const { content, structuredContent } = result;
  return {
    taken,
    result: {
      ...result,
      content: [...content, { type: "text", text: presentNotices(taken, lengthMax) }],
      structuredContent: {
        ...structuredContent,
        notices: plainNotices(taken.notices),
        moreNotices: taken.more,
      },
    },
  };
};
