import { isId } from "../../../base/ids.ts";
import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { durationFlag, durationForm, showSpan } from "../duration.ts";
import { openFor } from "../open-for.ts";

const words = "headgate ask";
const withinDefaultMs = 5 * 60_000;

export const command: Command = {
  summary: "Ask the holder of a target for it",
  usage: ["ask TARGET|CLAIM TEXT [--within 5m]"],
  description:
    "Every other holder of something that overlaps the target is asked. It reads the request with its next " +
    "tool call and answers with `headgate answer`; you read the answer the same way. A request follows its " +
    "claim to a new holder and ends with it. Nothing is taken from a living holder, whatever the deadline. " +
    "`release --ask CLAIM` is the same for one claim.",
  options: {
    within: {
      type: "string",
      value: "TIME",
      description: `By when you need it, default 5m (${durationForm})`,
    },
  },
  examples: [
    ["headgate ask src/auth.ts 'a hotfix for the login'", "who holds it is asked"],
    ["headgate ask cl_01k5f8m2q3x7v9b4tz 'two lines only' --within 15m", "one claim"],
  ],
  exits: [
    [0, "asked"],
    [1, "too many requests within a minute"],
    [2, "no target, no text, or the claim is your own"],
    [4, "no other actor holds it; nothing was asked"],
  ],
  positionalsMax: 2,
  completes: "files",
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [name, text = ""] = positionals;
    if (name === undefined || text.trim() === "") {
      throw usageError("say what you need and why: ask TARGET TEXT", words);
    }
    const bounds = { min: 1000, max: limits.releaseRequestMsMax, words };
    const withinMs = durationFlag(flags, "within", bounds) ?? withinDefaultMs;
    await using headgate = await openFor(context, { readOnly: false });
    const { claims } = headgate;
    const how = { reason: text, withinMs };
    const requests = isId("claim", name)
      ? [await claims.ask(name, how)]
      : await claims.askFor(name, how);
    output.object({ ok: true, request: requests[0], requests });
    for (const { id, holder, target } of requests) {
      output.line(
        `${output.style.green("asked")} ${showText(holder)} to release ${showText(target, 4096)} ` +
          `within ${showSpan(withinMs)}  ${id}`,
      );
    }
    return 0;
  },
};
