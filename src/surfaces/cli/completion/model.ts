import { commandTable, globalOptions } from "../command-table.ts";
import type { Command, Option } from "../command.ts";

/** A place on the command line: after `headgate`, after a command, after a sub-command. */
export interface Place {
  /** "", "events" or "events verify". */
  readonly path: string;
  /** Names that may come next, with their summaries. */
  readonly names: readonly (readonly [name: string, summary: string])[];
  readonly options: readonly (readonly [name: string, option: Option])[];
  readonly completes: Command["completes"];
}

/** What each shell's script is generated from: the table and every command in it. */
export const completionPlaces = async (): Promise<readonly Place[]> => {
  const globals = Object.entries(globalOptions);
  const commands = Object.entries(commandTable).map(
    ([name, { summary }]) => [name, summary] as const,
  );
  const places: Place[] = [
    {
      path: "",
      names: [...commands, ["help", "Show help for a command"]],
      options: globals,
      completes: undefined,
    },
    { path: "help", names: commands, options: [], completes: undefined },
  ];
  for (const [name, entry] of Object.entries(commandTable)) {
    const { command } = await entry.load();
    places.push(placeOf(name, command));
    for (const [sub, subcommand] of Object.entries(command.subcommands ?? {})) {
      places.push(placeOf(`${name} ${sub}`, subcommand));
    }
  }
  return places;
};

const placeOf = (path: string, command: Command): Place => ({
  path,
  names: Object.entries(command.subcommands ?? {}).map(([name, { summary }]) => [name, summary]),
  options: [...Object.entries(command.options), ...Object.entries(globalOptions)],
  completes: command.completes,
});

/** How the value of an option completes. */
export const valueCompletion = (
  option: Option,
): "files" | "folders" | "none" | readonly string[] => {
  if (option.choices !== undefined) return option.choices;
  if (option.value === "DIR") return "folders";
  return option.value === "FILE" ? "files" : "none";
};

/** `--repo`, `-q` … as typed. */
export const spellings = ([name, option]: readonly [string, Option]): string[] =>
  option.short === undefined ? [`--${name}`] : [`--${name}`, `-${option.short}`];

/** Every spelling, anywhere, of an option that takes a value: the word after it is never a name. */
export const valuedSpellings = (places: readonly Place[]): string[] => [
  ...new Set(
    places.flatMap(({ options }) =>
      options.filter(([, option]) => option.type === "string").flatMap(spellings),
    ),
  ),
];

/** A literal for any of the three shells. Our texts hold no line breaks. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Lines of a bash or zsh `case` that lead from one place to the next by a name. */
export const transitions = (places: readonly Place[]): string =>
  places
    .flatMap(({ path, names }) =>
      path === "help"
        ? []
        : names.map(([name]) => {
            const next = path === "" ? name : `${path} ${name}`;
            return `      ${quote(`${path}:${name}`)}) place=${quote(next)} ;;`;
          }),
    )
    .join("\n");
