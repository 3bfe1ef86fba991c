import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Evidence, HeldFilter, HeldReason } from "../../../routing/index.ts";
import { usageError } from "../arguments.ts";
import type { Command, CommandContext } from "../command.ts";
import { requireWord, withRouting } from "../routing-run.ts";

export const evidence: Command = {
  summary: "Add, import, export or show what became of findings",
  usage: [
    "routing evidence [REVIEWER]",
    "routing evidence add --reviewer R --outcome accepted|dismissed|addressed|escaped [--reason WORD] [--session S] [--change C] [--severity P1] [--path P]",
    "routing evidence import FILE.jsonl | -",
    "routing evidence export",
    "routing evidence held [REVIEWER]",
    "routing evidence confirm|discard ID… | --reviewer R | --session S",
  ],
  description:
    "Reviews record outcomes themselves; this is for people and for other tools. Reasons of a dismissal: " +
    "wrong, not-applicable, deprioritized, stale, severity, duplicate; without one it counts half. The same " +
    "finding with the same outcome counts once. An import is taken as a whole or not at all. What an " +
    `agent's session tells for another session, against one, or beyond ${limits.evidencePerSessionMax} outcomes of a reviewer a day, is ` +
    "held: it counts when another session or a person confirms it.",
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
    severity: {
      type: "string",
      value: "SEVERITY",
      choices: ["P0", "P1", "P2", "P3"],
      description: "How severe it was",
    },
    note: { type: "string", value: "TEXT", description: "A remark" },
  },
  examples: [
    [
      "headgate routing evidence add --reviewer fd-game-design --outcome dismissed --reason wrong",
      "one finding that was wrong",
    ],
    ["headgate routing evidence export", "all of it as JSON lines"],
    ["headgate routing evidence held", "what does not count yet, and why"],
  ],
  exits: [
    [0, "done, also when it was known"],
    [1, "what is held was told by your own session: another one confirms it"],
    [2, "a field is not what it must be; nothing was stored"],
    [4, "no held outcome has this id"],
  ],
  positionalsMax: 101,
  completes: ["add", "import", "export", "held", "confirm", "discard"],
  run: async (context) => {
    const [verb] = context.positionals;
    if (verb === "add") return addOne(context);
    if (verb === "import") return importAll(context);
    if (verb === "confirm") return confirm(context);
    if (verb === "discard") return discard(context);
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
  const told = await withRouting(context, "storing", ({ routing }) =>
    routing.evidence.add(entry as unknown as Evidence),
  );
  output.object({
    ok: true,
    added: told === "known" ? 0 : 1,
    held: told === "held" ? 1 : 0,
    known: told === "known" ? 1 : 0,
  });
  if (told === "held") {
    output.line("recorded, and held: it counts when another session or a person confirms it");
    output.note("why, and which: headgate routing evidence held");
  } else output.line(told === "counted" ? "recorded" : "known already");
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
  const held =
    done.held === 0 ? "" : `, ${done.held} of them held (headgate routing evidence held)`;
  output.line(`${plural(done.added, "outcome")} added${held}, ${done.known} known already`);
  return 0;
};

const show = async (context: CommandContext, verb: string | undefined): Promise<0> => {
  const { output } = context;
  const isExport = verb === "export";
  const isHeld = verb === "held";
  const reviewer = isExport || isHeld ? context.positionals[1] : verb;
  const found = await withRouting(context, "reading", ({ routing }) =>
    routing.evidence.list({
      ...(reviewer !== undefined && { reviewer }),
      isHeld,
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
    const id = isHeld ? `${one.id}  ` : "";
    const why = one.held === undefined ? "" : output.style.yellow(`  held: ${heldText[one.held]}`);
    output.line(`${id}${one.at.slice(0, 16)}  ${one.reviewer}  ${showText(what, 200)}${why}`);
    if (isHeld) output.line(`  told by ${showText(one.actor, 100)}${forOther(one)}`);
  }
  if (found.length === 0) {
    output.note(isHeld ? "nothing is held" : "nothing is known of findings yet");
  } else if (isHeld) {
    output.note("headgate routing evidence confirm ID… lets them count; discard takes them away");
  }
  return 0;
};

const heldText: Record<HeldReason, string> = {
  "other-session": "told in the name of another session",
  flood: `more than ${limits.evidencePerSessionMax} of one reviewer from one session within 24 hours`,
  contradiction: "another session said the opposite of the same finding",
};

const forOther = ({ session }: Pick<Evidence, "session">): string =>
  session === undefined ? "" : ` for ${showText(session, 100)}`;

const heldFilter = (context: CommandContext, verb: string): HeldFilter => {
  const { positionals, flags } = context;
  const ids = positionals.slice(1);
  const [reviewer, session] = [flags.text("reviewer"), flags.text("session")];
  if (ids.length === 0 && reviewer === undefined && session === undefined) {
    throw usageError(
      "name what is meant: ID…, --reviewer R or --session S",
      `headgate routing evidence ${verb}`,
    );
  }
  return {
    ...(ids.length > 0 && { ids }),
    ...(reviewer !== undefined && { reviewer }),
    ...(session !== undefined && { session }),
  };
};

const confirm = async (context: CommandContext): Promise<0 | 1> => {
  const { output } = context;
  const filter = heldFilter(context, "confirm");
  const done = await withRouting(context, "confirming", ({ routing }) =>
    routing.evidence.confirm(filter),
  );
  const { confirmed, own } = done;
  output.object({ ok: own === 0, ...done });
  const now = confirmed === 1 ? "it counts from now on" : "they count from now on";
  if (confirmed > 0) output.line(`${plural(confirmed, "outcome")} confirmed: ${now}`);
  else if (own === 0) output.line("nothing like that is held");
  if (own > 0) {
    output.note(`${plural(own, "outcome")} left: a session does not confirm what it told itself`);
  }
  return own > 0 && confirmed === 0 ? 1 : 0;
};

const discard = async (context: CommandContext): Promise<0> => {
  const filter = heldFilter(context, "discard");
  const discarded = await withRouting(context, "discarding", ({ routing }) =>
    routing.evidence.discard(filter),
  );
  context.output.object({ ok: true, discarded });
  context.output.line(`${plural(discarded, "outcome")} taken away`);
  return 0;
};
