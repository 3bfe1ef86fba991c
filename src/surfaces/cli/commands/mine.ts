import { plural, showText } from "../../../base/text.ts";
import type { MineSummary } from "../../../gate/index.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";

const commitsDefault = 1000;

export const command: Command = {
  summary: "Show what the gate would have refused in this repository's history",
  usage: ["mine [RANGE] [--commits N]"],
  description:
    "Every changed file of every commit is judged as if somebody proposed it: duplicates, syntax errors, " +
    "placeholders, merge markers. Nothing is changed. RANGE is git's (main~200..main); without it the newest " +
    `${commitsDefault} commits of HEAD are looked at.`,
  options: {
    commits: {
      type: "string",
      value: "N",
      description: `At most N commits (default ${commitsDefault})`,
    },
  },
  examples: [
    ["headgate mine", `the newest ${commitsDefault} commits`],
    ["headgate mine v1.0..HEAD --json", "one JSON object per refused edit, then the summary"],
  ],
  exits: [
    [0, "looked at, whatever was found"],
    [130, "interrupted; what was found so far is shown"],
  ],
  positionalsMax: 1,
  watched: "signals",
  run: async (context) => {
    const { output, flags, positionals, signal } = context;
    const commitsMax = flags.integer("commits", { min: 1, max: 1_000_000 }) ?? commitsDefault;
    const [range] = positionals;
    await using headgate = await openFor(context, { readOnly: true });
    let told = 0;
    const summary = await headgate.mine(
      {
        commitsMax,
        signal,
        ...(range !== undefined && { range }),
        onProgress: ({ commits, commitsTotal, edits, refused }) => {
          const percent = Math.floor((100 * commits) / commitsTotal);
          if (percent < told + 10) return;
          told = percent;
          output.note(
            `headgate: ${commits} of ${commitsTotal} commits, ${edits} edits, ${refused} refused`,
          );
        },
      },
      ({ commit, path, reasons }) => {
        output.object({ commit, path, reasons });
        output.line(`${output.style.yellow(commit.slice(0, 10))}  ${showText(path)}`);
        for (const { code, line, message } of reasons) {
          const place = line === undefined ? "" : `:${line}`;
          const [first = ""] = message.split("\n");
          output.line(`    ${output.style.red(code)}${place}  ${showText(first, 200)}`);
        }
      },
    );
    output.object({ summary });
    const { commits, edits, refused, notAnalysed } = summary;
    output.line(
      `${plural(commits, "commit")}, ${plural(edits, "edit")} judged (${notAnalysed} in languages that are not analysed): ` +
        `${refused} would have been refused`,
    );
    if (refused === 0 && !signal.aborted)
      for (const line of nothingFound(summary)) output.line(line);
    return signal.aborted ? 130 : 0;
  },
};

/** A nought alone says neither what was looked at nor whether that is good. */
const nothingFound = ({ commits, edits, notAnalysed }: MineSummary): string[] => {
  if (commits === 0)
    return [
      "The range holds no commit of its own; merges are left out. Name another: headgate mine RANGE",
    ];
  if (edits === notAnalysed)
    return [
      "None of these files is in a language that is analysed: headgate help docs/languages.md lists those.",
    ];
  return [
    "Looked for: second definitions, broken syntax, placeholders and merge markers, in each file by itself.",
    "That is usual: most of what the gate refuses is mended before a commit. Claims and old views leave no trace in git.",
    "See it refuse: headgate demo. See it refuse here: headgate doctor --prove. Look further back: headgate mine --commits 10000",
  ];
};
