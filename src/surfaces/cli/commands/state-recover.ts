import { relative } from "node:path";
import { shellWord } from "../../../base/shell-word.ts";
import { showText } from "../../../base/text.ts";
import type { StateReport } from "../../../state/index.ts";
import type { Command } from "../command.ts";
import { stateTargets } from "../state-targets.ts";
import { printReport, reportObject } from "../state-report.ts";

export const command: Command = {
  summary: "Finish or remove interrupted writes, set corrupt files aside",
  usage: ["state recover [PATH…] [--explain] [--dry-run]"],
  description:
    "A finished temporary of a dead process takes its file's place if the file was not changed since; " +
    "others are removed. Temporaries of running processes and files of other programs are not touched. A " +
    "corrupt file is kept beside itself as NAME.corrupt-TIME, if it is named here, in `state.files` or under " +
    ".headgate; elsewhere it is only reported. Running it twice changes nothing more.",
  options: {
    explain: { type: "boolean", description: "Say why each decision was taken" },
    "dry-run": { type: "boolean", description: "Only say what would be done" },
  },
  examples: [
    ["headgate state recover --dry-run --explain", "what would be done, and why"],
    ["headgate state recover STATE.md", "recover one file"],
  ],
  exits: [
    [0, "nothing is left to do"],
    [
      1,
      "a corrupt file had no replacement, or something had to be left; with --dry-run: work to do",
    ],
    [4, "a named path does not exist"],
  ],
  positionalsMax: 1000,
  completes: "files",
  run: async (context) => {
    const { output, environment, flags } = context;
    const { cwd } = environment;
    const { checkState, recoverState } = await import("../../../state/index.ts");
    const dryRun = flags.has("dry-run");
    const { paths, ...how } = await stateTargets(context);
    const report = await (dryRun ? checkState : recoverState)(paths, how);
    const steps = nextSteps(report, cwd);
    const { clean, ...shown } = reportObject(report);
    // A file that nothing could replace needs a person, so a script must not go on as if all was well.
    const isDone = dryRun ? clean : isSettled(report) && steps.length === 0;
    output.object({ ok: isDone, dryRun, ...shown, steps });
    printReport(report, output, {
      cwd,
      isDone: !dryRun,
      hasReasons: dryRun || flags.has("explain"),
    });
    if (clean) output.line(`${output.style.green("ok")}  nothing to recover`);
    for (const step of steps) output.line(`  → ${step}`);
    return isDone ? 0 : 1;
  },
};

/** Nothing failed, and what was left belongs to running processes. */
const isSettled = ({ temporaries, corrupt, failures }: StateReport): boolean =>
  failures.length === 0 &&
  corrupt.every(({ decision }) => decision.action !== "leave") &&
  temporaries.every(
    ({ decision, owner }) => decision.action !== "leave" || owner.state === "alive",
  );

/** S-10: what a person can do about content that had to be set aside. */
const nextSteps = ({ corrupt, temporaries }: StateReport, cwd: string): string[] =>
  corrupt
    .filter(({ decision }) => decision.action === "quarantine")
    .filter(({ path }) => !temporaries.some(isPromotedTo(path)))
    .flatMap(({ path, quarantine }) => {
      const file = showText(relative(cwd, path) || path, 1024);
      const kept = quarantine === undefined ? `${file}.corrupt-TIME` : relative(cwd, quarantine);
      return [
        `restore ${file} from version control or a backup, or repair the copy ${showText(kept, 1024)}`,
        `then write it back: headgate state write ${shellWord(file)} --expect absent < REPAIRED`,
      ];
    });

const isPromotedTo =
  (path: string) =>
  ({ target, decision }: StateReport["temporaries"][number]): boolean =>
    target === path && decision.action === "promote";
