import { parseArgs } from "node:util";
import { nearestName, showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { globalOptions } from "./command-table.ts";
import type { Option } from "./command.ts";

/**
 * The one parser of the command line. It works on `parseArgs` tokens, so each argument is classified
 * exactly once: a value is never looked at again, whatever it looks like, and nothing after `--` is an
 * option. Strictness is decided here rather than by `strict: true`, because the tokens allow messages
 * that name the nearest option.
 */
export type OptionTable = Readonly<Record<string, Option>>;
export type Values = Readonly<Record<string, true | string | readonly string[]>>;

export interface Parsed {
  readonly values: Values;
  readonly positionals: readonly string[];
  /** How many of the positionals stood before `--`. */
  readonly plainCount: number;
}

/** Splits `[global options] command …`; `rest` belongs to the command and is parsed with its options. */
export const splitCommand = (
  argv: readonly string[],
): { readonly values: Values; readonly name?: string; readonly rest: readonly string[] } => {
  const end = headLength(argv);
  const { values } = parseOptions(argv.slice(0, end), globalOptions);
  const name = argv[end];
  if (name === undefined) return { values, rest: [] };
  if (name === "--") throw usageError("a command is expected before --");
  return { values, name, rest: argv.slice(end + 1) };
};

/** How many arguments come before the command: global options and their values. */
export const headLength = (argv: readonly string[]): number =>
  tokenize(argv, globalOptions).find((token) => token.kind !== "option")?.index ?? argv.length;

/**
 * The switches among the arguments, for showing a failure the way its caller asked for although the
 * line as a whole is wrong: `headgate events --bogus --json`.
 */
export const givenSwitches = (args: readonly string[], options: OptionTable): Values => {
  const values: Record<string, true> = {};
  for (const token of tokenize(args, options)) {
    if (token.kind !== "option" || token.value !== undefined) continue;
    if (options[token.name]?.type === "boolean") values[token.name] = true;
  }
  return values;
};

/** `words` is the command line so far, for messages: `headgate events`. */
export const parseOptions = (
  args: readonly string[],
  options: OptionTable,
  words = "headgate",
): Parsed => {
  const values: Record<string, true | string | readonly string[]> = {};
  const positionals: string[] = [];
  let plainCount: number | undefined;
  for (const token of tokenize(args, options)) {
    if (token.kind === "option-terminator") plainCount = positionals.length;
    else if (token.kind === "positional") positionals.push(token.value);
    else if (options[token.name]?.rest) values[token.name] = restOf(args, token, words);
    else {
      const value = optionValue(token, options, words);
      const before = values[token.name];
      values[token.name] =
        options[token.name]?.multiple && typeof value === "string"
          ? [...(Array.isArray(before) ? before : []), value]
          : value;
    }
  }
  return { values, positionals, plainCount: plainCount ?? positionals.length };
};

/** A misuse of the command line; `words` names the command whose help explains it. */
export const usageError = (message: string, words = "headgate"): HeadgateError =>
  new HeadgateError("USAGE", message, { data: { help: `${words} --help` } });

/** For a question that nobody can answer; `verb` is what `--yes` then does. */
export const noTerminal = (verb: string, words: string): HeadgateError =>
  usageError(
    `there is no terminal to ask at: add --yes to ${verb}, or --dry-run to see what it would do`,
    words,
  );

/** `unknown command "statsu"; did you mean "status"?` */
export const unknownName = (what: string, name: string, known: Iterable<string>): string => {
  const near = nearestName(name, known);
  const hint = near === undefined ? "" : `; did you mean "${near}"?`;
  return `unknown ${what} "${showText(name)}"${hint}`;
};

/** What follows an option that takes the rest of the line is not looked at. */
const tokenize = (args: readonly string[], options: OptionTable) => {
  const tokens = allTokens(args, options);
  const rest = tokens.findIndex((token) => isRest(token, options));
  return rest < 0 ? tokens : tokens.slice(0, rest + 1);
};

type Token = ReturnType<typeof allTokens>[number];

const isRest = (token: Token, options: OptionTable): boolean =>
  token.kind === "option" &&
  Object.hasOwn(options, token.name) &&
  options[token.name]?.rest === true;

const restOf = (args: readonly string[], token: OptionToken, words: string): readonly string[] => {
  const rest = args.slice(token.index + 1);
  if (rest.length > 0 && !token.inlineValue) return rest;
  throw usageError(
    `option ${token.rawName} takes a program and its arguments, up to the end of the line`,
    words,
  );
};

const allTokens = (args: readonly string[], options: OptionTable) =>
  parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens;

type OptionToken = Extract<Token, { kind: "option" }>;

const optionValue = (token: OptionToken, options: OptionTable, words: string): true | string => {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (option === undefined) {
    const known = Object.keys(options).map((name) => `--${name}`);
    const isShort = !token.rawName.startsWith("--");
    const hint = isShort ? "; a value that begins with - comes after --" : "";
    throw usageError(unknownName("option", token.rawName, known) + hint, words);
  }
  const { rawName, value } = token;
  if (option.type === "boolean") {
    if (value === undefined) return true;
    throw usageError(`option ${rawName} takes no value, got "${showText(value)}"`, words);
  }
  if (value === undefined) {
    throw usageError(
      `option ${rawName} needs a value: ${rawName} ${option.value ?? "TEXT"}`,
      words,
    );
  }
  // `--repo --json` is more likely a forgotten value than a folder of that name.
  if (!token.inlineValue && value.length > 1 && value.startsWith("-")) {
    const shown = showText(value);
    throw usageError(
      `option ${rawName} needs a value, but "${shown}" follows; if it is the value, write ${rawName}=${shown}`,
      words,
    );
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw usageError(
      `option ${rawName} is one of ${option.choices.join(", ")}; got "${showText(value)}"`,
      words,
    );
  }
  return value;
};
