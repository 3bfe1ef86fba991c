import type { Command } from "../command.ts";
import { stateTargets } from "../state-targets.ts";
import { printReport, reportObject } from "../state-report.ts";

export const command: Command = {
  summary: "List left-over temporaries and corrupt files; change nothing",
  usage: ["state check [PATH…]"],
  description:
    "A file is checked itself; of a folder, the files directly in it and the temporaries everywhere " +
    "below it. Without PATH: the files of the setting `state.files` and .headgate, else this folder, and the " +
    "temporaries of the whole repository, those of other programs (NAME.tmp.1234) included. A temporary whose process still runs is a write in progress and no problem.",
  options: {},
  examples: [
    ["headgate state check", "check the state files of this repository"],
    ["headgate state check STATE.md plans --json", "check a file and a folder"],
  ],
  exits: [
    [0, "everything is whole"],
    [1, "something is left over, corrupt or unreadable"],
    [4, "a named path does not exist"],
  ],
  positionalsMax: 1000,
  completes: "files",
  run: async (context) => {
    const { output, environment } = context;
    const { checkState } = await import("../../../state/index.ts");
    const { paths, ...how } = await stateTargets(context);
    const report = await checkState(paths, how);
    const shown = reportObject(report);
    output.object(shown);
    printReport(report, output, { cwd: environment.cwd, isDone: false, hasReasons: true });
    if (shown.clean) output.line(`${output.style.green("ok")}  nothing left over, nothing corrupt`);
    else output.note("`headgate state recover` carries out what is proposed here");
    return shown.clean ? 0 : 1;
  },
};
