import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import { answerFrom, answerWords } from "../../answer-words.ts";
import { usageError } from "../arguments.ts";
import type { Command } from "../command.ts";
import { durationFlag, durationForm } from "../duration.ts";
import { openFor } from "../open-for.ts";

const words = "headgate answer";

export const command: Command = {
  summary: "Answer an agent that asked for your claim",
  usage: ["answer REQUEST yes|no|later [TEXT] [--in 10m]"],
  description:
    "`yes` releases the claim, and the next in line gets it at once. `no` closes the request, `later` keeps " +
    "it open and names a time. The asker reads the answer and your words with its next tool call. " +
    "`release --answer REQUEST` is the same, and can also narrow the claim (--keep).",
  options: {
    in: {
      type: "string",
      value: "TIME",
      description: `With later: after this time, default 10m (${durationForm})`,
    },
  },
  examples: [
    ["headgate answer rq_01k5f8m2q3x7v9b4tz yes 'all yours'", "release it"],
    ["headgate answer rq_01k5f8m2q3x7v9b4tz later 'tests are running' --in 5m", "not yet"],
    ["headgate answer rq_01k5f8m2q3x7v9b4tz no 'I am in the middle of it'", "keep it"],
  ],
  exits: [
    [0, "answered"],
    [1, "the claim is another actor's; nothing was changed"],
    [2, "not yes, no or later"],
    [4, "no such open request"],
  ],
  positionalsMax: 3,
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [id, word = "", note = ""] = positionals;
    if (id === undefined) throw usageError("name the request: answer rq_… yes|no|later", words);
    const bounds = { min: 1000, max: limits.releaseRequestMsMax, words };
    const laterMs = durationFlag(flags, "in", bounds);
    if (laterMs !== undefined && word !== "later") throw usageError("--in goes with later", words);
    const chosen = answerWords.find((one) => one === word);
    if (!chosen) {
      throw usageError(`the answer is yes, no or later; got "${showText(word, 40)}"`, words);
    }
    const given = answerFrom(chosen, { note, laterMs });
    await using headgate = await openFor(context, { readOnly: false });
    const request = await headgate.claims.answer(id, given);
    output.object({ ok: true, request });
    output.line(
      `${output.style.green(request.answer)}: ${showText(request.asker)} reads it about ` +
        showText(request.target, 4096),
    );
    return 0;
  },
};
