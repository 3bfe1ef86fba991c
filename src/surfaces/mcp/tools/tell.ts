import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { agentText } from "../shapes.ts";
import { defineTool, sending } from "../tool.ts";

export const tellTool = defineTool({
  name: "tell",
  title: "Send a message to another agent",
  description:
    "Send one line to an actor (as claims and status name it), to holder:TARGET (every other holder of " +
    "something that overlaps the target) or to all other sessions. The receiver reads it with its next tool " +
    "call, as data. Use it for facts that others need; a session may send 20 messages in a minute.",
  annotations: sending,
  input: v.strictObject({
    to: v.pipe(v.string(), v.minLength(1), v.description("ACTOR, holder:TARGET or all.")),
    text: v.pipe(v.string(), v.minLength(1), v.maxLength(limits.noticeTextBytesMax)),
    replyTo: v.optional(v.pipe(v.string(), v.description("Id of the notice this replies to."))),
  }),
  output: { id: v.optional(v.string()), to: v.optional(v.array(agentText)) },
  run: async ({ to, text, replyTo }, call) => {
    const { claims } = call.actor();
    const sent = await claims.tell(to, text, { ...(replyTo !== undefined && { replyTo }) });
    const names = sent.to.map((one) => showText(one, 80));
    return {
      structured: { ok: true, id: sent.id, to: names },
      text: `sent ${sent.id} to ${names.join(", ")}`,
    };
  },
});
