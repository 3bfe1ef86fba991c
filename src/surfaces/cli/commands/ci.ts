import { resolve } from "node:path";
import { showText } from "../../../base/text.ts";
import { packageVersion } from "../../../base/version.ts";
import { type ErrorCode, errorCodes } from "../../../errors.ts";
import { toSarif } from "../../../review/index.ts";
import { writeFileAtomic } from "../../../state/index.ts";
import { type CiFinding, type CiResult, judgeRange } from "../../git/index.ts";
import type { Command } from "../command.ts";
import { openFor } from "../open-for.ts";
import type { Output } from "../output.ts";

export const command: Command = {
  summary: "Judge a range of commits on a server, without a store",
  usage: ["ci [RANGE] [--each] [--format text|json|sarif] [--output FILE]", "ci --base REF"],
  description:
    "The gate's judgement over what the commits change together: duplicates, syntax errors, placeholders, " +
    "missing calls, protected paths. Merges are judged against each of their parents. RANGE is git's (main..HEAD); without it, judged is what HEAD has since " +
    "it parted from the default branch. Works in bare clones (calls are not looked at there); a shallow " +
    "clone needs enough history. Claims are not asked: see docs/git.md.",
  options: {
    base: { type: "string", value: "REF", description: "Judge since HEAD parted from REF" },
    each: { type: "boolean", description: "Judge every commit against its parents" },
    format: {
      type: "string",
      value: "FORMAT",
      choices: ["text", "json", "sarif"],
      description: "What is printed (default: text; json with --json)",
    },
    output: { type: "string", value: "FILE", description: "Write it there instead of printing it" },
  },
  examples: [
    ["headgate ci", "this branch against the default branch"],
    ["headgate ci --base origin/main --format sarif --output headgate.sarif", "for a code host"],
  ],
  exits: [
    [0, "nothing would be refused"],
    [1, "something would be refused"],
    [2, "the range is unknown, or the clone is too shallow"],
  ],
  positionalsMax: 1,
  watched: "signals",
  run: async (context) => {
    const { flags, output, positionals, environment, signal } = context;
    const format = flags.text("format") ?? (output.json ? "json" : "text");
    await using headgate = await openFor(context, { readOnly: true });
    const result = await judgeRange({
      headgate,
      environment,
      signal,
      range: positionals[0],
      base: flags.text("base"),
      isEach: flags.has("each"),
    });
    const file = flags.text("output");
    const text = textsOf[format as keyof typeof textsOf](result);
    if (file !== undefined) {
      await writeFileAtomic(resolve(environment.cwd, file), text, { durability: "normal" });
    } else if (format === "text") printText(result, output);
    else output.print(text.trimEnd());
    if (file !== undefined || format !== "text") output.note(`headgate: ${summaryOf(result)}`);
    return result.reasons.length === 0 ? 0 : 1;
  },
};

const summaryOf = ({ commits, merges, files, notAnalysed, reasons, notes }: CiResult): string =>
  `${count(commits, "commit")}, ${merges === 0 ? "" : `${count(merges, "merge")}, `}${count(files, "changed file")} (${notAnalysed} not analysed): ` +
  `${count(reasons.length, "reason")} to refuse, ${count(notes.length, "note")}`;

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;

const printText = (result: CiResult, output: Output): void => {
  for (const line of linesOf(result)) output.line(line);
};

const linesOf = (result: CiResult): string[] => [
  ...result.reasons.flatMap((reason) => [
    `${placeOf(reason)}  ${reason.code}`,
    `    ${showText(reason.message, 300)}`,
    `    → ${showText(reason.remedy, 300)}`,
  ]),
  ...result.notes.map((note) => `${placeOf(note)}  note: ${showText(note.message, 200)}`),
  summaryOf(result),
];

const placeOf = ({ path, line, column, commit }: CiFinding): string =>
  `${[showText(path), line, column].filter((part) => part !== undefined).join(":")}  ${commit.slice(0, 10)}`;

const textsOf = {
  text: (result: CiResult): string => `${linesOf(result).join("\n")}\n`,
  json: (result: CiResult): string => `${JSON.stringify(result)}\n`,
  sarif: (result: CiResult): string => `${JSON.stringify(sarifOf(result), undefined, 2)}\n`,
};

const sarifOf = ({ reasons, notes }: CiResult) => {
  const all = [
    ...reasons.map((finding) => ({ finding, level: "error" as const })),
    ...notes.map((finding) => ({ finding, level: "note" as const })),
  ];
  const codes = new Set(all.map(({ finding }) => finding.code));
  return toSarif({
    version: packageVersion(),
    rules: [...codes].toSorted().map(ruleOf),
    findings: all.map(({ finding, level }) => {
      const { code, path, line, column, symbol, message, remedy, commit } = finding;
      return {
        rule: code,
        level,
        message: `${message}\n${remedy}`,
        path,
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
        ...(symbol !== undefined && { symbol }),
        // Numbers in messages are mostly lines, which move.
        identity: message.replaceAll(/\d+/g, "#"),
        properties: { commit },
      };
    }),
  });
};

const ruleOf = (id: string) => {
  const entry = id in errorCodes ? errorCodes[id as ErrorCode] : undefined;
  return {
    id,
    summary: entry?.cause ?? `Headgate reports ${id}.`,
    help: entry?.remedy ?? "See docs/errors.md.",
  };
};
