import { systemClock } from "../../../base/clock.ts";
import { limits } from "../../../base/limits.ts";
import type { ReviewRequest } from "../../../review/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { durationFlag } from "../duration.ts";
import { openFor } from "../open-for.ts";
import { failOption, formatOption } from "../review-output.ts";
import { command as diff } from "./review-diff.ts";
import { command as list } from "./review-list.ts";
import { command as resume } from "./review-resume.ts";
import { command as show } from "./review-show.ts";
import { command as synth } from "./review-synth.ts";

export const command: Command = {
  summary: "Have a change, files or a document reviewed; one verdict comes out",
  usage: [
    "review [TARGET] [--staged] [--reviewers A,B] [--runner NAME] [--budget USD] [--fail-on P1]",
    "review list | show [ID] | diff OLD NEW | resume [ID] | synth REPORT…",
  ],
  description:
    "TARGET is a commit, a range, a branch, a file, a folder, a document, or - for a patch on standard input; " +
    "without one it is the working tree. The reviewers that suit the project and the change are asked in parallel " +
    "through a runner (see `headgate config`, key review.runner); their reports are checked, brought together by a " +
    "fixed rule, and what only one source says is looked at a second time. Without a runner the static rules look " +
    "alone, and no model is asked. Ctrl-C keeps what was answered; `review resume` goes on.",
  options: {
    staged: { type: "boolean", description: "What is staged, instead of the working tree" },
    reviewers: {
      type: "string",
      multiple: true,
      value: "NAMES",
      description: "These and no others, separated by commas",
    },
    runner: {
      type: "string",
      value: "NAME",
      description:
        "Who is asked: a configured name, claude, codex, gemini, opencode, fixture:DIR, none",
    },
    model: { type: "string", value: "NAME", description: "The model, as the runner names it" },
    budget: {
      type: "string",
      value: "USD",
      description: "What it may cost at most; nothing is asked that could go over",
    },
    timeout: { type: "string", value: "DURATION", description: "For one reviewer (5m)" },
    slots: { type: "string", value: "N", description: "How many reviewers, 1 to 20" },
    "no-verify": { type: "boolean", description: "No second look at what one source reports" },
    "dry-run": {
      type: "boolean",
      description: "Say who would be asked, why, and what it could cost; ask no model",
    },
    explain: {
      type: "boolean",
      description: "The same with every reason of the choice; `review show --explain` afterwards",
    },
    import: {
      type: "string",
      multiple: true,
      value: "FILE",
      description:
        "Output of a linter (SARIF, rdjson, checkstyle, JUnit, ESLint JSON): its findings on changed lines join in",
    },
    prompt: {
      type: "string",
      value: "NAME",
      description: "Show the whole question to this reviewer; ask no model",
    },
    watch: { type: "boolean", description: "Review again whenever the working tree changes" },
    format: formatOption,
    "fail-on": failOption,
  },
  subcommands: { list, show, diff, resume, synth },
  examples: [
    ["headgate review", "the working tree"],
    ["headgate review main...HEAD --fail-on P1", "a branch, for CI: exit 1 for a P0 or P1"],
    ["headgate review --staged --runner claude --budget 0.50", "by Claude Code, for half a dollar"],
    ["headgate review docs/plan.md --runner codex", "a document"],
    ["headgate review HEAD~3..HEAD --format sarif > review.sarif", "for a code host"],
  ],
  exits: [
    [0, "reviewed; nothing at least as severe as --fail-on"],
    [1, "with --fail-on: a problem is at least that severe, or not everything was judged"],
    [2, "the target or an option is not understood"],
    [130, "interrupted; `headgate review resume` goes on"],
  ],
  positionalsMax: 1,
  watched: "signals",
  completes: "files",
  run: async (context) => {
    const { flags, positionals } = context;
    const request = await requestOf(context);
    const isLook = flags.has("dry-run") || flags.has("explain") || flags.has("prompt");
    if (isLook) {
      if (flags.has("watch")) throw usageError("--watch asks; leave it away", "headgate review");
      await using headgate = await openFor(context, { readOnly: false, needsFiles: true });
      const { showPlan } = await import("../review-plan.ts");
      return await showPlan(request, context, headgate);
    }
    if (!flags.has("watch")) return (await reviewOnce(context, request)).code;
    if (positionals.length > 0 || flags.has("staged")) {
      throw usageError("--watch looks at the working tree; leave the target away", "review");
    }
    return watchTree(context, request);
  },
};

const requestOf = async (
  context: CommandContext,
): Promise<ReviewRequest & { readonly runner?: string }> => {
  const { flags, positionals, readInput } = context;
  const [target] = positionals;
  const names = flags.texts("reviewers").flatMap((text) => text.split(","));
  const reviewers = names.map((name) => name.trim()).filter((name) => name !== "");
  const budget = flags.text("budget");
  const budgetUsd = budget === undefined ? undefined : Number(budget);
  if (budgetUsd !== undefined && !(budgetUsd >= 0 && budgetUsd < 1e6)) {
    throw usageError(`--budget must be a number of US dollars, not ${budget}`, "headgate review");
  }
  const timeoutMs = durationFlag(flags, "timeout", {
    min: 1000,
    max: limits.runnerTimeoutMsMax,
    words: "headgate review",
  });
  const slots = flags.integer("slots", { min: 1, max: 20 });
  const imports = flags.has("import")
    ? await (await import("../read-imports.ts")).readImports(context)
    : [];
  const [runner, model] = [flags.text("runner"), flags.text("model")];
  return {
    ...(target !== undefined && { target }),
    ...(target === "-" && { patch: await readInput(limits.reviewPatchBytesMax) }),
    ...(flags.has("staged") && { staged: true }),
    ...(reviewers.length > 0 && { reviewers }),
    ...(imports.length > 0 && { imports }),
    ...(runner !== undefined && { runner }),
    ...(model !== undefined && { model }),
    ...(budgetUsd !== undefined && { budgetUsd }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(slots !== undefined && { slots }),
    ...(flags.has("no-verify") && { verify: false }),
  };
};

const reviewOnce = async (
  context: CommandContext,
  request: ReviewRequest & { readonly runner?: string },
): Promise<{ readonly code: ExitCode; readonly digest: string | undefined }> => {
  await using headgate = await openFor(context, { readOnly: false, needsFiles: true });
  const { offerReviewers } = await import("../missing-reviewers.ts");
  await offerReviewers(headgate, context, request.runner);
  const { printOutcome, watchFor } = await import("../review-run.ts");
  const outcome = await headgate.review.run(request, watchFor(context));
  if (outcome)
    return { code: printOutcome(outcome, context, headgate), digest: outcome.subject.digest };
  context.output.object({ ok: true, state: "nothing-to-review" });
  context.output.line("nothing to review: no file differs");
  return { code: 0, digest: undefined };
};

/** Looks every second; a review starts when the tree has been still for one. */
const watchTree = async (context: CommandContext, request: ReviewRequest): Promise<ExitCode> => {
  const { signal, output } = context;
  let [reviewed, before]: (string | undefined)[] = [];
  while (!signal.aborted) {
    const now = await digestNow(context);
    if (now !== reviewed && now === before) {
      const { code } = await reviewOnce(context, request);
      if (code === 130) return 130;
      reviewed = now;
      output.note("headgate: waiting for the next change; Ctrl-C ends");
    }
    before = now;
    await systemClock.sleep(1000, signal);
  }
  return 130;
};

const digestNow = async (context: CommandContext): Promise<string> => {
  await using headgate = await openFor(context, { readOnly: true });
  const { treeDigest } = await import("../review-run.ts");
  return treeDigest(headgate, context);
};
