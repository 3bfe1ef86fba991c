import { type CommandEntry, commandTable, globalOptions, groups } from "./command-table.ts";
import type { Command } from "./command.ts";
import type { OptionTable } from "./arguments.ts";
import type { Style } from "./output.ts";
import { wrapText } from "./wrap-text.ts";

/** The first screen: made from the table alone, so it loads no command. */
export const rootHelp = (style: Style): string => {
  const names = Object.entries(commandTable);
  const width = Math.max(...names.map(([name]) => name.length));
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const members = names.filter(([, entry]: [string, CommandEntry]) => entry.group === group);
    return members.length === 0
      ? []
      : [
          "",
          style.bold(title),
          ...members.map(([name, { summary }]) => row(style.cyan(name), name, width, summary)),
        ];
  });
  return [
    `${style.bold("headgate")}: many coding agents, one repository, nothing broken`,
    "",
    `${style.bold("Usage")}  headgate <command> [options]`,
    ...sections,
    "",
    style.bold("Options for every command"),
    ...optionLines(globalOptions, style),
    "",
    style.bold("Start here"),
    row("headgate status", "headgate status", 22, "what Headgate sees in this folder"),
    row("headgate help events", "headgate help events", 22, "all about one command, with examples"),
    "",
    style.bold("Topics (headgate help TOPIC)"),
    ...wrapText(topicNames.join(" · "), 76).map((line) => `  ${line}`),
    "",
    style.bold("Exit codes"),
    ...wrapText(exitText, 76).map((line) => `  ${line}`),
  ].join("\n");
};

/** Help of a command or a sub-command; `words` is how it is called: `headgate events verify`. */
export const commandHelp = (command: Command, words: string, style: Style): string => {
  const lines = [`${style.bold(words)}: ${lowerFirst(command.summary)}`, "", style.bold("Usage")];
  lines.push(...command.usage.map((form) => `  headgate ${form}`));
  if (command.description !== undefined) {
    const paragraphs = command.description.split("\n").flatMap((text) => wrapText(text, 78));
    lines.push("", ...paragraphs);
  }
  const subcommands = Object.entries(command.subcommands ?? {});
  if (subcommands.length > 0) {
    const width = Math.max(...subcommands.map(([name]) => name.length));
    lines.push("", style.bold("Sub-commands"));
    lines.push(
      ...subcommands.map(([name, { summary }]) => row(style.cyan(name), name, width, summary)),
    );
  }
  if (Object.keys(command.options).length > 0) {
    lines.push("", style.bold("Options"), ...optionLines(command.options, style));
  }
  if (command.examples.length > 0) {
    lines.push("", style.bold("Examples"));
    for (const [line, does] of command.examples)
      lines.push(`  ${line}`, style.dim(`      ${does}`));
  }
  const exits = command.exits ?? [[0, "done"] as const];
  lines.push("", style.bold("Exit codes"));
  lines.push(...exits.map(([code, means]) => `  ${String(code).padEnd(4)}${means}`));
  lines.push("", style.dim("Global options and the other exit codes: headgate --help"));
  return lines.join("\n");
};

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

const optionLines = (options: OptionTable, style: Style): string[] => {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.type === "string" ? ` ${option.value ?? "TEXT"}` : "";
    const choices = option.choices === undefined ? "" : ` (${option.choices.join(", ")})`;
    return { left: `${short}--${name}${value}`, right: `${option.description}${choices}` };
  });
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, right }) => row(style.cyan(left), left, width, right));
};

/** Padding counts the plain text, because colours have no width. */
const row = (shown: string, plain: string, width: number, text: string): string => {
  const indent = " ".repeat(width + 4);
  const [first = "", ...more] = wrapText(text, Math.max(40, 96 - indent.length));
  const padding = " ".repeat(width - plain.length);
  return [`  ${shown}${padding}  ${first}`, ...more.map((line) => indent + line)].join("\n");
};

export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
