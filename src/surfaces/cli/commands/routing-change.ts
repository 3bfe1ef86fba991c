import type { Action, Override, Severity } from "../../../routing/index.ts";
import { HeadgateError } from "../../../errors.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import {
  changeJson,
  printChange,
  printProposal,
  requireWord,
  revertExit,
  withRouting,
} from "../routing-run.ts";
import { showText } from "../../../base/text.ts";

const actions = ["floor", "scope", "stage", "sample", "exclude"] as const;

/** What an action without its measure means: the least that changes anything. */
const mildestFloor: Severity = "P2";
/** As the proposals that Headgate makes itself. */
const usualSample = 4;

const reasonOption = {
  type: "string",
  value: "TEXT",
  description: "Why, for the commit and for people",
} as const;
const insistOption = {
  type: "boolean",
  description: "Propose although a P0 was confirmed lately; approve your own proposal",
} as const;

export const propose: Command = {
  summary: "Propose to change how a reviewer is asked",
  usage: [
    "routing propose REVIEWER [--reason TEXT]",
    "routing propose REVIEWER --action exclude|floor|scope|stage|sample [--floor P2] [--except GLOB]… [--every K] [--reason TEXT]",
  ],
  description:
    "Without an action, the least one that cures a pattern that is ready: a severity floor, leaving out " +
    "paths, a later stage, one review in K, exclusion. With one, what you name; the proposal then says " +
    "how far the evidence goes. Nothing changes until it is approved and applied.",
  options: {
    action: { type: "string", value: "ACTION", choices: actions, description: "What to do" },
    reason: reasonOption,
    floor: {
      type: "string",
      value: "SEVERITY",
      choices: ["P0", "P1", "P2", "P3"],
      description: "floor: only findings at least this severe are shown, default P2",
    },
    except: {
      type: "string",
      multiple: true,
      value: "GLOB",
      description: "scope: paths it does not look at; may be repeated",
    },
    every: { type: "string", value: "K", description: "sample: one review in K, default 4" },
    insist: insistOption,
  },
  examples: [
    ["headgate routing propose fd-game-design", "the least that cures"],
    ["headgate routing propose fd-game-design --action floor --floor P1", "no nits any more"],
  ],
  exits: [
    [0, "proposed, or the same is proposed or applied already"],
    [1, "a guard says no: blacklist, breaker, evidence, a recent P0"],
    [4, "no reviewer is called so"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { flags, output } = context;
    const reviewer = requireWord(context, "REVIEWER", "headgate routing propose");
    const every = flags.integer("every", { min: 2, max: 1000 });
    const except = flags.texts("except");
    const [action, floor, reason] = [
      flags.text("action"),
      flags.text("floor"),
      flags.text("reason"),
    ];
    if (action === "scope" && except.length === 0) {
      throw usageError(
        "a scope needs the paths that are left out: --except GLOB",
        "headgate routing propose",
      );
    }
    const outcome = await withRouting(context, "proposing", ({ routing }) =>
      routing.propose({
        reviewer,
        ...(action !== undefined && { action: action as Action }),
        ...(action === "floor" && { floor: mildestFloor }),
        ...(floor !== undefined && { floor: floor as Severity }),
        ...(except.length > 0 && { except }),
        ...(action === "sample" && { every: usualSample }),
        ...(every !== undefined && { every }),
        ...(reason !== undefined && { reason }),
        insist: flags.has("insist"),
      }),
    );
    if (!outcome.ok) return sayAlready(outcome.already, context);
    const { proposal, isNew } = outcome;
    output.object({ ok: true, proposal, isNew });
    printProposal(proposal, context);
    output.note(
      isNew
        ? `next: headgate routing approve ${proposal.id}`
        : "this was proposed before and waits",
    );
    return 0;
  },
};

/** somebody was first. */
const sayAlready = (by: Override, { output }: CommandContext): 0 => {
  output.object({ ok: true, proposal: null, already: by });
  output.line(`already applied by ${showText(by.createdBy || "somebody", 100)}; nothing was done`);
  return 0;
};

export const approve: Command = {
  summary: "Approve a proposal; another session or a person does it",
  usage: ["routing approve PROPOSAL [--confirm REVIEWER] [--insist]"],
  description:
    "Safety and cross-cutting reviewers need their name said once more with --confirm. A session does not " +
    "approve what it proposed itself, unless --insist.",
  options: {
    confirm: {
      type: "string",
      value: "REVIEWER",
      description: "For guarded reviewers: the name, once more",
    },
    insist: insistOption,
  },
  examples: [["headgate routing approve pr_01hq3k9w2m4x7r8v5t", "so that it can be applied"]],
  exits: [
    [0, "approved, or applied by somebody else already"],
    [1, "a guard says no"],
    [3, "the override changed since it was proposed"],
    [4, "no such proposal"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const { flags, output } = context;
    const id = requireWord(context, "PROPOSAL", "headgate routing approve");
    const given = flags.text("confirm");
    const ask = (confirm: string | undefined) =>
      withRouting(context, "approving", ({ routing }) =>
        routing.approve({
          id,
          insist: flags.has("insist"),
          ...(confirm !== undefined && { confirm }),
        }),
      );
    const outcome = await ask(given).catch(async (error: unknown) => {
      const guarded = guardedReviewer(error);
      if (guarded === undefined || given !== undefined) throw error;
      const answer = await context.confirm(
        `${guarded} guards safety or looks at everything. Change it all the same?`,
      );
      if (answer !== true) throw error;
      return ask(guarded);
    });
    if (!outcome.ok) return sayAlready(outcome.already, context);
    output.object({ ok: true, proposal: outcome.proposal });
    printProposal(outcome.proposal, context);
    output.note(`next: headgate routing apply ${id}`);
    return 0;
  },
};

const guardedReviewer = (error: unknown): string | undefined => {
  if (!HeadgateError.isInstance(error) || error.data["guard"] !== "confirmation") return undefined;
  return String(error.data["reviewer"]);
};

export const apply: Command = {
  summary: "Make an approved proposal an override: one commit on this branch",
  usage: ["routing apply PROPOSAL"],
  description:
    "File, commit and watch come together or not at all. Your staged and unstaged work is not touched; your " +
    "hooks, identity and signing count as in any commit. Not in a merge or rebase, nor on a detached HEAD.",
  options: {},
  examples: [["headgate routing apply pr_01hq3k9w2m4x7r8v5t", "from now on reviews honour it"]],
  exits: [
    [0, "applied, or somebody else had applied it"],
    [1, "refused: not approved, a guard, a hook, the state of the repository"],
    [3, "the override changed since it was proposed"],
    [4, "no such proposal, or the reviewer is gone"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const id = requireWord(context, "PROPOSAL", "headgate routing apply");
    const outcome = await withRouting(context, "committing (your hooks run)", ({ routing }) =>
      routing.apply(id),
    );
    context.output.object(changeJson(outcome));
    printChange(outcome, context);
    return 0;
  },
};

export const revert: Command = {
  summary: "Take a reviewer's override back, and do not propose it again",
  usage: ["routing revert REVIEWER [--reason TEXT]"],
  description:
    "One commit that removes the override; the reviewer goes onto the blacklist until it is unblocked.",
  options: { reason: reasonOption },
  examples: [
    ["headgate routing revert fd-game-design --reason 'it missed a P1'", "it is asked again"],
  ],
  exits: [
    [0, "taken back, or it was before"],
    [1, "refused: a hook, the state of the repository"],
    [4, "there is no override of this reviewer"],
  ],
  positionalsMax: 1,
  run: async (context) => {
    const reviewer = requireWord(context, "REVIEWER", "headgate routing revert");
    const reason = context.flags.text("reason");
    const { outcome, isBlacklisted } = await withRouting(
      context,
      "committing (your hooks run)",
      async ({ routing }) => {
        const done = await routing.revert({ reviewer, ...(reason !== undefined && { reason }) });
        const { blacklist } = await routing.status();
        return {
          outcome: done,
          isBlacklisted: blacklist.some(({ pattern }) => pattern === reviewer),
        };
      },
    );
    context.output.object(changeJson(outcome));
    printChange(outcome, context);
    return revertExit(outcome, isBlacklisted);
  },
};

export const unblock: Command = {
  summary: "Take a reviewer off the blacklist",
  usage: ["routing unblock REVIEWER"],
  options: {},
  examples: [["headgate routing unblock fd-game-design", "it may be proposed again"]],
  exits: [[0, "it is not on the blacklist any more, or never was"]],
  positionalsMax: 1,
  run: async (context) => {
    const reviewer = requireWord(context, "REVIEWER", "headgate routing unblock");
    const wasBlocked = await withRouting(context, "unblocking", ({ routing }) =>
      routing.unblock(reviewer),
    );
    context.output.object({ ok: true, pattern: reviewer, wasBlocked });
    const name = showText(reviewer, 100);
    context.output.line(wasBlocked ? `${name} may be proposed again` : `${name} was not blocked`);
    return 0;
  },
};

export const blacklist: Command = {
  summary: "Show what is never proposed, or add to it",
  usage: ["routing blacklist", "routing blacklist add REVIEWER [--reason TEXT]"],
  options: { reason: reasonOption },
  examples: [["headgate routing blacklist", "the list"]],
  positionalsMax: 2,
  completes: ["add"],
  run: async (context) => {
    const { positionals, output, flags } = context;
    const [verb] = positionals;
    if (verb !== undefined && verb !== "add") {
      throw usageError("blacklist takes nothing, or add REVIEWER", "headgate routing blacklist");
    }
    const { printBlacklist } = await import("../routing-run.ts");
    const list = await withRouting(context, "looking", async ({ routing }) => {
      if (verb === "add") {
        const pattern = requireWord(context, "REVIEWER", "headgate routing blacklist", 1);
        const reason = flags.text("reason");
        await routing.block({ pattern, ...(reason !== undefined && { reason }) });
      }
      return (await routing.status()).blacklist;
    });
    output.object({ blacklist: list });
    printBlacklist(list, output);
    if (list.length === 0) output.note("nothing is on the blacklist");
    return 0;
  },
};
