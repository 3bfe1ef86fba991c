import { showText } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import type { Headgate } from "../../../compose.ts";
import { type GitHookName, hookNames, runGitHook } from "../../git/index.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";

const inputBytesMax = 16 * 1024 * 1024;

export const command: Command = {
  summary: "Answer one of git's hooks; git calls it, people do not",
  usage: [`git-hook ${hookNames.join("|")} [ARGUMENT…]`],
  description:
    "pre-commit judges what is staged, post-commit gives finished claims back, pre-push and " +
    "reference-transaction refuse commits whose claim was lost. `headgate init` puts the calls into git's " +
    "hooks. HEADGATE_BYPASS=reason passes and is recorded. See docs/git.md.",
  options: {},
  examples: [["headgate git-hook pre-commit", "would this commit be refused?"]],
  exits: [
    [0, "no objection"],
    [2, "refused; the reason is on stderr"],
  ],
  positionalsMax: 10,
  completes: hookNames,
  run: async (context) => {
    const [name = "", ...args] = context.positionals;
    const hook = hookNames.find((one) => one === name);
    if (hook === undefined) {
      throw new HeadgateError(
        "USAGE",
        `git-hook needs one of ${hookNames.join(", ")}; got "${showText(name)}"`,
      );
    }
    const input = hasInput(hook) ? (await context.readInput(inputBytesMax)).toString("utf8") : "";
    const { environment, output } = context;
    let opened: Headgate;
    try {
      // pre-commit repairs itself: what is staged of a half edit must not be committed.
      opened = await openFor(context, { readOnly: false, repairs: hook !== "pre-commit" });
    } catch (error) {
      if (!HeadgateError.isInstance(error) || error.code !== "STATE_IN_TREE") throw error;
      output.note(`headgate: ${hook} was not judged: ${error.message}; run: headgate init`);
      return 0;
    }
    await using headgate = opened;
    const outcome = await runGitHook({ headgate, environment, hook, args, input });
    for (const line of outcome.lines) output.note(line);
    return outcome.isRefused ? 2 : 0;
  },
};

const hasInput = (hook: GitHookName): boolean =>
  hook === "pre-push" || hook === "reference-transaction";
