import type { Command, Option } from "./command.ts";

/**
 * Every command by name. Only this file is read for `headgate --help`; a command's module is loaded
 * when it runs, and heavy libraries only when it needs them.
 */
export interface CommandEntry {
  readonly group: GroupName;
  readonly summary: string;
  load(): Promise<{ readonly command: Command }>;
}

/** Groups in the order in which a newcomer needs them. */
export const groups = {
  "set-up": "Set up and look around",
  claims: "Claim what you write, follow what happens",
  editing: "Understand, judge and change code",
  project: "Know the project and who reviews it",
  review: "Review, and keep what became of it",
  runs: "Have whole plans carried out",
  state: "Keep files whole",
} as const;

export type GroupName = keyof typeof groups;

/** Shown first, in the order of a day. */
export const everyday: readonly string[] = [
  ...["init", "status", "doctor", "demo", "claim", "release", "claims", "ask"],
  ...["inbox", "commit", "review", "run"],
];

export const commandTable: Readonly<Record<string, CommandEntry>> = {
  init: {
    group: "set-up",
    summary: "Set this repository up: hooks, MCP server, rules for your agents",
    load: () => import("./commands/init.ts"),
  },
  up: {
    group: "set-up",
    summary: "Start the local server for this repository",
    load: () => import("./commands/up.ts"),
  },
  status: {
    group: "set-up",
    summary: "Show who is here, what is claimed and refused, store and server",
    load: () => import("./commands/status.ts"),
  },
  doctor: {
    group: "set-up",
    summary: "Check clients, hooks, trust and store; --prove shows a refusal",
    load: () => import("./commands/doctor.ts"),
  },
  verify: {
    group: "set-up",
    summary: "Prove that no edit, commit or claim is half done; --repair finishes them",
    load: () => import("./commands/verify.ts"),
  },
  demo: {
    group: "set-up",
    summary: "Watch eight agents work at once, make mistakes, and break nothing",
    load: () => import("./commands/demo.ts"),
  },
  uninstall: {
    group: "set-up",
    summary: "Take back what init added",
    load: () => import("./commands/uninstall.ts"),
  },
  config: {
    group: "set-up",
    summary: "Show every setting, its value and where it comes from",
    load: () => import("./commands/config.ts"),
  },
  "mock-llm": {
    group: "set-up",
    summary: "Start a scripted model, to try agent clients without a network",
    load: () => import("./commands/mock-llm.ts"),
  },
  mcp: {
    group: "set-up",
    summary: "Serve MCP to an agent client over standard input and output",
    load: () => import("./commands/mcp.ts"),
  },
  completion: {
    group: "set-up",
    summary: "Print a completion script for bash, zsh or fish",
    load: () => import("./commands/completion.ts"),
  },
  hook: {
    group: "set-up",
    summary: "Answer an agent client's hook; clients call this",
    load: () => import("./commands/hook.ts"),
  },
  claim: {
    group: "claims",
    summary: "Claim files, folders or symbols before writing them",
    load: () => import("./commands/claim.ts"),
  },
  release: {
    group: "claims",
    summary: "Give claims back, or keep only a part",
    load: () => import("./commands/release.ts"),
  },
  renew: {
    group: "claims",
    summary: "Keep claims for longer",
    load: () => import("./commands/renew.ts"),
  },
  transfer: {
    group: "claims",
    summary: "Hand claims to another actor",
    load: () => import("./commands/transfer.ts"),
  },
  claims: {
    group: "claims",
    summary: "Show who holds what and who waits",
    load: () => import("./commands/claims.ts"),
  },
  check: {
    group: "claims",
    summary: "Say whether targets are free, without claiming them",
    load: () => import("./commands/check.ts"),
  },
  wait: {
    group: "claims",
    summary: "Wait until targets are free, without claiming them",
    load: () => import("./commands/wait.ts"),
  },
  sweep: {
    group: "claims",
    summary: "End claims whose time is over or whose holder is dead",
    load: () => import("./commands/sweep.ts"),
  },
  events: {
    group: "claims",
    summary: "Show, follow, verify or prune the event log",
    load: () => import("./commands/events.ts"),
  },
  ask: {
    group: "claims",
    summary: "Ask the holder of a target for it",
    load: () => import("./commands/ask.ts"),
  },
  answer: {
    group: "claims",
    summary: "Answer an agent that asked for your claim",
    load: () => import("./commands/answer.ts"),
  },
  tell: {
    group: "claims",
    summary: "Send a message to other agents",
    load: () => import("./commands/tell.ts"),
  },
  inbox: {
    group: "claims",
    summary: "Read your notices",
    load: () => import("./commands/inbox.ts"),
  },
  commit: {
    group: "editing",
    summary: "Commit your own lines, and leave those of others",
    load: () => import("./commands/commit.ts"),
  },
  outline: {
    group: "editing",
    summary: "Show the structure of files: symbols, imports, exports",
    load: () => import("./commands/outline.ts"),
  },
  judge: {
    group: "editing",
    summary: "Say whether proposed writes would be allowed, and why not",
    load: () => import("./commands/judge.ts"),
  },
  edit: {
    group: "editing",
    summary: "Change code by symbols, texts or files, through the gate",
    load: () => import("./commands/edit.ts"),
  },
  apply: {
    group: "editing",
    summary: "Apply a patch or a list of operations, all or none",
    load: () => import("./commands/apply.ts"),
  },
  undo: {
    group: "editing",
    summary: "Take an edit back, or all uncommitted lines of one actor",
    load: () => import("./commands/undo.ts"),
  },
  blame: {
    group: "editing",
    summary: "Show who wrote each line of a file, uncommitted lines first",
    load: () => import("./commands/blame.ts"),
  },
  diff: {
    group: "editing",
    summary: "Show uncommitted changes as patches, by actor",
    load: () => import("./commands/diff.ts"),
  },
  history: {
    group: "editing",
    summary: "Show the edits made through Headgate, newest first",
    load: () => import("./commands/history.ts"),
  },
  mine: {
    group: "editing",
    summary: "Show what the gate would have refused in this repository's history",
    load: () => import("./commands/mine.ts"),
  },
  ci: {
    group: "editing",
    summary: "Judge a range of commits on a server, without a store",
    load: () => import("./commands/ci.ts"),
  },
  profile: {
    group: "project",
    summary: "Say what kind of project this is, and why",
    load: () => import("./commands/profile.ts"),
  },
  reviewers: {
    group: "project",
    summary: "Show, generate and look after the reviewers of this project",
    load: () => import("./commands/reviewers.ts"),
  },
  routing: {
    group: "project",
    summary: "Change which reviewers are asked: on evidence, under watch",
    load: () => import("./commands/routing.ts"),
  },
  review: {
    group: "review",
    summary: "Have a change, files or a document reviewed; one verdict comes out",
    load: () => import("./commands/review.ts"),
  },
  findings: {
    group: "review",
    summary: "Show what reviews found, and decide about it",
    load: () => import("./commands/findings.ts"),
  },
  run: {
    group: "runs",
    summary: "Carry plans out task by task with fresh agents, and resume them",
    load: () => import("./commands/run.ts"),
  },
  state: {
    group: "state",
    summary: "Write state files whole or not at all, check and recover them",
    load: () => import("./commands/state.ts"),
  },
  "git-hook": {
    group: "set-up",
    summary: "Answer one of git's hooks; git calls it, people do not",
    load: () => import("./commands/git-hook.ts"),
  },
};

/** Accepted before the command and after it. */
export const globalOptions: Readonly<Record<string, Option>> = {
  json: { type: "boolean", description: "Print JSON: one object, or one per line" },
  quiet: { type: "boolean", short: "q", description: "No remarks on stderr, only results" },
  repo: {
    type: "string",
    value: "DIR",
    description: "The repository to work on, and where targets are read from (default: here)",
  },
  as: {
    type: "string",
    value: "ACTOR",
    description: "Who acts (default: the session of the agent client, else you)",
  },
  "no-color": { type: "boolean", description: "No colours; NO_COLOR=1 does the same" },
  debug: { type: "boolean", description: "Show the stack of an error" },
  help: { type: "boolean", short: "h", description: "Show help" },
  version: { type: "boolean", short: "V", description: "Show the version" },
};
