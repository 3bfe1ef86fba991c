import { packageVersion } from "../../../base/version.ts";
import { plural } from "../../../base/text.ts";
import { fromLedger, rdjsonText, reviewSarifText, sarifResultsMax } from "../../../review/index.ts";
import type { Command } from "../command.ts";
import { filterOf, filterOptions } from "../findings-run.ts";
import { openFor } from "../open-for.ts";
import { citedSources } from "../review-output.ts";

const exportedMax = 10_000;

export const exporting: Command = {
  summary: "Print findings as SARIF or rdjson",
  usage: [
    "findings export [--format sarif|rdjson] [--state STATE]… [--severity …]… [--path PATH] …",
  ],
  description:
    "SARIF holds settled findings too, as suppressed (dismissed, with the reason) and absent (fixed), so that a code host " +
    "closes them; --state chooses others. rdjson has no words for them and leaves them out.",
  options: {
    ...filterOptions,
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["sarif", "rdjson"],
      description: "sarif (default) or rdjson",
    },
  },
  examples: [["headgate findings export --format rdjson | reviewdog -f=rdjson", "as comments"]],
  positionalsMax: 0,
  run: async (context) => {
    const { flags, output } = context;
    await using headgate = await openFor(context, { readOnly: true });
    const filter = filterOf(flags);
    const { state: _state, ...all } = filter;
    const ledger = await headgate.ledger();
    const found = await ledger.findings({
      ...(flags.texts("state").length > 0 ? filter : all),
      limit: exportedMax + 1,
    });
    const problems = found.slice(0, exportedMax).map(fromLedger);
    const sources = citedSources(problems, headgate.repository.worktree);
    const isSarif = flags.text("format") !== "rdjson";
    const text = !isSarif
      ? rdjsonText({ problems, sources })
      : reviewSarifText({ version: packageVersion(), problems, sources });
    output.print(text.trimEnd());
    const most = isSarif ? sarifResultsMax : exportedMax;
    const shown = Math.min(problems.length, most);
    output.note(`headgate: ${plural(shown, "finding")}`);
    if (found.length > most) {
      output.note(
        `  there are more; the most severe came first, --severity or --path shows others`,
      );
    }
    return 0;
  },
};
