import type { Environment } from "../../base/environment.ts";
import { packageVersion } from "../../base/version.ts";
import {
  givenSwitches,
  headLength,
  type OptionTable,
  parseOptions,
  splitCommand,
  unknownName,
  usageError,
  type Values,
} from "./arguments.ts";
import { commandTable, globalOptions } from "./command-table.ts";
import type { Command, CommandContext, ExitCode } from "./command.ts";
import { reportFailure } from "./failure.ts";
import { createFlags } from "./flags.ts";
import { commandHelp, lowerFirst, rootHelp } from "./help.ts";
import type { HelpTopic } from "./help-topics.ts";
import { createOutput, type Sink, type TerminalOutput } from "./terminal-output.ts";

/** What the program needs from its process; main.ts gives the real one. */
export interface ProgramPorts {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly shared?: CommandContext["shared"];
  /** Sees to it that signals work while the command computes. */
  guardLoop?(watched: Command["watched"]): void;
  readInput(bytesMax: number): Promise<Buffer>;
  readLines(lineBytesMax: number): AsyncIterable<string>;
  confirm(question: string): Promise<boolean | undefined>;
  ask(question: string): Promise<string | undefined>;
}

/** Runs one command line and gives its exit code; never throws. */
export const runProgram = async (
  argv: readonly string[],
  ports: ProgramPorts,
): Promise<ExitCode> => {
  let values: Values = {};
  let words: string | undefined;
  // Until the options are known, a failure is shown as they stand so far.
  const output = (): TerminalOutput =>
    createOutput({
      ...ports,
      json: values["json"] === true,
      quiet: values["quiet"] === true,
      noColour: values["no-color"] === true,
    });
  try {
    values = givenSwitches(argv.slice(0, headLength(argv)), globalOptions);
    const split = splitCommand(argv);
    values = split.values;
    if (split.name === undefined) return showRoot(values, output());
    if (split.name === "help") return await showHelp(split.rest, output());
    // Of a command that there is not, only the options of every command can be read.
    if (!Object.hasOwn(commandTable, split.name)) {
      values = { ...values, ...givenSwitches(split.rest, globalOptions) };
    }
    const found = await findCommand(split.name);
    const call = parseCall(found, `headgate ${split.name}`, split.rest, (parsed) => {
      values = { ...values, ...parsed };
    });
    ({ words } = call);
    if (values["version"] === true) return showVersion(output());
    if (values["help"] === true) {
      const shown = output();
      shown.print(commandHelp(call.command, call.words, shown));
      return 0;
    }
    return await runCall({ ...call, argv }, values, output(), ports);
  } catch (error) {
    const debug = values["debug"] === true;
    return reportFailure(error, output(), { debug, ...(words !== undefined && { words }) });
  }
};

interface Call {
  readonly command: Command;
  readonly words: string;
  readonly options: OptionTable;
  readonly positionals: readonly string[];
}

const showRoot = (values: Values, output: TerminalOutput): ExitCode => {
  if (values["version"] === true) return showVersion(output);
  output.print(rootHelp(output, { isWhole: values["help"] === true }));
  return 0;
};

const showVersion = (output: TerminalOutput): ExitCode => {
  output.line(packageVersion());
  output.object({ name: "headgate", version: packageVersion() });
  return 0;
};

const helpOptions = {
  ...globalOptions,
  man: { type: "boolean", description: "Print the manual page" },
} as const;

const showHelp = async (words: readonly string[], output: TerminalOutput): Promise<ExitCode> => {
  const { positionals, values } = parseOptions(words, helpOptions, "headgate help");
  if (values["man"] === true) {
    const { readManPage } = await import("./guide-pages.ts");
    output.print(readManPage());
    return 0;
  }
  const [name, sub, ...more] = positionals;
  if (name === undefined) return showRoot({ help: true }, output);
  const { helpTopics } = await import("./help-topics.ts");
  const topic = Object.hasOwn(helpTopics, name) && sub === undefined ? helpTopics[name] : undefined;
  if (topic && !Object.hasOwn(commandTable, name)) return showTopic(name, topic, output);
  if (sub === undefined && !Object.hasOwn(commandTable, name)) {
    const { readGuide } = await import("./guide-pages.ts");
    const guide = readGuide(name);
    if (guide !== undefined) {
      output.print(guide);
      return 0;
    }
  }
  let command = await findCommand(name, Object.keys(helpTopics));
  if (sub !== undefined) command = subcommandOf(command, sub, `headgate ${name}`);
  if (more.length > 0) throw usageError("help takes a command and a sub-command at most");
  output.print(commandHelp(command, ["headgate", ...positionals].join(" "), output));
  if (!topic) return 0;
  output.print("");
  return showTopic(name, topic, output);
};

const showTopic = (
  name: string,
  { summary, text }: HelpTopic,
  output: TerminalOutput,
): ExitCode => {
  output.print(`${output.style.bold(`About ${name}`)}: ${lowerFirst(summary)}\n\n${text}`);
  return 0;
};

const findCommand = async (name: string, topics: readonly string[] = []): Promise<Command> => {
  const entry = Object.hasOwn(commandTable, name) ? commandTable[name] : undefined;
  if (entry === undefined) {
    const known = [...Object.keys(commandTable), "help", ...topics];
    const what = topics.length > 0 ? "command or topic" : "command";
    throw usageError(unknownName(what, name, known));
  }
  return (await entry.load()).command;
};

/**
 * Parses with the options of the command and all its sub-commands together, so that their order on the
 * command line does not matter; what the chosen one does not know is refused afterwards.
 */
const parseCall = (
  command: Command,
  words: string,
  args: readonly string[],
  keep: (values: Values) => void,
): Call => {
  const subcommands = command.subcommands ?? {};
  const union = Object.assign(
    {},
    ...Object.values(subcommands).map((sub) => sub.options),
    command.options,
    globalOptions,
  ) as OptionTable;
  keep(givenSwitches(args, union));
  const parsed = parseOptions(args, union, words);
  keep(parsed.values);
  const [first] = parsed.positionals;
  const isSub = first !== undefined && parsed.plainCount > 0 && Object.hasOwn(subcommands, first);
  const isAlone = first === undefined && command.run === undefined;
  const chosen = isSub
    ? subcommandOf(command, first, words)
    : (isAlone && parsed.values["help"] !== true && command.alone) || command;
  const call = {
    command: chosen,
    words: isSub ? `${words} ${first}` : words,
    options: { ...chosen.options, ...globalOptions },
    positionals: isSub ? parsed.positionals.slice(1) : parsed.positionals,
  };
  // Help is given whatever else is wrong with the line.
  if (parsed.values["help"] !== true) checkCall(call, parsed.values);
  return call;
};

const checkCall = ({ command, words, options, positionals }: Call, values: Values): void => {
  for (const name of Object.keys(values)) {
    if (!Object.hasOwn(options, name)) {
      throw usageError(`option --${name} does not belong to \`${words}\``, words);
    }
  }
  const [first] = positionals;
  if (command.run === undefined) {
    if (first !== undefined) subcommandOf(command, first, words);
    const names = Object.keys(command.subcommands ?? {}).join(", ");
    throw usageError(`\`${words}\` needs a sub-command: ${names}`, words);
  }
  if (positionals.length <= command.positionalsMax) return;
  if (command.positionalsMax === 0 && command.subcommands !== undefined && first !== undefined) {
    subcommandOf(command, first, words);
  }
  const surplus = positionals[command.positionalsMax] ?? "";
  throw usageError(unknownName("argument", surplus, Object.keys(commandTable)), words);
};

const subcommandOf = (command: Command, name: string, words: string): Command => {
  const subcommands = command.subcommands ?? {};
  const found = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (found !== undefined) return found;
  throw usageError(unknownName("sub-command", name, Object.keys(subcommands)), words);
};

const runCall = async (
  { command, words, options, positionals, argv }: Call & Pick<CommandContext, "argv">,
  values: Values,
  output: TerminalOutput,
  { environment, signal, shared, guardLoop, readInput, readLines, confirm, ask }: ProgramPorts,
): Promise<ExitCode> => {
  const flags = createFlags(values, options, words);
  const context: CommandContext = {
    argv,
    positionals,
    flags,
    output,
    environment,
    signal,
    ...(shared && { shared }),
    readInput,
    readLines,
    confirm,
    ask,
  };
  guardLoop?.(command.watched);
  // checkCall has refused a command without `run`.
  return (await command.run?.(context)) ?? 2;
};
