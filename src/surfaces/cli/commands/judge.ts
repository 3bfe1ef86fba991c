import { limits } from "../../../base/limits.ts";
import { plural } from "../../../base/text.ts";
import { HeadgateError } from "../../../errors.ts";
import { asHeadgateError } from "../../as-headgate-error.ts";
import type { Proposal, JudgeStage, Verdict } from "../../../gate/index.ts";
import { fitReasons } from "../../fit-remedy.ts";
import type { Command, CommandContext, ExitCode } from "../command.ts";
import { readTextArgument, typesOf, typesOption } from "../edit-run.ts";
import { openFor } from "../open-for.ts";
import { printVerdict } from "../verdict-lines.ts";

export const command: Command = {
  summary: "Say whether proposed writes would be allowed, and why not",
  usage: ["judge [FILE]", "judge --jsonl"],
  description:
    'A proposal is JSON, from FILE or standard input: {"writes":[{"path","before"?,"after"}]}; `after` null ' +
    "deletes the file, `before` is what the writer saw. Nothing is changed and nothing claimed. With --jsonl " +
    'there is one proposal per line and one verdict per line, in order; a proposal may carry "files", the ' +
    "tree to judge against instead of the working tree.",
  options: {
    jsonl: { type: "boolean", description: "One proposal per line in, one verdict per line out" },
    stage: {
      type: "string",
      value: "STAGE",
      description: "edit (default): what a later edit can make right is a note; commit: a reason",
      choices: ["edit", "commit"],
    },
    types: typesOption,
  },
  examples: [
    ["headgate judge proposal.json", "allowed, or what is wrong and what to do"],
    ["headgate judge --jsonl < history.jsonl", "replay many, as JSON lines"],
  ],
  exits: [
    [0, "allowed; with --jsonl: all judged"],
    [1, "denied"],
    [2, "not a proposal; with --jsonl: a line could not be judged and has its error instead"],
  ],
  positionalsMax: 1,
  completes: "files",
  run: async (context) => (context.flags.has("jsonl") ? judgeLines(context) : judgeOne(context)),
};

const askedStage = ({ flags }: CommandContext): { readonly stage: JudgeStage } => ({
  stage: flags.text("stage") === "commit" ? "commit" : "edit",
});

const judgeOne = async (context: CommandContext): Promise<ExitCode> => {
  const text = await readTextArgument(context);
  const proposal = parseProposal(text);
  await using headgate = await openFor(context, { readOnly: true, ...typesOf(context) });
  const verdict = await headgate.gate.judge(proposal, askedStage(context));
  context.output.object(shape(verdict));
  const { environment, output } = context;
  const { worktree: root, localDir } = headgate.repository;
  const stand = { root, localDir, environment, cwd: environment.cwd };
  const reasons = fitReasons(verdict.reasons, stand);
  printVerdict({ ...verdict, reasons, notes: fitReasons(verdict.notes, stand) }, output);
  return verdict.verdict === "allow" ? 0 : 1;
};

const judgeLines = async (context: CommandContext): Promise<ExitCode> => {
  await using headgate = await openFor(context, { readOnly: true });
  let [count, denied, unjudged] = [0, 0, 0];
  const told = (): string =>
    `${count - unjudged} judged, ${denied} denied` +
    (unjudged > 0 ? `, ${plural(unjudged, "line")} not judged` : "");
  for await (const line of context.readLines(limits.proposalBytesMax)) {
    if (line.trim() === "") continue;
    count += 1;
    const answer = await judgeLine(headgate, line, askedStage(context));
    if ("error" in answer) unjudged += 1;
    else if (answer.verdict === "deny") denied += 1;
    context.output.print(JSON.stringify(answer));
    if (count % 100 === 0) context.output.note(told());
  }
  context.output.note(told());
  return unjudged > 0 ? 2 : 0;
};

/** One bad line must not end the replay of all the others. */
const judgeLine = async (
  headgate: Awaited<ReturnType<typeof openFor>>,
  line: string,
  at: { readonly stage: JudgeStage },
) => {
  try {
    return shape(await headgate.gate.judge(parseProposal(line), at));
  } catch (error) {
    const { code, message } = asHeadgateError(error);
    return { error: { code, message } };
  }
};

const parseProposal = (text: string): Proposal => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new HeadgateError("USAGE", `the proposal is not JSON: ${(error as Error).message}`);
  }
  const problem = problemOf(value);
  if (problem !== undefined) throw new HeadgateError("USAGE", `not a proposal: ${problem}`);
  return value as Proposal;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const problemOf = (value: unknown): string | undefined => {
  if (!isObject(value) || !Array.isArray(value["writes"])) return 'it needs "writes", a list';
  for (const [index, write] of (value["writes"] as unknown[]).entries()) {
    if (!isObject(write)) return `writes[${index}] is not an object`;
    const { path, before, after } = write;
    if (typeof path !== "string") return `writes[${index}].path is not a text`;
    if (after !== null && typeof after !== "string")
      return `writes[${index}].after is not a text or null`;
    if (before !== undefined && before !== null && typeof before !== "string") {
      return `writes[${index}].before is not a text or null`;
    }
  }
  const { files } = value;
  if (
    files !== undefined &&
    !(isObject(files) && Object.values(files).every((one) => typeof one === "string"))
  ) {
    return '"files" is not an object of texts';
  }
  return undefined;
};

/** What other programs rely on; the contents of merged files stay out. */
const shape = ({ verdict, confirm, reasons, notes, files, deltas }: Verdict) => ({
  verdict,
  ...(confirm && { confirm }),
  reasons,
  notes,
  files: files.map(({ path, language, coverage, before, after, regions, merged }) => ({
    path,
    language,
    coverage,
    before,
    after,
    regions,
    ...(merged !== undefined && { merged: true }),
  })),
  deltas,
});
