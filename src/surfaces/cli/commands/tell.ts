import { plural, showText } from "../../../base/text.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";

export const command: Command = {
  summary: "Send a message to other agents",
  usage: ["tell ACTOR|holder:TARGET|all TEXT [--reply-to ID]"],
  description:
    "The receiver reads it with its next tool call, marked as words of yours and as data. `holder:TARGET` " +
    "is every other holder of something that overlaps the target, `all` every other session heard of " +
    "lately. A message is one line of at most 2,000 bytes; a session may send 20 in a minute.",
  options: {
    "reply-to": {
      type: "string",
      value: "ID",
      description: "The notice this replies to, as `headgate inbox` shows it",
    },
  },
  examples: [
    ["headgate tell claude:0199c2f0 'the tests of src/auth.ts are red'", "one agent"],
    ["headgate tell holder:src/auth.ts 'please keep login() as it is'", "who holds it"],
    ["headgate tell all 'main is frozen until 15:00'", "everybody at work here"],
  ],
  exits: [
    [0, "sent"],
    [1, "too many messages within a minute, or the receiver does not read its own"],
    [2, "no text, or too long a text"],
    [4, "no such actor, or the target has no other holder; nothing was sent"],
  ],
  positionalsMax: 2,
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [to, text] = positionals;
    if (to === undefined || text === undefined) {
      throw usageError("say to whom and what: tell ACTOR TEXT", "headgate tell");
    }
    const replyTo = flags.text("reply-to");
    await using headgate = await openFor(context, { readOnly: false });
    const sent = await headgate.claims.tell(to, text, {
      ...(replyTo !== undefined && { replyTo }),
    });
    output.object({ ok: true, ...sent });
    const [first = "", ...more] = sent.to;
    const others = more.length > 0 ? ` and ${plural(more.length, "other")}` : "";
    output.line(`${output.style.green("sent")} to ${showText(first)}${others}  ${sent.id}`);
    return 0;
  },
};
