/** What every editing command does around its operations: ask, show, write, answer. */
import { resolve } from "node:path";
import { systemFiles } from "../../base/files.ts";
import { limits } from "../../base/limits.ts";
import { plural, showText } from "../../base/text.ts";
import type { Headgate } from "../../compose.ts";
import type { EditPlan, EditRequest, EditResult } from "../../edit/index.ts";
import { HeadgateError } from "../../errors.ts";
import type { Reason } from "../../gate/index.ts";
import { fitReasons } from "../fit-remedy.ts";
import { noTerminal, usageError } from "./arguments.ts";
import type { CommandContext, ExitCode, Flags, Option } from "./command.ts";
import { whyNot } from "./read-bounded.ts";
import { printReason } from "./verdict-lines.ts";

export const typesOption: Option = {
  type: "boolean",
  description: "Ask the type checker, too (TypeScript, pyright); takes seconds",
};

export const typesOf = ({ flags }: CommandContext): { typesMs?: number } =>
  flags.has("types") ? { typesMs: limits.typesOnRequestMs } : {};

export const editOptions: Readonly<Record<string, Option>> = {
  yes: { type: "boolean", short: "y", description: "Write without asking" },
  "dry-run": { type: "boolean", description: "Judge and show the diff; write nothing" },
  reason: { type: "string", value: "TEXT", description: "Why; kept with the edit" },
  verify: {
    type: "string",
    value: "COMMAND",
    description: "Run this afterwards (words, no shell); if it fails, everything is taken back",
  },
  allow: {
    type: "string",
    multiple: true,
    value: "CODE",
    description: "Pass a refusal on purpose, for the --reason given; only a person can",
  },
  types: typesOption,
  words: { type: "boolean", description: "Mark changed words in the diff" },
};

type Asked = Omit<EditRequest, "operations">;

/** The request as the flags say it. */
export const requestOf = async (
  context: CommandContext,
  headgate: Pick<Headgate, "repository" | "claims">,
): Promise<Asked> => {
  const { flags, argv: words } = context;
  const verify = flags.text("verify");
  const overrides = flags.texts("allow").map((text) => readAllowed(text, flags.text("reason")));
  if (overrides.length > 0) {
    const { requirePerson } = await import("./require-person.ts");
    await requirePerson(context, headgate, { what: "--allow", words });
  }
  return {
    ...given(flags, "reason"),
    ...(verify !== undefined && { verify: splitWords(verify) }),
    ...(overrides.length > 0 && { overrides }),
    ...(flags.has("dry-run") && { dryRun: true }),
    ...(!flags.has("yes") && { approve: (plan: EditPlan) => approve(plan, context) }),
  };
};

/** `--allow CODE --reason TEXT`, or `--allow CODE=TEXT` where several have reasons of their own. */
const readAllowed = (text: string, common = "") => {
  const [, code = "", own = ""] = /^([A-Z_]+)(?:=([^]*))?$/.exec(text) ?? [];
  const reason = own.trim() === "" ? common.trim() : own;
  if (code === "" || reason === "") {
    throw usageError(
      `--allow takes a code and --reason the words for it, not ${showText(text)} alone`,
      "headgate edit",
    );
  }
  return { code, reason };
};

const approve = async (plan: EditPlan, context: CommandContext): Promise<boolean> => {
  await showDiff(plan.diff, context);
  const files = plural(plan.changes.length, "file");
  const answer = await context.confirm(`Write ${files}?`);
  if (answer === undefined) {
    throw noTerminal("write", "headgate edit");
  }
  return answer;
};

const showDiff = async (diff: string, { output, flags }: CommandContext): Promise<void> => {
  const { viewDiff } = await import("../../edit/index.ts");
  const view = viewDiff(diff, { colour: output.colour, words: flags.has("words") });
  output.raw(view);
};

/** Makes the edit; what refuses it is told in the event log. */
export const noted = async (
  headgate: Headgate,
  tool: string,
  { dryRun }: Pick<EditRequest, "dryRun">,
  edit: () => Promise<EditResult>,
): Promise<EditResult> => {
  const { notingRefusal } = await import("../note-refusal.ts");
  return notingRefusal(headgate, { actor: headgate.claims.actor.id, tool, dryRun }, edit);
};

export const answerEdit = async (
  result: EditResult,
  context: CommandContext,
  { repository }: Pick<Headgate, "repository">,
): Promise<ExitCode> => {
  const { output, flags } = context;
  const { cwd } = context.environment;
  const stand = { root: repository.worktree, localDir: repository.localDir, cwd };
  const fit = (reasons: readonly Reason[]) =>
    fitReasons(reasons, { ...stand, environment: context.environment });
  output.object(result);
  if (!result.ok) {
    output.line(output.style.red(result.message?.split("\n", 1)[0] ?? `refused: ${result.code}`));
    for (const reason of fit(result.reasons))
      printReason(reason, output, output.style.red(reason.code));
    return 1;
  }
  const isShown = !flags.has("yes") && !result.dryRun;
  if (!isShown) await showDiff(result.diff, context);
  const word = result.dryRun
    ? output.style.yellow("would be written")
    : output.style.green("written");
  const files = result.files.map(({ path }) => showText(path)).join(", ");
  // A dry run has no id.
  output.line(`${word}  ${files}${result.id === "" ? "" : `  ${output.style.dim(result.id)}`}`);
  for (const { path, symbols } of result.files) {
    for (const { path: symbol, change, lines } of symbols.filter((one) => one.change !== "moved")) {
      const place = lines ? `:${lines[0]}–${lines[1]}` : "";
      output.line(
        `  ${change} ${showText(symbol)}  ${output.style.dim(`${showText(path)}${place}`)}`,
      );
    }
  }
  for (const note of fit(result.notes)) printReason(note, output, output.style.yellow(note.code));
  return 0;
};

/** The texts among these flags that were given, under their own names. */
export const given = <K extends string>(flags: Flags, ...names: readonly K[]) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = flags.text(name);
      return text === undefined ? [] : [[name, text]];
    }),
  ) as { [P in K]?: string };

/** Code from --code, or from standard input. */
export const readCode = async (context: CommandContext): Promise<string> => {
  const text = context.flags.text("code");
  return text ?? (await context.readInput(limits.editFileBytesMax)).toString("utf8");
};

/** The file named on the command line, or standard input. */
export const readTextArgument = async (context: CommandContext): Promise<string> => {
  const [file] = context.positionals;
  if (file === undefined || file === "-") {
    return (await context.readInput(limits.proposalBytesMax)).toString("utf8");
  }
  try {
    return systemFiles.readFile(resolve(context.environment.cwd, file)).toString("utf8");
  } catch (error) {
    throw new HeadgateError("USAGE", `cannot read ${showText(file)}: ${whyNot(error)}`);
  }
};

/** Blanks separate, quotes keep together, a backslash takes the next character as it is. */
const splitWords = (text: string): string[] => {
  const words = text.match(/(?:[^\s"'\\]|\\[^]|"(?:[^"\\]|\\[^])*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(/\\([^])|"((?:[^"\\]|\\[^])*)"|'([^']*)'/g, (_, escaped, double, single) =>
      escaped !== undefined
        ? escaped
        : double !== undefined
          ? double.replaceAll(/\\([^])/g, "$1")
          : single,
    ),
  );
};
