import type { Command } from "../command.ts";
import { clean, decide, importRun, newRun, pause, rebuild, rollback, skip } from "./run-care.ts";
import { check, list, output, report, status } from "./run-look.ts";
import { resume, retry, start } from "./run-start.ts";

export const command: Command = {
  summary: "Carry plans out task by task with fresh agents, and resume them",
  usage: [
    "run new DIR [--count N]",
    "run check DIR|FILE",
    "run start DIR|FILE [--branch | --worktree] [--parallel N] [--timeout 30m] --exec PROGRAM ARGUMENTS…",
    "run resume [RUN]",
    "run status [RUN] · run output [RUN] · run list · run report [RUN]",
    "run pause [RUN] [--now] · run skip [RUN] PLAN [TASK] · run retry [RUN] [--plan PLAN]",
    "run decide [RUN] QUESTION ANSWER",
    "run rollback [RUN] [--plan PLAN]",
    "run rebuild [RUN] [--from-summaries] · run import DIR · run clean RUN",
  ],
  description:
    "Plans are Markdown files with tasks; each task is given to a fresh agent, checked by the plan's own " +
    "command, judged by the gate and committed. After a crash `run resume` goes on at the first " +
    "unfinished task; no task is committed twice. RUN is an id, its beginning, or left out for the newest.",
  options: {},
  examples: [
    ["headgate run new plans", "two plans to start from"],
    ["headgate run check plans", "what is wrong with them"],
    ["headgate run list", "the runs of this repository"],
  ],
  alone: list,
  positionalsMax: 0,
  subcommands: {
    new: newRun,
    check,
    start,
    resume,
    retry,
    status,
    output,
    list,
    report,
    pause,
    skip,
    decide,
    rollback,
    rebuild,
    import: importRun,
    clean,
  },
};
