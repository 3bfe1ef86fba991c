import type { Json } from "../base/json.ts";
import { limits } from "../base/limits.ts";

/** One key a user can set, for the `config` command, the docs and the loader. */
export interface Setting {
  /** With dots: `events.keepDays`. */
  readonly key: string;
  readonly default: Json;
  readonly description: string;
  /**
   * "user": a repository file naming it is refused. It is the tier of everything that runs commands,
   * changes addresses, widens what is reachable or weakens a gate.
   */
  readonly tier: "user" | "repository";
  /** In words, for messages and docs. */
  readonly type: string;
  readonly environment?: string;
  /** May carry a password: never shown as it is. */
  readonly secret?: boolean;
}

/**
 * What is known of every key besides its rules, which are in schema.ts. Apart from them because a
 * command without any configuration needs only this, and not the library that the rules are made of.
 */
export const settingFacts = {
  store: {
    default: "",
    description:
      "Where claims and events are kept: a file path or postgres://user@host/database. " +
      "Empty means the repository's own .git/headgate/store.db.",
    tier: "user",
    type: "text",
    environment: "HEADGATE_STORE",
    secret: true,
  },
  storeWaitMs: {
    default: limits.storeWaitMs,
    description: "How long a command waits for its turn to write to the store, in milliseconds.",
    tier: "user",
    type: `whole number from 0 to ${limits.storeWaitMsMax}`,
  },
  "events.keepDays": {
    default: null,
    description: "How many days of events are kept; null keeps them for ever.",
    tier: "user",
    type: `whole number from 1 to ${limits.eventsKeepDaysMax}, or null`,
    environment: "HEADGATE_EVENTS_KEEP_DAYS",
  },
  "server.port": {
    default: 0,
    description: "Port of the local server; 0 lets the system choose a free one.",
    tier: "user",
    type: "whole number from 0 to 65535",
    environment: "HEADGATE_PORT",
  },
  "server.watch": {
    default: true,
    description:
      "Whether the local server watches the files of worktrees in which agents work, so that writes no hook saw are known at once.",
    tier: "user",
    type: "true or false",
  },
  "claims.idle": {
    default: limits.claimsIdleSeconds,
    description:
      "After how many seconds without a hook a session is idle: others may then edit its uncommitted lines.",
    tier: "user",
    type: "whole number from 1 to 86400",
  },
  "claims.edits": {
    default: "lines",
    description:
      "Which uncommitted lines of another session an edit waits for: those it changes or touches (lines), all in the " +
      "same symbol (symbols), or all in the same file (files). By path: a list, of which the last that fits counts.",
    tier: "repository",
    type: "lines, symbols or files; or a list of {paths, rule}",
  },
  "claims.across": {
    default: "warn",
    description:
      "Edits of one symbol in several worktrees, clones or machines: both pass with a note (warn), or the second is " +
      "refused until the first is committed (exclude). By path: a list, of which the last that fits counts.",
    tier: "repository",
    type: "warn or exclude; or a list of {paths, rule}",
  },
  "commit.agents": {
    default: "own",
    description:
      "An agent's plain git commit of files that hold lines of others: own commits its own lines, refuse refuses it.",
    tier: "user",
    type: "own or refuse",
  },
  "commit.openEnds": {
    default: [],
    description:
      "A commit that calls, imports or passes something which does not exist: refuse, or note (it passes with a " +
      "Headgate-Open trailer). By branch: a list, of which the last that fits counts; other branches note, the default branch refuses.",
    tier: "user",
    type: "refuse or note; or a list of {branches, rule}",
  },
  "gate.protect": {
    default: [],
    description: "Patterns of paths that nobody may write through Headgate, as in claims.",
    tier: "repository",
    type: "list of patterns",
  },
  "gate.policies": {
    default: [],
    description:
      "How strict the gate is for some paths: each rule deny (default), warn or off. The last that fits counts.",
    tier: "user",
    type: "list of {paths, rules}",
  },
  "routing.path": {
    default: ".headgate/routing-overrides.json",
    description: "The tracked file of overrides, relative to the repository and inside it.",
    tier: "repository",
    type: "path",
    environment: "HEADGATE_ROUTING_PATH",
  },
  "routing.guarded": {
    default: [],
    description:
      "Reviewers whose overrides need an extra confirmation, besides safety, correctness, architecture and quality.",
    tier: "repository",
    type: "list of reviewers",
  },
  "routing.autoRevert": {
    default: false,
    description: "Whether an override is taken back by itself when its canary alerts.",
    tier: "user",
    type: "true or false",
  },
  "routing.eValue": {
    default: 20,
    description: "How certain a pattern must be before a change is proposed: 20 errs once in 20.",
    tier: "user",
    type: "number from 2 to 1000000",
  },
  "routing.sessions": {
    default: 3,
    description: "How many sessions a pattern must come from.",
    tier: "user",
    type: "whole number from 1 to 1000",
  },
  "routing.changes": {
    default: 2,
    description: "How many reviewed changes a pattern must come from.",
    tier: "user",
    type: "whole number from 1 to 1000",
  },
  "routing.changesPerDay": {
    default: 5,
    description: "How many overrides may be applied or changed within 24 hours.",
    tier: "user",
    type: "whole number from 1 to 10000",
  },
  "routing.lockWaitMs": {
    default: limits.routingLockWaitMs,
    description: "How long a change of the overrides waits for another one, in milliseconds.",
    tier: "user",
    type: `whole number from 1 to ${limits.storeWaitMsMax}`,
  },
  "routing.harmless": {
    default: 0.02,
    description: "Share of reviews in which an override may lose something severe without harm.",
    tier: "user",
    type: "number above 0 and below 1",
  },
  "routing.harmful": {
    default: 0.15,
    description: "Share of reviews with a loss from which on an override must not pass.",
    tier: "user",
    type: "number above 0 and below 1",
  },
  "routing.alpha": {
    default: 0.05,
    description: "How often a harmless override may be alerted.",
    tier: "user",
    type: "number above 0 and below 1",
  },
  "routing.beta": {
    default: 0.1,
    description: "How often a harmful override may pass.",
    tier: "user",
    type: "number above 0 and below 1",
  },
  "routing.shadowsMax": {
    default: 60,
    description: "Shadows after which a canary without an answer is inconclusive.",
    tier: "user",
    type: "whole number from 1 to 1000",
  },
  "routing.canaryDays": {
    default: 14,
    description: "Days after which a canary without an answer is inconclusive.",
    tier: "user",
    type: "whole number from 1 to 365",
  },
  runners: {
    default: {},
    description: "Programs and services that may be asked, by name; see docs/runners.md.",
    tier: "user",
    type: "object of runners",
  },
  "review.runner": {
    default: "none",
    description:
      "Who is asked in reviews: a runner's name, claude, codex, gemini, opencode or none.",
    tier: "user",
    type: "text",
    environment: "HEADGATE_REVIEW_RUNNER",
  },
  "review.runners": {
    default: {},
    description:
      'Other runners by reviewer: {"safety": "codex"}. The entry "*" may list several, which all other reviewers take in turn.',
    tier: "user",
    type: "object of runners' names by reviewer",
  },
  "review.linters": {
    default: ["ruff"],
    description:
      "Linters that reviews may run where the repository configures them: ruff, oxlint, biome, shellcheck, semgrep, eslint.",
    tier: "user",
    type: "list of linters",
  },
  "review.linterRepositories": {
    default: [],
    description:
      "Folders of repositories in which linters may run whose configuration is a program (eslint).",
    tier: "user",
    type: "list of folders",
  },
  "review.contextTokens": {
    default: limits.reviewContextTokens,
    description:
      "How much of the project's rules, callers, earlier commits and dismissed findings a reviewer gets, in tokens; 0 for none.",
    tier: "user",
    type: `whole number from 0 to ${limits.reviewContextTokensMax}`,
  },
  "review.concurrency": {
    default: 4,
    description: "How many reviewers are asked at the same time.",
    tier: "user",
    type: `whole number from 1 to ${limits.dispatchConcurrencyMax}`,
  },
  "review.budgetUsd": {
    default: null,
    description: "What one review may cost in US dollars; null sets no ceiling.",
    tier: "user",
    type: "number, or null",
  },
  "review.timeoutMs": {
    default: limits.runnerTimeoutMs,
    description: "How long one reviewer may take, in milliseconds.",
    tier: "user",
    type: `whole number from 1000 to ${limits.runnerTimeoutMsMax}`,
  },
  "profile.domains": {
    default: null,
    description: "The domains of this project, and no others; null: as detected.",
    tier: "repository",
    type: "list of domains, or null",
  },
  "profile.add": {
    default: [],
    description: "Domains that this project has besides the detected ones.",
    tier: "repository",
    type: "list of domains",
  },
  "profile.remove": {
    default: [],
    description: "Domains that this project does not have, whatever is detected.",
    tier: "repository",
    type: "list of domains",
  },
  "profile.primary": {
    default: null,
    description: "The domain that comes first; null: as detected.",
    tier: "repository",
    type: "domain, or null",
  },
  "profile.ignore": {
    default: [],
    description: "Patterns, as in .gitattributes, of files that do not count for the profile.",
    tier: "repository",
    type: "list of patterns",
  },
  "state.files": {
    default: [],
    description: "Files that `headgate state check` looks at, and what each must be.",
    tier: "repository",
    type: "list of {path, kind, required}",
  },
} as const satisfies Record<string, Omit<Setting, "key">>;

export const settings: readonly Setting[] = Object.freeze(
  Object.entries(settingFacts).map(([key, facts]) => Object.freeze({ key, ...facts })),
);
