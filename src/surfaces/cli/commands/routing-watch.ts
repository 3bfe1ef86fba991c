import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Evidence, Routing, Severity } from "../../../routing/index.ts";
import { usageError } from "../arguments.ts";
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

const jsonOf = ({ canary: one, reviewer, reverted }: Answer): object => ({
  reviewer,
  canary: one,
  ...(reverted && { reverted: changeJson(reverted) }),
});

const say = (answer: Answer, context: CommandContext): void => {
  context.output.object({ ok: true, ...jsonOf(answer) });
  print(answer, context);
};

const print = ({ canary: one, reverted }: Answer, context: CommandContext): void => {
  if (one) for (const line of canaryLines(one, context.output)) context.output.line(line);
  if (reverted) printChange(reverted, context);
};

const probabilityOf = ({ flags }: CommandContext): number => {
  const text = flags.text("probability") ?? "1";
  const value = Number(text);
  if (/^[\d.]+$/.test(text) && value > 0 && value <= 1) return value;
  throw usageError("--probability must be above 0 and at most 1", words);
};

export const evidence: Command = {
  summary: "Add, import, export or show what became of findings",
  usage: [
    "routing evidence [REVIEWER]",
    "routing evidence add --reviewer R --outcome accepted|dismissed|addressed|escaped [--reason WORD] [--session S] [--change C] [--severity P1] [--path P]",
    "routing evidence import FILE.jsonl | -",
    "routing evidence export",
  ],
  description:
    "Reviews record outcomes themselves; this is for people and for other tools. Reasons of a dismissal: " +
    "wrong, not-applicable, deprioritized, stale, severity, duplicate; without one it counts half. The same " +
    "finding with the same outcome counts once. An import is taken as a whole or not at all.",
  options: {
    reviewer: { type: "string", value: "R", description: "Whose finding it was" },
    outcome: {
      type: "string",
      value: "OUTCOME",
      choices: ["accepted", "dismissed", "addressed", "escaped"],
      description: "What became of it",
    },
    reason: {
      type: "string",
      value: "TEXT",
      description: "Why it was dismissed, in one of the words",
    },
    session: { type: "string", value: "S", description: "Who decided (default: you)" },
    change: { type: "string", value: "C", description: "The reviewed change: a commit, a branch" },
    path: { type: "string", value: "P", description: "The file it was in" },
    domain: { type: "string", value: "D", description: "The domain it was about" },
    model: { type: "string", value: "M", description: "The model that said it" },
    finding: { type: "string", value: "F", description: "The finding's id: counted once" },
    severity: severityOption,
    note: noteOption,
  },
  examples: [
    [
      "headgate routing evidence add --reviewer fd-game-design --outcome dismissed --reason wrong",
      "one finding that was wrong",
    ],
    ["headgate routing evidence export", "all of it as JSON lines"],
  ],
  exits: [
    [0, "done, also when it was known"],
    [2, "a field is not what it must be; nothing was stored"],
  ],
  positionalsMax: 2,
  completes: ["add", "import", "export"],
  run: async (context) => {
    const [verb] = context.positionals;
    if (verb === "add") return addOne(context);
    if (verb === "import") return importAll(context);
    return show(context, verb);
  },
};

const fields = [
  "reviewer",
  "outcome",
  "reason",
  "session",
  "change",
  "severity",
  "path",
  "domain",
  "model",
  "finding",
  "note",
] as const;

const addOne = async (context: CommandContext): Promise<0> => {
  const { flags, output } = context;
  const entry = Object.fromEntries(
    fields.flatMap((field) => {
      const value = flags.text(field);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  for (const field of ["reviewer", "outcome"]) {
    if (entry[field] === undefined) {
      throw usageError(`--${field} is missing`, "headgate routing evidence");
    }
  }
  const isNew = await withRouting(context, "storing", ({ routing }) =>
    routing.evidence.add(entry as unknown as Evidence),
  );
  output.object({ ok: true, added: isNew ? 1 : 0, known: isNew ? 0 : 1 });
  output.line(isNew ? "recorded" : "known already");
  return 0;
};

const importAll = async (context: CommandContext): Promise<0> => {
  const { output, environment } = context;
  const file = requireWord(context, "FILE", "headgate routing evidence import", 1);
  const { resolve } = await import("node:path");
  const { readBounded } = await import("../read-bounded.ts");
  const bytes =
    file === "-"
      ? await context.readInput(limits.evidenceImportBytesMax)
      : readBounded(resolve(environment.cwd, file), limits.evidenceImportBytesMax);
  const done = await withRouting(context, "storing", ({ routing }) =>
    routing.evidence.import(bytes.toString("utf8")),
  );
  output.object({ ok: true, ...done });
  output.line(`${plural(done.added, "outcome")} added, ${done.known} known already`);
  return 0;
};

const show = async (context: CommandContext, verb: string | undefined): Promise<0> => {
  const { output } = context;
  const isExport = verb === "export";
  const reviewer = isExport ? context.positionals[1] : verb;
  const found = await withRouting(context, "reading", ({ routing }) =>
    routing.evidence.list({
      ...(reviewer !== undefined && { reviewer }),
      limit: isExport ? limits.evidenceLinesMax : 50,
    }),
  );
  if (isExport) {
    for (const one of found.toReversed()) output.print(JSON.stringify(one));
    return 0;
  }
  output.object({ evidence: found });
  for (const one of found) {
    const what = [one.outcome, one.reason, one.severity, one.path].filter(Boolean).join(" ");
    output.line(`${one.at.slice(0, 16)}  ${one.reviewer}  ${showText(what, 200)}`);
  }
  if (found.length === 0) output.note("nothing is known of findings yet");
  return 0;
};
