import {
  type CommandEntry,
  commandTable,
  everyday,
  globalOptions,
  groups,
} from "./command-table.ts";
import type { Command } from "./command.ts";
import type { OptionTable } from "./arguments.ts";
import type { Style } from "./output.ts";
import { wrapText } from "./wrap-text.ts";

/**
 * Made from the table alone, so it loads no command. `headgate` alone fits the smallest terminal; the whole comes with
 * `help` and `--help`.
 */
export const rootHelp = (
  { style, width: columns }: Screen,
  { isWhole }: { readonly isWhole: boolean },
): string => {
  const screen = Math.min(columns, widthMax);
  const names = Object.entries(commandTable);
  const width = Math.max(...names.map(([name]) => name.length));
  const section = (title: string, members: readonly [string, CommandEntry][]): string[] => {
    if (members.length === 0) return [];
    const rows = members.map(([name, { summary }]) =>
      row({ shown: style.cyan(name), plain: name, text: summary }, width, screen),
    );
    return ["", style.bold(title), ...rows];
  };
  const rest = names.filter(([name]) => !everyday.includes(name));
  const head = [
    `${style.bold("headgate")}: many coding agents, one repository, nothing broken`,
    "",
    `${style.bold("Usage")}  headgate <command> [options]`,
    ...section(
      "Every day",
      everyday.flatMap((wanted) => names.filter(([name]) => name === wanted)),
    ),
  ];
  if (!isWhole) {
    const more = row(
      { shown: "headgate help", plain: "headgate help", text: moreCommands },
      13,
      screen,
    );
    return [...head, "", more].join("\n");
  }
  const sections = [
    ...Object.entries(groups).flatMap(([group, title]) =>
      section(
        title,
        rest.filter(([, entry]) => entry.group === group),
      ),
    ),
  ];
  return [
    ...head,
    ...sections,
    "",
    style.bold("Options for every command"),
    ...optionLines(globalOptions, style, screen),
    "",
    style.bold("Start here"),
    ...starts.map(([line, text]) => row({ shown: line, plain: line, text }, 22, screen)),
    "",
    style.bold("Topics (headgate help TOPIC)"),
    ...wrapText(topicNames.join(" · "), screen - 4).map((line) => `  ${line}`),
    ...wrapText(moreHelp, screen - 4).map((line) => `  ${line}`),
    "",
    style.bold("Exit codes"),
    ...wrapText(exitText, screen - 4).map((line) => `  ${line}`),
  ].join("\n");
};

const moreCommands = "every command and option, guides and exit codes";
const moreHelp = "guides: headgate help docs/git.md · manual: headgate help --man";

/** Help of a command or a sub-command; `words` is how it is called: `headgate events verify`. */
export const commandHelp = (
  command: Command,
  words: string,
  { style, width: columns }: Screen,
): string => {
  const screen = Math.min(columns, widthMax);
  const [title = "", ...longer] = wrapText(`${words}: ${lowerFirst(command.summary)}`, screen);
  const lines = [style.bold(words) + title.slice(words.length), ...longer, "", style.bold("Usage")];
  for (const form of command.usage) {
    const [first = "", ...more] = wrapText(`headgate ${form}`, screen - 8);
    lines.push(`  ${first}`, ...more.map((line) => `        ${line}`));
  }
  if (command.description !== undefined) {
    const paragraphs = command.description
      .split("\n")
      .flatMap((text) => wrapText(text, screen - 2));
    lines.push("", ...paragraphs);
  }
  const subcommands = Object.entries(command.subcommands ?? {});
  if (subcommands.length > 0) {
    const width = Math.max(...subcommands.map(([name]) => name.length));
    lines.push("", style.bold("Sub-commands"));
    lines.push(
      ...subcommands.map(([name, { summary }]) =>
        row({ shown: style.cyan(name), plain: name, text: summary }, width, screen),
      ),
    );
    if (command.alone) {
      const text = `Alone: ${lowerFirst(command.alone.summary)}`;
      lines.push(...wrapText(text, screen - 2).map((line) => `  ${line}`));
    }
  }
  if (Object.keys(command.options).length > 0) {
    lines.push("", style.bold("Options"), ...optionLines(command.options, style, screen));
  }
  if (command.examples.length > 0) {
    lines.push("", style.bold("Examples"));
    for (const [line, does] of command.examples)
      lines.push(`  ${line}`, style.dim(`      ${does}`));
  }
  const exits = command.exits ?? [[0, "done"] as const];
  lines.push("", style.bold("Exit codes"));
  for (const [code, means] of exits) {
    const [first = "", ...more] = wrapText(means, screen - 6);
    lines.push(`  ${String(code).padEnd(4)}${first}`, ...more.map((line) => `      ${line}`));
  }
  lines.push("", style.dim("Global options and the other exit codes: headgate --help"));
  return lines.join("\n");
};

/** What help needs of an output. */
export interface Screen {
  readonly style: Style;
  readonly width: number;
}

/** Longer lines are hard to read, however wide the terminal is. */
const widthMax = 80;

const starts = [
  ["headgate status", "what Headgate sees in this folder"],
  ["headgate help events", "all about one command, with examples"],
] as const;

/** Their texts are in help-topics.ts, which is loaded when one is asked for; a test compares the names. */
const topicNames = [
  "getting-started",
  "claims",
  "gate",
  "review",
  "routing",
  "runs",
  "clients",
  "postgres",
  "ci",
  "security",
  "exit-codes",
  "targets",
] as const;

const exitText =
  "0 done or clear · 1 refused, conflict, findings · 2 usage or configuration · 3 stale · " +
  "4 nothing there · 5 unknown outcome · 69 store or system unavailable · 70 internal error · " +
  "130 interrupted";

const optionLines = (options: OptionTable, style: Style, screen: number): string[] => {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.type === "string" ? ` ${option.value ?? "TEXT"}` : "";
    const choices = option.choices === undefined ? "" : ` (${option.choices.join(", ")})`;
    return { left: `${short}--${name}${value}`, right: `${option.description}${choices}` };
  });
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, right }) =>
    row({ shown: style.cyan(left), plain: left, text: right }, width, screen),
  );
};

/**
 * Padding counts the plain text, because colours have no width. Where too little room is left beside
 * the first column, the text stands below it.
 */
const row = (
  { shown, plain, text }: Record<"shown" | "plain" | "text", string>,
  width: number,
  screen: number,
): string => {
  const room = screen - width - 4;
  if (room < 24) {
    return [`  ${shown}`, ...wrapText(text, screen - 6).map((line) => `      ${line}`)].join("\n");
  }
  const indent = " ".repeat(width + 4);
  const [first = "", ...more] = wrapText(text, room);
  const padding = " ".repeat(width - plain.length);
  return [`  ${shown}${padding}  ${first}`, ...more.map((line) => indent + line)].join("\n");
};

export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
