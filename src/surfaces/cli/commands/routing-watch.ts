import { limits } from "../../../base/limits.ts";
import { showText } from "../../../base/text.ts";
import type { Routing, Severity } from "../../../routing/index.ts";
import { usageError } from "../arguments.ts";
import { requirePerson } from "../require-person.ts";
import type { Command, CommandContext } from "../command.ts";
import { canaryLines, changeJson, printChange, requireWord, withRouting } from "../routing-run.ts";

const severityOption = {
  type: "string",
  value: "SEVERITY",
  choices: ["P0", "P1", "P2", "P3"],
  description: "How severe it was",
} as const;
const noteOption = { type: "string", value: "TEXT", description: "A remark" } as const;

export const canary: Command = {
  summary: "Show the watches on overrides, or tell them what was seen",
  usage: [
    "routing canary",
    "routing canary record REVIEWER --clean N --loss N [--severity P0] [--probability Q]",
    "routing canary escape REVIEWER --severity P0 [--note TEXT]",
    "routing canary extend REVIEWER",
    "routing canary check",
  ],
  description:
    "Reviews record their shadows themselves. A loss is a shadow with a confirmed P0 or P1 that nobody else " +
    "found. An escape is such a defect found later; a P0 alerts at once. `check` ends what is over: expired " +
    "overrides, and inconclusive watches on safety-critical reviewers.",
  options: {
    clean: { type: "string", value: "N", description: "Shadows without a loss" },
    loss: { type: "string", value: "N", description: "Shadows with one" },
    probability: {
      type: "string",
      value: "Q",
      description: "With what probability they were run (default 1)",
    },
    severity: severityOption,
    note: noteOption,
  },
  examples: [
    ["headgate routing canary", "how far each is"],
    ["headgate routing canary record fd-game-design --clean 3 --loss 0", "three more"],
  ],
  exits: [
    [0, "done; also when it alerts"],
    [4, "no override of this reviewer is watched"],
  ],
  positionalsMax: 2,
  completes: ["record", "escape", "extend", "check"],
  run: async (context) => {
    const [verb = "list"] = context.positionals;
    const work = verbs[verb];
    if (!work) {
      throw usageError(
        `canary takes record, escape, extend or check, not ${showText(verb, 40)}`,
        "headgate routing canary",
      );
    }
    await withRouting(context, "looking", ({ routing }) => work(routing, context));
    return 0;
  },
};

const words = "headgate routing canary";

const verbs: Record<string, (routing: Routing, context: CommandContext) => Promise<void>> = {
  list: async (routing, { output }) => {
    const canaries = await routing.canary.list();
    output.object({ canaries });
    for (const one of canaries) for (const line of canaryLines(one, output)) output.line(line);
    if (canaries.length === 0) output.note("no override is watched");
  },
  record: async (routing, context) => {
    const { flags } = context;
    const bounds = { min: 0, max: limits.canaryRecordMax };
    const severity = flags.text("severity");
    const note = flags.text("note");
    const answer = await routing.canary.record({
      reviewer: requireWord(context, "REVIEWER", words, 1),
      clean: flags.integer("clean", bounds) ?? 0,
      loss: flags.integer("loss", bounds) ?? 0,
      probability: probabilityOf(context),
      ...(severity !== undefined && { severity: severity as Severity }),
      ...(note !== undefined && { note }),
    });
    say(answer, context);
  },
  escape: async (routing, context) => {
    const severity = context.flags.text("severity");
    if (severity === undefined) throw usageError("--severity is missing", words);
    const note = context.flags.text("note");
    const answer = await routing.canary.escape({
      reviewer: requireWord(context, "REVIEWER", words, 1),
      severity: severity as Severity,
      ...(note !== undefined && { note }),
    });
    say(answer, context);
  },
  extend: async (routing, context) => {
    const reviewer = requireWord(context, "REVIEWER", words, 1);
    say({ canary: await routing.canary.extend(reviewer), reviewer }, context);
  },
  check: async (routing, context) => {
    const answers = await routing.canary.check();
    context.output.object({ canaries: answers.map(jsonOf) });
    for (const answer of answers) print(answer, context);
    if (answers.length === 0) context.output.note("no override is watched");
  },
};

type Answer = Awaited<ReturnType<Routing["canary"]["record"]>>;

const jsonOf = ({ canary: one, reviewer, reverted, notReverted }: Answer): object => ({
  reviewer,
  canary: one,
  ...(reverted && { reverted: changeJson(reverted) }),
  ...(notReverted !== undefined && { notReverted }),
});

const say = (answer: Answer, context: CommandContext): void => {
  context.output.object({ ok: true, ...jsonOf(answer) });
  print(answer, context);
};

const print = ({ canary: one, reverted, notReverted }: Answer, context: CommandContext): void => {
  if (one) for (const line of canaryLines(one, context.output)) context.output.line(line);
  if (reverted) printChange(reverted, context);
  if (notReverted !== undefined) {
    context.output.note(`headgate: not reverted by itself, because ${showText(notReverted, 400)}`);
  }
};

const probabilityOf = ({ flags }: CommandContext): number => {
  const text = flags.text("probability") ?? "1";
  const value = Number(text);
  if (/^[\d.]+$/.test(text) && value > 0 && value <= 1) return value;
  throw usageError("--probability must be above 0 and at most 1", words);
};

export const autonomy: Command = {
  summary: "Show whether overrides change without a person, or turn that on or off",
  usage: ["routing autonomy", "routing autonomy on|off [--reason TEXT]"],
  description:
    "It goes off by itself when two or more canaries, and at least half of all, alerted within 30 days: then " +
    "nothing is reverted by itself any more, and sessions neither approve nor apply. People still can. " +
    "Turned on again by a person, it counts the alerts from then on.",
  options: { reason: { type: "string", value: "TEXT", description: "Why, for people" } },
  examples: [["headgate routing autonomy", "is it on, and why not"]],
  exits: [
    [0, "it is on, or it was turned on or off"],
    [1, "it is off; or a session wanted to turn it on"],
  ],
  positionalsMax: 1,
  completes: ["on", "off"],
  run: async (context) => {
    const { positionals, flags, output } = context;
    const [to] = positionals;
    if (to !== undefined && to !== "on" && to !== "off") {
      throw usageError(
        `autonomy takes on or off, not ${showText(to, 40)}`,
        "headgate routing autonomy",
      );
    }
    const reason = flags.text("reason");
    const now = await withRouting(context, "looking", async (headgate) => {
      const words = ["routing", "autonomy", "on"];
      const act = { what: words.join(" "), words };
      if (to === "on") await requirePerson(context, headgate, act);
      const isPersons = to === "on";
      return headgate.routing.autonomy(
        to && { to, isPersons, ...(reason !== undefined && { reason }) },
      );
    });
    output.object(now);
    const seen = `${now.alerted} of ${now.watches} canaries alerted within 30 days`;
    if (now.isOn) output.line(`autonomy is on; ${seen}`);
    else output.line(output.style.red(`autonomy is off: ${showText(now.why ?? "", 300)}`));
    if (!now.isOn && to === undefined)
      output.note("headgate routing autonomy on turns it on again");
    return now.isOn || to !== undefined ? 0 : 1;
  },
};
