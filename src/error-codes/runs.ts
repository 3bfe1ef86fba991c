import { type ErrorCodeEntry, later, never } from "./entry.ts";

/** Plans that are carried out. */
export const runsCodes = {
  PLANS_ABSENT: {
    kind: "absent",
    cause: "There are no plans where the command was told to look.",
    remedy: "`headgate run new DIR` makes plans to start from; then name that folder.",
    ...never,
  },
  PLAN_INVALID: {
    kind: "usage",
    cause: "A plan cannot be read, or the plans do not fit together.",
    remedy: "Mend the lines that are named; `headgate run check DIR` shows all of them.",
    ...never,
  },
  RUN_UNKNOWN: {
    kind: "absent",
    cause: "There is no such run, plan, task or question.",
    remedy: "`headgate run list` shows the runs, `headgate run status ID` what is in one.",
    ...never,
  },
  RUN_BUSY: {
    kind: "refused",
    cause: "Another process carries this run out at this moment.",
    remedy: "Watch it with `headgate run status`, or stop it with `headgate run pause`.",
    ...later,
  },
  RUN_STATE: {
    kind: "refused",
    cause: "The run is in a state in which this cannot be done.",
    remedy: "`headgate run status` says what can be done next.",
    ...never,
  },
  RUN_NEEDS_GIT: {
    kind: "usage",
    cause:
      "Runs commit each task, and this folder has no git repository with a branch to commit to.",
    remedy: "Run `git init` and make a first commit, or check a branch out.",
    ...never,
  },
  ROLLBACK_REFUSED: {
    kind: "refused",
    cause: "Taking the run back would undo work that is not the run's.",
    remedy:
      "Look at the commits and files that are named; commit, stash or revert them yourself first.",
    ...never,
  },
} as const satisfies Record<string, ErrorCodeEntry>;
