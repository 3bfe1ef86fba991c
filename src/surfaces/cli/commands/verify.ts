import { plural } from "../../../base/text.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import { withProgress } from "../progress.ts";

export const command: Command = {
  summary: "Prove that no edit, commit or claim is half done; --repair finishes them",
  usage: ["verify [--repair]"],
  description:
    "Looks at records of edits, commits under way, scratch files, git's index lock, claims, the fence mark and " +
    "the event log. Without --repair it changes nothing. A repair touches only what a process that is proven " +
    "dead on this machine left. Other commands and hooks repair half edits and commits by themselves, and say so.",
  options: {
    repair: { type: "boolean", description: "Finish or take back what dead processes left" },
  },
  examples: [
    ["headgate verify", "is anything half done?"],
    ["headgate verify --repair", "finish it, or take it back"],
    ["headgate verify --json", "for programs: {clean, findings}"],
  ],
  exits: [
    [0, "nothing is half done, or all of it is repaired"],
    [1, "something is half done, or needs a person"],
  ],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    const repairs = flags.has("repair");
    await using headgate = await openFor(context, { readOnly: !repairs, repairs: false });
    const { clean, findings } = await withProgress({ output, what: "verifying" }, () =>
      headgate.leftWork.verify({ repairs }),
    );
    output.object({
      clean,
      findings: findings.map(({ code, what, repaired }) => ({ code, what, repaired })),
    });
    const { style } = output;
    for (const { code, what, repaired } of findings) {
      const word = repaired ? style.green("repaired") : style.red("found");
      output.line(`${word}  ${what} [${code}]`);
    }
    if (findings.length === 0) output.line(`${style.green("ok")}  nothing is half done`);
    else if (!repairs) {
      output.line(
        `${plural(findings.length, "finding")}; repair what can be: headgate verify --repair`,
      );
    }
    return clean ? 0 : 1;
  },
};
