/** The man page and docs/help.md, made from the tables that the program's own help is made from. */
import { packageVersion } from "../src/base/version.ts";
import type { Command } from "../src/surfaces/cli/command.ts";
import { commandTable, globalOptions, groups } from "../src/surfaces/cli/command-table.ts";
import { helpTopics } from "../src/surfaces/cli/help-topics.ts";

export const manPage = async (): Promise<string> => {
  const lines = [
    '.\\" Made by npm run generate from the command table; do not edit.',
    `.TH HEADGATE 1 "" "headgate ${packageVersion()}" "User Commands"`,
    ".SH NAME",
    "headgate \\- many coding agents, one repository, nothing broken",
    ".SH SYNOPSIS",
    ".B headgate",
    "\\fICOMMAND\\fR [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    roff(
      "Headgate lets many coding agents work on one repository at once. Agents claim what they write; one gate judges every write; " +
        "reviews and runs go through the same gate. `headgate COMMAND --help` tells all about a command, `headgate help TOPIC` about a topic.",
    ),
  ];
  for (const [group, title] of Object.entries(groups)) {
    const members = Object.entries(commandTable).filter(([, entry]) => entry.group === group);
    if (members.length === 0) continue;
    lines.push(`.SH ${roff(title.toUpperCase())}`);
    for (const [name, entry] of members)
      lines.push(...commandLines(name, (await entry.load()).command));
  }
  lines.push(".SH OPTIONS FOR EVERY COMMAND", ...optionLines(globalOptions));
  for (const [name, { text }] of Object.entries(helpTopics)) {
    // Verbatim: the texts are laid out for a terminal already.
    lines.push(
      `.SH ABOUT ${roff(name.toUpperCase())}`,
      ".nf",
      ...text.split("\n").map(roff),
      ".fi",
    );
  }
  lines.push(".SH FILES");
  for (const [file, what] of files) lines.push(".TP", `.I ${roff(file)}`, roff(what));
  return `${lines.join("\n")}\n`;
};

export const helpDocument = (): string => {
  const topics = Object.entries(helpTopics).map(
    ([name, { summary, text }]) => `## ${name}\n\n${summary}.\n\n\`\`\`text\n${text}\n\`\`\`\n`,
  );
  return `# Help topics

What \`headgate help TOPIC\` prints. Made by \`npm run generate\` from src/surfaces/cli/help-topics.ts.

${topics.join("\n")}`;
};

const files = [
  [".headgate/config.jsonc", "The repository's settings; shared with it."],
  [".git/headgate/", "The store and what belongs to this machine; never committed."],
  ["~/.config/headgate/config.jsonc", "Your own settings: store address, runners, policies."],
] as const;

const commandLines = (name: string, command: Command): string[] => {
  const lines = [`.SS headgate ${roff(name)}`, roff(`${command.summary}.`)];
  for (const form of command.usage) lines.push(".br", `.B headgate ${roff(form)}`);
  if (command.description !== undefined) {
    for (const paragraph of command.description.split("\n")) lines.push(".PP", roff(paragraph));
  }
  lines.push(...optionLines(command.options));
  for (const [sub, { summary }] of Object.entries(command.subcommands ?? {})) {
    lines.push(".TP", `.B ${roff(`${name} ${sub}`)}`, roff(summary));
  }
  if (command.exits) {
    lines.push(".PP", "Exit codes:");
    for (const [code, means] of command.exits) lines.push(".TP", String(code), roff(means));
  }
  return lines;
};

const optionLines = (options: Command["options"]): string[] =>
  Object.entries(options).flatMap(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.type === "string" ? ` ${option.value ?? "TEXT"}` : "";
    const choices = option.choices === undefined ? "" : ` (${option.choices.join(", ")})`;
    return [".TP", `.B ${roff(`${short}--${name}${value}`)}`, roff(option.description + choices)];
  });

/** A line that starts with a dot or a quote would be a command to roff. */
const roff = (text: string): string => {
  const plain = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("\n", " ");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
};
